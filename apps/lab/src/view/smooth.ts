/**
 * Means over a window: a picture is a few packets long, too short for a rate. At both ends the mean
 * is of what there is of the window. Pictures in which a flow was under way for a part of the time
 * only (it begins or ends in them, or its first bytes are still on their way) count for nobody:
 * they would bend the line where the flow does not change.
 */
import { reachOf, wholeIn } from '../model/mean-window.ts'
import type { ChartLine } from './chart.ts'

/** Mean, least and most over a window around each picture; nothing where the flow does not run. */
export function banded(
  values: readonly (number | null)[],
  part: number,
): Pick<ChartLine, 'values' | 'low' | 'high'> {
  const reach = reachOf(values.length, part)
  const mean = values.map(() => null as number | null)
  if (reach < 1) return { values }
  const [low, high] = [[...mean], [...mean]]
  const isWhole = wholeIn(values, reach)
  values.forEach((value, i) => {
    if (value === null) return
    let [sum, count, least, most] = [0, 0, Infinity, 0]
    for (let k = Math.max(0, i - reach); k <= Math.min(values.length - 1, i + reach); k++) {
      const near = values[k] ?? null
      if (near === null || isWhole[k] === 0) continue
      sum += near
      count++
      least = Math.min(least, near)
      most = Math.max(most, near)
    }
    mean[i] = count > 0 ? sum / count : value
    low[i] = count > 0 ? least : value
    high[i] = count > 0 ? most : value
  })
  return { values: mean, low, high }
}
