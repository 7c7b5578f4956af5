/**
 * What completion times of several draws say: means and 99th percentiles of all seeds together, of
 * all flows or of those of some sizes, and how far one scheme is below another.
 *
 * Seeds are the draws. An interval is the jackknife's: each seed is left out in turn, and Student's
 * t says how far the pseudo-values lead. Schemes meet the same flows, and are compared seed by seed
 * in that what is left out is left out of both.
 */
import { mean, meanInterval, nearestRank, sortedValues } from '@weir/metrics'
import type { Draw } from './loads.ts'

export type Statistic = 'mean' | 'p99'
export const STATISTICS: readonly Statistic[] = ['mean', 'p99']
export const STATISTIC_NAMES: Readonly<Record<Statistic, string>> = {
  mean: 'average',
  p99: '99th percentile',
}

/** Flows of `from` bytes and more, up to `to`. */
export interface Sizes {
  readonly name: string
  readonly from: number
  readonly to: number
}

const ALL_SIZES: Sizes = { name: 'all', from: 0, to: Infinity }

export interface Estimate {
  readonly value: number
  /** Half of the 95% interval; NaN with one draw. */
  readonly half: number
}

/** In us, of the flows of these draws together. */
export function timeOf(draws: readonly Draw[], statistic: Statistic, sizes: Sizes): number {
  const times = draws.flatMap(({ sizeBytes, fctUs }) =>
    Array.from(fctUs).filter((_, i) => sizeBytes[i]! >= sizes.from && sizeBytes[i]! < sizes.to),
  )
  return statistic === 'mean' ? mean(times) : nearestRank(sortedValues(times), 0.99)
}

/** Flows of these sizes, of all draws together. */
export function countOf(draws: readonly Draw[], { from, to }: Sizes): number {
  return draws.reduce(
    (sum, { sizeBytes }) => sum + sizeBytes.filter((size) => size >= from && size < to).length,
    0,
  )
}

export function estimate(
  draws: readonly Draw[],
  statistic: Statistic,
  sizes: Sizes = ALL_SIZES,
): Estimate {
  return jackknife(draws.length, (kept) =>
    timeOf(
      kept.map((i) => draws[i]!),
      statistic,
      sizes,
    ),
  )
}

/** By what part `ours` is below `theirs`: 0.2 is a fifth less; below zero, ours is longer. */
export function reduction(
  ours: readonly Draw[],
  theirs: readonly Draw[],
  statistic: Statistic,
  sizes: Sizes = ALL_SIZES,
): Estimate {
  const { value, half } = over(ours, theirs, statistic, sizes)
  return { value: 1 - value, half }
}

/** How many times as long the first takes as the second, on the same flows. */
export function over(
  one: readonly Draw[],
  other: readonly Draw[],
  statistic: Statistic,
  sizes: Sizes = ALL_SIZES,
): Estimate {
  return jackknife(one.length, (kept) => {
    const [a, b] = [one, other].map((draws) =>
      timeOf(
        kept.map((i) => draws[i]!),
        statistic,
        sizes,
      ),
    )
    return a! / b!
  })
}

/** M. H. Quenouille's jackknife, with J. W. Tukey's interval. */
export function jackknife(n: number, of: (kept: readonly number[]) => number): Estimate {
  const all = Array.from({ length: n }, (_, i) => i)
  const value = of(all)
  if (n < 2) return { value, half: NaN }
  const pseudo = all.map((left) => n * value - (n - 1) * of(all.filter((i) => i !== left)))
  return { value, half: meanInterval(pseudo).half }
}

/** Above zero beyond its interval; with one draw, above zero. */
export function isAbove({ value, half }: Estimate): boolean {
  return Number.isNaN(half) ? value > 0 : value - half > 0
}

/** '12.3 ± 0.4%'. */
export function percent({ value, half }: Estimate): string {
  const spread = Number.isNaN(half) ? '' : ` ± ${(half * 100).toFixed(1)}`
  return `${(value * 100).toFixed(1)}${spread}%`
}
