import type { ReactionPoint } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { conforms, onDumbbell } from '@weir/sim/testing'
import { dctcpRate } from './dctcp-rate.ts'
import type { ParamValue } from './param.ts'
import { ackOf, FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'

// Analysis of DCTCP (SIGMETRICS 2011): full links with a queue about K, 30 KB at 10 Gb/s, fair.
conforms(dctcpRate, {
  bounds: {
    utilisation: 0.9,
    jain: 0.95,
    queueBytes: 60e3,
    source: 'SIGCOMM 2010, section 4.1: full throughput, a queue about K, equal shares',
  },
})

const US = 1e6
const LINE = 10e9
const T_PS = 8 * US
/** One packet of 1,000 B in T. */
const STEP = 1e9

function reactionOf(given: Partial<Record<string, ParamValue>> = {}, preset = ''): ReactionPoint {
  const control = dctcpRate.create(valuesOf(dctcpRate, given, preset), fakeContext())
  return control.reaction(new FakeFlow(LINE, T_PS))
}

/** ACKs of a window of ten packets from `first` on, of which the first `marks` were marked. */
function window(reaction: ReactionPoint, first: number, marks: number): void {
  for (let i = 0; i < 10; i++) {
    const acked = first + i
    reaction.onAck(ackOf({ acked, next: acked + 9, marked: i < marks }), acked)
  }
}

describe('dctcp-rate', () => {
  it('starts at line rate with one bandwidth-delay product, which follows the rate', () => {
    const reaction = reactionOf()
    expect(reaction.rateBps).toBe(LINE)
    expect(reaction.windowBytes).toBe(10_000)
    reaction.onAck(ackOf({ acked: 1, next: 10, marked: true }), 0)
    expect(reaction.rateBps).toBe(LINE / 2)
    expect(reaction.windowBytes).toBe(5000)
    expect(reactionOf({ windowBdps: 0 }).windowBytes).toBe(Infinity)
  })

  it('cuts once in a window, by alpha / 2, and does not rise in it', () => {
    const reaction = reactionOf()
    for (let acked = 1; acked <= 10; acked++) {
      reaction.onAck(ackOf({ acked, next: 10, marked: acked < 9 }), acked)
    }
    expect(reaction.rateBps).toBe(LINE / 2)
    reaction.onAck(ackOf({ acked: 11, next: 20, marked: true }), 11)
    // Ten packets before, eight of them with marks, and this one.
    const alpha = 15 / 16 + ((1 / 16) * 9) / 11
    expect(reaction.observe(1)).toBeCloseTo(alpha, 12)
    expect(reaction.rateBps).toBeCloseTo((LINE / 2) * (1 - alpha / 2), 3)
  })

  it('adds one packet in T each round trip without marks', () => {
    const reaction = reactionOf()
    reaction.onAck(ackOf({ acked: 1, next: 10, marked: true }), 0)
    window(reaction, 2, 0)
    // The ACK of packet 11 ends both the cut's window and alpha's.
    expect(reaction.rateBps).toBe(LINE / 2 + STEP)
    window(reaction, 12, 0)
    window(reaction, 22, 0)
    expect(reaction.rateBps).toBe(LINE / 2 + 3 * STEP)
  })

  it('hardly yields to rare marks: alpha follows the marked fraction', () => {
    const reaction = reactionOf({ rateAi: 1e6 })
    for (let round = 0; round < 200; round++) window(reaction, 1 + round * 10, 1)
    expect(reaction.observe(1)).toBeGreaterThan(0.09)
    expect(reaction.observe(1)).toBeLessThan(0.11)
  })

  it('never falls below its least rate, 1 Gb/s in the artifact, whose step is 615 Mb/s', () => {
    const reaction = reactionOf({}, 'hpcc-artifact')
    for (let round = 0; round < 50; round++) window(reaction, 1 + round * 10, 10)
    expect(reaction.rateBps).toBe(1e9)
    window(reaction, 501, 0)
    window(reaction, 511, 0)
    expect((reaction.rateBps - 1e9) % 615e6).toBe(0)
    expect(reaction.rateBps).toBeGreaterThan(1e9)
  })

  it('has 30 KB for each 10 Gb/s of a link as its threshold, by what packets leave behind', () => {
    const control = dctcpRate.create(valuesOf(dctcpRate), fakeContext())
    expect(control.marking(100e9)).toEqual({
      kminBytes: 300e3,
      kmaxBytes: 300e3,
      pmax: 1,
      at: 'dequeue',
    })
    const early = dctcpRate.create(valuesOf(dctcpRate, { markAt: 'enqueue' }), fakeContext())
    expect(early.marking(100e9)?.at).toBe('enqueue')
    const given = { k: 70e3, referenceRate: 0 }
    const same = dctcpRate.create(valuesOf(dctcpRate, given), fakeContext())
    expect(same.marking(100e9)?.kminBytes).toBe(70e3)
  })

  it('takes T as it is given, and then a step is one packet in that', () => {
    const reaction = reactionOf({ baseRtt: 2 * T_PS })
    reaction.onAck(ackOf({ acked: 1, next: 10, marked: true }), 0)
    reaction.onAck(ackOf({ acked: 11, next: 20 }), 0)
    expect(reaction.rateBps).toBe(LINE / 2 + STEP / 2)
  })

  it('cuts again only for what was sent after the cut', () => {
    const reaction = reactionOf({ g: 1 })
    reaction.onAck(ackOf({ acked: 1, next: 10, marked: true }), 0)
    reaction.onAck(ackOf({ acked: 10, next: 19, marked: true }), 0)
    expect(reaction.rateBps).toBe(LINE / 2)
    reaction.onAck(ackOf({ acked: 11, next: 20, marked: true }), 0)
    expect(reaction.rateBps).toBe(LINE / 4)
  })

  it('knows of no marks where nothing was acknowledged', () => {
    const reaction = reactionOf({ g: 0.5 })
    for (const acked of [1, 11]) {
      reaction.onAck(ackOf({ acked, next: acked + 9, bytes: 0 }), 0)
    }
    expect(reaction.observe(1)).toBe(0.5)
  })

  // Four windows of a BDP fill the queue to K by themselves: a cut that is too deep shows. Sixteen
  // would fill it to 175 KB: no cut shows.
  it.each([
    [4, 25e3, 45e3],
    [16, 25e3, 45e3],
  ])('keeps the queue of %i flows near K and the link busy', (flows, least, most) => {
    const run = onDumbbell('dctcp-rate', flows, { until: '10ms', rate: '10Gbps' })
    expect(run.utilisation).toBeGreaterThan(0.95)
    expect(run.queueBytesMean).toBeGreaterThan(least)
    expect(run.queueBytesMean).toBeLessThan(most)
    expect(run.jain).toBeGreaterThan(0.95)
    expect(run.result.counters.packetsDropped).toBe(0)
  })
})
