/** Words in a picture, with a halo that keeps them apart from what is behind. */
import type { ClosePicture } from './picture.ts'

export function say(
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
