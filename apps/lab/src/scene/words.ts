/** Hosts, and the words in a picture: rates where flows end, who pauses whom, losses, deadlock. */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { Recording } from '../model/recording.ts'
import { drawOutline, PAUSED_LEAST } from './channels.ts'
import { freePlace, obstaclesOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { flowColour, PAUSE_COLOUR } from './palette.ts'
import { takenBy } from './notes.ts'
import type { ClosePicture } from './picture.ts'
import { shortened } from './shortened.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const SAID_MAX = 3
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

function say(
  { context, ink }: ClosePicture,
  text: string,
  x: number,
  y: number,
  colour: string,
  align: CanvasTextAlign = 'center',
): void {
  context.textAlign = align
  context.strokeStyle = ink.back
  context.lineWidth = 4
  context.lineJoin = 'round'
  context.fillStyle = colour
  context.strokeText(text, x, y)
  context.fillText(text, x, y)
}

export function drawHosts(picture: ClosePicture): void {
  const { context, ink, recording, layout, colourOf, width } = picture
  const { nodes } = recording.scene
  const r = layout.hostRadius
  const longest = Math.max(1, ...nodes.map(({ kind, name }) => (kind === 'host' ? name.length : 0)))
  const every = Math.ceil((longest * 6.5) / layout.room)
  context.textBaseline = 'middle'
  nodes.forEach(({ kind, name }, node) => {
    if (kind !== 'host') return
    const [x, y] = [layout.x[node]!, layout.y[node]!]
    const own = recording.onlyFlowOf(node)
    context.fillStyle = ink.host
    context.strokeStyle = own >= 0 ? flowColour(colourOf(own)) : ink.edge
    context.lineWidth = own >= 0 ? 2.2 : 1.2
    context.beginPath()
    context.arc(x, y, r, 0, 2 * Math.PI)
    context.fill()
    context.stroke()
    context.font = '11px system-ui, sans-serif'
    context.fillStyle = ink.text
    if (r >= 9 && name.length <= 2) {
      context.textAlign = 'center'
      context.fillText(name, x, y + 0.5)
      return
    }
    // In a grid a host stands at its switch, whose name says enough: it has that of its flow.
    if (recording.scene.topology === 'torus' && !layout.isRing) {
      const flow = own >= 0 ? recording.flows[own]!.name : ''
      context.textAlign = 'center'
      context.font = 'bold 9.5px system-ui, sans-serif'
      if (flow.length <= 2) context.fillText(flow, x, y + 0.5)
      return
    }
    const side = layout.sideOf?.(node) ?? 'below'
    if (layout.sideOf === undefined && node % every !== 0) return
    // In a long column names would lie on each other: every second, every third ...
    if (side === 'left' && node % Math.ceil(11 / layout.room) !== 0) return
    const isBeside = side === 'left' && x - r - 4 - context.measureText(name).width >= 2
    // A long name is cut where the picture ends.
    const room = 2 * Math.min(x, width - x) - 4
    const word = layout.sideOf === undefined ? name : shortened(context, name, room)
    if (isBeside) say(picture, name, x - r - 4, y, ink.text, 'right')
    else if (side === 'left' || side === 'right') say(picture, word, x, y - r - 8, ink.text)
    else say(picture, word, x, y + (side === 'above' ? -r - 8 : r + 9), ink.text)
  })
}

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
  context.font = 'bold 11.5px system-ui, sans-serif'
  context.textBaseline = 'middle'
  const isSwitch = (port: number): boolean => scene.nodes[scene.from[port]!]!.kind === 'switch'
  const taken = [...obstaclesOf(picture), ...picture.notes.flatMap(takenBy)]
  for (const [node, ports] of pausers(picture).slice(0, width < 600 ? 1 : SAID_MAX)) {
    if (ports.length > 3) saysAll(picture, node, ports, taken)
    else saysOne(picture, ports.find(isSwitch) ?? ports[0]!, width < 600, taken)
  }
}

const SENTENCE_PX = 14

/** Says it where it belongs, or as near to it as there is room. */
function sayApart(picture: ClosePicture, text: string, x: number, y: number, taken: Rect[]): void {
  const w = picture.context.measureText(text).width + 8
  const wanted = { x: x - w / 2, y: y - SENTENCE_PX / 2, w, h: SENTENCE_PX }
  const place = freePlace(wanted, taken, picture)
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
  const [mx, my] = [spot.x - spot.uy * up * lift, spot.y + spot.ux * up * lift]
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = 1.6
  context.beginPath()
  context.moveTo(sx, sy)
  context.quadraticCurveTo(mx, my, ex, ey)
  context.stroke()
  arrowHead(context, ex, ey, ex - mx, ey - my)
  const text = pauseWords(recording, port, frame)
  sayApart(picture, text, mx, isNarrow ? 16 : my - 8, taken)
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

/** Crosses at a switch that loses packets now, and how many it has lost. */
export function drawLosses(picture: ClosePicture): void {
  const { context, recording, frame, boxes, ink } = picture
  const { close, scene } = recording
  if (close === undefined || frame < 0) return
  context.textBaseline = 'middle'
  context.font = 'bold 11.5px system-ui, sans-serif'
  for (const { node, x, y, w } of boxes) {
    let [lost, before] = [0, 0]
    for (let port = 0; port < recording.ports; port++) {
      if (scene.from[port] !== node) continue
      lost += close.droppedBy(frame, port)
      before += close.droppedBy(Math.max(0, frame - 6), port)
    }
    if (lost === 0) continue
    const isNow = lost > before
    say(picture, `${isNow ? '× × × ' : ''}${lost} lost`, x + w + 8, y + 8, ink.loss, 'left')
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
