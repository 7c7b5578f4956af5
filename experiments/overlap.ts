/**
 * Curves that lie on each other: whichever is drawn last hides the others, and a reader looks for
 * the missing ones in vain. Those that run along an earlier one are drawn with gaps, through which
 * it shows.
 */
import type { Curve, Plot } from './figure.ts'
import { extent, isMeasured } from './plotted.ts'

/** Of the axis' height: curves that are closer cannot be told apart. */
const CLOSE = 0.006
/** Of a curve's points: as many must be close to another's before it hides that. */
const ALONG = 0.35
/** By how many of the curves before it a curve runs along; from the third on they come again. */
const GAPS = ['', '9 7', '4 10', '2 5'] as const

/** For SVG's stroke-dasharray, one per curve; '' where nothing is hidden. */
export function gapsOf({ curves, kind, y }: Plot): readonly string[] {
  if (kind !== 'lines' && kind !== 'steps') return curves.map(() => '')
  const isLog = y.scale === 'log'
  const height = (value: number): number => (isLog ? Math.log(value) : value)
  const heights = curves.flatMap((curve) => curve.y.map(height)).filter(Number.isFinite)
  const [low, high] = extent(heights)
  const close = CLOSE * (high - low)
  const isOurs = (curve: Curve): boolean =>
    isMeasured(curve) && curve.x.length > 1 && curve.x.every((at) => typeof at === 'number')
  return curves.map((curve, i) => {
    if (!isOurs(curve)) return ''
    const below = curves
      .slice(0, i)
      .filter((other) => isOurs(other) && runsAlong(curve, other, kind, height, close)).length
    return GAPS[Math.min(below, GAPS.length - 1)]!
  })
}

function runsAlong(
  one: Curve,
  other: Curve,
  kind: Plot['kind'],
  height: (value: number) => number,
  close: number,
): boolean {
  const near = one.x.filter((x, i) => {
    const apart = height(one.y[i]!) - height(valueAt(other, x as number, kind))
    return Math.abs(apart) <= close
  })
  return near.length >= ALONG * one.x.length
}

/** NaN beside the curve's ends. Its x must not fall. */
function valueAt({ x, y }: Curve, at: number, kind: Plot['kind']): number {
  const xs = x as readonly number[]
  if (at < xs[0]! || at > xs.at(-1)!) return NaN
  let [low, high] = [0, xs.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (xs[middle]! <= at) low = middle
    else high = middle
  }
  if (xs[high]! <= at) return y[high]!
  if (kind === 'steps' || xs[high] === xs[low]) return y[low]!
  return y[low]! + ((y[high]! - y[low]!) * (at - xs[low]!)) / (xs[high]! - xs[low]!)
}
