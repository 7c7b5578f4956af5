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

/** Time of each sample, in us. */
export function timesUs({ startPs, intervalPs, values }: Series): number[] {
  return values.map((_, i) => (startPs + i * intervalPs) / US)
}
