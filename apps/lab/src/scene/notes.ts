/** What a story writes into the picture: a few words beside a node or a link. */
import type { ClosePicture } from './picture.ts'
import { portByName } from './picture.ts'
import { meets, obstaclesOf, placeOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { lossesOf } from './losses.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

export interface SceneNote {
  /** A node's name, or `a->b`. */
  readonly at: string
  readonly text: string
  readonly side: 'above' | 'below'
  readonly fromPs: number
  readonly toPs: number
}

const LINE = 14
/** Words are as wide as this, or narrower where there is no room. */
const WIDTHS = [190, 120, 92]
const NARROW_WIDTHS = [120, 92]
const PAD = 7
const PAD_Y = 4
const LEAD = 16
const NARROW_PX = 600
/** Both directions of the link that a note points at. */
const OWN_LINK_PX = 30
/** The edge of the direction itself, where the line leaves to the other side. */
const BOUND_LINK_PX = 10
const OWN_REACH = 30
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

/** A note with where it stands, and what it points at. */
export interface PlacedNote extends Rect {
  readonly lines: readonly string[]
  readonly target: { readonly x: number; readonly y: number }
  /** Where its line begins. */
  readonly start: { readonly x: number; readonly y: number }
}

/** What a note takes: its box, and its line. */
export function takenBy({ target, start, ...box }: PlacedNote): Rect[] {
  const [left, top] = [Math.min(start.x, target.x), Math.min(start.y, target.y)]
  const [w, h] = [Math.abs(start.x - target.x), Math.abs(start.y - target.y)]
  return [box, { x: left - 2, y: top, w: w + 4, h }]
}

/** Notes of this moment, on no switch, host or other note. */
export function placeNotes(picture: ClosePicture, notes: readonly SceneNote[]): PlacedNote[] {
  const { context, playheadPs } = picture
  const taken = [...obstaclesOf(picture), ...lossesOf(picture)]
  context.font = FONT
  const placed: PlacedNote[] = []
  for (const note of notes) {
    if (playheadPs < note.fromPs || playheadPs > note.toPs) continue
    const target = targetOf(picture, note)
    if (target === undefined) continue
    const one = placeNote(picture, note, target, taken)
    taken.push(...takenBy(one))
    placed.push(one)
  }
  return placed
}

const FONT = '12px system-ui, sans-serif'

/** What a note points at, and to which side its line may leave it; 0, 0: to any. */
interface Target extends Spot {
  readonly ox: number
  readonly oy: number
}

/** Where the note's line ends: at a node's edge, or on a link. */
function targetOf(picture: ClosePicture, { at, side }: SceneNote): Target | undefined {
  const { recording, layout, wires, widths } = picture
  const sign = side === 'above' ? -1 : 1
  if (at.includes('->')) {
    const port = portByName(recording, at)
    if (port < 0) return undefined
    const out = outwards(picture, port)
    spotOn(wires, port, wires.length[port]! / 2, spot)
    const [dx, dy] = out === undefined ? [0, sign] : [out.x, out.y]
    const far = widths[port]! / 2 + 3
    const place = { x: spot.x + dx * far, y: spot.y + dy * far }
    return { ...spot, ...place, ox: out?.x ?? 0, oy: out?.y ?? 0 }
  }
  const node = recording.scene.nodes.findIndex(({ name }) => name === at)
  if (node < 0) return undefined
  const box = picture.boxes.find((one) => one.node === node)
  const half = box === undefined ? layout.hostRadius + 2 : box.h / 2 + (side === 'above' ? 14 : 0)
  const y = layout.y[node]! + sign * (half + 3)
  return { x: layout.x[node]!, y, ux: 0, uy: 0, ox: 0, oy: 0 }
}

/** Away from the other direction of a link, if flows go there: a line must not lead over them. */
function outwards({ recording, wires }: ClosePicture, port: number): Point | undefined {
  const { from, to, ways } = recording.scene
  const back = from.findIndex((node, other) => node === to[port] && to[other] === from[port])
  if (back < 0 || !ways.some((way) => way.includes(back))) return undefined
  spotOn(wires, back, wires.length[back]! / 2, spot)
  const [x, y] = [spot.x, spot.y]
  spotOn(wires, port, wires.length[port]! / 2, spot)
  const apart = Math.hypot(spot.x - x, spot.y - y) || 1
  return { x: (spot.x - x) / apart, y: (spot.y - y) / apart }
}

function placeNote(
  picture: ClosePicture,
  { text, side }: SceneNote,
  target: Target,
  taken: readonly Rect[],
): PlacedNote {
  const { context, width } = picture
  const cover = linkCover(picture)
  const isAbove = Math.abs(target.oy) > 0.3 ? target.oy < 0 : side === 'above'
  // What it points at stays in sight.
  const [reachX, reachY] = [
    OWN_REACH * Math.abs(target.ux) + 3,
    OWN_REACH * Math.abs(target.uy) + 3,
  ]
  const far = isAbove ? OWN_LINK_PX / 2 : -OWN_LINK_PX / 2
  const own = {
    ...{ x: target.x - reachX, w: 2 * reachX },
    ...{ y: Math.min(target.y, target.y + far) - reachY, h: Math.abs(far) + 2 * reachY },
  }
  const isBound = target.ox !== 0 || target.oy !== 0
  const wishes = [
    (rect: Rect) => !cover.isUnder(rect),
    (rect: Rect) => !cover.isFlowUnder(rect),
    (rect: Rect) => {
      const ownPx = isBound ? BOUND_LINK_PX : OWN_LINK_PX
      return !isCrossed(startOf(rect, target), target, (at) => cover.isUnder(at), ownPx)
    },
    (rect: Rect) =>
      !isCrossed(startOf(rect, target), target, (at) => taken.some((one) => meets(one, at))),
    (rect: Rect) => {
      const start = startOf(rect, target)
      return (start.x - target.x) * target.ox + (start.y - target.y) * target.oy >= 0
    },
  ]
  let best: { lines: string[]; rect: Rect; unmet: number } | undefined
  for (const wide of width < NARROW_PX ? NARROW_WIDTHS : WIDTHS) {
    const lines = wrapped(context, text, wide)
    const w = Math.max(...lines.map((line) => context.measureText(line).width)) + 2 * PAD
    const h = lines.length * LINE + 2 * PAD_Y
    const y = isAbove ? target.y - LEAD - h : target.y + LEAD
    const wanted = { x: target.x - w / 2, y, w, h }
    const one = placeOf(wanted, [...taken, own], picture, wishes)
    if (best === undefined || one.unmet < best.unmet) best = { lines, ...one }
    if (best.unmet === 0) break
  }
  const { lines, rect } = best!
  return { ...rect, lines, target: { x: target.x, y: target.y }, start: startOf(rect, target) }
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Where the line of a note begins: at its edge, nearest to what it points at. */
function startOf({ x, y, w, h }: Rect, target: Point): Point {
  return {
    x: Math.min(x + w - 8, Math.max(x + 8, target.x)),
    y: Math.min(y + h, Math.max(y, target.y)),
  }
}

/** Does a note's line lead over something? What it points at does not count. */
function isCrossed(
  start: Point,
  target: Point,
  isThere: (at: Rect) => boolean,
  ownPx: number = 6,
): boolean {
  const length = Math.hypot(start.x - target.x, start.y - target.y)
  for (let at = ownPx; at < length; at += 5) {
    const [x, y] = [
      target.x + ((start.x - target.x) * at) / length,
      target.y + ((start.y - target.y) * at) / length,
    ]
    if (isThere({ x: x - 1, y: y - 1, w: 2, h: 2 })) return true
  }
  return false
}

export function drawNotes({ context, ink }: ClosePicture, placed: readonly PlacedNote[]): void {
  context.font = FONT
  for (const { x, y, w, h, lines, target, start } of placed) {
    context.strokeStyle = ink.select
    context.lineWidth = 1.4
    context.beginPath()
    context.moveTo(target.x, target.y)
    context.lineTo(start.x, start.y)
    context.stroke()
    context.fillStyle = ink.back
    context.beginPath()
    context.roundRect(x, y, w, h, 6)
    context.fill()
    context.stroke()
    context.fillStyle = ink.text
    context.textAlign = 'left'
    context.textBaseline = 'top'
    lines.forEach((line, i) => context.fillText(line, x + PAD, y + PAD_Y + 1 + i * LINE))
  }
}

export function wrapped(context: CanvasRenderingContext2D, text: string, wide: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && context.measureText(`${last} ${word}`).width <= wide) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}
