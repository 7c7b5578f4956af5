import type { Marking, ReactionPoint } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { loadSpec, simulate } from '@weir/sim'
import type { Result } from '@weir/sim'
import { conforms, specOf } from '@weir/sim/testing'
import { dctcp } from './dctcp.ts'
import type { ParamValue } from './param.ts'
import { FakeFlow, ackOf, fakeContext, valuesOf } from './testing/fake-flow.ts'

conforms(dctcp, {
  bounds: {
    utilisation: 0.99,
    jain: 0.9,
    // K at 10 Gb/s, and two packets of 1,048 B for each of 16 flows.
    queueBytes: 97_500 + 2 * 16 * 1048,
    source: 'SIGCOMM 2010, section 3.3 (Eq. 10: the queue peaks at K + n) and 4.1 (Jain 0.99)',
  },
})

const MSS = 1000

function reactionOf(given: Partial<Record<string, ParamValue>>): ReactionPoint {
  return dctcp.create(valuesOf(dctcp, given), fakeContext()).reaction(new FakeFlow(1e9, 100e6))
}

/** Windows of ten ACKs with these marks, over and over; the largest cut at one ACK of the last. */
function cutFor(marks: string, given: Partial<Record<string, ParamValue>>, windows = 3): number {
  const reaction = reactionOf({ initialWindow: 1e5, ...given })
  let cut = 0
  for (let acked = 1; acked <= 10 * windows; acked++) {
    const before = reaction.observe(0)
    const marked = marks[(acked - 1) % 10] === '1'
    reaction.onAck(ackOf({ acked, next: acked + 9, marked, inflightBytes: 9 * MSS }), 0)
    if (acked > 10 * (windows - 1)) cut = Math.max(cut, 1 - reaction.observe(0) / before)
  }
  return cut
}

const markingOf = (rateBps: number): Marking | undefined =>
  dctcp.create(valuesOf(dctcp), fakeContext()).marking(rateBps)

describe('dctcp', () => {
  it("cuts by 40% and 10% for the lecture's rows of marks, read as its table reads them", () => {
    expect(cutFor('0110001001', { g: 1, cut: 1 })).toBeCloseTo(0.4, 12)
    expect(cutFor('0000000001', { g: 1, cut: 1 })).toBeCloseTo(0.1, 12)
  })

  it('cuts by alpha / 2 as its equation says: 20% and 5% for the same marks', () => {
    expect(cutFor('0110001001', { g: 1 })).toBeCloseTo(0.2, 12)
    expect(cutFor('0000000001', { g: 1 })).toBeCloseTo(0.05, 12)
  })

  it('halves at the first mark, and moves alpha to the marked fraction by 1/16 a window', () => {
    const reaction = reactionOf({ initialWindow: 100 })
    reaction.onAck(ackOf({ acked: 1, next: 100, marked: true }), 0)
    expect(reaction.windowBytes).toBe(50 * MSS)
    expect(cutFor('0000000001', {}, 2000)).toBeCloseTo(0.05, 6)
  })

  it.each([
    [true, 50.04],
    [false, 50],
  ])('grows in the round trip of a cut, as RFC 8257 says, or not (%s)', (growsInCut, window) => {
    const reaction = reactionOf({ initialWindow: 100, growsInCut })
    reaction.onAck(ackOf({ acked: 1, next: 100, marked: true, inflightBytes: 99 * MSS }), 0)
    expect(reaction.observe(0)).toBe(50 * MSS)
    // Neither a mark nor its absence matters until what was sent by the cut is acknowledged.
    reaction.onAck(ackOf({ acked: 2, next: 100, marked: true, inflightBytes: 98 * MSS }), 0)
    reaction.onAck(ackOf({ acked: 100, next: 150, marked: false, inflightBytes: 50 * MSS }), 0)
    expect(reaction.observe(0)).toBeCloseTo(window * MSS, -1)
    reaction.onAck(ackOf({ acked: 101, next: 150, marked: false, inflightBytes: 49 * MSS }), 0)
    expect(reaction.observe(0)).toBeGreaterThan((window + 0.01) * MSS)
  })

  it('marks from 20 packets at 1 Gb/s and from 65 at 10 Gb/s, and scales from there', () => {
    expect(markingOf(1e9)).toMatchObject({ kminBytes: 30_000, kmaxBytes: 30_000 })
    expect(markingOf(10e9)).toMatchObject({ kminBytes: 97_500 })
    // Half way between 1 and 10 Gb/s.
    expect(markingOf(5.5e9)).toMatchObject({ kminBytes: 63_750, kmaxBytes: 63_750 })
    expect(markingOf(100e9)).toMatchObject({ kminBytes: 975_000 })
    expect(markingOf(100e6)).toMatchObject({ kminBytes: 30_000, pmax: 1, at: 'enqueue' })
    expect(dctcp.create(valuesOf(dctcp), fakeContext()).echo).toBe('exact')
  })

  it('knows of no marks where nothing was acknowledged', () => {
    const reaction = reactionOf({ g: 0.5 })
    const before = reaction.observe(2)
    reaction.onAck(ackOf({ acked: 1, next: 10, bytes: 0 }), 0)
    expect(reaction.observe(2)).toBe(before / 2)
  })
})

function run(flows: number, rest: string, until = '300ms'): Result {
  const list = Array.from(
    { length: flows },
    (_, i) => `{from: l${i}, to: r${i}, start: ${i * 130}us}`,
  )
  const text = `
topology: {kind: dumbbell, left: ${flows}, right: ${flows},
  rate: 1Gbps, bottleneckRate: 1Gbps, delay: 16us}
workload: [flows: [${list.join(', ')}]]
run: {until: ${until}}
metrics: {interval: 100us, series: [queue.left->right.c3]}
${rest}
`
  return simulate(loadSpec({ text, sourceName: 'test', files: () => undefined }))
}

const hosts = 'hosts: {mtu: 1460B, header: 78B}'
const lossy = 'fabric: {flowControl: none, buffer: {size: 4MB, threshold: 700KB}}'

/** Queue samples of the later half, ascending. */
function laterQueue(result: Result): number[] {
  const { values } = result.series[0]!
  return values.slice(values.length >> 1).sort((a, b) => a - b)
}

describe('dctcp on a network', () => {
  // SIGCOMM 2010, section 3.3, Eq. 10: the queue peaks at K + n packets; section 4.1: full
  // throughput at K = 20, Jain 0.99 for long flows. Two segments are the least window, so that 16
  // flows hold at least 32 packets less C x RTT.
  it.each([2, 4, 8, 16])('keeps %i flows busy and fair with a queue of K + n', (flows) => {
    const result = run(flows, `${hosts}\n${lossy}\nscheme: {name: dctcp, params: {overhead: 1us}}`)
    expect(result.summary.goodputBps / 1e9).toBeGreaterThan(0.98 * (1460 / 1538))
    expect(result.summary.jain).toBeGreaterThan(0.95)
    const queue = laterQueue(result)
    expect(queue.at(-1)! / 1538).toBeLessThanOrEqual(20 + 2 * flows + 1)
    expect(result.counters.packetsDropped).toBe(0)
  })

  it('loses nothing, and pauses nothing, on a lossless fabric', () => {
    const result = run(4, `${hosts}\nscheme: dctcp`, '50ms')
    expect(result.counters.packetsDropped).toBe(0)
    expect(result.counters.pauseFrames).toBe(0)
    expect(result.summary.goodputBps / 1e9).toBeGreaterThan(0.93)
  })

  it('holds the same queue with delayed ACKs, which never mix marked and unmarked', () => {
    const delayed = hosts.replace('78B', '78B, ack: {every: 2}')
    const result = run(2, `${delayed}\n${lossy}\nscheme: dctcp`)
    expect(result.summary.goodputBps / 1e9).toBeGreaterThan(0.98 * (1460 / 1538))
    expect(laterQueue(result).at(-1)! / 1538).toBeLessThanOrEqual(26)
    // Fewer ACKs than packets, but more than half: a change of marks is told at once.
    const acksPerPacket = result.counters.packetHops / (3 * result.counters.packetsSent) - 1
    expect(acksPerPacket).toBeGreaterThan(0.5)
    expect(acksPerPacket).toBeLessThan(0.75)
  })
})

const PACKET_BYTES = 1538

/** The mean way from a peak of the queue to the next trough or back; smaller turns do not count. */
function swingOf(queue: readonly number[], leastTurn: number): number {
  const turns: number[] = []
  let isRising = true
  let extreme = queue[0]!
  for (const value of queue) {
    const way = isRising ? value - extreme : extreme - value
    if (way > 0) extreme = value
    else if (-way > leastTurn) {
      turns.push(extreme)
      isRising = !isRising
      extreme = value
    }
  }
  const ways = turns.slice(1).map((turn, i) => Math.abs(turn - turns[i]!))
  expect(ways.length).toBeGreaterThan(20)
  return ways.reduce((sum, way) => sum + way, 0) / ways.length
}

describe("the queue's swing under dctcp", () => {
  // SIGCOMM 2010, section 3.3, Eq. 8 and 10: n flows in step swing the queue by
  // A = 1/2 sqrt(2 n (C RTT + K)), and it peaks at K + n. Fig. 12 has 10 Gb/s, 100 us, K = 40 and
  // n = 2, 10, 40, and finds less than A for many flows, which are not in step. Before windows had
  // fractions of a segment, and grew on marked ACKs, 40 flows (of 3 segments) swung by 1.3 A.
  it.each([
    [2, 0.9, 1.1],
    [10, 0.7, 1.1],
    [40, 0.7, 1.1],
  ])('%i flows swing by A of the analysis, or a little less', (flows, least, most) => {
    const list = Array.from({ length: flows }, (_, i) => ({
      from: `h${i + 1}`,
      to: 'h0',
      start: `${37 * i}us`,
    }))
    const result = simulate(
      specOf({
        topology: { kind: 'star', hosts: flows + 1, rate: '10Gbps', delay: '24us' },
        fabric: {
          flowControl: 'none',
          buffer: { size: '10MB', threshold: '5MB' },
          ecn: { kind: 'threshold', k: `${40 * PACKET_BYTES}B` },
        },
        hosts: { mtu: '1460B', header: '78B' },
        workload: [{ flows: list }],
        scheme: { name: 'dctcp', params: { overhead: '1us' } },
        run: { until: '40ms' },
        metrics: { interval: '2us', series: ['queue.switch->h0.*'] },
      }),
    )
    const { values } = result.series[0]!
    const packets = values.slice(values.length >> 1).map((bytes) => bytes / PACKET_BYTES)
    const bdpPackets = (10e9 * 100e-6) / 8 / PACKET_BYTES
    const amplitude = Math.sqrt(2 * flows * (bdpPackets + 40)) / 2
    const swing = swingOf(packets, amplitude / 3)
    expect(swing / amplitude).toBeGreaterThan(least)
    expect(swing / amplitude).toBeLessThan(most)
    expect(Math.abs(Math.max(...packets) - (40 + flows))).toBeLessThan(4)
  })
})
