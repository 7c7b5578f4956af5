/** Axes of documents' figures: their ticks. */
import type { Axis } from '../../../../experiments/figure.ts'

/** Ticks of a logarithmic axis that can be read beside each other, as a part of its length. */
const APART = 0.07

export function logOptions(axis: Axis): object {
  if (axis.scale !== 'log') return {}
  return { type: 'log', ticks: 6, tickFormat: tickText }
}

/**
 * Ticks at the places that were run, if these are few: 4, 8, 16 and 32 senders. Nothing where they
 * would touch.
 */
export function ticksAt(axis: Axis, values: readonly number[]): object {
  if (axis.scale !== 'log') return {}
  const places = [...new Set(values.filter((value) => value > 0))].sort((a, b) => a - b)
  const whole = Math.log(places.at(-1)! / places[0]!)
  const isReadable = places
    .slice(1)
    .every((value, i) => Math.log(value / places[i]!) > APART * whole)
  return places.length > 1 && isReadable ? { ticks: places } : {}
}

/** A tick as a plain number: 0.3, neither 300m nor 0.30000000000000004. */
export function tickText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6 || (size > 0 && size < 1e-4)) {
    return value.toExponential().replace(/\.?0*e\+?/u, 'e')
  }
  return Number(value.toPrecision(6)).toLocaleString('en-US', { maximumFractionDigits: 6 })
}
