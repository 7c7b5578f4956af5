import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLASSES } from '../ports.ts'
import { Credits } from './credits.ts'

const availableOf = (credits: Credits, port: number, trafficClass: number): number =>
  credits.available[port * CLASSES + trafficClass]!

/** Room is free at the far end: a credit for it is sent, if it is worth one. */
function free(credits: Credits, port: number, c: number, bytes: number, duePs: number): void {
  if (!credits.isEnough(port, c, bytes, duePs)) return
  credits.giveBack(port, c, credits.enough.bytes, credits.enough.duePs)
}

describe('credits', () => {
  it('begin with the far buffer, for each port and class', () => {
    const credits = new Credits(2, 5000)
    expect(Array.from(credits.available)).toEqual(new Array(2 * CLASSES).fill(5000))
    expect(credits.nextPs(0)).toBe(Infinity)
    expect(Array.from(credits.starved)).toEqual([0, 0])
    expect(Array.from(credits.awaitedPs)).toEqual([Infinity, Infinity])
  })

  it('count from the picosecond in which they are due, for their own port and class', () => {
    const credits = new Credits(3, 1000)
    free(credits, 1, 5, 300, 700)
    expect(credits.nextPs(1)).toBe(700)
    expect(credits.pendingBytes(1, 5)).toBe(300)
    expect(credits.pendingBytes(1, 4)).toBe(0)
    expect(credits.pendingBytes(2, 5)).toBe(0)
    credits.collect(1, 699)
    expect(availableOf(credits, 1, 5)).toBe(1000)
    credits.collect(1, 700)
    expect(availableOf(credits, 1, 5)).toBe(1300)
    expect(credits.nextPs(1)).toBe(Infinity)
    expect(credits.pendingBytes(1, 5)).toBe(0)
    const others = Array.from(credits.available).filter((_, i) => i !== CLASSES + 5)
    expect(others).toEqual(new Array(3 * CLASSES - 1).fill(1000))
  })

  it('are taken in order of time, in whatever order they were sent back', () => {
    const credits = new Credits(1, 0)
    for (const duePs of [30, 10, 20, 10]) free(credits, 0, 0, duePs, duePs)
    expect(credits.nextPs(0)).toBe(10)
    credits.collect(0, 10)
    expect(availableOf(credits, 0, 0)).toBe(20)
    expect(credits.nextPs(0)).toBe(20)
    credits.collect(0, 25)
    expect(availableOf(credits, 0, 0)).toBe(40)
    expect(credits.pendingBytes(0, 0)).toBe(30)
  })

  it('conserve bytes by class, however many are on their way', () => {
    const returns = fc.array(
      fc.record({
        trafficClass: fc.nat(CLASSES - 1),
        bytes: fc.integer({ min: 1, max: 4096 }),
        duePs: fc.nat(1000),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(returns, fc.constantFrom(1, 64, 5000), fc.nat(1000), (all, unit, nowPs) => {
        const credits = new Credits(1, 0, unit)
        for (const { trafficClass, bytes, duePs } of all) {
          free(credits, 0, trafficClass, bytes, duePs)
        }
        credits.collect(0, nowPs)
        expect(credits.nextPs(0)).toBeGreaterThan(nowPs)
        for (let c = 0; c < CLASSES; c++) {
          const ofClass = all.filter(({ trafficClass }) => trafficClass === c)
          const sum = ofClass.reduce((bytes, one) => bytes + one.bytes, 0)
          expect(availableOf(credits, 0, c) + credits.pendingBytes(0, c)).toBe(sum)
          if (unit > 1) continue
          const due = ofClass.filter(({ duePs }) => duePs <= nowPs)
          expect(availableOf(credits, 0, c)).toBe(due.reduce((b, one) => b + one.bytes, 0))
        }
      }),
      { seed: 1, numRuns: 200 },
    )
  })

  it('are sent in units: once as many bytes are free, and when the last of them is', () => {
    const credits = new Credits(1, 0, 1000)
    free(credits, 0, 2, 600, 90)
    expect(credits.nextPs(0)).toBe(Infinity)
    expect(credits.pendingBytes(0, 2)).toBe(600)
    // Another class keeps its own.
    free(credits, 0, 3, 999, 10)
    expect(credits.nextPs(0)).toBe(Infinity)
    free(credits, 0, 2, 400, 50)
    expect(credits.nextPs(0)).toBe(90)
    expect(credits.pendingBytes(0, 2)).toBe(1000)
    credits.collect(0, 90)
    expect(availableOf(credits, 0, 2)).toBe(1000)
    // Nothing of the first unit is left over, in bytes or in time.
    free(credits, 0, 2, 1000, 20)
    expect(credits.nextPs(0)).toBe(20)
    expect(credits.pendingBytes(0, 2)).toBe(1000)
    expect(credits.pendingBytes(0, 3)).toBe(999)
  })

  it('come back in the end for all that does not stay, but for less than a unit', () => {
    // Of 5,000 B the port has sent 3,000; 800 are on their way back, 300 are kept for a unit.
    const after = (stuckBytes: number, unit: number): number => {
      const credits = new Credits(2, 5000, unit)
      credits.available[CLASSES + 3] = 2000
      free(credits, 1, 3, 800, 10)
      if (unit > 1) free(credits, 1, 3, 300, 20)
      expect(credits.keptBytes(1, 3)).toBe(unit > 1 ? 300 : 0)
      return credits.availableAfter(1, 3, stuckBytes)
    }
    expect(after(0, 1)).toBe(5000)
    expect(after(2200, 1)).toBe(2800)
    // With the 300 B: 500 more make the unit of 800, 499 do not, and none are none.
    expect(after(1400, 800)).toBe(3600)
    expect(after(1401, 800)).toBe(5000 - 1401 - 799)
    expect(after(1900, 800)).toBe(5000 - 1900 - 300)
    // What is free is enough for a unit by itself.
    expect(after(1100, 800)).toBe(3900)
  })
})
