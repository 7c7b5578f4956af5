/** Axes of a figure: where a value stands, ticks that can be read, and a label with its unit. */
import type { Axis } from '../../../../experiments/figure.ts'
import { compact } from '../model/compare.ts'

export interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
  show(value: number): string
}

export function labelOf({ label, unit }: Axis): string {
  return unit === '' ? label : `${label} (${unit})`
}

/** From `from` to `to` in pixels; linear axes of positive values begin at zero if that is near. */
export function scaleOf(
  axis: Axis,
  values: readonly number[],
  from: number,
  to: number,
  hasZero: boolean,
): Scale {
  const finite = values.filter(Number.isFinite)
  const isLog = axis.scale === 'log' && finite.every((value) => value > 0) && finite.length > 0
  let [low, high] = [Math.min(...finite), Math.max(...finite)]
  if (finite.length === 0) [low, high] = [0, 1]
  if (isLog) return logScale(low, high, from, to)
  if (hasZero || (low > 0 && low < 0.35 * high)) low = Math.min(0, low)
  if (high <= low) high = low + (Math.abs(low) || 1)
  const step = niceStep((high - low) / 5)
  const first = Math.floor(low / step + 1e-9) * step
  const last = hasZero ? Math.ceil(high / step - 1e-9) * step : high
  const ticks: number[] = []
  for (let i = 0; first + i * step <= last + step * 1e-6; i++) {
    const tick = Number((first + i * step).toPrecision(12))
    if (tick >= low - step * 1e-6 || hasZero) ticks.push(tick)
  }
  const base = hasZero ? first : low
  return {
    ticks,
    at: (value) => from + ((value - base) / (last - base)) * (to - from),
    show: compact,
  }
}

function logScale(low: number, high: number, from: number, to: number): Scale {
  const [a, b] = [Math.log10(low), Math.log10(high > low ? high : low * 10)]
  const isWide = b - a > 2.2
  const ticks: number[] = []
  for (let power = Math.floor(a); power <= Math.ceil(b); power++) {
    for (const digit of isWide ? [1] : [1, 2, 5]) {
      const tick = digit * 10 ** power
      if (Math.log10(tick) >= a - 1e-6 && Math.log10(tick) <= b + 1e-6) ticks.push(tick)
    }
  }
  const at = (value: number): number => from + ((Math.log10(value) - a) / (b - a)) * (to - from)
  return { ticks: ticks.length > 1 ? ticks : [low, high], at, show: compact }
}

function niceStep(about: number): number {
  const power = 10 ** Math.floor(Math.log10(about || 1))
  const digit = about / power
  return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 2.5 ? 2.5 : digit <= 5 ? 5 : 10) * power
}
