/**
 * Means over the window that ends at each picture: a picture is a few packets long, too short for a
 * rate. At the beginning of a run the mean is of what there is of the window, without the pictures
 * in which the first bytes are on their way; the last picture of a run is cut short, and is none.
 */
import { leadOf, meanOver, windowOf } from '../model/mean-window.ts'
import type { ChartLine } from './chart.ts'

/** Mean, least and most over the window before each picture; nothing where the flow is not. */
export function banded(
  values: readonly (number | null)[],
  part: number,
): Pick<ChartLine, 'values' | 'low' | 'high'> {
  return over(values, part, (window) => leadOf(values, window))
}

/** The same of a share of time, which is there from the beginning: nothing of it is on its way. */
export function meanShares(values: readonly number[], part: number): ChartLine['values'] {
  return over(values, part, () => 0).values
}

function over(
  values: readonly (number | null)[],
  part: number,
  leadIn: (window: number) => number,
): Pick<ChartLine, 'values' | 'low' | 'high'> {
  const window = windowOf(values.length, part)
  if (window < 2) return { values }
  const lead = leadIn(window)
  const means = values.map((value, i) => {
    if (value === null) return null
    const to = Math.max(0, Math.min(i, values.length - 2))
    return meanOver(values, i - window + 1, to, lead) ?? null
  })
  return {
    values: means.map((one) => one?.mean ?? null),
    low: means.map((one) => one?.low ?? null),
    high: means.map((one) => one?.high ?? null),
  }
}
