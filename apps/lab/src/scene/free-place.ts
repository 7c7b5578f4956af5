/**
 * Where words fit into a picture: as near as may be to where they belong, and on no switch, no
 * host, no number and no other words.
 */
import { hostNameRects } from './hosts.ts'
import type { ClosePicture } from './picture.ts'
import { NAME_PX, nameTop } from './box-names.ts'

export interface Rect {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

const STEP_X = 24
const STEP_Y = 13
/** So many steps aside, above and below are tried. */
const REACH_X = 9
const REACH_Y = 17
/** Of names; of what a receiver's flows have. */
const NAME_FONT = '11px system-ui, sans-serif'
const ARRIVED = { w: 132, h: 34, line: 15, most: 5 } as const

/** What words must not lie on. */
export function obstaclesOf(picture: ClosePicture): Rect[] {
  const { boxes, layout, recording } = picture
  const switches = boxes.map(({ x, y, w, h }) => ({ x: x - 2, y: y - 2, w: w + 4, h: h + 4 }))
  const r = layout.hostRadius + 1
  const arriving = arrivingAt(picture)
  const hosts = recording.scene.nodes.flatMap(({ kind }, node): Rect[] => {
    if (kind !== 'host') return []
    const [x, y] = [layout.x[node]!, layout.y[node]!]
    const circle = { x: x - r, y: y - r, w: 2 * r, h: 2 * r }
    if (layout.sideOf?.(node) !== 'right') return [circle]
    const lines = Math.min(ARRIVED.most, arriving.get(node) ?? 0)
    const h = Math.max(ARRIVED.h, lines * ARRIVED.line)
    return [circle, { x: x + r, y: y - h / 2, w: ARRIVED.w, h }]
  })
  return [...switches, ...hosts, ...nameRectsOf(picture)]
}

/** Names of switches, which may be wider than their boxes, and of hosts. */
export function nameRectsOf(picture: ClosePicture): Rect[] {
  const { boxes, recording, context } = picture
  const { font } = context
  context.font = NAME_FONT
  const switches = boxes.map((box) => {
    const wide = context.measureText(recording.scene.nodes[box.node]!.name).width
    const x = box.x + box.w / 2 - wide / 2 - 1
    return { x, y: nameTop(picture, box), w: wide + 2, h: NAME_PX }
  })
  const hosts = hostNameRects(picture)
  context.font = font
  return [...switches, ...hosts]
}

/** By node: flows that end there at this moment, each of which may have a line of its own. */
function arrivingAt({ recording, frame }: ClosePicture): Map<number, number> {
  const counts = new Map<number, number>()
  if (frame < 0) return counts
  for (const row of recording.flowsAt(frame).rows) {
    const node = recording.scene.to[recording.flows[row]?.path.at(-1) ?? -1]
    if (node !== undefined) counts.set(node, (counts.get(node) ?? 0) + 1)
  }
  return counts
}

export type Steps = readonly (readonly [dx: number, dy: number])[]

const STEPS = stepsByDistance(1)
/** For one line of words: rather above or below where they belong than beside it. */
export const UPRIGHT: Steps = stepsByDistance(2.2)

/** The nearest first; `aside`: how much a way to the side counts. */
function stepsByDistance(aside: number): Steps {
  const steps: [number, number][] = []
  for (let i = -REACH_X; i <= REACH_X; i++) {
    for (let k = -REACH_Y; k <= REACH_Y; k++) steps.push([i * STEP_X, k * STEP_Y])
  }
  const far = ([dx, dy]: readonly [number, number]): number => Math.hypot(aside * dx, dy)
  return steps.sort((a, b) => far(a) - far(b))
}

/**
 * The free place nearest to the one wanted. `wishes`: what else it should be, the last of them most
 * of all; where not all can be, the first are given up. The one wanted, if no place is free.
 */
export function freePlace(...all: Parameters<typeof placeOf>): Rect {
  return placeOf(...all).rect
}

/** The same, with how many wishes were given up; Infinity: no place is free. */
export function placeOf(
  wanted: Rect,
  taken: readonly Rect[],
  { width, height }: { readonly width: number; readonly height: number },
  wishes: readonly ((rect: Rect) => boolean)[] = [],
  steps: Steps = STEPS,
): { readonly rect: Rect; readonly unmet: number } {
  const within = (rect: Rect): Rect => ({
    ...rect,
    x: Math.max(3, Math.min(width - rect.w - 3, rect.x)),
    y: Math.max(3, Math.min(height - rect.h - 3, rect.y)),
  })
  let [best, bestLeft] = [within(wanted), Infinity]
  for (const [dx, dy] of steps) {
    const rect = within({ ...wanted, x: wanted.x + dx, y: wanted.y + dy })
    if (taken.some((one) => meets(one, rect))) continue
    const left = wishes.findLastIndex((isGranted) => !isGranted(rect)) + 1
    if (left === 0) return { rect, unmet: 0 }
    if (left < bestLeft) [best, bestLeft] = [rect, left]
  }
  return { rect: best, unmet: bestLeft }
}

export function meets(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}
