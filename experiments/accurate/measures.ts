/** What ACCurate's figures read off a run. */
import type { Result, Series } from '@weir/sim'

export const GBPS = 1e9
export const US = 1e6

export function seriesOf(result: Result, name: string): Series {
  const found = result.series.find((series) => series.name === name)
  if (found === undefined) throw new Error(`the run has no series "${name}"`)
  return found
}

/** Mean of a series over samples in (fromPs, toPs]. */
export function meanBetween(series: Series, fromPs: number, toPs: number): number {
  let sum = 0
  let count = 0
  series.values.forEach((value, i) => {
    const atPs = series.startPs + i * series.intervalPs
    if (atPs <= fromPs || atPs > toPs) return
    sum += value
    count++
  })
  return sum / count
}

/** Means over a window in the middle of which they stand; a shorter one at the beginning. */
export function runningMean(series: Series, windowUs: number): { x: number[]; y: number[] } {
  const { startPs, intervalPs, values } = series
  const count = Math.max(1, Math.round((windowUs * US) / intervalPs))
  const spans = values.map((_, i) => values.slice(Math.max(0, i + 1 - count), i + 1))
  return {
    x: spans.map(({ length }, i) => (startPs + (i - length / 2) * intervalPs) / US),
    y: spans.map((span) => span.reduce((sum, value) => sum + value, 0) / span.length),
  }
}

/** Time of each sample, in us. */
export function timesUs({ startPs, intervalPs, values }: Series): number[] {
  return values.map((_, i) => (startPs + i * intervalPs) / US)
}
