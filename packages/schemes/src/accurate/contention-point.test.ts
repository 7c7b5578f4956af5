import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AccurateContentionPoint, exactRates } from './contention-point.ts'
import type { ContentionSettings, Frp, FrpType } from './contention-point.ts'

const G = 1e9

function pointOf(changes: Partial<ContentionSettings> = {}): AccurateContentionPoint {
  return new AccurateContentionPoint({
    capacityBps: 10 * G,
    alpha: 0,
    shortCircuitFraction: 0.1,
    remembers: true,
    floors: true,
    code: exactRates,
    ...changes,
  })
}

function frp(current: number, desired: number = 10, type: FrpType = 'frp'): Frp {
  return { type, currentBps: current * G, desiredBps: desired * G }
}

/** Sends FRPs with these current rates, in Gb/s; returns the current rates that travel on. */
function pass(point: AccurateContentionPoint, rates: readonly number[]): number[] {
  return rates.map((rate) => {
    const packet = frp(rate)
    point.receive(packet)
    return packet.currentBps / G
  })
}

describe('the contention point of ACCurate', () => {
  it.each([true, false])('goes through Fig. 2 with its numbers (ours: %s)', (isOurs) => {
    const point = pointOf({ remembers: isOurs, floors: isOurs })
    pass(point, [10, 2, 10, 2])
    point.tick()
    // The figure starts here: FSR is 3 Gb/s.
    expect(point.fsrBps).toBe(3 * G)
    expect(pass(point, [5, 2.5, 3, 2.5])).toEqual([3, 2.5, 3, 2.5])
    expect([point.m, point.bBps]).toEqual([2, 5 * G])
    point.tick()
    expect(point.fsrBps).toBe(2.5 * G)
    expect([point.m, point.bBps, point.bMaxBps]).toEqual([0, 0, 0])
    expect([point.oldFsrBps, point.oldM, point.oldBBps]).toEqual([3 * G, 2, 5 * G])
  })

  it('leaves a fraction alpha of the link to nobody', () => {
    const point = pointOf({ alpha: 0.05 })
    expect(point.fsrBps).toBe(9.5 * G)
    pass(point, [10, 10])
    point.tick()
    expect(point.fsrBps).toBe(4.75 * G)
  })

  it('lowers the desired rate to the share, and passes a smaller one as it is', () => {
    const point = pointOf()
    pass(point, [10, 10])
    point.tick()
    const greedy = frp(1, 10)
    const modest = frp(1, 2)
    point.receive(greedy)
    point.receive(modest)
    expect([greedy.currentBps, greedy.desiredBps]).toEqual([1 * G, 5 * G])
    expect([modest.currentBps, modest.desiredBps]).toEqual([1 * G, 2 * G])
  })

  it('gives a flow that begins the share it would have had in the previous period, at once', () => {
    const point = pointOf()
    pass(point, [10, 2])
    point.tick()
    expect(point.fsrBps).toBe(8 * G)
    pass(point, [8, 2])
    const init = frp(10, 10, 'flow-init')
    expect(point.receive(init)).toBe(true)
    // Old M is 1 and old B 2; with the new flow (10 - 2) / 2.
    expect(init.currentBps).toBe(4 * G)
    expect(point.fsrBps).toBe(4 * G)
    point.tick()
    expect(point.fsrBps).toBe(4 * G)
  })

  it('takes a flow that stops out of the next period, and leaves the share of this one', () => {
    const point = pointOf()
    pass(point, [10, 10])
    point.tick()
    pass(point, [10, 10])
    point.receive(frp(10, 10, 'flow-stop'))
    expect(point.fsrBps).toBe(5 * G)
    point.tick()
    expect(point.fsrBps).toBe(10 * G)
  })

  it('does not count below nothing when a stop comes alone', () => {
    const point = pointOf()
    point.receive(frp(10, 10, 'flow-stop'))
    point.receive(frp(1, 10, 'flow-stop'))
    expect([point.m, point.bBps]).toEqual([0, 0])
    point.tick()
    expect(point.fsrBps).toBe(10 * G)
  })

  it('shares C among all flows where B is above it (section IV-A)', () => {
    const point = pointOf({ alpha: 0.05 })
    pass(point, [9, 9, 9, 9])
    point.tick()
    expect(point.fsrBps).toBe(2.5 * G)
  })

  it('shares C among all flows also where B is all of it, to the bit', () => {
    const point = pointOf({ floors: false })
    pass(point, [10, 5, 5])
    point.tick()
    expect(point.fsrBps).toBeCloseTo((10 / 3) * G, 0)
  })

  it('never has less than an equal share, where the letter of Eq. 1 starves flows', () => {
    const after = (floors: boolean): number => {
      const point = pointOf({ floors })
      pass(point, [10, 4.9, 4.9])
      point.tick()
      return point.fsrBps / G
    }
    expect(after(true)).toBeCloseTo(10 / 3)
    expect(after(false)).toBeCloseTo(0.2)
  })

  it('takes b_max out of B where no flow is bottlenecked here (section IV-A)', () => {
    const point = pointOf()
    pass(point, [3, 1, 2])
    expect(point.bMaxBps).toBe(3 * G)
    point.tick()
    expect(point.fsrBps).toBe(7 * G)
  })

  it('offers all but the headroom when nobody has come for a period', () => {
    const point = pointOf({ alpha: 0.05 })
    pass(point, [10, 10, 10])
    point.tick()
    point.tick()
    expect(point.fsrBps).toBe(9.5 * G)
  })

  it('reports at once only cuts above the threshold', () => {
    const point = pointOf()
    pass(point, [10, 10])
    point.tick()
    expect(point.receive(frp(5.9))).toBe(false)
    expect(point.receive(frp(6.1))).toBe(true)
    expect(point.receive(frp(10, 10, 'flow-stop'))).toBe(false)
  })

  it('keeps its own flows when the share rises, where the letter of section II overshoots', () => {
    const after = (remembers: boolean): number => {
      const point = pointOf({ remembers, floors: false })
      pass(point, [10, 10, 10, 10])
      point.tick() // 2.5 each
      pass(point, [2.5, 2.5])
      point.tick() // 5 each, and both still send 2.5
      pass(point, [2.5, 2.5])
      point.tick()
      return point.fsrBps / G
    }
    expect(after(true)).toBe(5)
    expect(after(false)).toBe(7.5)
  })

  it('always has a share above zero and within the headroom, and never raises a rate', () => {
    const type = fc.constantFrom<FrpType>('frp', 'flow-init', 'flow-stop')
    const event = fc.option(fc.tuple(type, fc.double({ min: 1e3, max: 10 * G, noNaN: true })))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), (events, isOurs) => {
        const point = pointOf({ alpha: 0.05, remembers: isOurs, floors: isOurs })
        for (const one of events) {
          if (one === null) point.tick()
          else {
            const packet: Frp = { type: one[0], currentBps: one[1], desiredBps: 10 * G }
            point.receive(packet)
            expect(packet.currentBps).toBe(Math.min(one[1], point.fsrBps))
            expect(packet.desiredBps).toBe(point.fsrBps)
          }
          expect(point.fsrBps).toBeGreaterThan(0)
          expect(point.fsrBps).toBeLessThanOrEqual(9.5 * G)
          expect(point.m).toBeGreaterThanOrEqual(0)
          expect(point.bBps).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})

describe('flows that begin and end between two ticks', () => {
  /** A period with one flow at the share and two that are limited elsewhere, of 2 and 3 Gb/s. */
  function afterPeriod(changes: Partial<ContentionSettings> = {}): AccurateContentionPoint {
    const point = pointOf(changes)
    pass(point, [10, 2, 3])
    point.tick()
    expect([point.fsrBps, point.oldM, point.oldBBps]).toEqual([5 * G, 1, 5 * G])
    expect([point.oldBMaxBps, point.oldElsewhere]).toEqual([3 * G, 2])
    return point
  }
  const begin = (point: AccurateContentionPoint, rate: number): void =>
    void point.receive(frp(rate, 10, 'flow-init'))
  const stop = (point: AccurateContentionPoint, rate: number): void =>
    void point.receive(frp(rate, 10, 'flow-stop'))

  it('count a slow one that begins with those limited elsewhere', () => {
    const literal = afterPeriod({ floors: false })
    begin(literal, 4)
    // (10 - 2 - 3 - 4) / 1; with floors no less than 10 / 4.
    expect(literal.fsrBps).toBe(1 * G)
    const ours = afterPeriod()
    begin(ours, 4)
    expect(ours.fsrBps).toBe(2.5 * G)
    expect([ours.oldM, ours.oldElsewhere, ours.oldBBps]).toEqual([1, 3, 9 * G])
  })

  it('leave the largest of those limited elsewhere out where nobody is at the share', () => {
    for (const [rate, shareBps] of [
      [4, 10 - (9 - 4)],
      [1, 10 - (6 - 3)],
    ] as const) {
      const point = pointOf()
      pass(point, [2, 3])
      point.tick()
      begin(point, rate)
      expect(point.fsrBps).toBe(shareBps * G)
    }
  })

  it('take one that ends out of where it would be counted, of this period and the last', () => {
    const point = afterPeriod()
    pass(point, [5, 2, 3])
    stop(point, 3)
    expect([point.m, point.elsewhere, point.bBps]).toEqual([1, 1, 2 * G])
    expect([point.oldM, point.oldElsewhere, point.oldBBps]).toEqual([1, 1, 2 * G])
    stop(point, 10)
    expect([point.m, point.elsewhere, point.oldM, point.oldElsewhere]).toEqual([0, 1, 0, 1])
    stop(point, 1.5)
    // The last one takes with it what rounding would leave.
    expect([point.elsewhere, point.bBps, point.oldElsewhere, point.oldBBps]).toEqual([0, 0, 0, 0])
  })

  it('never count below nothing', () => {
    const point = afterPeriod()
    pass(point, [1, 1, 1])
    for (let i = 0; i < 2; i++) stop(point, 4)
    expect([point.elsewhere, point.bBps]).toEqual([1, 0])
    expect([point.oldElsewhere, point.oldBBps]).toEqual([0, 0])
    for (let i = 0; i < 3; i++) stop(point, 10)
    for (let i = 0; i < 3; i++) stop(point, 1)
    expect([point.m, point.elsewhere, point.oldM, point.oldElsewhere]).toEqual([0, 0, 0, 0])
  })

  it('leave the whole link to the next one when the last has ended', () => {
    const point = pointOf()
    pass(point, [10])
    point.tick()
    point.tick()
    expect(point.fsrBps).toBe(10 * G)
  })
})
