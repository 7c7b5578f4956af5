/**
 * Jain's fairness index: (sum x)^2 / (n sum x^2), 1 when all are equal and 1/n when one has it all
 * (R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984). NaN is left out; without values, or with only
 * zeros, there is no fairness to speak of and the index is NaN.
 */
export function jain(values: ArrayLike<number>): number {
  let sum = 0
  let squares = 0
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value !== value) continue
    sum += value
    squares += value * value
    count++
  }
  return squares === 0 ? NaN : (sum * sum) / (count * squares)
}
