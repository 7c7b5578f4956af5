/**
 * Points of an empirical distribution, few enough to plot. Half of the points are spread evenly
 * over the ranks; the other half grow denser towards the largest value, by equal factors of the
 * fraction that lies beyond, so that a plot of P99.9 on a logarithmic axis has points where a
 * thinning by every n-th value has none. Every point lies exactly on the distribution of all
 * values.
 */
import { sortedValues } from './percentile.ts'
import { ln, exp } from '@weir/engine'

export interface CdfPoints {
  /** Ascending, each once; the smallest and the largest are there. */
  readonly values: number[]
  /** Fraction of all values that are not above this one; the last is 1. */
  readonly fractions: number[]
}

/** At most `pointsMax` points (2 at least) of the values that are not NaN. */
export function empiricalCdf(column: ArrayLike<number>, pointsMax = 256): CdfPoints {
  if (!(pointsMax >= 2)) {
    throw new RangeError(`A distribution of ${pointsMax} points has no ends; ask for 2 or more.`)
  }
  const sorted = sortedValues(column)
  const n = sorted.length
  const values: number[] = []
  const fractions: number[] = []
  for (const rank of ranks(n, Math.floor(pointsMax))) {
    const value = sorted[rank]!
    if (values.at(-1) === value) continue
    values.push(value)
    fractions.push(countUpTo(sorted, value) / n)
  }
  return { values, fractions }
}

/** Positions in 0 .. n-1, ascending, at most `pointsMax`, the first and the last among them. */
function ranks(n: number, pointsMax: number): number[] {
  if (n <= pointsMax) return Array.from({ length: n }, (_, i) => i)
  const evenly = Math.ceil(pointsMax / 2)
  const tail = pointsMax - evenly
  const chosen = new Set<number>()
  for (let i = 0; i < evenly; i++) chosen.add(Math.round((i * (n - 1)) / Math.max(evenly - 1, 1)))
  for (let i = 0; i < tail; i++) {
    // The number of values beyond falls from n to 1 by equal factors.
    const beyond = exp(ln(n) * (1 - (i + 1) / tail))
    chosen.add(Math.max(0, n - Math.round(beyond)))
  }
  return [...chosen].sort((a, b) => a - b)
}

/** How many values are not above this one. */
function countUpTo(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
