/**
 * Convergence: how long after a change (a flow starts or ends) it takes until every rate is within
 * a fraction of its target, and stays there to the end of the interval. A rate that passes through
 * the band and leaves it again has not converged. Targets are the max-min rates of that interval.
 */

/** Samples at `startPs`, `startPs + intervalPs` and so on. */
export interface RateSeries {
  readonly startPs: number
  readonly intervalPs: number
  readonly values: ArrayLike<number>
}

export interface Interval {
  readonly fromPs: number
  /** Samples at or after it are left out. */
  readonly toPs: number
}

/**
 * Time from `fromPs` to the first sample from which all series stay within `fraction` of their
 * targets; NaN if they never do, or if a series has no sample in the interval.
 */
export function convergencePs(
  series: readonly RateSeries[],
  targetsBps: ArrayLike<number>,
  fraction: number,
  interval: Interval,
): number {
  if (series.length === 0) return NaN
  let latestPs = 0
  for (let i = 0; i < series.length; i++) {
    const afterPs = settledPs(series[i]!, targetsBps[i]!, fraction, interval)
    if (afterPs !== afterPs) return NaN
    latestPs = Math.max(latestPs, afterPs)
  }
  return latestPs
}

/** The same of one series: searched from the end, to the last sample outside the band. */
function settledPs(
  { startPs, intervalPs, values }: RateSeries,
  targetBps: number,
  fraction: number,
  { fromPs, toPs }: Interval,
): number {
  const first = Math.max(0, Math.ceil((fromPs - startPs) / intervalPs))
  const end = Math.min(values.length, Math.ceil((toPs - startPs) / intervalPs))
  let settled = end
  while (settled > first && Math.abs(values[settled - 1]! - targetBps) <= fraction * targetBps) {
    settled--
  }
  return settled >= end ? NaN : startPs + settled * intervalPs - fromPs
}
