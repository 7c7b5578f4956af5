import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interpolated, mean, nearestRank, sortedValues } from './percentile.ts'

const hundred = Array.from({ length: 100 }, (_, i) => i + 1)

describe('percentiles', () => {
  it('sort by number and leave NaN out', () => {
    expect([...sortedValues([10, NaN, 9, 100])]).toEqual([9, 10, 100])
  })

  it('by nearest rank are values that there were', () => {
    expect(nearestRank([15, 20, 35, 40, 50], 0.3)).toBe(20)
    expect(nearestRank([15, 20, 35, 40, 50], 0.4)).toBe(20)
    expect(nearestRank([15, 20, 35, 40, 50], 0.5)).toBe(35)
    expect(nearestRank([15, 20, 35, 40, 50], 0.99)).toBe(50)
    expect(nearestRank([15, 20, 35, 40, 50], 0)).toBe(15)
    expect(nearestRank([], 0.5)).toBeNaN()
  })

  it('by nearest rank are not moved by the rounding of the fraction', () => {
    for (let p = 1; p <= 100; p++) expect(nearestRank(hundred, p / 100)).toBe(p)
  })

  it('by interpolation are those of numpy', () => {
    expect(interpolated([1, 2, 3, 4], 0.5)).toBe(2.5)
    expect(interpolated(hundred, 0.99)).toBeCloseTo(99.01, 10)
    expect(interpolated(hundred, 1)).toBe(100)
    expect(interpolated([7], 0.3)).toBe(7)
    expect(interpolated([], 0.5)).toBeNaN()
  })

  it('of both kinds rise with the fraction and stay between the ends', () => {
    const column = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 })
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(column, fraction, fraction, (values, p, q) => {
        const sorted = sortedValues(values)
        for (const percentile of [nearestRank, interpolated]) {
          const low = percentile(sorted, Math.min(p, q))
          const high = percentile(sorted, Math.max(p, q))
          expect(low).toBeLessThanOrEqual(high + 1e-6)
          expect(low).toBeGreaterThanOrEqual(sorted[0]!)
          expect(high).toBeLessThanOrEqual(sorted.at(-1)! + 1e-6)
        }
      }),
    )
  })

  it('refuse per cent', () => {
    expect(() => nearestRank([1], 99)).toThrow('such as 0.99')
  })
})

describe('mean', () => {
  it('leaves NaN out, and is NaN of nothing', () => {
    expect(mean([1, NaN, 3])).toBe(2)
    expect(mean([NaN])).toBeNaN()
  })
})
