/** Means over a window: a picture is a few packets long, too short for a rate. */
import type { ChartLine } from './chart.ts'

/** Mean, least and most over a window around each picture; nothing where the flow does not run. */
export function banded(
  values: readonly (number | null)[],
  part: number,
): Pick<ChartLine, 'values' | 'low' | 'high'> {
  const reach = Math.floor((values.length * part) / 2)
  const mean = values.map(() => null as number | null)
  if (reach < 1) return { values }
  const [low, high] = [[...mean], [...mean]]
  values.forEach((value, i) => {
    if (value === null) return
    let [sum, count, least, most] = [0, 0, Infinity, 0]
    for (let k = Math.max(0, i - reach); k <= Math.min(values.length - 1, i + reach); k++) {
      const near = values[k] ?? null
      if (near === null) continue
      sum += near
      count++
      least = Math.min(least, near)
      most = Math.max(most, near)
    }
    mean[i] = sum / count
    low[i] = least
    high[i] = most
  })
  return { values: mean, low, high }
}
