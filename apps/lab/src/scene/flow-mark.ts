/**
 * A flow's colour as an area: beside its rate, and in a tank. Flows of one colour are told apart as
 * their lines are, by pieces: one, two or three.
 */
import { flowColour, flowTurn } from './palette.ts'

interface Area {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

const GAP = 1.6

export function drawSquare(context: CanvasRenderingContext2D, colour: number, area: Area): void {
  const pieces = flowTurn(colour) + 1
  const { x, y, w, h } = area
  const wide = (w - (pieces - 1) * GAP) / pieces
  context.fillStyle = flowColour(colour)
  for (let i = 0; i < pieces; i++) context.fillRect(x + i * (wide + GAP), y, wide, h)
}
