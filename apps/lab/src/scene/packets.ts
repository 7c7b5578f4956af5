/**
 * Packets that one can see, on request: ACCurate's heartbeats, each with the rate that it carries,
 * which every link on the way may lower; and packets that are marked. A heartbeat is on its link
 * for the link's delay, or as long as the eye needs.
 */
import { shortRate } from '@weir/engine'
import { flowColour } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }
/** Pictures in which a mark is seen. */
const MARK_FRAMES = 4

/** `glidePs`: a heartbeat is seen for at least so long. */
export function drawPackets(picture: ClosePicture, glidePs: number): void {
  drawHeartbeats(picture, glidePs)
  drawMarks(picture)
}

function drawHeartbeats(picture: ClosePicture, glidePs: number): void {
  const { context, recording, playheadPs, wires, colourOf, ink } = picture
  const { circuits, delayPs } = recording.scene
  context.font = 'bold 10.5px system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  for (const { port, stepBps } of circuits) {
    const onWayPs = Math.max(delayPs[port] ?? 0, glidePs)
    const steps = recording.circuits.stepsOf(port)
    let shown = 0
    for (let i = recording.circuits.lastAt(port, playheadPs); i >= 0; i--) {
      const { atPs, row, outDesired } = steps[i]!
      const part = (playheadPs - atPs) / onWayPs
      if (part > 1) break
      if (row < 0) continue
      spotOn(wires, port, wires.length[port]! * (0.12 + 0.8 * part), spot)
      const { x, y } = spot
      context.fillStyle = flowColour(colourOf(row))
      context.strokeStyle = ink.text
      context.lineWidth = 1.4
      context.beginPath()
      context.moveTo(x, y - 7)
      context.lineTo(x + 7, y)
      context.lineTo(x, y + 7)
      context.lineTo(x - 7, y)
      context.closePath()
      context.fill()
      context.stroke()
      const text = shortRate(outDesired * stepBps)
      // Heartbeats that pass together have their numbers above each other.
      const up = y - 15 - 12 * shown++
      context.strokeStyle = ink.back
      context.lineWidth = 3.5
      context.fillStyle = ink.text
      context.strokeText(text, x, up)
      context.fillText(text, x, up)
    }
  }
}

/** A flag over a tank whose port marks packets now, with how many it has marked. */
function drawMarks({ context, recording, frame, tanks, ink }: ClosePicture): void {
  const { close } = recording
  if (close === undefined || frame < 0) return
  context.font = 'bold 10.5px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  for (const { port, x, y, w } of tanks) {
    const marked = close.markedBy(frame, port)
    const isNow = marked > close.markedBy(Math.max(0, frame - MARK_FRAMES), port)
    if (!isNow) continue
    context.fillStyle = ink.queue
    context.beginPath()
    context.moveTo(x + w / 2 - 5, y - 12)
    context.lineTo(x + w / 2 + 5, y - 12)
    context.lineTo(x + w / 2, y - 2)
    context.fill()
    context.strokeStyle = ink.back
    context.lineWidth = 3
    context.fillStyle = ink.text
    context.strokeText(`${marked} marked`, x + w / 2, y - 13)
    context.fillText(`${marked} marked`, x + w / 2, y - 13)
  }
}
