/**
 * The window that a rate is the mean of, for plots and for the numbers in pictures: one moment has
 * one number, wherever it stands.
 */

/** Of so many pictures, those on each side of one that its mean is of. */
export function reachOf(count: number, part: number): number {
  return Math.floor((count * part) / 2)
}

/**
 * The mean at one picture, of what is around it: `values` from two reaches and one before it to
 * as many after it, `at` its place among them.
 */
export function meanAt(values: readonly (number | null)[], at: number, reach: number): number {
  const own = values[at] ?? 0
  if (reach < 1) return own
  const isWhole = wholeIn(values, reach)
  let [sum, count] = [0, 0]
  for (let k = Math.max(0, at - reach); k <= Math.min(values.length - 1, at + reach); k++) {
    if (isWhole[k] === 0) continue
    sum += values[k]!
    count++
  }
  return count > 0 ? sum / count : own
}

/** By picture: 1 where it is neither the last of a stretch, nor one in which it only sets in. */
export function wholeIn(values: readonly (number | null)[], reach: number): Uint8Array {
  const isWhole = Uint8Array.from(values, (value) => (value === null ? 0 : 1))
  for (let from = 0; from < values.length; from++) {
    if (values[from] === null) continue
    let to = from
    while (to < values.length && values[to] !== null) to++
    let first = from
    while (first < to && values[first] === 0) first++
    // Who waits for longer is kept waiting, and that is to be seen.
    const lead = first - from < reach ? first + 1 - from : 1
    if (to - from > lead + 1) {
      isWhole.fill(0, from, from + lead)
      isWhole[to - 1] = 0
    }
    from = to
  }
  return isWhole
}
