/** Arrows from who stops to who is stopped, beside their link. */
import { meets } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { PAUSE_COLOUR } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

/** An arrow from who stops to who is stopped, beside their link: bowed to one of its sides. */
export interface Bow {
  readonly port: number
  readonly start: Point
  readonly end: Point
  /** Where it is bent to, and its highest place. */
  readonly bend: Point
  readonly top: Point
  /** Away from the link. */
  readonly out: Point
}

export interface Point {
  readonly x: number
  readonly y: number
}

function bowOf({ wires, widths }: ClosePicture, port: number, side: number): Bow {
  const length = wires.length[port]!
  const at = (part: number, off: number): Point => {
    spotOn(wires, port, length * part, spot)
    return { x: spot.x - spot.uy * side * off, y: spot.y + spot.ux * side * off }
  }
  const beside = widths[port]! + 7
  const [start, end] = [at(0.74, beside), at(0.3, beside)]
  const bend = at(0.5, 2 * widths[port]! + 26)
  const out = { x: -spot.uy * side, y: spot.ux * side }
  return { port, start, end, bend, top: along({ start, end, bend }, 0.5), out }
}

function along({ start, end, bend }: Pick<Bow, 'start' | 'bend' | 'end'>, t: number): Point {
  const mix = (a: number, b: number, c: number): number =>
    (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c
  return { x: mix(start.x, bend.x, end.x), y: mix(start.y, bend.y, end.y) }
}

/**
 * Of these links the first, and of it the side, on which it lies on the fewest links and other
 * things; above, if both are alike.
 */
export function bestBow(
  picture: ClosePicture,
  ports: readonly number[],
  taken: readonly Rect[],
): Bow {
  const cover = linkCover(picture)
  const lies = (bow: Bow): number => {
    let count = 0
    for (let t = 0.1; t < 0.95; t += 0.1) {
      const { x, y } = along(bow, t)
      const rect = { x: x - 1, y: y - 1, w: 2, h: 2 }
      const isOut = y < 2 || y > picture.height - 2
      if (isOut || cover.isUnder(rect) || taken.some((one) => meets(one, rect))) count++
    }
    return count
  }
  const bows = ports.flatMap((port) => {
    spotOn(picture.wires, port, picture.wires.length[port]! * 0.5, spot)
    const above = spot.ux >= 0 ? -1 : 1
    return [above, -above].map((side) => bowOf(picture, port, side))
  })
  const counts = bows.map(lies)
  return bows[counts.indexOf(Math.min(...counts))]!
}

/** What it takes of the picture. */
export function rectOf({ start, top, end }: Bow): Rect {
  return rectAround([start.x, top.x, end.x], [start.y, top.y, end.y])
}

const PARTS = [0, 0.25, 0.5, 0.75, 1]

/** From a box to the nearest of some places on it: how far, and from where to where. */
export function toBow(
  { x, y, w, h }: Rect,
  bow: Bow,
): { readonly apart: number; readonly from: Point; readonly to: Point } {
  const ways = PARTS.map((t) => {
    const to = along(bow, t)
    const from = { x: Math.max(x, Math.min(x + w, to.x)), y: Math.max(y, Math.min(y + h, to.y)) }
    return { apart: Math.hypot(to.x - from.x, to.y - from.y), from, to }
  })
  return ways.reduce((best, way) => (way.apart < best.apart ? way : best))
}

export function distanceToBow(rect: Rect, bow: Bow): number {
  return toBow(rect, bow).apart
}

export function drawBow({ context }: ClosePicture, { start, bend, end }: Bow): void {
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = 1.6
  context.beginPath()
  context.moveTo(start.x, start.y)
  context.quadraticCurveTo(bend.x, bend.y, end.x, end.y)
  context.stroke()
  arrowHead(context, end.x, end.y, end.x - bend.x, end.y - bend.y)
}

function rectAround(x: readonly number[], y: readonly number[]): Rect {
  const [left, top] = [Math.min(...x) - 2, Math.min(...y) - 2]
  return { x: left, y: top, w: Math.max(...x) + 2 - left, h: Math.max(...y) + 2 - top }
}

function arrowHead(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  dx: number,
  dy: number,
): void {
  const length = Math.hypot(dx, dy) || 1
  const [ux, uy] = [dx / length, dy / length]
  context.fillStyle = PAUSE_COLOUR
  context.beginPath()
  context.moveTo(x + ux * 3, y + uy * 3)
  context.lineTo(x - ux * 6 - uy * 4, y - uy * 6 + ux * 4)
  context.lineTo(x - ux * 6 + uy * 4, y - uy * 6 - ux * 4)
  context.fill()
}
