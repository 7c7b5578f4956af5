/**
 * Percentiles, of which there are two common kinds. Summaries and tables of Weir (P50, P99, P999 of
 * FCT, slowdown and queues) use `nearestRank`: the value of a flow that there was, and the maximum
 * where there are too few flows for the percentile. Figures that stand beside published ones made
 * with numpy or R use `interpolated`, their default (type 7 of R. J. Hyndman and Y. Fan, The
 * American Statistician 1996). Both take a fraction (0.99) and a sorted column without NaN.
 */

/** The values in ascending order, without NaN: flows that did not end have no FCT. */
export function sortedValues(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values)
    .filter((value) => value === value)
    .sort()
}

/** The smallest value that at least a fraction q of all do not exceed; NaN if there is none. */
export function nearestRank(sorted: ArrayLike<number>, q: number): number {
  const n = sorted.length
  if (n === 0) return NaN
  // 0.07 * 100 is a little above 7 in binary: the rank must not jump to 8 for that.
  const rank = Math.ceil(checked(q) * n - 1e-9)
  return sorted[Math.max(rank, 1) - 1]!
}

/** Linear between the two values around position q (n - 1); NaN if there is none. */
export function interpolated(sorted: ArrayLike<number>, q: number): number {
  const n = sorted.length
  if (n === 0) return NaN
  const position = checked(q) * (n - 1)
  const below = Math.floor(position)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, n - 1)]!
  return low === high ? low : low + (position - below) * (high - low)
}

/** The mean of the values that are not NaN; NaN if there is none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value !== value) continue
    sum += value
    count++
  }
  return count === 0 ? NaN : sum / count
}

function checked(q: number): number {
  if (q >= 0 && q <= 1) return q
  throw new RangeError(`A percentile of ${q} is none; give a fraction from 0 to 1, such as 0.99.`)
}
