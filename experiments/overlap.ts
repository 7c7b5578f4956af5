/**
 * Curves that lie on each other: whichever is drawn last hides the others, and a reader looks for
 * the missing ones in vain. Where later ones run along a curve, it is drawn once more above them in
 * pieces, as much of it as is left of each of them: one line whose colours alternate.
 */
import type { Curve, Plot } from './figure.ts'
import { isMeasured } from './plotted.ts'

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
  const [isLogX, isLogY] = [x.scale === 'log', y.scale === 'log']
  // As drawn: a line is straight between places on the axes, not between values.
  const drawn = curves.map((one): Drawn | undefined =>
    isOurs(one) ? { x: onAxis(one.x as number[], isLogX), y: onAxis(one.y, isLogY) } : undefined,
  )
  const [low, high] = extentOf(curves.map((one) => onAxis(one.y, isLogY)))
  const places = placesOf(drawn.map((one) => one?.x ?? []))
  const heights = drawn.map((one) => (one ? places.map((at) => valueAt(one, at, kind)) : []))
  return drawn.map((curve, i) => {
    if (curve === undefined) return []
    const above = places.map((_, k) => {
      const others = heights.slice(i + 1)
      return others.filter((one) => Math.abs(one[k]! - heights[i]![k]!) <= CLOSE * (high - low))
        .length
    })
    const most = Math.min(LAYERS_MAX, Math.max(0, ...above))
    return Array.from({ length: most }, (_, k) => most - k).flatMap((layers) =>
      partsOf(above.map((count) => count >= layers)).map(([from, to]): Under => {
        const part = partOf(curve, places[from]!, places[to]!, kind)
        return { layers, x: offAxis(part.x, isLogX), y: offAxis(part.y, isLogY) }
      }),
    )
  })
}

/** A curve in the axes' own measure. */
interface Drawn {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

function onAxis(values: readonly number[], isLog: boolean): readonly number[] {
  return isLog ? values.map(Math.log) : values
}

function offAxis(places: readonly number[], isLog: boolean): readonly number[] {
  return isLog ? places.map(Math.exp) : places
}

/**
 * The same, each part without those within it: what is drawn once more, the last curve first, in
 * the pattern of its layers.
 */
export function partsAgain(unders: readonly Under[]): readonly Under[] {
  return unders.flatMap((part) => {
    const within = unders.filter((one) => one.layers === part.layers + 1 && isWithin(one, part))
    return without(
      part,
      within.sort((a, b) => a.x[0]! - b.x[0]!),
    )
  })
}

/** Of a stroke: so long is a piece of one colour, px. */
const PIECE = 9

/** Of a curve above as many others, how long it is drawn and not drawn: as much is left of each. */
export function patternAgain(layers: number): readonly [number, number] {
  return [PIECE, PIECE * layers]
}

/**
 * Of its mark above those of as many others, a part of the disc: from and to, degrees from the
 * right, clockwise. The first is a half; the next lie across its edges, and take from both sides.
 */
export function sectorAgain(layers: number): readonly [number, number] {
  const middle = layers === 1 ? 180 : layers % 2 === 0 ? 270 : 90
  const half = 180 / (layers + 1)
  return [middle - half, middle + half]
}

function isWithin(a: Under, b: Under): boolean {
  return a.x[0]! >= b.x[0]! && a.x.at(-1)! <= b.x.at(-1)!
}

function without(part: Under, holes: readonly Under[]): Under[] {
  const ends = [undefined, ...holes].map((before, i) => {
    const [after] = holes.slice(i)
    const from =
      before === undefined ? [part.x[0]!, part.y[0]!] : [before.x.at(-1)!, before.y.at(-1)!]
    const to = after === undefined ? [part.x.at(-1)!, part.y.at(-1)!] : [after.x[0]!, after.y[0]!]
    return { from, to }
  })
  return ends.flatMap(({ from, to }) => {
    if (to[0]! <= from[0]!) return []
    const inside = part.x.flatMap((x, i) => (x > from[0]! && x < to[0]! ? [[x, part.y[i]!]] : []))
    const all = [from, ...inside, to]
    return { layers: part.layers, x: all.map(([x]) => x!), y: all.map(([, y]) => y!) }
  })
}

function isOurs(curve: Curve): boolean {
  return isMeasured(curve) && curve.x.length > 1 && curve.x.every((at) => typeof at === 'number')
}

function placesOf(all: readonly (readonly number[])[]): number[] {
  const [first, last] = extentOf(all)
  if (last < first) return []
  const step = (last - first) / PLACES
  return Array.from({ length: PLACES + 1 }, (_, k) => (k === PLACES ? last : first + k * step))
}

/** Of what is finite; plots of a run that goes on ask for it again and again. */
function extentOf(all: readonly (readonly number[])[]): [number, number] {
  let [low, high] = [Infinity, -Infinity]
  for (const values of all) {
    for (const value of values) {
      if (value < low && value > -Infinity) low = value
      if (value > high && value < Infinity) high = value
    }
  }
  return [low, high]
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

function partOf(curve: Drawn, from: number, to: number, kind: Plot['kind']): Drawn {
  const x = [from]
  const y = [valueAt(curve, from, kind)]
  curve.x.forEach((at, i) => {
    if (at <= from || at >= to) return
    x.push(at)
    y.push(curve.y[i]!)
  })
  return { x: [...x, to], y: [...y, valueAt(curve, to, kind)] }
}

/** NaN beside the curve's ends. Its x must not fall. */
function valueAt({ x, y }: Drawn, at: number, kind: Plot['kind']): number {
  if (at < x[0]! || at > x.at(-1)!) return NaN
  let [low, high] = [0, x.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (x[middle]! <= at) low = middle
    else high = middle
  }
  if (x[high]! <= at) return y[high]!
  if (kind === 'steps' || x[high] === x[low]) return y[low]!
  return y[low]! + ((y[high]! - y[low]!) * (at - x[low]!)) / (x[high]! - x[low]!)
}
