/** Axes of a figure: where a value stands, and ticks that can be read. */
import type { Axis } from '../../../../experiments/figure.ts'
import { compact } from '../model/compare.ts'

export interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
  show(value: number): string
}

/**
 * Where an axis begins and ends: at zero and a tick; at the ticks around the values; at the values
 * themselves, or at zero if that is near.
 */
export type Ends = 'zero' | 'ticks' | 'values'

/** From `from` to `to` in pixels. */
export function scaleOf(
  axis: Axis,
  values: readonly number[],
  from: number,
  to: number,
  ends: Ends,
): Scale {
  const isLog = axis.scale === 'log' && values.some((value) => value > 0)
  // A logarithmic axis has no place for zero.
  const finite = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0))
  let [low, high] = [Math.min(...finite), Math.max(...finite)]
  if (finite.length === 0) [low, high] = [0, 1]
  if (isLog) return logScale(low, high, from, to, ends, finite)
  const isNearZero = ends === 'values' && low > 0 && low < 0.35 * high
  if (ends === 'zero' || isNearZero) low = Math.min(0, low)
  if (high <= low) high = low + (Math.abs(low) || 1)
  const step = niceStep((high - low) / 5)
  const first = Math.floor(low / step + 1e-9) * step
  const isTight = ends === 'values'
  const last = isTight ? high : Math.ceil(high / step - 1e-9) * step
  const ticks: number[] = []
  for (let i = 0; first + i * step <= last + step * 1e-6; i++) {
    const tick = Number((first + i * step).toPrecision(12))
    if (tick >= low - step * 1e-6 || !isTight) ticks.push(tick)
  }
  const base = isTight ? low : first
  return {
    ticks,
    at: (value) => from + ((value - base) / (last - base)) * (to - from),
    show: tickText,
  }
}

/**
 * 10,000, not '10 k', which would stand beside KB or Gb/s; from a million on, and below a
 * thousandth, it is short: '0.000001' would reach into the axis' title.
 */
function tickText(value: number): string {
  const size = Math.abs(value)
  if (size > 0 && size < 0.9e-3) return Number(value.toPrecision(3)).toExponential()
  return size < 1e6 && size >= 1000 ? value.toLocaleString('en-US') : compact(value)
}

/** Words, one beside the other. */
export function wordScale(words: readonly string[], from: number, to: number): Scale {
  const wide = (to - from) / words.length
  return {
    ticks: words.map((_, i) => i),
    at: (place) => from + (place + 0.5) * wide,
    show: (place) => words[place] ?? '',
  }
}

/** Ticks of a logarithmic axis that can be read beside each other, as a part of its length. */
const APART = 0.07

/** Places that were run, if each can be told: 4, 8, 16 and 32 senders; none if they would touch. */
function placesOf(values: readonly number[]): readonly number[] {
  const places = [...new Set(values)].sort((a, b) => a - b)
  const whole = Math.log(places.at(-1)! / places[0]!)
  const isReadable = places.slice(1).every((at, i) => Math.log(at / places[i]!) > APART * whole)
  return places.length > 1 && isReadable ? places : []
}

function logScale(
  low: number,
  high: number,
  from: number,
  to: number,
  ends: Ends,
  values: readonly number[],
): Scale {
  const isTight = ends === 'values'
  const first = isTight ? low : tickBelow(low)
  const above = high > first ? high : first * 10
  const last = isTight ? above : tickAbove(above)
  const [a, b] = [Math.log10(first), Math.log10(last)]
  const isWide = b - a > 2.2
  const ticks: number[] = []
  for (let power = Math.floor(a); power <= Math.ceil(b); power++) {
    for (const digit of isWide ? [1] : [1, 2, 5]) {
      const tick = digit * 10 ** power
      if (Math.log10(tick) >= a - 1e-6 && Math.log10(tick) <= b + 1e-6) ticks.push(tick)
    }
  }
  const at = (value: number): number => from + ((Math.log10(value) - a) / (b - a)) * (to - from)
  const places = isTight ? placesOf(values) : []
  if (places.length > 0) return { ticks: places, at, show: tickText }
  return { ticks: ticks.length > 1 ? ticks : [first, last], at, show: tickText }
}

/** 1, 2 or 5 times a power of ten: the next one that is not above. */
function tickBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9)
  return [5, 2, 1].map((digit) => digit * power).find((tick) => tick <= value * (1 + 1e-9)) ?? power
}

function tickAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9)
  const ticks = [1, 2, 5, 10].map((digit) => digit * power)
  return ticks.find((tick) => tick >= value * (1 - 1e-9)) ?? 10 * power
}

function niceStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about || 1))
  const digit = about / power
  return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 2.5 ? 2.5 : digit <= 5 ? 5 : 10) * power
}
