import type { ReactionPoint } from '@weir/fabric'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParamValue } from './param.ts'
import { FakeFlow, ackOf, fakeContext, valuesOf } from './testing/fake-flow.ts'
import { conforms, onDumbbell } from '@weir/sim/testing'
import { timely } from './timely.ts'

conforms(timely, {
  until: '150ms',
  bounds: {
    utilisation: 0.8,
    jain: 0.6,
    queueBytes: 125e3,
    source: 'SIGCOMM 2015, section 6: near line rate, low RTT; CoNEXT 2016, section 4: any shares',
  },
})

const US = 1e6

function reactionOf(given: Partial<Record<string, ParamValue>> = {}, preset = ''): ReactionPoint {
  const control = timely.create(valuesOf(timely, given, preset), fakeContext())
  return control.reaction(new FakeFlow(10e9, 20 * US))
}

/** Completion events with these RTTs, each a segment and far enough apart to count whole. */
function complete(reaction: ReactionPoint, rttsUs: readonly number[], fromPs = 0): void {
  rttsUs.forEach((rttUs, i) => {
    const ack = ackOf({ bytes: 16e3, rttPs: rttUs * US })
    reaction.onAck(ack, fromPs + (i + 1) * 1000 * US)
  })
}

describe('timely', () => {
  it('adds delta below T_low, whatever the gradient', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    complete(reaction, [20, 45])
    expect(reaction.rateBps).toBe(1e9 + 10e6)
  })

  it('cuts by beta (1 - T_high / RTT) above T_high, whatever the gradient', () => {
    const reaction = reactionOf({ initialRate: 0.5 })
    complete(reaction, [900, 800])
    expect(reaction.rateBps).toBeCloseTo(5e9 * (1 - 0.8 * (1 - 500 / 800)), -1)
  })

  it('cuts by the normalized gradient in between', () => {
    const reaction = reactionOf({ initialRate: 0.5 })
    complete(reaction, [100, 104])
    // rtt_diff = 0.875 x 4 us; over 20 us of minRTT that is 0.175.
    expect(reaction.rateBps).toBeCloseTo(5e9 * (1 - 0.8 * 0.175), -1)
  })

  it('takes five steps at once from the fifth negative gradient on', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    complete(reaction, [200, 190, 180, 170, 160])
    expect(reaction.rateBps).toBe(1e9 + 4 * 10e6)
    complete(reaction, [150], 10_000 * US)
    expect(reaction.rateBps).toBe(1e9 + 4 * 10e6 + 50e6)
  })

  it('takes one step at a time below T_low, however long the gradient has been negative', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    complete(reaction, [49, 48, 47, 46, 45, 44, 43])
    expect(reaction.rateBps).toBe(1e9 + 6 * 10e6)
  })

  it('never takes more than half at once, nor falls below its least rate', () => {
    const reaction = reactionOf({ initialRate: 0.5 })
    complete(reaction, [60, 400])
    expect(reaction.rateBps).toBe(2.5e9)
    const rtts = fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 200 })
    fc.assert(
      fc.property(rtts, (rttsUs) => {
        const any = reactionOf()
        complete(any, rttsUs)
        expect(any.rateBps).toBeGreaterThanOrEqual(100e6)
        expect(any.rateBps).toBeLessThanOrEqual(10e9)
      }),
    )
  })

  it('updates once a segment: acknowledgements in between change nothing', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    complete(reaction, [30])
    for (let i = 0; i < 15; i++) reaction.onAck(ackOf({ rttPs: 30 * US }), 5000 * US)
    expect(reaction.rateBps).toBe(1e9)
    reaction.onAck(ackOf({ rttPs: 30 * US }), 5000 * US)
    expect(reaction.rateBps).toBe(1e9 + 10e6)
  })

  it('gives an update that comes sooner than minRTT only its share', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    reaction.onAck(ackOf({ bytes: 16e3, rttPs: 30 * US }), 100 * US)
    reaction.onAck(ackOf({ bytes: 16e3, rttPs: 30 * US }), 105 * US)
    expect(reaction.rateBps).toBe(1e9 + 10e6 / 4)
  })

  it('updates once a round trip as the public simulators do', () => {
    const reaction = reactionOf({ initialRate: 0.1 }, 'hpcc-artifact')
    expect(reaction.rateBps).toBe(1e9)
    reaction.onAck(ackOf({ acked: 1, next: 10, rttPs: 30 * US }), 1)
    for (let acked = 2; acked <= 10; acked++) {
      reaction.onAck(ackOf({ acked, next: 10 + acked, rttPs: 30 * US }), acked)
    }
    expect(reaction.rateBps).toBe(1e9)
    reaction.onAck(ackOf({ acked: 11, next: 21, rttPs: 30 * US }), 11)
    expect(reaction.rateBps).toBe(1e9 + 10e6)
  })

  it('adds 10 and then 50 Mb/s for each 10 Gb/s of the NIC, as run.py does', () => {
    const control = timely.create(
      valuesOf(timely, { initialRate: 0.1 }, 'hpcc-artifact'),
      fakeContext(),
    )
    const reaction = control.reaction(new FakeFlow(100e9, 20 * US))
    const rates = Array.from({ length: 8 }, (_, i) => {
      reaction.onAck(ackOf({ acked: 10 * i + 1, next: 10 * i + 10, rttPs: 30 * US }), i * US)
      return reaction.rateBps
    })
    const steps = rates.slice(1).map((rate, i) => (rate - rates[i]!) / 1e6)
    expect(steps).toEqual([100, 100, 100, 100, 100, 500, 500])
  })

  it('falls to 1 Gb/s and no further in the artifact', () => {
    const reaction = reactionOf({}, 'hpcc-artifact')
    for (let i = 0; i < 20; i++) {
      reaction.onAck(ackOf({ acked: 10 * i + 1, next: 10 * i + 10, rttPs: 900 * US }), i * US)
    }
    expect(reaction.rateBps).toBe(1e9)
  })

  it("starts a host's flows at 1, 1/2 and 1/3 of the line, and counts those that ended out", () => {
    const control = timely.create(valuesOf(timely), fakeContext())
    const flow = new FakeFlow(12e9, 20 * US)
    const first = control.reaction(flow)
    expect(first.rateBps).toBe(12e9)
    expect(control.reaction(flow).rateBps).toBe(6e9)
    expect(control.reaction(flow).rateBps).toBe(4e9)
    first.onFinished(0)
    expect(control.reaction(flow).rateBps).toBe(4e9)
  })

  it('normalizes by a given minimum RTT, or else by that of the path', () => {
    const reaction = reactionOf({ initialRate: 0.5, minRtt: 40 * US })
    complete(reaction, [100, 104])
    expect(reaction.rateBps).toBeCloseTo(5e9 * (1 - 0.8 * 0.0875), -1)
    expect(reaction.observe(2)).toBeCloseTo(0.0875, 9)
    const ofPath = reactionOf({ initialRate: 0.5, minRtt: 0 })
    complete(ofPath, [100, 104])
    expect(ofPath.observe(2)).toBeCloseTo(0.175, 9)
  })

  it('has a window of so many BDPs, at least a packet, or none', () => {
    // 10 Gb/s for 20 us are 25 KB.
    expect(reactionOf({ windowBdps: 1.5 }).windowBytes).toBe(37_500)
    expect(reactionOf({ windowBdps: 0.001 }).windowBytes).toBe(1000)
    expect(reactionOf({ windowBdps: 0 }).windowBytes).toBe(Infinity)
  })

  it('raises both thresholds by so much for each hop', () => {
    const perHop = 10 * US
    for (const [rttUs, isUp] of [
      [69, true],
      [71, false],
    ] as const) {
      // T_low of 50 us and two hops: below 70 us it grows although the RTT does.
      const reaction = reactionOf({ initialRate: 0.5, perHop })
      complete(reaction, [60, rttUs])
      expect(reaction.rateBps > 5e9).toBe(isUp)
    }
    const reaction = reactionOf({ initialRate: 0.5, perHop })
    complete(reaction, [900, 800])
    expect(reaction.rateBps).toBeCloseTo(5e9 * (1 - 0.8 * (1 - 520 / 800)), -1)
  })

  it("leaves out the hosts' part of the RTT, if it is told to", () => {
    for (const [hostDelay, rttPs] of [
      ['excluded', 60 * US],
      ['included', 90 * US],
    ] as const) {
      const reaction = reactionOf({ hostDelay })
      const ack = ackOf({ bytes: 16e3, rttPs: 90 * US, hostDelayPs: 30 * US })
      reaction.onAck(ack, 1000 * US)
      expect(reaction.observe(1)).toBe(rttPs)
    }
  })

  it('averages differences with weight alpha', () => {
    const reaction = reactionOf({ initialRate: 0.5 })
    // rtt_diff is 0.875 x 8 = 7 us, then 0.125 x 7 + 0.875 x 16 = 14.875 us; minRTT is 20 us.
    complete(reaction, [100, 108])
    expect(reaction.observe(2)).toBeCloseTo(7 / 20, 9)
    complete(reaction, [124], 10_000 * US)
    expect(reaction.observe(2)).toBeCloseTo(14.875 / 20, 9)
  })

  it('adds one step at a time while the RTT stays as it is', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    complete(reaction, [200, 200, 200, 200, 200, 200, 200, 200])
    expect(reaction.rateBps).toBe(1e9 + 7 * 10e6)
  })

  it('goes by the gradient at T_low and at T_high themselves', () => {
    const cases: [number, number, number][] = [
      // From 46 to 50 us, and from 496 to 500 us, it grows by 0.875 x 4 us.
      [46, 50, 5e9 * (1 - 0.8 * 0.175)],
      [496, 500, 5e9 * (1 - 0.8 * 0.175)],
      [504, 500, 5e9 + 10e6],
    ]
    for (const [from, to, rateBps] of cases) {
      const reaction = reactionOf({ initialRate: 0.5 })
      complete(reaction, [from, to])
      expect(reaction.rateBps).toBeCloseTo(rateBps, -1)
    }
  })

  it('counts negative gradients anew when one was not', () => {
    const reaction = reactionOf({ initialRate: 0.1, decreaseMax: 0.01 })
    complete(reaction, [400, 380, 360, 340, 320])
    complete(reaction, [480], 10_000 * US)
    const cut = reaction.rateBps
    complete(reaction, [260, 250], 20_000 * US)
    expect(reaction.rateBps).toBe(cut + 2 * 10e6)
  })

  it('counts increases anew when there was a cut, where those are what counts', () => {
    const reaction = reactionOf({ initialRate: 0.1, haiFrom: 'increase' })
    complete(reaction, [30, 30, 30, 30, 30, 30, 600])
    const cut = reaction.rateBps
    complete(reaction, [30, 30], 10_000 * US)
    expect(reaction.rateBps).toBe(cut + 2 * 10e6)
  })

  it('waits for the next RTT where a segment ends with a packet that was sent twice', () => {
    const reaction = reactionOf({ initialRate: 0.1 })
    complete(reaction, [30])
    reaction.onAck(ackOf({ bytes: 16e3, rttPs: NaN }), 5000 * US)
    expect(reaction.rateBps).toBe(1e9)
    reaction.onAck(ackOf({ bytes: 1000, rttPs: 30 * US }), 6000 * US)
    expect(reaction.rateBps).toBe(1e9 + 10e6)
  })

  it('keeps 2 flows near the line rate with a queue far below T_high, once it has come up', () => {
    // SIGCOMM 2015, section 6.2: T_low to T_high are 50 to 500 us, 62 to 625 KB at 10 Gb/s; section
    // 6.1: throughput near the line rate. At 10 Mb/s a step the way up takes some 50 ms.
    const run = onDumbbell('timely', 2, { until: '120ms', rate: '10Gbps' })
    expect(run.utilisation).toBeGreaterThan(0.85)
    expect(run.jain).toBeGreaterThan(0.9)
    expect(run.queueBytesMean).toBeLessThan(125e3)
    expect(run.result.counters.packetsDropped).toBe(0)
  })
})
