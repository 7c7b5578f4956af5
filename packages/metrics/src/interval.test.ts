import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { isApart, meanInterval, pairedDifference } from './interval.ts'

describe('draws of two', () => {
  it('tell them apart by factors: a long tail does not hide what is always there', () => {
    // Always three to ten times as much, and once very much more: by differences, nothing is told.
    const [ours, theirs] = [
      [20, 22, 21, 19, 23],
      [60, 75, 300, 95, 90],
    ]
    const { mean, half } = pairedDifference(ours!, theirs!)
    expect(half).toBeGreaterThan(mean)
    expect(isApart(ours!, theirs!)).toBe(true)
  })

  it('do not where the better one changes from seed to seed', () => {
    expect(isApart([20, 22, 21, 19, 23], [21, 20, 24, 18, 23.5])).toBe(false)
  })

  it('go by differences where some are 0, and by what is seen where there is one', () => {
    expect(isApart([0, 0, 0], [7, 9, 8])).toBe(true)
    expect(isApart([0, 0, 0], [0, 20, 0])).toBe(false)
    expect(isApart([5], [6])).toBe(true)
    expect(isApart([5, 6], [5, 6])).toBe(false)
    expect(isApart([5, NaN], [6, 7])).toBe(false)
  })
})

describe('the interval of a mean', () => {
  it('is by Student, not by Gauss: few draws say little', () => {
    // s = sqrt(2.5), t(4) = 2.776: half = 2.776 * sqrt(2.5 / 5).
    const { mean, half } = meanInterval([1, 2, 3, 4, 5])
    expect(mean).toBe(3)
    expect(half).toBeCloseTo(1.963, 3)
    expect(meanInterval([1, 3]).half).toBeCloseTo(12.706, 3)
  })

  it('goes on beyond the table without a step', () => {
    const half = (n: number): number =>
      meanInterval(Array.from({ length: n }, (_, i) => i % 2)).half * Math.sqrt((n - 1) / 0.25)
    // Of n draws, half of them 1, the half-width times sqrt((n - 1) / 0.25) is t itself.
    expect(half(32)).toBeCloseTo(2.0395, 3)
    expect(half(62)).toBeCloseTo(1.9996, 3)
    expect(half(122)).toBeCloseTo(1.9798, 3)
  })

  it('is none of one draw, nor where a draw has no value', () => {
    expect(meanInterval([7])).toEqual({ mean: 7, half: NaN })
    expect(meanInterval([7, NaN]).half).toBeNaN()
  })

  it('has no width where all draws are equal, though their sum is rounded', () => {
    const draws = Array.from({ length: 6 }, () => 1 / 7 + 15)
    expect(draws.reduce((sum, draw) => sum + draw, 0) / 6).not.toBe(draws[0])
    expect(meanInterval(draws)).toEqual({ mean: draws[0], half: 0 })
  })

  it('holds the truth in 19 of 20 cases', () => {
    const random = new Random(1, 'interval')
    let held = 0
    for (let trial = 0; trial < 2000; trial++) {
      // Sums of twelve are near enough to normal; their mean is 6.
      const draws = Array.from({ length: 5 }, () => {
        let sum = 0
        for (let i = 0; i < 12; i++) sum += random.uniform()
        return sum
      })
      const { mean, half } = meanInterval(draws)
      if (Math.abs(mean - 6) <= half) held++
    }
    expect(held / 2000).toBeGreaterThan(0.935)
    expect(held / 2000).toBeLessThan(0.965)
  })

  it('of pairs leaves out what both have in common', () => {
    const seeds = [10, 20, 5, 40, 12]
    const other = seeds.map((value, i) => value + 1 + (i % 2) / 10)
    const { mean, half } = pairedDifference(seeds, other)
    expect(mean).toBeCloseTo(1.04)
    expect(half).toBeLessThan(0.1)
    expect(meanInterval(seeds).half).toBeGreaterThan(10)
  })
})
