/**
 * Credits on request: plus signs that go back over a link from where a buffer was freed, with how
 * many there were. Far more pass than the eye can follow: those within half a glance go together.
 */
import { CREDIT } from '../worker/protocol.ts'
import { meets, obstaclesOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const PER_GLANCE = 2
/** What is worth less beside the others, an ACK's, would only hide them. */
const LEAST = 0.15
const ARM = 4.5
const NARROW_PX = 600
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

interface Bunch {
  readonly port: number
  readonly part: number
  readonly count: number
  readonly bytes: number
}

interface Plus extends Bunch {
  readonly x: number
  readonly y: number
}

export function drawCredits(picture: ClosePicture, glidePs: number): void {
  const bunches = bunchesIn(picture, glidePs)
  const most = bunches.reduce((bytes, one) => Math.max(bytes, one.bytes), 0)
  const taken = obstaclesOf(picture)
  const isFree = (rect: Rect): boolean => !taken.some((one) => meets(one, rect))
  const drawn = bunches.flatMap((one): Plus[] => {
    if (one.bytes < LEAST * most) return []
    spotOn(picture.wires, one.port, picture.wires.length[one.port]! * (0.1 + 0.8 * one.part), spot)
    const { x, y } = spot
    return isFree({ x: x - ARM, y: y - ARM, w: 2 * ARM, h: 2 * ARM }) ? [{ ...one, x, y }] : []
  })
  for (const { x, y } of drawn) {
    drawPlus(picture, x, y)
    taken.push({ x: x - ARM - 2, y: y - ARM - 2, w: 2 * ARM + 4, h: 2 * ARM + 4 })
  }
  // In a narrow picture numbers would lie on each other.
  if (picture.width >= NARROW_PX) for (const one of drawn) drawCount(picture, one, taken)
}

function bunchesIn({ recording, playheadPs }: ClosePicture, glidePs: number): Bunch[] {
  const bunchPs = glidePs / PER_GLANCE
  const bunches: Bunch[] = []
  for (const port of recording.packets.ports) {
    // What goes together does so from the end of its time on.
    const byTime = new Map<number, { count: number; bytes: number }>()
    recording.packets.each(port, playheadPs - glidePs - bunchPs, playheadPs, (note) => {
      if (note.kind !== CREDIT) return
      const at = Math.floor(note.atPs / bunchPs)
      const { count, bytes } = byTime.get(at) ?? { count: 0, bytes: 0 }
      byTime.set(at, { count: count + note.count, bytes: bytes + note.bytes })
    })
    for (const [at, worth] of byTime) {
      const part = (playheadPs - (at + 1) * bunchPs) / glidePs
      if (part >= 0 && part <= 1) bunches.push({ port, part, ...worth })
    }
  }
  return bunches
}

function drawPlus({ context, ink }: ClosePicture, x: number, y: number): void {
  context.fillStyle = ink.back
  context.strokeStyle = ink.text
  context.lineWidth = 1.2
  context.beginPath()
  context.arc(x, y, ARM + 2, 0, 2 * Math.PI)
  context.fill()
  context.stroke()
  context.lineWidth = 1.8
  context.beginPath()
  context.moveTo(x - ARM + 1, y)
  context.lineTo(x + ARM - 1, y)
  context.moveTo(x, y - ARM + 1)
  context.lineTo(x, y + ARM - 1)
  context.stroke()
}

/** How many, right of the sign, unless that would lie on another. */
function drawCount({ context, ink }: ClosePicture, { x, y, count }: Plus, taken: Rect[]): void {
  if (count < 2) return
  const text = `×${count}`
  context.font = 'bold 10px system-ui, sans-serif'
  const w = context.measureText(text).width + 2
  const rect = { x: x + ARM + 3, y: y - ARM - 1, w, h: 2 * ARM + 2 }
  if (taken.some((one) => meets(one, rect))) return
  taken.push(rect)
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.strokeStyle = ink.back
  context.lineWidth = 3
  context.fillStyle = ink.text
  context.strokeText(text, x + ARM + 4, y)
  context.fillText(text, x + ARM + 4, y)
}
