/** What document A's figures read off a run. */
import { holds } from '../figure.ts'
import type { Check } from '../figure.ts'
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

/** Item 7 of A: what is held inside stays within the inputs' buffers, and nothing is lost. */
export function queueCheck(results: readonly Result[], of: string): Check {
  let heldBytes = 0
  let dropped = 0
  for (const { counters } of results) {
    heldBytes = Math.max(heldBytes, counters.bufferBytesMax)
    dropped += counters.packetsDropped
  }
  const limit = Math.max(...results.map(({ spec }) => spec.fabric.buffer.bytes))
  return holds(
    `ACCurate: most held at one input, ${of}`,
    'shallow buffers of about 2.5 KB an input, no loss (section I)',
    heldBytes,
    heldBytes <= limit && dropped === 0,
    'bytes',
    dropped > 0 ? `${dropped} packets were lost` : 'no packet was lost',
  )
}
