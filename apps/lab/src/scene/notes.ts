/** What a story writes into the picture: a few words beside a node or a link. */
import type { ClosePicture } from './picture.ts'
import { portByName } from './picture.ts'
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

const LINE = 15
const WIDE = 190
const PAD = 7
const LEAD = 16
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

export function drawNotes(picture: ClosePicture, notes: readonly SceneNote[]): void {
  const { context, playheadPs } = picture
  context.font = '12px system-ui, sans-serif'
  let foot = picture.height - 4
  for (const note of notes) {
    if (playheadPs < note.fromPs || playheadPs > note.toPs) continue
    const place = placeOf(picture, note)
    if (place !== undefined) foot = drawNote(picture, note, place, foot)
  }
}

/** Where the note's line ends: at a node's edge, or on a link. */
function placeOf(picture: ClosePicture, { at, side }: SceneNote): Spot | undefined {
  const { recording, layout, wires, widths } = picture
  const sign = side === 'above' ? -1 : 1
  if (at.includes('->')) {
    const port = portByName(recording, at)
    if (port < 0) return undefined
    spotOn(wires, port, wires.length[port]! / 2, spot)
    return { ...spot, y: spot.y + sign * (widths[port]! / 2 + 3) }
  }
  const node = recording.scene.nodes.findIndex(({ name }) => name === at)
  if (node < 0) return undefined
  const box = picture.boxes.find((one) => one.node === node)
  const half = box === undefined ? layout.hostRadius + 10 : box.h / 2 + (side === 'above' ? 14 : 0)
  return { x: layout.x[node]!, y: layout.y[node]! + sign * (half + 3), ux: 0, uy: 0 }
}

/** In a narrow picture notes stand at its foot, above each other: gives the rest of the room. */
function drawNote(
  picture: ClosePicture,
  { text, side: wanted }: SceneNote,
  { x, y }: Spot,
  foot: number,
): number {
  const { context, ink, width, height } = picture
  const isNarrow = width < 600
  const side = isNarrow ? 'below' : wanted
  const lines = wrapped(context, text, isNarrow ? width - 30 : WIDE)
  const wide = Math.max(...lines.map((line) => context.measureText(line).width)) + 2 * PAD
  const tall = lines.length * LINE + 2 * PAD - 2
  const sign = side === 'above' ? -1 : 1
  const left = Math.min(width - wide - 4, Math.max(4, x - wide / 2))
  const free = y + sign * LEAD + (side === 'above' ? -tall : 0)
  const top = isNarrow ? foot - tall : Math.min(height - tall - 4, Math.max(4, free))
  context.strokeStyle = ink.select
  context.lineWidth = 1.4
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(Math.min(left + wide - 8, Math.max(left + 8, x)), top + (sign < 0 ? tall : 0))
  context.stroke()
  context.fillStyle = ink.back
  context.beginPath()
  context.roundRect(left, top, wide, tall, 6)
  context.fill()
  context.stroke()
  context.fillStyle = ink.text
  context.textAlign = 'left'
  context.textBaseline = 'top'
  lines.forEach((line, i) => context.fillText(line, left + PAD, top + PAD + i * LINE))
  return top - 4
}

function wrapped(context: CanvasRenderingContext2D, text: string, wide: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && context.measureText(`${last} ${word}`).width <= wide) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}
