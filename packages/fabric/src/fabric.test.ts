/** Ports, links and what goes over them, with packets made by hand and nothing at the nodes. */
import { Fingerprint, Random, Windows } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { ContentionPoint } from './contract/contention-point.ts'
import type { Watcher } from './contract/watcher.ts'
import type { FabricParts } from './fabric-parts.ts'
import { Credits } from './flow-control/credits.ts'
import type { Links } from './links.ts'
import { Marker } from './marking/marker.ts'
import { ACK, AGENT, CAPABLE, FLAGS, MARKED, SENT, SEQ, TELEMETRY } from './packets.ts'
import { departedBytes, departedControlBytes } from './port-counts.ts'
import { contend, markDepartures, watchDepartures } from './port-roles.ts'
import { ARBITRATED, CLASSES, HELD, HELD_MAX, MODE } from './ports.ts'
import { roundRobin, strict } from './queues/class-scheduler.ts'
import { FabricBench, H0_S0, H1_S0, S0_S1, S1_H2 } from './testing.ts'
import type { Made } from './testing.ts'

/** 1,000 B at 10 Gb/s, and a link; the last one has half the rate and twice the delay. */
const [SERVICE, LINK, LAST_SERVICE, LAST_LINK] = [0.8e6, 1e6, 1.6e6, 2e6]
const TO_S0 = SERVICE + LINK
const ACROSS = 2 * TO_S0 + LAST_SERVICE + LAST_LINK
const S0 = 3
const FROM_H1 = { source: 1, path: [H1_S0, S0_S1, S1_H2] }
/** From h0 to s0 and back to h1. */
const NEAR = [H0_S0, H1_S0 ^ 1]

/** Sequence numbers and times of what has come to hosts. */
function cameOf({ came, packets }: FabricBench): number[][] {
  return came.map(({ packet, atPs }) => [packets.int[packet + SEQ]!, atPs])
}

function orderOf(bench: FabricBench): number[] {
  return cameOf(bench.run()).map(([seq]) => seq!)
}

/** Packets that join the first port of their path in one go. */
function sendAll(bench: FabricBench, all: readonly Made[]): void {
  all.forEach((made, seq) => bench.send({ seq, ...made }))
}

function held({ fabric }: FabricBench, port: number): number {
  return fabric.ports.int[(port << 5) + HELD]!
}

function heldMax({ fabric }: FabricBench, port: number): number {
  return fabric.ports.int[(port << 5) + HELD_MAX]!
}

describe('packets', () => {
  it('take their turns on each link, and its delay', () => {
    const bench = new FabricBench()
    sendAll(bench, [{}, {}, {}])
    expect(cameOf(bench.run())).toEqual([
      [0, ACROSS],
      [1, ACROSS + LAST_SERVICE],
      [2, ACROSS + 2 * LAST_SERVICE],
    ])
    expect(bench.came.map(({ host, link }) => [host, link])).toEqual(Array(3).fill([2, S1_H2]))
    // The third comes to s1 in the picosecond in which the first has left it.
    expect([heldMax(bench, H0_S0), heldMax(bench, S1_H2)]).toEqual([3000, 2000])
    bench.fabric.settle(S1_H2, bench.windows.nowPs)
    expect(held(bench, S1_H2)).toBe(0)
    expect(bench.fabric.packetHops).toBe(9)
  })

  it('wait for a link that is busy, and not for one that has been', () => {
    const bench = new FabricBench()
    bench.send({ seq: 0, path: NEAR })
    bench.at(0.3e6, () => bench.send({ seq: 1, path: NEAR }))
    bench.at(5e6, () => bench.send({ seq: 2, path: NEAR, bytes: 500 }))
    expect(cameOf(bench.run())).toEqual([
      [0, 2 * TO_S0],
      [1, 2 * TO_S0 + SERVICE],
      [2, 5e6 + TO_S0 + LINK],
    ])
    expect(bench.fabric.ports.longestBytes).toBe(1000)
  })

  it.each([0, 48])('are as many on links as have left: hundreds, %#', (cutThroughBytes) => {
    const bench = new FabricBench({ cutThroughBytes })
    const back = [S1_H2 ^ 1, S0_S1 ^ 1, H0_S0 ^ 1]
    sendAll(bench, Array<Made>(200).fill({ bytes: 64 }))
    sendAll(bench, Array<Made>(200).fill({ bytes: 64, path: back }))
    bench.run()
    const order = (host: number): number[] =>
      bench.came
        .filter((one) => one.host === host)
        .map(({ packet }) => bench.packets.int[packet + SEQ]!)
    const all = Array.from({ length: 200 }, (_, seq) => seq)
    expect([order(2), order(0)]).toEqual([all, all])
  })

  it('say when their source had sent them, of data alone and at no other port', () => {
    const bench = new FabricBench()
    const [data, ack] = [bench.send(), bench.make({ kind: ACK })]
    bench.packets.cold[(ack >> 1) + SENT] = 7
    bench.fabric.join(H0_S0, ack, 0)
    bench.run()
    expect([data, ack].map((p) => bench.packets.cold[(p >> 1) + SENT])).toEqual([SERVICE, 7])
  })

  it('leave a trace by node, time, port, flow, number and kind', () => {
    const traceOf = (made: Made, atPs = 0): string => {
      const fingerprint = new Fingerprint(5)
      const bench = new FabricBench({ fingerprint })
      bench.at(atPs, () => bench.send(made)).run()
      return fingerprint.toString()
    }
    const other = [{ flow: 2 }, { seq: 1 }, { flow: 2, seq: 1 }, { kind: ACK }, FROM_H1]
    const traces = [traceOf({}), ...other.map((made) => traceOf(made)), traceOf({}, 1)]
    expect(new Set(traces).size).toBe(traces.length)
    expect(traceOf({ bytes: 1000 })).toBe(traces[0])
  })

  it('that a link has lost come to nobody', () => {
    const bench = new FabricBench()
    const asked: number[][] = []
    bench.fabric.links = {
      loses: (port: number, p: number, nowPs: number) => {
        asked.push([port, bench.packets.int[p + SEQ]!, nowPs])
        return port === S0_S1 && bench.packets.int[p + SEQ] === 1
      },
    } as unknown as Links
    sendAll(bench, [{}, {}, {}])
    expect(orderOf(bench)).toEqual([0, 2])
    expect(asked.slice(0, 2)).toEqual([
      [H0_S0, 0, TO_S0],
      [H0_S0, 1, TO_S0 + SERVICE],
    ])
    expect([asked.length, bench.fabric.packetHops]).toEqual([8, 8])
  })

  it('are forwarded before they are in with cut-through, and come to hosts as a whole', () => {
    const bench = new FabricBench({ cutThroughBytes: 48 })
    bench.send()
    // 48 B at each switch; at s1 the link that follows is slower, and so never runs dry.
    const head = 48 * 800 + LINK
    expect(cameOf(bench.run())).toEqual([[0, 2 * head + LAST_SERVICE + LAST_LINK]])
  })
})

describe('bytes that have left a node', () => {
  const left = (link: number, trafficClass: number, node: number): string =>
    `1000 B of ${link * CLASSES + trafficClass} have left ${node}`

  it('are told with the ingress by which they came, when somebody looks', () => {
    const bench = new FabricBench()
    bench.send({ class: 3, path: NEAR })
    bench.at(TO_S0 + SERVICE - 1, () => bench.fabric.settle(NEAR[1]!, bench.windows.nowPs))
    expect(bench.told).toEqual([])
    bench.run()
    expect(bench.told).toEqual([])
    bench.fabric.settle(NEAR[1]!, bench.windows.nowPs)
    expect(bench.told).toEqual([left(H0_S0, 3, S0)])
  })

  it('are told as it happens at a node that wants it so', () => {
    const bench = new FabricBench()
    bench.eager.add(S0)
    sendAll(bench, [
      { class: 3, path: NEAR },
      { class: 3, path: NEAR },
    ])
    bench.run(TO_S0 + SERVICE)
    expect(bench.told).toEqual([])
    bench.run(TO_S0 + SERVICE + 1)
    expect(bench.told).toEqual([left(H0_S0, 3, S0)])
    bench.run(TO_S0 + 2 * SERVICE + 1)
    expect(bench.told).toHaveLength(2)
  })
})

it('what has left a port is payload or not', () => {
  const bench = new FabricBench()
  sendAll(bench, [{ payload: 900 }, { bytes: 64, payload: 0 }, { payload: 952 }])
  bench.run()
  const { nowPs } = bench.windows
  expect(departedBytes(bench.fabric, H0_S0, nowPs)).toBe(2064)
  expect(departedControlBytes(bench.fabric, H0_S0, nowPs)).toBe(100 + 64 + 48)
})

describe('classes of a port', () => {
  it('go by the scheduler once there are two, from the next packet on', () => {
    const bench = new FabricBench()
    const all = [0, 0, 0, 1, 0, 1].map((c) => ({ class: c }))
    sendAll(bench, all)
    const { ports } = bench.fabric
    expect([ports.queuedBytes(H0_S0, 0), ports.queuedBytes(H0_S0, 1)]).toEqual([4000, 2000])
    expect([held(bench, H0_S0), heldMax(bench, H0_S0)]).toEqual([6000, 6000])
    expect(orderOf(bench)).toEqual([0, 3, 5, 1, 2, 4])
    bench.fabric.settle(H0_S0, bench.windows.nowPs)
    expect([ports.queuedBytes(H0_S0, 0), ports.queuedBytes(H0_S0, 1)]).toEqual([0, 0])
  })

  it('of a switch take turns where it has them so, whatever came first', () => {
    const bench = new FabricBench({ scheduler: roundRobin })
    const from = (made: Made, classes: readonly number[], first: number): void =>
      classes.forEach((c, i) => bench.send({ ...made, class: c, seq: first + i }))
    from({}, [0, 0, 0], 0)
    from(FROM_H1, [1, 1, 1], 10)
    // Both hosts' packets come to s0 at one time, and go on by one link.
    const order = orderOf(bench)
    expect(order).toEqual([0, 10, 1, 11, 2, 12])
  })

  it('are not for the port to choose at a host, where it has one packet at a time', () => {
    const asked: number[] = []
    const scheduler = {
      choose: (_: unknown, port: number, eligible: number) => {
        asked.push(port)
        return 31 - Math.clz32(eligible)
      },
      charge: (_: unknown, port: number) => void asked.push(port),
    }
    const bench = new FabricBench({ scheduler })
    watchDepartures(bench.fabric, H0_S0)
    watchDepartures(bench.fabric, S0_S1)
    asked.length = 0
    bench.send()
    bench.run()
    expect(asked).toEqual([S0_S1, S0_S1])
    // Of two it has to.
    sendAll(bench, [{ class: 2 }, { class: 0 }, { class: 1 }])
    asked.length = 0
    expect(orderOf(bench).slice(1)).toEqual([0, 2, 1])
    expect(asked.filter((port) => port === H0_S0)).toHaveLength(2)
  })

  it('are committed again in one go once there is but one class, and nothing waits', () => {
    const bench = new FabricBench()
    sendAll(bench, [{ class: 0 }, { class: 1 }])
    bench.run()
    expect(bench.fabric.ports.int[(H0_S0 << 5) + MODE]).not.toBe(0)
    bench.at(20e6, () => sendAll(bench, [{}, {}, {}]))
    expect(cameOf(bench.run()).slice(2)).toEqual([
      [0, 20e6 + ACROSS],
      [1, 20e6 + ACROSS + LAST_SERVICE],
      [2, 20e6 + ACROSS + 2 * LAST_SERVICE],
    ])
  })
})

describe('a port with an event for each departure', () => {
  /** Packets that come to s0 from both hosts at times of a coarse grid: many ties. */
  function scenario(seed: number, isWatched: boolean): unknown[] {
    const random = new Random(seed, 'scenario')
    const bench = new FabricBench()
    const { fabric } = bench
    if (isWatched) for (let port = 0; port < 8; port++) watchDepartures(fabric, port)
    let atPs = 0
    for (let seq = 0; seq < 25; seq++) {
      atPs += 0.4e6 * random.below(3)
      const bytes = 500 * (1 + random.below(2))
      const from = random.below(2) === 0 ? {} : FROM_H1
      const trafficClass = random.below(seed % 2 === 0 ? 1 : 3)
      const pause = random.below(40)
      bench.at(atPs, () => bench.send({ seq, bytes, class: trafficClass, ...from }))
      if (pause >= 3) continue
      bench.at(atPs + 0.1e6, () => fabric.sendPause(S0_S1, pause, seq % 4 !== 3, 64, atPs + 0.1e6))
    }
    bench.at(100e6, () => [0, 1, 2].forEach((c) => fabric.setPaused(S0_S1, c, false, 100e6)))
    bench.run()
    const counts = Array.from({ length: 8 }, (_, port) => [
      ...[heldMax(bench, port), fabric.ports.pauseFrames[port]],
      ...[0, 1, 2].map((c) => fabric.ports.pausedForPs(port, c, 200e6)),
    ])
    return [cameOf(bench), fabric.packetHops, counts]
  }

  it('has the same trajectory as one whose departures are known before, ties included', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const [came, ...rest] = scenario(seed, true)
      expect(came, `seed ${seed}`).toHaveLength(25)
      expect([came, ...rest], `seed ${seed}`).toEqual(scenario(seed, false))
    }
  })

  it('shows data to its contention point with what remains, and stamps what it sends', () => {
    const seen: number[][] = []
    class Seeing extends ContentionPoint {
      readonly sees = 'departures'
      override onDeparture(p: number, queueBytes: number, nowPs: number): void {
        seen.push([bench.packets.int[p + SEQ]!, queueBytes, nowPs])
      }
    }
    const bench = new FabricBench()
    const { fabric, packets } = bench
    contend(fabric, S0_S1, new Seeing())
    watchDepartures(fabric, S1_H2)
    fabric.stamping = true
    const made = [{ class: 1 }, { class: 1, bytes: 500 }, { class: 1, kind: ACK }, { class: 0 }]
    made.push({ class: 0 })
    made.forEach((one, seq) => {
      const p = bench.send({ seq, ...one, ...(seq === 1 ? FROM_H1 : {}) })
      packets.cold[(p >> 1) + TELEMETRY] = seq === 4 ? -1 : fabric.telemetry.allocate()
    })
    bench.run()
    expect(seen.map(([seq]) => seq)).toEqual([1, 0, 3, 4])
    // The short one came first, and alone; as the other begins the ACK has not come.
    expect(seen[0]).toEqual([1, 0, 0.4e6 + LINK])
    expect(seen[1]).toEqual([0, 0, TO_S0])
    const row = packets.cold[(bench.came[1]!.packet >> 1) + TELEMETRY]!
    const { telemetry } = fabric
    const hop = (i: number): number[] => [
      ...[telemetry.queueBytes(row, i), telemetry.sentBytes(row, i)],
      ...[telemetry.rateBps(row, i), telemetry.timePs(row, i)],
    ]
    expect(telemetry.hops(row)).toBe(2)
    expect(hop(0)).toEqual([0, 500, 10e9, TO_S0])
    expect(hop(1)).toEqual([0, 500, 5e9, 2 * TO_S0])
    // Data at the two switches, though it waits at h0; ACKs never.
    expect([0, 1, 2, 3].map((one) => telemetry.hops(one))).toEqual([2, 2, 0, 2])
  })

  it('marks for what remains behind a packet, of its own class', () => {
    const bench = new FabricBench()
    const { fabric, packets } = bench
    const marking = { kminBytes: 1500, kmaxBytes: 1500, pmax: 1, at: 'dequeue' } as const
    const marker = new Marker(packets, fabric.ports, marking, new Random(1, 'marks'))
    markDepartures(fabric, H0_S0, marker)
    sendAll(
      bench,
      [0, 0, 0, 0, 1].map((c) => ({ class: c, flags: CAPABLE })),
    )
    bench.run()
    const marked = bench.came.filter(({ packet }) => packets.int[packet + FLAGS]! & MARKED)
    // As the second begins two remain; the first began before any other was there.
    expect(marked.map(({ packet }) => packets.int[packet + SEQ])).toEqual([1])
  })
})

describe('a pause', () => {
  const FRAME = 51_200

  it('goes ahead of what waits, and holds its class at the far end until XON', () => {
    const bench = new FabricBench()
    const { fabric } = bench
    // Three packets from s0 to h0 keep the frame's port busy.
    for (let i = 0; i < 3; i++) bench.send({ seq: 90 + i, class: 4, path: [H1_S0, H0_S0 ^ 1] })
    const beginsPs = TO_S0 + 0.1e6
    bench.at(beginsPs, () => fabric.sendPause(H0_S0, 2, true, 64, beginsPs))
    const heardPs = TO_S0 + SERVICE + FRAME + LINK
    bench.run(heardPs)
    expect(fabric.ports.isPaused(H0_S0, 2)).toBe(false)
    bench.run(heardPs + 1)
    expect(fabric.ports.isPaused(H0_S0, 2)).toBe(true)
    expect([fabric.ports.pauseFrames[H0_S0], bench.packets.held]).toEqual([1, 3])
    bench.at(heardPs + 10, () => {
      sendAll(bench, [{ class: 2 }, { class: 1 }])
      expect(bench.told.filter((word) => word.includes('may'))).toEqual([])
    })
    bench.at(20e6, () => fabric.sendPause(H0_S0, 2, false, 64, 20e6))
    bench.run()
    expect(bench.told.filter((word) => word.includes('may'))).toEqual([
      `h0 may send at ${20e6 + FRAME + LINK}`,
    ])
    const own = cameOf(bench).filter(([seq]) => seq! < 90)
    expect(own).toEqual([
      [1, heardPs + 10 + ACROSS],
      [0, 20e6 + FRAME + LINK + ACROSS],
    ])
    expect(fabric.ports.pauseFrames[H0_S0]).toBe(1)
    // Frames are held by nobody.
    fabric.settle(H0_S0 ^ 1, bench.windows.nowPs)
    expect([held(bench, H0_S0 ^ 1), fabric.ports.queuedBytes(H0_S0 ^ 1, 4)]).toEqual([0, 0])
    // The others came one after the other, with the frame between the first and the second.
    const others = cameOf(bench).filter(([seq]) => seq! >= 90)
    expect(others.map(([, atPs]) => atPs! - 2 * TO_S0)).toEqual([
      ...[0, SERVICE + FRAME, 2 * SERVICE + FRAME],
    ])
  })

  it('says what holds when its frame leaves, once', () => {
    const bench = new FabricBench()
    const { fabric } = bench
    bench.send({ path: [H1_S0, H0_S0 ^ 1] })
    const at = TO_S0 + 0.1e6
    bench.at(at, () => {
      for (const isOff of [true, false, true]) fabric.sendPause(H0_S0, 2, isOff, 64, at)
      fabric.sendPause(H0_S0, 3, true, 64, at)
    })
    bench.run()
    expect([2, 3].map((c) => fabric.ports.isPaused(H0_S0, c))).toEqual([true, true])
    expect(fabric.packetHops).toBe(2 + 2)
    expect(fabric.ports.pauseFrames[H0_S0]).toBe(2)
  })

  it('does not take back what is being sent, and takes back what is behind it', () => {
    const bench = new FabricBench()
    const { fabric } = bench
    sendAll(bench, [{}, {}, {}])
    bench.at(0.1e6, () => fabric.setPaused(H0_S0, 0, true, 0.1e6))
    bench.at(9e6, () => {
      expect(held(bench, H0_S0)).toBe(2000)
      // Once more says nothing new.
      fabric.setPaused(H0_S0, 0, true, 9e6)
      fabric.setPaused(H0_S0, 1, false, 9e6)
    })
    bench.at(10e6, () => fabric.setPaused(H0_S0, 0, false, 10e6))
    expect(cameOf(bench.run())).toEqual([
      [0, ACROSS],
      [1, 10e6 + ACROSS],
      [2, 10e6 + ACROSS + LAST_SERVICE],
    ])
    expect(fabric.ports.pausedForPs(H0_S0, 0, 50e6)).toBe(9.9e6)
    expect(bench.told.filter((word) => word.includes('may'))).toEqual(['h0 may send at 10000000'])
  })

  it.each([H0_S0, H0_S0 ^ 1])('leaves counts of other classes as they are at port %d', (port) => {
    const bench = new FabricBench()
    const { fabric } = bench
    const path = port === H0_S0 ? [H0_S0, S0_S1, S1_H2] : [port]
    sendAll(
      bench,
      [0, 0, 1, 1].map((c) => ({ class: c, path })),
    )
    fabric.setPaused(port, 0, true, 0)
    // A frame of its own node, for what comes to it.
    fabric.sendPause(port ^ 1, 3, true, 64, 0)
    expect([0, 1].map((c) => fabric.ports.queuedBytes(port, c))).toEqual([2000, 2000])
    bench.at(20e6, () => fabric.setPaused(port, 0, false, 20e6))
    expect(orderOf(bench)).toEqual([0, 2, 3, 1])
  })

  it.each([strict, roundRobin])('goes ahead of data, as do those behind it (%#)', (scheduler) => {
    const bench = new FabricBench({ scheduler })
    const port = H0_S0 ^ 1
    for (let seq = 0; seq < 3; seq++) bench.send({ seq, class: 4, path: [port] })
    bench.run(0.1e6)
    for (const c of [2, 3]) bench.fabric.sendPause(H0_S0, c, true, 64, 0.1e6)
    expect(cameOf(bench.run())).toEqual([
      [0, TO_S0],
      [1, TO_S0 + 2 * FRAME + SERVICE],
      [2, TO_S0 + 2 * FRAME + 2 * SERVICE],
    ])
  })

  it('that ends while another packet is sent leaves the next one to be chosen then', () => {
    const bench = new FabricBench()
    sendAll(bench, [{ class: 1 }, { class: 0 }])
    bench.fabric.setPaused(H0_S0, 0, true, 0)
    bench.at(0.1e6, () => bench.fabric.setPaused(H0_S0, 0, false, 0.1e6))
    bench.at(0.2e6, () => bench.send({ class: 2, seq: 2 }))
    expect(orderOf(bench)).toEqual([0, 2, 1])
  })

  it('in the picosecond in which a packet has left comes after the next one has begun', () => {
    for (const isWatched of [false, true]) {
      const bench = new FabricBench()
      if (isWatched) watchDepartures(bench.fabric, H0_S0)
      sendAll(bench, [{}, {}, {}])
      bench.run(SERVICE)
      bench.fabric.setPaused(H0_S0, 0, true, SERVICE)
      expect(orderOf(bench)).toEqual([0, 1])
      expect(held(bench, H0_S0)).toBe(1000)
    }
  })

  it('at a switch is no word to hosts', () => {
    const bench = new FabricBench()
    bench.fabric.setPaused(S0_S1, 0, true, 0)
    bench.send()
    bench.at(9e6, () => bench.fabric.setPaused(S0_S1, 0, false, 9e6))
    expect(cameOf(bench.run())).toEqual([[0, 9e6 + ACROSS - TO_S0]])
    expect(bench.told.filter((word) => word.includes('may'))).toEqual([])
  })
})

describe('credits', () => {
  it('are spent by class as packets leave, and what finds none waits for more', () => {
    const credits = new Credits(8, 1500)
    const bench = new FabricBench({ credits })
    watchDepartures(bench.fabric, H0_S0)
    sendAll(bench, [{ class: 2 }, { class: 2 }, { class: 1 }, { class: 2, bytes: 300 }])
    bench.run()
    expect(cameOf(bench).map(([seq]) => seq)).toEqual([0, 2])
    expect([1, 2].map((c) => credits.available[H0_S0 * CLASSES + c])).toEqual([500, 500])
    bench.at(20e6, () => bench.fabric.gate.takeCredits(H0_S0, 2, 1000, 21e6))
    expect(cameOf(bench.run()).slice(2)).toEqual([
      [1, 21e6 + ACROSS],
      [3, 21e6 + ACROSS + (300 / 1000) * LAST_SERVICE],
    ])
    expect(credits.available[H0_S0 * CLASSES + 2]).toBe(200)
  })
})

describe('a port that arbitrates', () => {
  /** s0's port to s1, whose packets wait at their inputs; `told` has what the switch hears. */
  function arbitrated(): [FabricBench, number[], string[]] {
    const inputs: number[] = []
    const told: string[] = []
    const bench: FabricBench = new FabricBench(
      {},
      {
        arbitrate: (port) => (port === S0_S1 ? (inputs.shift() ?? -1) : -1),
        afterArbitration: (p, departPs, nowPs) =>
          told.push(`${bench.packets.int[p + SEQ]} leaves ${nowPs} to ${departPs}`),
        afterQueue: (port, p, nowPs) =>
          told.push(`own ${bench.packets.int[p + SEQ]} by ${port} at ${nowPs}`),
        afterSettle: (nowPs) => told.push(`settled at ${nowPs}`),
      },
    )
    bench.fabric.ports.int[(S0_S1 << 5) + MODE] = ARBITRATED
    return [bench, inputs, told]
  }

  it('is asked for the next packet whenever one has left, and tells when that will have', () => {
    const [bench, inputs, told] = arbitrated()
    const { fabric } = bench
    for (let seq = 0; seq < 2; seq++) inputs.push(bench.make({ seq, path: [S0_S1, S1_H2] }))
    fabric.ports.queued[S0_S1 * CLASSES]! += 2000
    fabric.ports.int[(S0_S1 << 5) + HELD]! += 2000
    fabric.sendNext(S0_S1, 0)
    fabric.arm(S0_S1)
    bench.run()
    expect(told.filter((word) => word.includes('leaves'))).toEqual([
      `0 leaves 0 to ${SERVICE}`,
      `1 leaves ${SERVICE} to ${2 * SERVICE}`,
    ])
    expect(told).toContain(`settled at ${SERVICE}`)
    expect(orderOf(bench)).toEqual([0, 1])
  })

  it('sends what the switch has to say of its own first', () => {
    const [bench, inputs, told] = arbitrated()
    inputs.push(bench.make({ seq: 1, path: [S0_S1, S1_H2] }))
    const { fabric } = bench
    fabric.ports.queued[S0_S1 * CLASSES]! += 1000
    fabric.ports.int[(S0_S1 << 5) + HELD]! += 1000
    sendAll(bench, [{ bytes: 64, path: [S0_S1, S1_H2] }])
    expect(told).toEqual([`own 0 by ${S0_S1} at 0`])
    expect(orderOf(bench)).toEqual([0, 1])
    expect(held(bench, S0_S1)).toBe(0)
  })
})

it('packets have the same times whether their nodes run together or apart', () => {
  const timesOf = (given: Partial<FabricParts>): number[][] => {
    const bench = new FabricBench(given)
    for (let seq = 0; seq < 9; seq++) bench.send({ seq, ...(seq % 2 === 0 ? {} : FROM_H1) })
    return cameOf(bench.run()).sort(([a], [b]) => a! - b!)
  }
  const apart = { cellOf: Int32Array.of(0, 1, 2, 3, 4), windows: new Windows(5) }
  expect(timesOf(apart)).toEqual(timesOf({}))
})

it('nobody but agents sends what those who watch agents see', () => {
  const bench = new FabricBench()
  const onAgentPacket = (link: number): void => void bench.told.push(`agents' by ${link}`)
  bench.fabric.agents.watcher = { onAgentPacket } as unknown as Watcher
  bench.send({ kind: AGENT })
  bench.send({ kind: ACK })
  bench.send()
  bench.run()
  expect(bench.told.filter((word) => word.includes('by'))).toEqual([
    ...["agents' by 0", "agents' by 4", "agents' by 6"],
  ])
})

it('hosts and both ends of a port are in the cells of their nodes', () => {
  const cellOf = Int32Array.of(4, 3, 2, 1, 0)
  const { fabric } = new FabricBench({ cellOf, windows: new Windows(5) })
  expect([0, 1, 2].map((host) => fabric.cellOfHost(host))).toEqual([4, 3, 2])
  const ends = (port: number): number[] => [fabric.fromCell[port]!, fabric.toCell[port]!]
  expect([H0_S0, S0_S1, S1_H2 ^ 1].map(ends)).toEqual([
    ...[
      [4, 1],
      [1, 0],
      [2, 0],
    ],
  ])
})
