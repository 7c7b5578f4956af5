import { nearestRank, sortedValues } from '@weir/metrics'
import { expect, it } from 'vitest'
import { pairQuantile } from './pairs.ts'

it('finds the quantile of all sums of two values of one draw', () => {
  const draws = [
    [1, 4, 4, 9],
    [2, 30, 31],
  ]
  const sums = sortedValues(draws.flatMap((one) => one.flatMap((a) => one.map((b) => a + b))))
  for (const part of [0.01, 0.25, 0.5, 0.9, 0.99, 1]) {
    expect(pairQuantile(draws, part)).toBe(nearestRank(sums, part))
  }
})
