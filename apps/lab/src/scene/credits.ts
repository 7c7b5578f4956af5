/**
 * Credits on request: plus signs that go back over a link from where a buffer was freed, with how
 * many there were. Far more pass than the eye can follow: those within a third of a glance go
 * together.
 */
import { CREDIT } from '../worker/protocol.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const PER_GLANCE = 3
const ARM = 4.5
const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }

export function drawCredits(picture: ClosePicture, glidePs: number): void {
  const { recording, playheadPs } = picture
  const bunchPs = glidePs / PER_GLANCE
  for (const port of recording.packets.ports) {
    // What goes together does so from the end of its third on.
    const counts = new Map<number, number>()
    recording.packets.each(port, playheadPs - glidePs - bunchPs, playheadPs, (note) => {
      if (note.kind !== CREDIT) return
      const bunch = Math.floor(note.atPs / bunchPs)
      counts.set(bunch, (counts.get(bunch) ?? 0) + note.count)
    })
    for (const [bunch, count] of counts) {
      const part = (playheadPs - (bunch + 1) * bunchPs) / glidePs
      if (part >= 0 && part <= 1) drawPlus(picture, port, part, count)
    }
  }
}

function drawPlus(
  { context, wires, ink }: ClosePicture,
  port: number,
  part: number,
  count: number,
): void {
  spotOn(wires, port, wires.length[port]! * (0.1 + 0.8 * part), spot)
  const { x, y } = spot
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
  if (count < 2) return
  context.font = 'bold 10px system-ui, sans-serif'
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.strokeStyle = ink.back
  context.lineWidth = 3
  context.fillStyle = ink.text
  context.strokeText(`×${count}`, x + ARM + 4, y)
  context.fillText(`×${count}`, x + ARM + 4, y)
}
