/**
 * Links close up: each direction a channel as wide as its capacity, in it a ribbon a flow as wide
 * as its rate, side by side; dots that pass as often as bytes do; hatching where the far end keeps
 * the channel from sending.
 */
import { flowColour, flowDash, PAUSE_COLOUR } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

/** Pixels between dots, and a second that they run at a full link and normal speed. */
const DOT_GAP = 16
const DOT_PACE = 110
/** A pause shorter than this part of the moment is not hatched. */
export const PAUSED_LEAST = 0.12

const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

/** Strokes a line beside a wire, so many pixels to its right. */
function trace({ context, wires }: ClosePicture, port: number, off: number): void {
  const { x, y, first } = wires
  const [from, to] = [first[port]!, first[port + 1]! - 1]
  for (let i = from; i <= to; i++) {
    const [a, b] = [Math.max(from, i - 1), Math.min(to, i + 1)]
    const [dx, dy] = [x[b]! - x[a]!, y[b]! - y[a]!]
    const length = Math.hypot(dx, dy) || 1
    const [px, py] = [x[i]! - (dy / length) * off, y[i]! + (dx / length) * off]
    if (i === from) context.moveTo(px, py)
    else context.lineTo(px, py)
  }
}

function stroke(picture: ClosePicture, port: number, off: number, width: number): void {
  picture.context.lineWidth = width
  picture.context.beginPath()
  trace(picture, port, off)
  picture.context.stroke()
}

export function drawChannels(picture: ClosePicture): void {
  const { context, ink, recording, widths } = picture
  context.lineCap = 'butt'
  context.lineJoin = 'round'
  context.strokeStyle = ink.channel
  for (let port = 0; port < recording.ports; port++) stroke(picture, port, 0, widths[port]!)
}

/** Calls with each ribbon's middle, from the channel's right edge of its way, and its width. */
function eachRibbon(
  { channels, widths, ink }: ClosePicture,
  port: number,
  visit: (row: number, off: number, width: number, share: number) => void,
): void {
  const width = widths[port]!
  let at = width / 2
  for (const { row, share } of channels[port]!.ribbons) {
    const wide = share * width
    at -= wide
    if (wide > 0.05) visit(row, at + wide / 2, Math.max(ink.thin, wide), share)
  }
}

export function drawRibbons(picture: ClosePicture): void {
  const { context, ink, recording, channels, widths, colourOf } = picture
  for (let port = 0; port < recording.ports; port++) {
    eachRibbon(picture, port, (row, off, wide) => {
      context.strokeStyle = flowColour(colourOf(row))
      context.globalAlpha = picture.isFaint(row) ? ink.dim : 1
      context.setLineDash(flowDash(colourOf(row)))
      // Gaps of ribbons beside each other are not beside each other.
      context.lineDashOffset = 5 * row
      stroke(picture, port, off, wide)
    })
    context.setLineDash([])
    context.lineDashOffset = 0
    context.globalAlpha = 1
    const { control } = channels[port]!
    if (control < 0.004) continue
    context.strokeStyle = ink.control
    const wide = Math.max(ink.thin, control * widths[port]!)
    stroke(picture, port, wide / 2 - widths[port]! / 2, wide)
  }
}

export function drawDots(picture: ClosePicture, passed: number): void {
  const { context, recording, wires, phases, ink } = picture
  context.fillStyle = ink.dot
  for (let port = 0; port < recording.ports; port++) {
    const length = wires.length[port]!
    eachRibbon(picture, port, (row, off, wide, share) => {
      const key = port * 2 ** 24 + row
      const before = phases.get(key) ?? (row * 5) % DOT_GAP
      const phase = (((before + share * passed * DOT_PACE) % DOT_GAP) + DOT_GAP) % DOT_GAP
      phases.set(key, phase)
      if (wide < 1.2) return
      const radius = Math.min(2.1, wide * 0.34)
      context.beginPath()
      for (let at = phase; at < length; at += DOT_GAP) {
        spotOn(wires, port, at, spot)
        const [x, y] = [spot.x - spot.uy * off, spot.y + spot.ux * off]
        context.moveTo(x + radius, y)
        context.arc(x, y, radius, 0, 2 * Math.PI)
      }
      context.fill()
    })
  }
}

/** Slanted strokes over the whole channel, which wander upstream; under them who waits. */
export function drawHatching(picture: ClosePicture): void {
  const { context, recording, channels, widths, colourOf, wires, moved } = picture
  const pattern = context.createPattern(hatch(), 'repeat')
  if (pattern === null) return
  for (let port = 0; port < recording.ports; port++) {
    const { paused, waiting } = channels[port]!
    if (paused < PAUSED_LEAST) continue
    const width = widths[port]!
    context.globalAlpha = 0.4 * paused
    waiting.forEach((row, k) => {
      const wide = width / waiting.length
      context.strokeStyle = flowColour(colourOf(row))
      stroke(picture, port, width / 2 - (k + 0.5) * wide, wide)
    })
    context.globalAlpha = 0.35 + 0.65 * Math.min(1, paused)
    spotOn(wires, port, 0, spot)
    const along = (moved * 14) % TILE
    pattern.setTransform(new DOMMatrix([0.5, 0, 0, 0.5, -spot.ux * along, -spot.uy * along]))
    context.strokeStyle = pattern
    stroke(picture, port, 0, width)
    context.globalAlpha = 1
  }
}

const TILE = 10
let tile: HTMLCanvasElement | undefined

/** At twice the size, for screens that have the pixels. */
function hatch(): HTMLCanvasElement {
  if (tile !== undefined) return tile
  tile = document.createElement('canvas')
  const size = 2 * TILE
  tile.width = tile.height = size
  const context = tile.getContext('2d')!
  context.strokeStyle = PAUSE_COLOUR
  context.lineWidth = 7
  context.beginPath()
  for (const off of [-size, 0, size]) {
    context.moveTo(off - 4, size + 4)
    context.lineTo(off + size + 4, -4)
  }
  context.stroke()
  return tile
}

/** A line along both sides of a port that is looked at; dashes are levels of queues. */
export function drawChosen(picture: ClosePicture, port: number, isSelected: boolean): void {
  const { context, ink, widths } = picture
  context.strokeStyle = ink.select
  for (const side of [-1, 1]) {
    stroke(picture, port, side * (widths[port]! / 2 + 1.5), isSelected ? 2 : 1.2)
  }
}

/** The closed cycle, outlined. */
export function drawOutline(picture: ClosePicture, ports: readonly number[]): void {
  const { context, widths } = picture
  context.strokeStyle = PAUSE_COLOUR
  for (const port of ports) {
    for (const side of [-1, 1]) stroke(picture, port, side * (widths[port]! / 2 + 4), 2.4)
  }
}
