/** The words in a picture: who pauses whom, losses, deadlock. */
import { shortSize, shortTime } from '@weir/engine'
import type { Recording } from '../model/recording.ts'
import { drawOutline, PAUSED_LEAST } from './channels.ts'
import { meets, obstaclesOf, placeOf, UPRIGHT } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { PAUSE_COLOUR } from './palette.ts'
import { takenBy } from './notes.ts'
import type { ClosePicture } from './picture.ts'
import { LOSS_FONT, lossesOf } from './losses.ts'
import { say } from './say.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const SAID_MAX = 3
const NARROW_PX = 600
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

/** The output of a switch whose queue is longest: for which it stops those who fill it. */
export function deepestOutput(
  { scene, queueBytes, ports }: Recording,
  node: number,
  frame: number,
): number {
  let deepest = -1
  let most = 0
  for (let port = 0; port < ports; port++) {
    const bytes = queueBytes[frame * ports + port]!
    if (scene.from[port] !== node || bytes <= most) continue
    most = bytes
    deepest = port
  }
  return deepest
}

export function pauseWords(recording: Recording, port: number, frame: number): string {
  const { scene } = recording
  const [from, to] = [scene.nodes[scene.from[port]!]!, scene.nodes[scene.to[port]!]!]
  const deepest = to.kind === 'host' ? -1 : deepestOutput(recording, scene.to[port]!, frame)
  if (scene.flowControl === 'credits') {
    const why = deepest < 0 ? '' : `: it waits for ${scene.nodes[scene.to[deepest]!]!.name}`
    return `${to.name} has no room for ${from.name}${why}`
  }
  if (scene.flowControl === 'per-flow') return `${to.name} takes no more of ${from.name}'s flows`
  if (deepest < 0) return `${to.name} pauses ${from.name}`
  const bytes = recording.queueBytes[frame * recording.ports + deepest]!
  const target = scene.nodes[scene.to[deepest]!]!.name
  return `${to.name} pauses ${from.name}: ${shortSize(bytes)} wait for ${target}`
}

/**
 * One sentence for each node that keeps others from sending: over the link where it is seen best,
 * or over its box if there are many. First those who wait for nobody: there it began.
 */
export function drawPauses(picture: ClosePicture): void {
  const { context, recording, width } = picture
  const { scene } = recording
  const isSwitch = (port: number): boolean => scene.nodes[scene.from[port]!]!.kind === 'switch'
  const taken = [...obstaclesOf(picture), ...picture.notes.flatMap(takenBy), ...lossesOf(picture)]
  context.font = 'bold 11.5px system-ui, sans-serif'
  context.textBaseline = 'middle'
  const isNarrow = width < NARROW_PX
  const said = pausers(picture).slice(0, SAID_MAX)
  said.forEach(([node, ports], k) => {
    if (ports.length > 3) saysAll(picture, node, ports, taken)
    else saysOne(picture, ports.find(isSwitch) ?? ports[0]!, isNarrow, k > 0, taken)
  })
}

const SENTENCE_PX = 14
const WIDTH_STEP = 16

/** Words farther from their arrow would stand beside another's; in a narrow picture. */
const NEAR_PX = 75
const NARROW_NEAR_PX = 34
/** So far a line leads from words to their arrow; a longer one would be a link. */
const LEAD_PX = 90

interface Saying {
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  /** What it is of: not said farther from it unless no saying has room near it. */
  readonly to?: Point
}

interface Placed {
  readonly lines: readonly string[]
  readonly rect: Rect
  readonly unmet: number
  readonly apart: number
}

/** Says it where it belongs, or as near to it as there is room; the first that fits. */
function sayApart(picture: ClosePicture, sayings: readonly Saying[], taken: Rect[]): void {
  const nearPx = picture.width < NARROW_PX ? NARROW_NEAR_PX : NEAR_PX
  let best: Placed | undefined
  for (const saying of sayings) {
    const one = placed(picture, saying, taken)
    const isLess = best !== undefined && one.unmet === best.unmet && one.apart < best.apart
    if (best === undefined || one.unmet < best.unmet || isLess) best = one
    if (one.unmet > 0 || one.apart > nearPx) continue
    best = one
    break
  }
  const { lines, rect, apart } = best!
  const { to } = sayings[0]!
  if (to !== undefined && apart > nearPx && apart < LEAD_PX) lead(picture, rect, to, taken)
  taken.push(rect)
  lines.forEach((line, i) =>
    say(picture, line, rect.x + rect.w / 2, rect.y + SENTENCE_PX * (i + 0.5), PAUSE_COLOUR),
  )
}

function placed(picture: ClosePicture, { lines, x, y, to }: Saying, taken: Rect[]): Placed {
  const cover = linkCover(picture)
  const widest = Math.max(...lines.map((line) => picture.context.measureText(line).width))
  // In steps, so that a number which grows does not make the words jump.
  const w = Math.ceil((widest + 8) / WIDTH_STEP) * WIDTH_STEP
  const h = SENTENCE_PX * lines.length
  const wanted = { x: x - w / 2, y: y - h / 2, w, h }
  const steps = to !== undefined && picture.width < NARROW_PX ? stepsTo(wanted, to) : UPRIGHT
  const wishes = [(rect: Rect): boolean => !cover.isUnder(rect)]
  const { rect, unmet } = placeOf(wanted, taken, picture, wishes, steps)
  return { lines, rect, unmet, apart: to === undefined ? 0 : distance(rect, to) }
}

/** Places by how near they are to what the words are of. */
function stepsTo(wanted: Rect, to: Point): typeof UPRIGHT {
  const far = ([dx, dy]: readonly [number, number]): number => {
    const rect = { ...wanted, x: wanted.x + dx, y: wanted.y + dy }
    return distance(rect, to) + Math.hypot(dx, dy) / 100
  }
  const all = UPRIGHT.map((step) => ({ step, far: far(step) }))
  return all.sort((a, b) => a.far - b.far).map(({ step }) => step)
}

/** A thin line from words that had no room beside their arrow, if it strikes nothing out. */
function lead(
  { context }: ClosePicture,
  { x, y, w, h }: Rect,
  to: Point,
  taken: readonly Rect[],
): void {
  const from = { x: Math.max(x, Math.min(x + w, to.x)), y: Math.max(y, Math.min(y + h, to.y)) }
  const isStriking = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9].some((part) => {
    const at = { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }
    const rect = { x: at.x - 1, y: at.y - 1, w: 2, h: 2 }
    return taken.some(
      (one) => meets(one, rect) && !meets(one, { x: to.x - 2, y: to.y - 2, w: 4, h: 4 }),
    )
  })
  if (isStriking) return
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = 0.8
  context.beginPath()
  context.moveTo(from.x, from.y)
  context.lineTo(to.x, to.y)
  context.stroke()
}

/** A sentence on two lines: after its colon, or near its middle. */
function inTwo(text: string): string[] {
  const spaces = [...text.matchAll(/ /gu)].map(({ index }) => index)
  const [middle, colon] = [text.length / 2, text.indexOf(': ') + 1]
  const nearest = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0]
  const at = colon > 0 ? colon : nearest
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function distance({ x, y, w, h }: Rect, to: Point): number {
  return Math.hypot(Math.max(x - to.x, 0, to.x - x - w), Math.max(y - to.y, 0, to.y - y - h))
}

/** What the picture says, for those who do not see it. */
export function saidOf(picture: ClosePicture): string {
  const { deadlock, playheadPs, recording, frame } = picture
  if (deadlock !== undefined && playheadPs >= deadlock.sincePs) {
    const names = deadlock.ports.map((port) => recording.portName(port)).join(', ')
    return `DEADLOCK since ${shortTime(deadlock.sincePs)}: ${names}, each waits for the next`
  }
  const said = pausers(picture).slice(0, SAID_MAX)
  return said.map(([, ports]) => pauseWords(recording, ports[0]!, frame)).join('; ')
}

/** Nodes that keep others from sending, and which; first those who wait for nobody. */
function pausers({ recording, channels, frame }: ClosePicture): [number, number[]][] {
  if (frame < 0) return []
  const { scene } = recording
  const byNode = new Map<number, number[]>()
  // A port that waits for credits between packets waits a little, again and again.
  const least = scene.flowControl === 'credits' ? PAUSED_LEAST : 0.3
  channels.forEach(({ paused, waiting }, port) => {
    if (paused < least || waiting.length === 0) return
    const node = scene.to[port]!
    byNode.set(node, [...(byNode.get(node) ?? []), port])
  })
  const waits = (node: number): number => {
    const deepest = deepestOutput(recording, node, frame)
    return deepest < 0 ? 0 : channels[deepest]!.paused
  }
  return [...byNode].sort((a, b) => waits(a[0]) - waits(b[0]))
}

function saysAll(
  picture: ClosePicture,
  node: number,
  ports: readonly number[],
  taken: Rect[],
): void {
  const { recording, layout, frame } = picture
  const words = pauseWords(recording, ports[0]!, frame)
  const one = recording.scene.nodes[recording.scene.from[ports[0]!]!]!.name
  const text = words.replace(` ${one}`, ` ${ports.length} senders`)
  const above = layout.y[node]! - boxHeight(picture, node) / 2 - 24
  const y = picture.width < NARROW_PX ? 16 : above
  sayApart(picture, [{ lines: [text], x: layout.x[node]!, y }], taken)
}

function boxHeight({ tanks, recording }: ClosePicture, node: number): number {
  const own = tanks.find(({ port }) => recording.scene.from[port] === node)
  return own === undefined ? 24 : own.h + 20
}

/** An arrow from who stops to who is stopped, beside their link: bowed to one of its sides. */
interface Bow {
  readonly start: Point
  readonly end: Point
  /** Where it is bent to, and its highest place. */
  readonly bend: Point
  readonly top: Point
  /** Away from the link. */
  readonly out: Point
}

interface Point {
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
  return { start, end, bend, top: along({ start, end, bend }, 0.5), out }
}

function along({ start, end, bend }: Pick<Bow, 'start' | 'end' | 'bend'>, t: number): Point {
  const mix = (a: number, b: number, c: number): number =>
    (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c
  return { x: mix(start.x, bend.x, end.x), y: mix(start.y, bend.y, end.y) }
}

/** The side on which it lies on fewer links and other things; above, if both are alike. */
function bestBow(picture: ClosePicture, port: number, taken: readonly Rect[]): Bow {
  const cover = linkCover(picture)
  spotOn(picture.wires, port, picture.wires.length[port]! * 0.5, spot)
  const above = spot.ux >= 0 ? -1 : 1
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
  const [first, second] = [bowOf(picture, port, above), bowOf(picture, port, -above)]
  return lies(second) < lies(first) ? second : first
}

/**
 * In a narrow picture on two lines where one has no room beside its arrow; `isBrief`: there without
 * the why.
 */
function saysOne(
  picture: ClosePicture,
  port: number,
  isNarrow: boolean,
  isBrief: boolean,
  taken: Rect[],
): void {
  const { context, recording, frame } = picture
  const { start, end, bend, top, out } = bestBow(picture, port, taken)
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = 1.6
  context.beginPath()
  context.moveTo(start.x, start.y)
  context.quadraticCurveTo(bend.x, bend.y, end.x, end.y)
  context.stroke()
  arrowHead(context, end.x, end.y, end.x - bend.x, end.y - bend.y)
  taken.push(rectAround([start.x, top.x, end.x], [start.y, top.y, end.y]))
  const text = pauseWords(recording, port, frame)
  const brief = text.replace(/: .*/u, '')
  // Beside the arrow, on the side that it bows to.
  const x = (said: string): number => top.x + out.x * (context.measureText(said).width / 2 + 8)
  const y = top.y + out.y * (SENTENCE_PX / 2 + 5)
  const forms = isNarrow && isBrief ? [] : [[text], ...(isNarrow ? [inTwo(text)] : [])]
  const briefs = [[brief], ...(isNarrow ? [inTwo(brief)] : [])]
  const sayings = [...forms, ...briefs].map((lines) => ({ lines, x: x(lines[0]!), y, to: top }))
  sayApart(picture, sayings, taken)
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

export function drawLosses(picture: ClosePicture): void {
  const losses = lossesOf(picture)
  picture.context.textBaseline = 'middle'
  picture.context.font = LOSS_FONT
  for (const { text, x, y, h } of losses) {
    say(picture, text, x, y + h / 2, picture.ink.loss, 'left')
  }
}

/** The closed cycle, under the switches that it leads through. */
export function drawOutlined(picture: ClosePicture): void {
  const { deadlock, playheadPs } = picture
  if (deadlock === undefined || playheadPs < deadlock.sincePs) return
  drawOutline(picture, deadlock.ports)
}

export function drawDeadlock(picture: ClosePicture): void {
  const { context, deadlock, playheadPs, recording, layout } = picture
  if (deadlock === undefined || playheadPs < deadlock.sincePs) return
  const nodes = [...new Set(deadlock.ports.map((port) => recording.scene.from[port]!))]
  const x = nodes.reduce((sum, node) => sum + layout.x[node]!, 0) / nodes.length
  const y = nodes.reduce((sum, node) => sum + layout.y[node]!, 0) / nodes.length
  // Between the switches, or only the word.
  const apart = Math.min(...nodes.map((node) => Math.abs(layout.y[node]! - y)))
  const half = apart - Math.max(0, ...nodes.map((node) => boxHeight(picture, node) / 2))
  const isTight = half < 34
  context.fillStyle = PAUSE_COLOUR
  context.beginPath()
  if (isTight) context.roundRect(x - 46, y - 10, 92, 20, 6)
  else context.roundRect(x - 92, y - 29, 184, 58, 7)
  context.fill()
  context.fillStyle = '#fff'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.font = `bold ${isTight ? 13 : 16}px system-ui, sans-serif`
  context.fillText('DEADLOCK', x, isTight ? y : y - 14)
  if (isTight) return
  context.font = '11.5px system-ui, sans-serif'
  context.fillText('each waits for the next;', x, y + 4)
  context.fillText(`nothing moves since ${shortTime(deadlock.sincePs)}`, x, y + 18)
}
