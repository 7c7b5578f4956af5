/** The words in a picture: rates where flows end, who pauses whom, losses, deadlock. */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { Recording } from '../model/recording.ts'
import { drawOutline, PAUSED_LEAST } from './channels.ts'
import { freePlace, obstaclesOf, UPRIGHT } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { flowColour, PAUSE_COLOUR } from './palette.ts'
import { takenBy } from './notes.ts'
import type { ClosePicture } from './picture.ts'
import { LOSS_FONT, lossesOf } from './losses.ts'
import { say } from './say.ts'
import { shortened } from './shortened.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const SAID_MAX = 3
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

/** Right of a receiver: what each of its flows has, the numbers behind the ribbons. */
export function drawArrived(picture: ClosePicture): void {
  const { context, ink, recording, layout, frame, colourOf } = picture
  if (layout.sideOf === undefined || frame < 0) return
  const rates = meanRates(recording, frame)
  const byNode = new Map<number, [row: number, rate: number][]>()
  for (const [row, rate] of rates) {
    const node = recording.scene.to[recording.flows[row]?.path.at(-1) ?? -1]
    if (node === undefined || layout.sideOf(node) !== 'right') continue
    byNode.set(node, [...(byNode.get(node) ?? []), [row, rate]])
  }
  context.font = '12px system-ui, sans-serif'
  context.textBaseline = 'middle'
  const heights = [...byNode.keys()].map((node) => layout.y[node]!)
  for (const [node, list] of byNode) {
    const apart = heights.map((y) => Math.abs(y - layout.y[node]!)).filter((gap) => gap > 1)
    const fits = Math.max(1, Math.min(5, Math.floor(Math.min(...apart, 75) / 15)))
    const most = list.length > fits ? fits - 1 : fits
    // Those that stand out come first.
    const rank = (row: number): number => Number(picture.isFaint(row))
    const shown = list
      .sort((a, b) => rank(a[0]) - rank(b[0]) || b[1] - a[1] || a[0] - b[0])
      .slice(0, most)
    const isMore = list.length > shown.length
    const x = layout.x[node]! + layout.hostRadius + 8
    const top = layout.y[node]! - ((shown.length - 1 + Number(isMore)) * 15) / 2
    let isTold = false
    shown.forEach(([row, rate], k) => {
      const y = top + k * 15
      context.fillStyle = flowColour(colourOf(row))
      context.fillRect(x, y - 4.5, 9, 9)
      const roomBeside = (text: string): number =>
        picture.width - x - 20 - context.measureText(text).width
      const whole = shortRate(rate)
      const own = recording.flows[row]!.name
      const isTight = context.measureText(own).width > roomBeside(` ${whole}`)
      // A name that would be cut has a line of its own, if that is free.
      const least = ` ${whole.replace(/bps$/u, '')}`
      const isCut = context.measureText(own).width > roomBeside(least)
      if (isCut && shown.length === 1 && fits > 1 && roomBeside('') > 50) {
        say(picture, shortened(context, own, roomBeside('')), x + 13, y, ink.text, 'left')
        const others = `${whole.replace(/bps$/u, '')} + ${list.length - 1}`
        const more = roomBeside(`${others} more`) < 0 ? others : `${others} more`
        say(picture, isMore ? more : whole, x + 13, y + 14, ink.text, 'left')
        isTold = true
        return
      }
      // A name is worth more than the rest of a unit.
      const text = isTight ? whole.replace(/bps$/u, '') : whole
      const name = shortened(context, own, roomBeside(` ${text}`))
      say(picture, `${name} ${text}`, x + 13, y, ink.text, 'left')
    })
    if (!isMore || isTold) continue
    const more = `${shown.length === 0 ? '' : 'and '}${list.length - shown.length} more`
    say(picture, more, x + 13, top + shown.length * 15, ink.faint, 'left')
  }
}

const RATE_REACH = 8

/** Of the flows that run, over some pictures around this one. */
export function meanRates(recording: Recording, frame: number): Map<number, number> {
  const sums = new Map<number, number>()
  const [first, last] = [
    Math.max(0, frame - RATE_REACH),
    Math.min(recording.count - 1, frame + RATE_REACH),
  ]
  for (const row of recording.flowsAt(frame).rows) sums.set(row, 0)
  for (let at = first; at <= last; at++) {
    const { rows, rates } = recording.flowsAt(at)
    rows.forEach((row, k) => {
      const sum = sums.get(row)
      if (sum !== undefined) sums.set(row, sum + rates[k]! / (last - first + 1))
    })
  }
  return sums
}

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
  for (const [node, ports] of pausers(picture).slice(0, width < 600 ? 1 : SAID_MAX)) {
    if (ports.length > 3) saysAll(picture, node, ports, taken)
    else saysOne(picture, ports.find(isSwitch) ?? ports[0]!, width < 600, taken)
  }
}

const SENTENCE_PX = 14
const WIDTH_STEP = 16

/** Says it where it belongs, or as near to it as there is room. */
function sayApart(picture: ClosePicture, text: string, x: number, y: number, taken: Rect[]): void {
  // In steps, so that a number which grows does not make the words jump.
  const w = Math.ceil((picture.context.measureText(text).width + 8) / WIDTH_STEP) * WIDTH_STEP
  const wanted = { x: x - w / 2, y: y - SENTENCE_PX / 2, w, h: SENTENCE_PX }
  const cover = linkCover(picture)
  const place = freePlace(wanted, taken, picture, [(rect) => !cover.isUnder(rect)], UPRIGHT)
  taken.push(place)
  say(picture, text, place.x + w / 2, place.y + SENTENCE_PX / 2, PAUSE_COLOUR)
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
  sayApart(picture, text, layout.x[node]!, picture.width < 600 ? 16 : above, taken)
}

function boxHeight({ tanks, recording }: ClosePicture, node: number): number {
  const own = tanks.find(({ port }) => recording.scene.from[port] === node)
  return own === undefined ? 24 : own.h + 20
}

/** `isNarrow`: the words stand at the top, where nothing else does. */
function saysOne(picture: ClosePicture, port: number, isNarrow: boolean, taken: Rect[]): void {
  const { context, recording, frame, wires, widths } = picture
  const length = wires.length[port]!
  const lift = 2 * widths[port]! + 26
  const beside = widths[port]! + 7
  spotOn(wires, port, length * 0.74, spot)
  const up = spot.ux >= 0 ? -1 : 1
  const [sx, sy] = [spot.x - spot.uy * up * beside, spot.y + spot.ux * up * beside]
  spotOn(wires, port, length * 0.3, spot)
  const [ex, ey] = [spot.x - spot.uy * up * beside, spot.y + spot.ux * up * beside]
  spotOn(wires, port, length * 0.5, spot)
  const [nx, ny] = [-spot.uy * up, spot.ux * up]
  const [mx, my] = [spot.x + nx * lift, spot.y + ny * lift]
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = 1.6
  context.beginPath()
  context.moveTo(sx, sy)
  context.quadraticCurveTo(mx, my, ex, ey)
  context.stroke()
  arrowHead(context, ex, ey, ex - mx, ey - my)
  const [ax, ay] = [(sx + 2 * mx + ex) / 4, (sy + 2 * my + ey) / 4]
  taken.push(rectAround([sx, ax, ex], [sy, ay, ey]))
  const text = pauseWords(recording, port, frame)
  // Beside the arrow, on the side that it bows to.
  const half = context.measureText(text).width / 2 + 8
  const y = ay + ny * (SENTENCE_PX / 2 + 5)
  sayApart(picture, text, ax + nx * half, isNarrow ? 16 : y, taken)
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
