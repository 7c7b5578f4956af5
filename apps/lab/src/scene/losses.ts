/** How many packets each switch has lost, and where that is said: beside it, on nothing else. */
import { freePlace, obstaclesOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import type { ClosePicture } from './picture.ts'

export const LOSS_FONT: string = 'bold 11.5px system-ui, sans-serif'

export interface Loss extends Rect {
  readonly text: string
}

/** With crosses where a switch loses packets now. */
export function lossesOf(picture: ClosePicture): Loss[] {
  const { context, recording, frame, boxes } = picture
  const { close, scene } = recording
  if (close === undefined || frame < 0) return []
  const obstacles = obstaclesOf(picture)
  const losses: Loss[] = []
  for (const { node, x, y, w } of boxes) {
    let [lost, before] = [0, 0]
    for (let port = 0; port < recording.ports; port++) {
      if (scene.from[port] !== node) continue
      lost += close.droppedBy(frame, port)
      before += close.droppedBy(Math.max(0, frame - 6), port)
    }
    if (lost === 0) continue
    const text = `${lost > before ? '× × × ' : ''}${lost} lost`
    context.font = LOSS_FONT
    // As wide as with the crosses, so that it stays where it is.
    const wide = context.measureText(`× × × ${lost} lost`).width
    const wanted = { x: x + w + 8, y: y + 1, w: wide, h: 14 }
    const place = freePlace(wanted, [...obstacles, ...losses], picture)
    losses.push({ ...place, text })
  }
  return losses
}
