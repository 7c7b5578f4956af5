/**
 * What a few draws say of a mean: its 95% confidence interval by Student's t, which is right for
 * means of draws that are near enough to normal, and honest about there being few of them. Draws of
 * two subjects under the same seeds are compared pair by pair: what a seed does to both is no
 * difference between them.
 */
import { ln } from '@weir/engine'
import { mean } from './percentile.ts'

export interface MeanInterval {
  readonly mean: number
  /** The interval is mean - half to mean + half; NaN if there are fewer than two draws. */
  readonly half: number
}

/** Student's t for 95%, two-sided, by degrees of freedom from 1 on. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
]

export function meanInterval(values: readonly number[]): MeanInterval {
  const n = values.length
  const middle = mean(values)
  if (n < 2 || values.some(Number.isNaN)) return { mean: middle, half: NaN }
  // The sum of equal draws is rounded, and their mean may miss them by a last digit.
  if (values.every((value) => value === values[0])) return { mean: values[0]!, half: 0 }
  const squares = values.reduce((sum, value) => sum + (value - middle) * (value - middle), 0)
  const deviation = Math.sqrt(squares / (n - 1))
  return { mean: middle, half: (t95(n - 1) * deviation) / Math.sqrt(n) }
}

/** The mean of b - a, draw by draw. */
export function pairedDifference(a: readonly number[], b: readonly number[]): MeanInterval {
  return meanInterval(a.map((value, i) => b[i]! - value))
}

/**
 * Do draws of two subjects under the same seeds tell them apart? By their ratio, draw by draw,
 * where all values are positive (slowdowns and times differ by factors, and their tails are long),
 * else by their difference: its 95% interval must not hold 1, or 0. One draw tells whatever it
 * shows.
 */
export function isApart(a: readonly number[], b: readonly number[]): boolean {
  if (a.length === 1) return a[0] !== b[0]
  const both = a.flatMap((value, i) => (Number.isNaN(value + b[i]!) ? [] : i))
  if (both.length < 2) return false
  const [ours, theirs] = [both.map((i) => a[i]!), both.map((i) => b[i]!)]
  const isPositive = [...ours, ...theirs].every((value) => value > 0)
  const { mean: middle, half } = isPositive
    ? pairedDifference(ours.map(ln), theirs.map(ln))
    : pairedDifference(ours, theirs)
  return Math.abs(middle) > half
}

/** Beyond the table, Cornish and Fisher's first terms: within 0.001 of t. */
function t95(freedom: number): number {
  return T95[freedom - 1] ?? 1.95996 + (2.3722 + 2.8225 / freedom) / freedom
}
