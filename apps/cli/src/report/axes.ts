/** Axes of documents' figures: their ticks. */
import type { Axis } from '../../../../experiments/figure.ts'

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
