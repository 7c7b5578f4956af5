import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Histogram } from './histogram.ts'
import { nearestRank, sortedValues } from './percentile.ts'

function histogramOf(values: readonly number[], valueMax?: number): Histogram {
  const histogram = new Histogram(valueMax)
  for (const value of values) histogram.add(value)
  return histogram
}

const whole = fc.oneof(fc.nat(200), fc.nat(), fc.maxSafeNat())

describe('Histogram', () => {
  it('is exact for whole values below 128', () => {
    for (let value = 0; value < 128; value++) {
      expect(histogramOf([0, value, 1000]).percentile(0.5)).toBe(value)
    }
  })

  it('has the percentiles of all values to within 0.8%', () => {
    fc.assert(
      fc.property(
        fc.array(whole, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0, 0.01, 0.5, 0.9, 0.99, 0.999, 1),
        (values, q) => {
          const exact = nearestRank(sortedValues(values), q)
          const got = histogramOf(values).percentile(q)
          expect(Math.abs(got - exact)).toBeLessThanOrEqual(exact / 127)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('has the exact minimum, maximum, mean and total', () => {
    const histogram = histogramOf([1_000_003, 7, 500_001])
    expect(histogram.min).toBe(7)
    expect(histogram.max).toBe(1_000_003)
    expect(histogram.mean).toBe(500_003 + 2 / 3)
    expect(histogram.total).toBe(3)
  })

  it('weighs: a queue that is long for a hundredth of the time is at P99.5, not at P98', () => {
    const queue = new Histogram()
    queue.add(0, 980)
    queue.add(100_000, 10)
    queue.add(50, 10)
    queue.add(999_999, 0)
    expect(queue.percentile(0.98)).toBe(0)
    expect(queue.percentile(0.985)).toBe(50)
    expect(queue.percentile(0.995)).toBeCloseTo(100_000, -3)
    expect(queue.max).toBe(100_000)
    expect(queue.mean).toBe(1000.5)
  })

  it('merged is the histogram of both', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.array(fc.nat()), (a, b) => {
        const merged = histogramOf(a)
        merged.merge(histogramOf(b))
        const both = histogramOf([...a, ...b])
        expect([...merged.bins()]).toEqual([...both.bins()])
        expect([merged.total, merged.min, merged.max]).toEqual([both.total, both.min, both.max])
        expect(merged.percentile(0.5)).toEqual(both.percentile(0.5))
      }),
    )
    expect(() => new Histogram(10).merge(new Histogram(1000))).toThrow('give both one maximum')
  })

  it('has bins that hold their values, in order and without overlap', () => {
    const random = new Random(1, 'histogram')
    let before = 0
    for (const value of Array.from({ length: 500 }, () => random.below(2 ** 31))) {
      const [bin] = [...histogramOf([value]).bins()]
      expect(bin!.from <= value && value < bin!.to).toBe(true)
    }
    for (const { from, to } of histogramOf(Array.from({ length: 5000 }, (_, i) => i)).bins()) {
      expect(from).toBeGreaterThanOrEqual(before)
      before = to
    }
  })

  it('counts values beyond its range in the last bin, and remembers the largest', () => {
    const small = histogramOf([5, 10_000], 1000)
    expect(small.total).toBe(2)
    expect(small.max).toBe(10_000)
    expect(small.percentile(1)).toBeLessThanOrEqual(10_000)
    expect(small.percentile(1)).toBeGreaterThan(990)
  })

  it('has no values while empty', () => {
    const empty = new Histogram()
    expect([empty.min, empty.max, empty.mean, empty.percentile(0.5)]).toEqual([NaN, NaN, NaN, NaN])
    expect(empty.total).toBe(0)
  })
})
