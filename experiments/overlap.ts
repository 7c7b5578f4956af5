/**
 * Curves that lie on each other: whichever is drawn last hides the others, and a reader looks for
 * the missing ones in vain. One that a later one runs along is drawn wider, and shows on both sides
 * of it; all stay full lines, since dots are what was computed.
 */
import type { Curve, Plot } from './figure.ts'
import { extent, isMeasured } from './plotted.ts'

/** Of the axis' height: curves that are closer cannot be told apart. */
const CLOSE = 0.006
/** Of a curve's points: as many must be close to another's before it hides that. */
const ALONG = 0.35
/** More would be a band, not a curve. */
const LAYERS_MAX = 4

/** By curve, how many later ones lie on it: as many times wider it is drawn. */
export function layersOf({ curves, kind, y }: Plot): readonly number[] {
  if (kind !== 'lines' && kind !== 'steps') return curves.map(() => 0)
  const isLog = y.scale === 'log'
  const height = (value: number): number => (isLog ? Math.log(value) : value)
  const heights = curves.flatMap((curve) => curve.y.map(height)).filter(Number.isFinite)
  const [low, high] = extent(heights)
  const close = CLOSE * (high - low)
  const isOurs = (curve: Curve): boolean =>
    isMeasured(curve) && curve.x.length > 1 && curve.x.every((at) => typeof at === 'number')
  return curves.map((curve, i) => {
    if (!isOurs(curve)) return 0
    const above = curves
      .slice(i + 1)
      .filter((other) => isOurs(other) && runsAlong(other, curve, kind, height, close)).length
    return Math.min(above, LAYERS_MAX)
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
