/** Axes of documents' figures: their names, their ticks and their ends. */
import type { Axis } from '../../../../experiments/figure.ts'

/** An axis' name with its unit, as people write it. */
export function axisLabel({ label, unit }: Axis): string {
  return unit === '' ? label : `${label} (${unit})`
}

export function logOptions(axis: Axis): object {
  if (axis.scale !== 'log') return {}
  return { type: 'log', ticks: 6, tickFormat: (value: number): string => `${value}` }
}

export function extent(values: readonly number[]): [number, number] {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}
