import type { ReactionPoint } from '@weir/fabric'
import { conforms } from '@weir/sim/testing'
import { describe, expect, it } from 'vitest'
import type { ParamValue } from './param.ts'
import { swift } from './swift.ts'
import { ackOf, FakeFlow, fakeContext, valuesOf } from './testing/fake-flow.ts'

conforms(swift, {
  bounds: {
    utilisation: 0.9,
    jain: 0.9,
    queueBytes: 60e3,
    source: 'SIGCOMM 2020: the delay is held at its target, some round trips, with a full link',
  },
})

const US = 1e6
const RTT = 10 * US

/** 12.5 packets of 1,000 B fit into a round trip; two hops of nothing. */
function reactionOf(given: Partial<Record<string, ParamValue>> = {}): ReactionPoint {
  const values = valuesOf(swift, { perHop: 0, flowScaling: 0, baseTarget: 2, ...given })
  return swift.create(values, fakeContext()).reaction(new FakeFlow(10e9, RTT))
}

const windowOf = (point: ReactionPoint): number => point.observe(0)

describe('the reaction point of Swift', () => {
  it('grows by a packet a round trip below its target', () => {
    const point = reactionOf()
    const before = windowOf(point)
    for (let i = 0; i < 12; i++) point.onAck(ackOf({ bytes: 1000, rttPs: RTT }), i * US)
    expect(windowOf(point) - before).toBeCloseTo(1, 1)
  })

  it('falls in proportion to the excess, and once a round trip', () => {
    const point = reactionOf()
    const before = windowOf(point)
    // 25 us against a target of 20: 0.8 of a fifth.
    point.onAck(ackOf({ bytes: 1000, rttPs: 25 * US }), 100 * US)
    expect(windowOf(point) / before).toBeCloseTo(1 - 0.8 * 0.2)
    point.onAck(ackOf({ bytes: 1000, rttPs: 25 * US }), 110 * US)
    expect(windowOf(point) / before).toBeCloseTo(1 - 0.8 * 0.2)
    point.onAck(ackOf({ bytes: 1000, rttPs: 25 * US }), 126 * US)
    expect(windowOf(point) / before).toBeCloseTo((1 - 0.8 * 0.2) ** 2)
  })

  it('never loses more than half at once', () => {
    const point = reactionOf()
    const before = windowOf(point)
    point.onAck(ackOf({ bytes: 1000, rttPs: 10_000 * US }), 100 * US)
    expect(windowOf(point) / before).toBeCloseTo(0.5)
  })

  it('takes what hosts needed out of the fabric’s delay, and follows it on its own', () => {
    const fabric = reactionOf()
    const before = windowOf(fabric)
    fabric.onAck(ackOf({ bytes: 1000, rttPs: 25 * US, hostDelayPs: 10 * US }), 100 * US)
    expect(windowOf(fabric)).toBeGreaterThan(before)
    const host = reactionOf({ hostTarget: 5 * US })
    host.onAck(ackOf({ bytes: 1000, rttPs: 25 * US, hostDelayPs: 10 * US }), 100 * US)
    expect(windowOf(host) / before).toBeCloseTo(1 - 0.8 * 0.5)
  })

  it('raises its target for each hop, and for small windows', () => {
    const target = (given: Partial<Record<string, ParamValue>>): number =>
      reactionOf(given).observe(1)
    expect(target({})).toBeCloseTo(2 * RTT)
    expect(target({ perHop: US })).toBeCloseTo(2 * RTT + 2 * US)
    const small = reactionOf({ flowScaling: 3, fsMin: 0.1, fsMax: 100, resetTimeouts: 1 })
    small.onLoss('timeout', 0)
    expect(small.observe(1)).toBeCloseTo(5 * RTT)
    const large = reactionOf({ flowScaling: 3, fsMin: 0.1, fsMax: 11 })
    expect(large.observe(1)).toBeCloseTo(2 * RTT)
  })

  it('takes a timeout for a loss, and several in a row for a reason to begin anew', () => {
    const point = reactionOf({ resetTimeouts: 3, minWindow: 0.01 })
    const before = windowOf(point)
    point.onLoss('timeout', 100 * US)
    expect(windowOf(point) / before).toBeCloseTo(0.5)
    point.onLoss('timeout', 200 * US)
    point.onAck(ackOf({ bytes: 0, rttPs: NaN }), 250 * US)
    point.onLoss('timeout', 300 * US)
    point.onLoss('timeout', 400 * US)
    expect(windowOf(point)).toBeGreaterThan(0.5)
    point.onLoss('timeout', 500 * US)
    expect(windowOf(point)).toBe(0.01)
  })

  it('pauses between packets when the window is less than one', () => {
    const point = reactionOf({ minWindow: 0.25, resetTimeouts: 1 })
    point.onLoss('timeout', 0)
    expect(windowOf(point)).toBe(0.25)
    expect(point.windowBytes).toBe(1000)
    // A packet of 1,048 B in four round trips.
    expect(point.rateBps).toBeCloseTo((1048 * 8e12) / (4 * RTT))
  })

  it('scales its target between two windows by one over their root', () => {
    // The range is 3 round trips: none at 100 packets, all at 1, and a third of it at 9.
    const at = (initialWindow: number): number =>
      reactionOf({ flowScaling: 3, fsMin: 1, fsMax: 100, initialWindow }).observe(1) / RTT - 2
    const bdp = 12_500 / 1048
    expect(at(1 / bdp)).toBeCloseTo(3, 9)
    expect(at(9 / bdp)).toBeCloseTo((3 / 0.9) * (1 / 3 - 0.1), 9)
    expect(at(90 / bdp)).toBeCloseTo((3 / 0.9) * (1 / Math.sqrt(90) - 0.1), 9)
    expect(reactionOf({ flowScaling: 3, fsMin: 4, fsMax: 4 }).observe(1)).toBe(2 * RTT)
    // The same from 4 packets on.
    const given = { flowScaling: 3, fsMin: 4, fsMax: 100, initialWindow: 9 / bdp }
    expect(reactionOf(given).observe(1) / RTT - 2).toBeCloseTo((3 / 0.4) * (1 / 3 - 0.1), 9)
  })

  it('starts with a bandwidth-delay product, or with a packet, and holds eight at most', () => {
    const bdp = 12_500 / 1048
    expect(windowOf(reactionOf())).toBeCloseTo(bdp, 9)
    expect(reactionOf().windowBytes).toBeCloseTo(bdp * 1000, 6)
    expect(windowOf(reactionOf({ initialWindow: 0 }))).toBe(1)
    expect(windowOf(reactionOf({ initialWindow: 20 }))).toBeCloseTo(8 * bdp, 9)
    expect(reactionOf().rateBps).toBe(Infinity)
  })

  it('grows by whole packets per packet below a window of one', () => {
    const point = reactionOf({ minWindow: 0.25, resetTimeouts: 1, ai: 0.5 })
    point.onLoss('timeout', 0)
    point.onAck(ackOf({ bytes: 1000, rttPs: RTT }), US)
    expect(windowOf(point)).toBeCloseTo(0.75, 9)
    // A window of exactly one grows as larger ones do; two packets at once count twice.
    const one = reactionOf({ initialWindow: 0, ai: 0.5 })
    one.onAck(ackOf({ bytes: 2000, rttPs: RTT }), US)
    expect(windowOf(one)).toBeCloseTo(2, 9)
  })

  it('takes a loss that is no timeout for a loss only, however many there are', () => {
    const point = reactionOf({ resetTimeouts: 2, minWindow: 0.01 })
    const before = windowOf(point)
    for (let i = 1; i <= 3; i++) point.onLoss('fast-retransmit', i * 100 * US)
    expect(windowOf(point) / before).toBeCloseTo(0.125, 9)
  })

  it('falls by nothing at its target, and measures nothing by an ACK without a round trip', () => {
    const point = reactionOf()
    const before = windowOf(point)
    point.onAck(ackOf({ bytes: 1000, rttPs: 20 * US }), 100 * US)
    expect(windowOf(point)).toBe(before)
    expect(point.observe(2)).toBe(20 * US)
    point.onAck(ackOf({ bytes: 1000, rttPs: NaN }), 200 * US)
    expect([windowOf(point), point.observe(2)]).toEqual([before, 20 * US])
  })

  it('names what it can show', () => {
    const { flowInternals } = swift.create(valuesOf(swift), fakeContext())
    expect(flowInternals).toEqual(['window', 'target', 'delay'])
  })
})
