/** A lane that is over while another goes on: that it is, and since when. */
import { shortTime } from '@weir/engine'
import type { Recording } from '../model/recording.ts'
import type { Picture } from './picture.ts'

/** '' as long as it goes on. */
export function endedWords({ overPs }: Recording, timePs: number): string {
  return timePs > overPs ? `ended at ${shortTime(overPs)}: every flow is done` : ''
}

/** In the middle of the picture: nothing moves there that it could hide. */
export function drawEnded(picture: Picture): void {
  const { context, recording, playheadPs, ink, width, height } = picture
  const words = endedWords(recording, playheadPs)
  if (words === '') return
  context.font = 'bold 13px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const wide = context.measureText(words).width + 24
  context.fillStyle = ink.back
  context.strokeStyle = ink.edge
  context.lineWidth = 1
  context.beginPath()
  context.roundRect((width - wide) / 2, height / 2 - 15, wide, 30, 15)
  context.fill()
  context.stroke()
  context.fillStyle = ink.text
  context.fillText(words, width / 2, height / 2)
}
