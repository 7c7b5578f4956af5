/** Names of switches, and where they stand. */
import { linkCover } from './link-cover.ts'
import type { ClosePicture } from './picture.ts'
import type { Box } from './tanks.ts'

export const NAME_PX = 15

/**
 * A switch's name stands above it; in the lower half of a ring, where a link is, below it, and on
 * the other side if there it would lie on flows.
 */
export function nameTop(picture: ClosePicture, { node, x, y, w, h }: Box): number {
  const { layout, height } = picture
  const [above, below] = [y - NAME_PX, y + h + 1]
  if (!layout.isRing) return above
  const wanted = layout.y[node]! > height / 2 ? [below, above] : [above, below]
  const isFree = (top: number): boolean =>
    !linkCover(picture).isFlowUnder({
      x: x + w / 2 - HALF_NAME,
      y: top + 4,
      w: 2 * HALF_NAME,
      h: 8,
    })
  return wanted.find(isFree) ?? wanted[0]!
}

/** Of a short name, half of what is seen without its halo. */
const HALF_NAME = 6

/** Again, where packets were drawn over them. */
export function drawBoxNames(picture: ClosePicture): void {
  const { context, ink, recording, boxes } = picture
  context.font = '11px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  context.fillStyle = ink.text
  context.strokeStyle = ink.back
  context.lineWidth = 3
  for (const box of boxes) {
    const { name } = recording.scene.nodes[box.node]!
    const [x, y] = [box.x + box.w / 2, nameTop(picture, box) + NAME_PX - 2]
    context.strokeText(name, x, y)
    context.fillText(name, x, y)
  }
}
