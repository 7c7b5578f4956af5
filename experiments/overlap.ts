/**
 * Curves that lie on each other: whichever is drawn last hides the others, and a reader looks for
 * the missing ones in vain. Where a later one runs along a curve, that is drawn wider, and shows on
 * both sides; all stay full lines, since dots are what was computed.
 */
import type { Curve, Plot } from './figure.ts'
import { extent, isMeasured } from './plotted.ts'

/** A part of a curve on which as many later ones lie. */
export interface Under {
  readonly layers: number
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** Of the axis' height: curves that are closer cannot be told apart. */
const CLOSE = 0.006
/** Places along the x axis at which curves are compared. */
const PLACES = 300
/** As many in a row are a part of a curve, not a crossing; as many missing are noise. */
const PART_LEAST = 20
const NOISE_MOST = 4
/** More would be a band, not a curve. */
const LAYERS_MAX = 4

/** By curve, its parts under others, the widest first: a part may lie within a narrower one. */
export function undersOf({ curves, kind, x, y }: Plot): readonly (readonly Under[])[] {
  if (kind !== 'lines' && kind !== 'steps') return curves.map(() => [])
  const height = (value: number): number => (y.scale === 'log' ? Math.log(value) : value)
  const [low, high] = extent(curves.flatMap((one) => one.y.map(height)).filter(Number.isFinite))
  const places = placesOf(curves.filter(isOurs), x.scale === 'log')
  const heights = curves.map((one) =>
    isOurs(one) ? places.map((at) => height(valueAt(one, at, kind))) : [],
  )
  return curves.map((curve, i) => {
    if (!isOurs(curve)) return []
    const above = places.map((_, k) => {
      const others = heights.slice(i + 1)
      return others.filter((one) => Math.abs(one[k]! - heights[i]![k]!) <= CLOSE * (high - low))
        .length
    })
    const most = Math.min(LAYERS_MAX, Math.max(0, ...above))
    return Array.from({ length: most }, (_, k) => most - k).flatMap((layers) =>
      partsOf(above.map((count) => count >= layers)).map(([from, to]) => {
        return { layers, ...partOf(curve, places[from]!, places[to]!, kind) }
      }),
    )
  })
}

function isOurs(curve: Curve): boolean {
  return isMeasured(curve) && curve.x.length > 1 && curve.x.every((at) => typeof at === 'number')
}

function placesOf(curves: readonly Curve[], isLog: boolean): number[] {
  const to = (at: number): number => (isLog ? Math.log(at) : at)
  const back = (at: number): number => (isLog ? Math.exp(at) : at)
  const all = curves.flatMap(({ x }) => x as number[]).filter((at) => Number.isFinite(to(at)))
  if (all.length === 0) return []
  const [first, last] = extent(all)
  const step = (to(last) - to(first)) / PLACES
  // The ends themselves, without the error of a logarithm and back.
  return Array.from({ length: PLACES + 1 }, (_, k) =>
    k === 0 ? first : k === PLACES ? last : back(to(first) + k * step),
  )
}

/** First and last place of each part. */
function partsOf(isUnder: readonly boolean[]): (readonly [number, number])[] {
  const parts: [number, number][] = []
  isUnder.forEach((is, k) => {
    const last = parts.at(-1)
    if (!is) return
    if (last !== undefined && k - last[1] <= NOISE_MOST) last[1] = k
    else parts.push([k, k])
  })
  return parts.filter(([from, to]) => to - from >= PART_LEAST)
}

function partOf(curve: Curve, from: number, to: number, kind: Plot['kind']): Omit<Under, 'layers'> {
  const inside = (curve.x as readonly number[]).flatMap((x, i) =>
    x > from && x < to ? [[x, curve.y[i]!] as const] : [],
  )
  const all = [
    [from, valueAt(curve, from, kind)] as const,
    ...inside,
    [to, valueAt(curve, to, kind)] as const,
  ]
  return { x: all.map(([x]) => x), y: all.map(([, y]) => y) }
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
