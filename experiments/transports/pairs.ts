/** Quantiles of what two values of one draw make together, over all of their pairs. */

/**
 * The least sum that so large a part of all pairs does not exceed, a value with itself included;
 * values are whole numbers and sorted, by draw, and values of different draws make no pairs.
 */
export function pairQuantile(draws: readonly ArrayLike<number>[], part: number): number {
  const pairs = draws.reduce((sum, { length }) => sum + length * length, 0)
  let low = -1
  let high = Math.max(...draws.map((values) => 2 * (values[values.length - 1] ?? 0)))
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const count = draws.reduce((sum, values) => sum + pairsUpTo(values, middle), 0)
    if (count >= part * pairs) high = middle
    else low = middle
  }
  return high
}

/** As one of a pair grows, the other one's limit falls. */
function pairsUpTo(values: ArrayLike<number>, most: number): number {
  let count = 0
  let others = values.length
  for (let i = 0; i < values.length; i++) {
    while (others > 0 && values[i]! + values[others - 1]! > most) others--
    count += others
  }
  return count
}
