import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { empiricalCdf } from './cdf.ts'

describe('empiricalCdf', () => {
  it('has every value when there are few', () => {
    expect(empiricalCdf([3, 1, NaN, 2, 2])).toEqual({
      values: [1, 2, 3],
      fractions: [0.25, 0.75, 1],
    })
    expect(empiricalCdf([])).toEqual({ values: [], fractions: [] })
  })

  it('lies on the distribution of all values, between its ends, within the bound', () => {
    const column = fc.array(fc.nat(300), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(column, fc.integer({ min: 2, max: 50 }), (all, pointsMax) => {
        const { values, fractions } = empiricalCdf(all, pointsMax)
        expect(values.length).toBeLessThanOrEqual(pointsMax)
        expect(values[0]).toBe(Math.min(...all))
        expect(values.at(-1)).toBe(Math.max(...all))
        values.forEach((value, i) => {
          expect(fractions[i]).toBe(all.filter((x) => x <= value).length / all.length)
          if (i > 0) expect(value).toBeGreaterThan(values[i - 1]!)
        })
      }),
    )
  })

  it('keeps the tail: points beyond P99.9 of a hundred thousand values', () => {
    const random = new Random(1, 'cdf')
    const all = Array.from({ length: 100_000 }, () => random.exponential(1000))
    const { fractions } = empiricalCdf(all, 100)
    expect(fractions.length).toBeGreaterThan(80)
    expect(fractions.filter((fraction) => fraction > 0.999).length).toBeGreaterThan(15)
    expect(fractions.filter((fraction) => fraction < 0.5).length).toBeGreaterThan(20)
  })
})
