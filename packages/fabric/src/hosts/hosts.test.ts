/** Hosts on a small fabric: flows that begin, stop, end and are forgotten, and what is late. */
import { describe, expect, it } from 'vitest'
import type { Flow } from './flow.ts'
import { HostsBench } from './testing.ts'
import { AGENT, DATA, KIND, PATH, SEQ, TELEMETRY } from '../packets.ts'

/** When the first packet of 1,000 B from h0 is at h2, when its ACK of 64 B is back. */
const THERE = 2 * (0.8e6 + 1e6) + 1.6e6 + 2e6
const BACK = THERE + 64 * 1600 + 2e6 + 2 * (64 * 800 + 1e6)

function ends(bench: HostsBench): string[] {
  return bench.heard.filter((word) => word.includes('ends'))
}

describe('a flow', () => {
  it('ends at its source once all is acknowledged, and then holds nothing', () => {
    const bench = new HostsBench()
    const flow = bench.start(3, 2)
    bench.run()
    // The second packet is there 1.6 us after the first.
    expect(ends(bench)).toEqual([`flow 3 ends at ${BACK + 1.6e6}`])
    expect([flow.isDone, flow.place, bench.packets.held, bench.windows.pending]).toEqual([
      ...[true, -1, 0, 0],
    ])
    expect([bench.hosts.flows[3], bench.hosts.receivers[3]]).toEqual([flow, flow.receiver])
    bench.hosts.forgetEnded()
    expect([bench.hosts.flows[3], bench.hosts.receivers[3]]).toEqual([undefined, undefined])
    bench.hosts.forgetEnded()
    expect(bench.hosts.counts()).toEqual([0, 2, 0, 1904, 0])
  })

  it('ends at its target without ACKs, and its source is closed when it is forgotten', () => {
    const bench = new HostsBench({ ackEvery: 0, rtoPs: 500e6 })
    const flow = bench.start(0, 2)
    bench.run(50e6)
    expect(ends(bench)).toEqual([`flow 0 ends at ${THERE + 1.6e6}`])
    expect(flow.isDone).toBe(false)
    bench.hosts.forgetEnded()
    expect([flow.isDone, bench.hosts.flows[0], bench.windows.pending]).toEqual([
      ...[true, undefined, 0],
    ])
    expect(ends(bench.run())).toHaveLength(1)
  })

  it('that has ended at a host of another thread is forgotten here, too', () => {
    const bench = new HostsBench({ ackEvery: 0 })
    const flow = bench.start(0, 2)
    bench.run(1e6)
    bench.hosts.noteEndElsewhere(0)
    bench.hosts.forgetEnded()
    expect([flow.isDone, bench.hosts.flows[0]]).toEqual([true, undefined])
    // What is still on its way is thrown away.
    bench.run()
    expect([ends(bench), bench.packets.held]).toEqual([[], 0])
  })

  it('says when its last byte has come, to those who asked', () => {
    const bench = new HostsBench()
    for (const flow of [bench.start(0, 2), bench.start(1, 1)]) {
      flow.receiver.tellsDelivery = flow.flow === 0
    }
    bench.run()
    const said = bench.heard.filter((word) => word.includes('is there'))
    expect(said.map((word) => word.split(' at ')[0])).toEqual(['flow 0 is there'])
  })

  it('has the pace of its reaction point from its first packet on', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 3)
    expect([flow.turn, bench.start(1, 1).turn, bench.start(2, 1, { source: 1 }).turn]).toEqual([
      ...[0, 1, 0],
    ])
    bench.reactions.get(0)!.rateBps = 1e9
    flow.wake()
    bench.run()
    const times = bench.heard.filter((word) => word.startsWith('target of 0'))
    const at = times.map((word) => Number(word.split(' at ')[1]))
    // 8 us a packet, from when the first was sent.
    expect(at.map((ps) => ps - at[0]!)).toEqual([0, 8e6, 16e6])
  })
})

describe('a flow that is told to stop', () => {
  /** Stopped at a time; packets that came. */
  function stopped(atPs: number, packets = 100, params = {}): [HostsBench, Flow, number] {
    const bench = new HostsBench(params)
    const flow = bench.start(0, packets)
    bench.at(atPs, () => bench.hosts.stopFlow(flow, atPs)).run()
    return [bench, flow, bench.heard.filter((word) => word.includes('gets')).length]
  }

  it('ends when what it had sent is acknowledged', () => {
    const [bench, flow, came] = stopped(2.4e6 - 1)
    expect([came, flow.fresh, flow.isStopped, flow.receiver.end]).toEqual([3, 3, true, 3])
    expect(ends(bench)).toEqual([`flow 0 ends at ${BACK + 2 * 1.6e6}`])
    expect(bench.heard.filter((word) => word.includes('sent all'))).toHaveLength(1)
  })

  it('leaves its NIC to others at once', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 100)
    bench.at(1, () => bench.start(1, 2))
    bench.at(2, () => bench.hosts.stopFlow(flow, 2))
    expect(flow.place).toBe(-1)
    bench.run()
    expect(ends(bench).map((word) => word.split(' at ')[0])).toEqual(['flow 0 ends', 'flow 1 ends'])
  })

  it('ends at once if all it had sent is acknowledged already', () => {
    const bench = new HostsBench()
    bench.start(0, 100)
    const flow = bench.hosts.flows[0]!
    bench.reactions.get(0)!.windowBytes = 952
    bench.run(0.8e6)
    bench.reactions.get(0)!.quota = 0
    bench.run()
    bench.at(50e6, () => expect(bench.hosts.stopSending(flow, 50e6)).toBe(-1))
    expect([flow.isDone, ends(bench)]).toEqual([true, ['flow 0 ends at 50000000']])
  })

  it('is told once, and not after its end', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 2)
    bench.run()
    expect(bench.hosts.stopSending(flow, 60e6)).toBe(-1)
    bench.hosts.stopFlow(flow, 60e6)
    expect([flow.isStopped, flow.receiver.isStopped, ends(bench).length]).toEqual([false, false, 1])
    const other = bench.start(1, 9)
    expect([bench.hosts.stopSending(other, 60e6), bench.hosts.stopSending(other, 60e6)]).toEqual([
      ...[1, -1],
    ])
  })

  it('repeats what it had sent and was lost', () => {
    const bench = new HostsBench({ rtoPs: 100e6 })
    const flow = bench.start(0, 100)
    for (const seq of [0, 1, 2]) bench.lost.add(seq)
    bench.at(2e6, () => bench.hosts.stopFlow(flow, 2e6)).run()
    expect([flow.retransmitted, flow.receiver.deliveredBytes]).toEqual([3, 3 * 952])
    expect(ends(bench)).toHaveLength(1)
  })

  it('goes on to repeat what was asked for again, without a rest', () => {
    const [whole, cut] = [new HostsBench(), new HostsBench()]
    whole.lost.add(0)
    whole.start(0, 10)
    whole.run()
    cut.lost.add(0)
    const flow = cut.start(0, 100)
    cut.reactions.get(0)!.windowBytes = 10 * 952
    // Ten have been sent, and of those three again.
    cut.run(BACK + 1.6e6 + 1.6e6)
    expect([flow.fresh, flow.retransmitted]).toEqual([10, 3])
    cut.hosts.stopFlow(flow, cut.windows.nowPs)
    expect(ends(cut.run())).toEqual(ends(whole))
  })

  it('ends at its target without ACKs', () => {
    const [bench, flow, came] = stopped(2.4e6 - 1, 100, { ackEvery: 0 })
    expect([came, flow.receiver.isDone]).toEqual([3, true])
    expect(ends(bench)).toEqual([`flow 0 ends at ${THERE + 2 * 1.6e6}`])
  })
})

describe('what comes late', () => {
  it('for a flow that is forgotten, or that has ended, is heard by nobody', () => {
    const bench = new HostsBench()
    const { hosts } = bench
    const flow = bench.start(0, 1)
    bench.run()
    const words = bench.heard.length
    for (const isForgotten of [false, true]) {
      if (isForgotten) hosts.forgetEnded()
      flow.receiver.sendControl(5, 64, 1, 2)
      bench.run()
      hosts.tellReaction(0, 5, 1, 2, 90e6)
      hosts.onFlowPaused(0, 0, true, 90e6)
      hosts.onDelayedAck(0, 90e6)
    }
    flow.sendControl(6, 64, 1, 2)
    bench.run()
    expect([bench.heard.length, bench.packets.held, flow.heldClasses]).toEqual([words, 0, 0])
    expect(hosts.counts()[0]).toBe(3)
  })

  it('of a timer of the target, too', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 1)
    flow.receiver.setTimer(40e6)
    flow.receiver.setTimer(60e6)
    bench.run(50e6)
    expect(bench.heard.filter((word) => word.includes('timer'))).toEqual([])
    bench.run()
    flow.receiver.setTimer(90e6)
    bench.hosts.forgetEnded()
    bench.run()
    const fired = bench.heard.filter((word) => word.includes('timer'))
    expect(fired).toEqual(['timer of the target of 0 at 60000000'])
  })

  it('gives its row of telemetry back, if it has one', () => {
    const bench = new HostsBench()
    const { telemetry } = bench.fabric
    const [other, row] = [telemetry.allocate(), telemetry.allocate()]
    expect([other, row]).toEqual([0, 1])
    const [without, having] = [bench.make(), bench.make()]
    bench.packets.cold[(having >> 1) + TELEMETRY] = row
    bench.hosts.discard(without)
    expect(telemetry.allocate()).toBe(2)
    bench.hosts.discard(having)
    expect([telemetry.allocate(), bench.packets.held]).toEqual([row, 0])
  })
})

describe('what points say', () => {
  it('goes both ways, and is heard at either end', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 1)
    flow.sendControl(5, 64, 1, 2)
    bench.run()
    flow.receiver.sendControl(6, 64, 3, 4)
    expect(bench.heard.filter((word) => word.includes('hears'))).toEqual([
      // Behind the packet at the first port, and before it at none.
      `target of 0 hears 5 1 2 at ${THERE + 64 * 1600}`,
    ])
    expect(bench.hosts.counts()[0]).toBe(2)
    const open = bench.start(1, 1e6)
    bench.run(bench.windows.nowPs + 20e6)
    open.receiver.sendControl(6, 64, 3, 4)
    bench.run(bench.windows.nowPs + 20e6)
    expect(bench.heard.filter((word) => word.startsWith('source of 1 hears 6 3 4'))).toHaveLength(1)
    expect(open.notifications).toBe(1)
    bench.hosts.tellReaction(1, 7, 8, 9, bench.windows.nowPs)
    expect(bench.heard.at(-1)).toContain('source of 1 hears 7 8 9')
  })

  it('needs nobody who hears it at the target', () => {
    const bench = new HostsBench({}, { notification: () => undefined })
    const flow = bench.start(0, 1)
    flow.sendControl(5, 64, 1, 2)
    flow.receiver.setTimer(50e6)
    bench.run()
    expect([ends(bench).length, bench.packets.held]).toEqual([1, 0])
  })

  it('opens the window of a flow at once', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 3)
    const reaction = bench.reactions.get(0)!
    reaction.windowBytes = 0
    flow.wake()
    bench.run()
    expect([flow.fresh, ends(bench)]).toEqual([1, []])
    bench.at(40e6, () => {
      reaction.windowBytes = Infinity
      flow.wake()
    })
    expect(flow.fresh).toBe(2)
    bench.run()
    expect(ends(bench)).toEqual([`flow 0 ends at ${40e6 + BACK + 1.6e6}`])
  })

  it('on a timer is followed by what it allows, while the flow is not over', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 3)
    const reaction = bench.reactions.get(0)!
    reaction.windowBytes = 0
    flow.wake()
    flow.setTimer(2, 30e6)
    flow.setTimer(2, 40e6)
    bench.run(40e6)
    expect(bench.heard.filter((word) => word.startsWith('timer'))).toEqual([])
    reaction.windowBytes = Infinity
    bench.run()
    expect(bench.heard.filter((word) => word.startsWith('timer'))).toEqual([
      'timer 2 of 0 at 40000000',
    ])
    expect(ends(bench)).toEqual([`flow 0 ends at ${40e6 + BACK + 1.6e6}`])
  })
})

describe('a class that the switch takes no more of', () => {
  it('is held until it is taken again', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 3)
    bench.hosts.onFlowPaused(0, 0, true, 0)
    bench.run()
    expect([flow.fresh, flow.heldClasses]).toEqual([1, 1])
    bench.at(30e6, () => bench.hosts.onFlowPaused(0, 0, false, 30e6)).run()
    expect(ends(bench)).toEqual([`flow 0 ends at ${30e6 + BACK + 1.6e6}`])
  })
})

describe('a class that the far end of its link has paused', () => {
  it('goes on in the picosecond in which it may', () => {
    const bench = new HostsBench()
    bench.fabric.setPaused(0, 0, true, 0)
    const flow = bench.start(0, 2)
    bench.run()
    expect(flow.fresh).toBe(0)
    bench.at(30e6, () => bench.fabric.setPaused(0, 0, false, 30e6)).run()
    expect(ends(bench)).toEqual([`flow 0 ends at ${30e6 + BACK + 1.6e6}`])
  })
})

describe('silence', () => {
  it('is taken for loss after a timeout: the reaction point hears first, then all is sent', () => {
    const bench = new HostsBench({ rtoPs: 100e6 })
    const inflight: number[] = []
    const flow = bench.start(0, 2)
    const ways = { onLoss: (nowPs: number) => inflight.push(nowPs), give: () => flow.path }
    flow.ways = { ...ways, onAck: () => undefined } as unknown as Flow['ways']
    bench.reactions.get(0)!.onLoss = () => void inflight.push(flow.inflightBytes)
    bench.lost.add(0).add(1)
    bench.run(0.8e6 + 100e6 + 1)
    expect(inflight).toEqual([2 * 952, 0.8e6 + 100e6])
    expect([flow.retransmitted, flow.timeout.duePs]).toEqual([1, 0.8e6 + 200e6])
    bench.run()
    expect([flow.retransmitted, ends(bench).length, bench.windows.pending]).toEqual([2, 1, 0])
  })

  it('is no business of ways that do not ask for losses', () => {
    const bench = new HostsBench({ rtoPs: 100e6 })
    const flow = bench.start(0, 2)
    flow.ways = { give: () => flow.path, onAck: () => undefined } as unknown as Flow['ways']
    bench.lost.add(0).add(1)
    expect(ends(bench.run())).toHaveLength(1)
  })

  it('goes on to be looked for while a flow may send nothing', () => {
    const bench = new HostsBench({ rtoPs: 100e6 })
    const flow = bench.start(0, 2)
    bench.lost.add(0)
    bench.reactions.get(0)!.quota = 0
    flow.wake()
    bench.run(250e6)
    expect(bench.heard.filter((word) => word.includes('timeout'))).toEqual([
      'flow 0 timeout at 100000000',
      'flow 0 timeout at 200000000',
    ])
    expect(flow.retransmitted).toBe(0)
  })
})

describe('words of agents, and agents', () => {
  it('goes to the agent of the host that it is for', () => {
    const bench = new HostsBench()
    const taken: number[][] = []
    const { fabric } = bench
    const receive = (node: number, link: number, packet: number, nowPs: number): void => {
      taken.push([node, link, packet, nowPs])
    }
    Object.assign(fabric.agents, { receive, pass: () => undefined })
    bench.make()
    const p = bench.send({ kind: AGENT, bytes: 64, target: 2 })
    bench.run()
    expect(taken).toEqual([[2, 6, p, 64 * 3200 + 4e6]])
  })

  it('are known to both ends of a flow, as is the rate of their links', () => {
    const bench = new HostsBench()
    const agents = bench.fabric.graph.nodes.map(() => ({}))
    Object.assign(bench.fabric.agents, { of: agents })
    const flow = bench.start(0, 1)
    expect([flow.agent, flow.receiver.agent]).toEqual([agents[0], agents[2]])
    expect([flow.agent === agents[0], flow.receiver.agent === agents[2]]).toEqual([true, true])
    expect([flow.lineRateBps, flow.receiver.lineRateBps]).toEqual([10e9, 5e9])
  })
})

describe('another path', () => {
  it('is taken by the next packet, and is told to be longer', () => {
    const bench = new HostsBench()
    const flow = bench.start(0, 2)
    const before = flow.path
    flow.reroute()
    expect([flow.entropy, flow.hops, flow.path !== before]).toEqual([1, 4, true])
    expect(bench.paths.lengthOf(flow.path)).toBe(5)
    const seen = new Map<number, number>()
    const { int } = bench.packets
    bench.fabric.links = {
      loses: (_port: number, p: number) => {
        if (int[p + KIND] === DATA) seen.set(int[p + SEQ]!, int[p + PATH]!)
        return false
      },
    } as never
    bench.run()
    expect([seen.get(0), seen.get(1)]).toEqual([before, flow.path])
    expect(ends(bench)).toHaveLength(1)
  })

  it('is not for flows whose path is given, or which have none', () => {
    const bench = new HostsBench()
    const given = bench.start(0, 2, { isPathGiven: true })
    given.reroute()
    expect([given.entropy, given.hops]).toEqual([0, 2])
    const none = bench.start(1, 2)
    none.path = -1
    none.reroute()
    expect([none.entropy, none.path]).toEqual([0, -1])
  })
})

describe('hosts together', () => {
  it('count what they and those of other threads have done', () => {
    const bench = new HostsBench({ ackEvery: 2, delayedAckPs: 1e6 })
    bench.start(0, 1).sendControl(5, 64, 1, 2)
    const slow = bench.start(1, 3)
    bench.reactions.get(1)!.rateBps = 1e9
    slow.wake()
    bench.run()
    const before = bench.hosts.counts()
    // Two ACKs that wait for another packet, which is 8 us behind.
    expect(before).toEqual([1, 4, 0, 4 * 952, 2])
    bench.hosts.addCounts([10, 20, 30, 40, 50])
    expect(bench.hosts.counts()).toEqual(before.map((count, i) => count + 10 * (i + 1)))
    const { dataPackets, deliveredBytes, retransmitted, timedAcks } = bench.hosts
    expect([dataPackets, retransmitted, deliveredBytes, timedAcks]).toEqual(
      bench.hosts.counts().slice(1),
    )
  })

  it('hold what waits to be sent by a FIFO, and what waits to be taken in', () => {
    const bench = new HostsBench({ fifoPackets: 4, takeCapBps: 1e9 })
    bench.start(0, 6)
    const held = (): [number, boolean][] => {
      const all: [number, boolean][] = []
      bench.hosts.eachHeld((packet, host, isOutgoing) => {
        expect(host).toBe(isOutgoing ? 0 : 2)
        all.push([bench.packets.int[packet + SEQ]!, isOutgoing])
      })
      return all
    }
    expect(held()).toEqual([1, 2, 3, 4].map((seq) => [seq, true]))
    // 1,000 B take the host 8 us.
    bench.run(THERE + 2 * 1.6e6 + 1)
    expect(held()).toEqual([0, 1, 2].map((seq) => [seq, false]))
    bench.run()
    expect([held(), ends(bench).length]).toEqual([[], 1])
    new HostsBench().hosts.eachHeld(() => expect.unreachable())
  })
})
