/** Axes of documents' figures: their names, their ticks and their ends. */
import type { Axis, Curve } from '../../../../experiments/figure.ts'

/** An axis' name with its unit, as people write it. */
export function axisLabel({ label, unit, isMagnified }: Axis): string {
  const name = unit === '' ? label : `${label} (${unit})`
  return isMagnified === true ? `${name}; not from 0` : name
}

/** Such an axis begins at zero, and intervals end there. */
export function isNeverNegative({ scale }: Axis, curves: readonly Curve[]): boolean {
  return scale !== 'log' && curves.every(({ y }) => !y.some((value) => value < 0))
}

export function logOptions(axis: Axis): object {
  if (axis.scale !== 'log') return {}
  return { type: 'log', ticks: 6, tickFormat: tickText }
}

/** A tick as a plain number: 0.3, neither 300m nor 0.30000000000000004. */
export function tickText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6 || (size > 0 && size < 1e-4)) {
    return value.toExponential().replace(/\.?0*e\+?/u, 'e')
  }
  return Number(value.toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 6 })
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
