import type { AgentPacket, NodeAgent, NodeContext, Received } from '@weir/fabric'
import { KEEP, TRIM } from '@weir/fabric'
import type { PortContext } from '@weir/fabric'
import { Random } from '@weir/engine'
import { conforms } from '@weir/sim/testing'
import { describe, expect, it } from 'vitest'
import { ndp } from './ndp.ts'
import { FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'
import { fakeReceiver } from './testing/fake-receiver.ts'

conforms(ndp, {
  // Sixteen receivers pull at line rate over one link: fifteen of sixteen payloads are cut.
  until: '4ms',
  bounds: {
    utilisation: 0.9,
    jain: 0.95,
    queueBytes: 12e3,
    source: 'SIGCOMM 2017: a full link and fair shares with queues of eight packets',
  },
})

const US = 1e6
const control = ndp.create(valuesOf(ndp), fakeContext())
/** The time of a packet of 1,048 B at 10 Gb/s. */
const PACKET_PS = (1048 * 8e12) / 10e9

class Node implements NodeContext {
  readonly node: number = 1
  readonly name: string = 'h1'
  readonly host: number = 1
  readonly links: NodeContext['links'] = [{ port: 1, to: 0, name: 's', rateBps: 10e9, delayPs: 0 }]
  readonly packetBytes: number = 1048
  readonly random: Random = new Random(1, 'node')
  duePs: number = Infinity
  setTimer(_which: number, atPs: number): void {
    this.duePs = atPs
  }
  cancelTimer(): void {}
  sendBy(): void {}
  sendTo(): void {}
  publish(): void {}
  published = (): number => 0
}

function received(seq: number, given: Partial<Received> = {}): Received {
  return {
    seq,
    payloadBytes: 1000,
    newBytes: 1000,
    isTrimmed: false,
    class: 3,
    header: 2,
    ...given,
  }
}

const CUT = { isTrimmed: true, payloadBytes: 0, newBytes: 0 } as const

describe('the contention point of NDP', () => {
  it('cuts a payload off when eight packets are ahead of it', () => {
    const point = control.contention({ atHost: false } as PortContext)!
    expect(point.admit(0, 8 * 1048 - 1, 0)).toBe(KEEP)
    expect(point.admit(0, 8 * 1048, 0)).toBe(TRIM)
    expect([point.sees, point.admits]).toEqual(['nothing', true])
    expect(control.contention({ atHost: true } as PortContext)).toBeUndefined()
  })
})

describe('the receiver of NDP', () => {
  function hostOf(sizes: readonly number[]): {
    arrive: (flow: number, packet: Received, nowPs: number) => void
    pulls: [number, number][]
    node: Node
    agent: NodeAgent
    timers: number[] & { onTimer: (flow: number, nowPs: number) => void }
  } {
    const node = new Node()
    const agent = control.agent!(node)!
    const pulls: [number, number][] = []
    const timers = Object.assign([] as number[], {
      onTimer: (flow: number, nowPs: number): void => points[flow]!.onTimer(nowPs),
    })
    const points = sizes.map((sizeBytes, flow) =>
      control.notification(
        fakeReceiver({
          flow,
          sizeBytes,
          agent,
          sendControl: (_code, _bytes, a) => void pulls.push([flow, a]),
          setTimer: (atPs) => void (timers[flow] = atPs),
        }),
      ),
    )
    const arrive = (flow: number, packet: Received, nowPs: number): void =>
      points[flow]!.onReceived(packet, nowPs)
    return { arrive, pulls, node, agent, timers }
  }

  it('asks for what was not sent unasked, and no more', () => {
    const { arrive, pulls, node, agent } = hostOf([5000])
    for (let seq = 0; seq < 5; seq++) {
      arrive(0, received(seq), seq * 10 * US)
      if (node.duePs < Infinity) agent.onTimer(0, node.duePs)
    }
    // Two packets came unasked.
    expect(pulls.map(([, count]) => count)).toEqual([1, 2, 3])
  })

  it('asks once more for each packet that was cut', () => {
    const { arrive, pulls } = hostOf([2000])
    arrive(0, received(0), 0)
    expect(pulls).toEqual([])
    arrive(0, received(1, CUT), 10 * US)
    expect(pulls).toEqual([[0, 1]])
    arrive(0, received(1), 20 * US)
    expect(pulls).toHaveLength(1)
  })

  it('counts anew after a timeout: a window was sent, and all else is lost', () => {
    const { arrive, pulls } = hostOf([6000])
    arrive(0, received(0), 0)
    expect(pulls).toHaveLength(1)
    // The second packet and the pulled third were lost: nothing comes, and the sender tries again.
    arrive(0, received(1, { header: 2 + 2 ** 20 }), 1000 * US)
    expect(pulls).toHaveLength(2)
    // One more of the window is on its way, and one was pulled: of four that are missing, two.
    arrive(0, received(2, { header: 2 + 2 ** 20 }), 1010 * US)
    expect(pulls).toHaveLength(3)
  })

  it('pulls again when nothing has come for long, until all has', () => {
    const { arrive, pulls, timers } = hostOf([2000])
    arrive(0, received(0, { header: 1 }), 0)
    expect(pulls).toEqual([[0, 1]])
    expect(timers[0]).toBe(1000 * US)
    timers.onTimer(0, 1000 * US)
    expect(pulls).toEqual([
      [0, 1],
      [0, 2],
    ])
    arrive(0, received(1, { header: 1 }), 1500 * US)
    expect(timers[0]).toBe(Infinity)
  })

  it('does not ask again for what its pacer is about to ask for', () => {
    const { arrive, pulls, node, agent, timers } = hostOf([9000, 9000])
    arrive(0, received(0), 0)
    arrive(1, received(0), 1)
    // The pull of the second flow waits for its time when its timer fires.
    timers.onTimer(1, 2)
    expect(timers[1]).toBe(2 + 1000 * US)
    agent.onTimer(0, node.duePs)
    agent.onTimer(0, 10 * US)
    expect(pulls).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  it('counts pulls that wait as asked for', () => {
    const { arrive, pulls, node, agent } = hostOf([4000])
    // Two unasked packets; both are there before the pacer has let a second pull go.
    arrive(0, received(0), 0)
    arrive(0, received(1), 1)
    arrive(0, received(2), 2)
    for (let i = 0; i < 5; i++) agent.onTimer(0, node.duePs + i * US)
    expect(pulls.map(([, count]) => count)).toEqual([1, 2])
  })

  it('expects nothing of what was sent unasked when nothing has come for long', () => {
    const { arrive, pulls, timers } = hostOf([5000])
    arrive(0, received(0), 0)
    timers.onTimer(0, 1000 * US)
    expect(pulls).toHaveLength(2)
    // What was on its way is taken for lost: each that comes draws one more, until none is missing.
    for (let seq = 1; seq < 5; seq++) arrive(0, received(seq), (1 + seq) * 1000 * US)
    expect(pulls).toHaveLength(5)
  })

  it('is at hosts, the first too, and not at switches', () => {
    expect(control.agent!(Object.assign(new Node(), { host: 0 }))).toBeDefined()
    expect(control.agent!(Object.assign(new Node(), { host: -1 }))).toBeUndefined()
  })

  it('spaces pulls by a packet time, flows in turn', () => {
    const { arrive, pulls, node, agent } = hostOf([9000, 9000])
    arrive(0, received(0), 0)
    arrive(0, received(1), 1)
    arrive(0, received(2), 2)
    arrive(1, received(0), 3)
    expect(pulls).toEqual([[0, 1]])
    expect(node.duePs).toBe(PACKET_PS)
    agent.onTimer(0, PACKET_PS)
    agent.onTimer(0, 2 * PACKET_PS)
    agent.onTimer(0, 3 * PACKET_PS)
    expect(pulls).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
      [0, 3],
    ])
    expect(node.duePs).toBe(3 * PACKET_PS)
  })

  it('does not listen to other agents', () => {
    const { agent } = hostOf([1000])
    const packet: AgentPacket = { code: 1, bytes: 64, a: 0, b: 0, source: 0, link: 0 }
    expect(() => agent.onPacket(packet, 0)).not.toThrow()
  })
})

describe('the reaction point of NDP', () => {
  it('sends a window unasked, then a packet for each pull, whatever order they come in', () => {
    const point = control.reaction(new FakeFlow(10e9, 10 * US))
    // 12,500 B in a round trip: twelve packets.
    expect(point.quota).toBe(12)
    point.onControl(1, 3, 0, 0)
    expect(point.quota).toBe(15)
    point.onControl(1, 2, 0, 0)
    expect(point.quota).toBe(15)
    point.onControl(1, 5, 0, 0)
    expect(point.observe(0)).toBe(17)
    // What is no pull is nothing to it.
    point.onControl(0, 9, 0, 0)
    expect(point.quota).toBe(17)
  })

  it('sends the window that it is told, if it is told one', () => {
    const { reaction } = ndp.create(valuesOf(ndp, { initialWindow: 23 }), fakeContext())
    expect(reaction(new FakeFlow(10e9, 10 * US)).quota).toBe(23)
  })

  it('is not moved by a loss that is no timeout', () => {
    const point = control.reaction(new FakeFlow(10e9, 10 * US))
    point.onLoss('fast-retransmit', 0)
    expect(point.header).toBe(12)
  })

  it('sends a window again after a timeout, and says so', () => {
    const point = control.reaction(new FakeFlow(10e9, 10 * US))
    point.quota = 0
    point.onLoss('timeout', 0)
    expect(point.quota).toBe(12)
    expect(point.header).toBe(12 + 2 ** 20)
  })
})
