/**
 * What waits for an output, by the input that it came in by. Room is an input's own: one that has
 * none left stands beside others that have, in a tank that is far from full.
 */
import type { Held } from '../model/close-log.ts'
import { PAUSED_LEAST } from './channels.ts'
import { PAUSE_COLOUR } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import type { Tank } from './tanks.ts'

export interface InputPart {
  /** The link that leads to it. */
  readonly port: number
  /** Below it in the tank, and its own. */
  readonly from: number
  readonly bytes: number
  /** Of the input, in the whole switch. */
  readonly room: number
}

/** More than two on each side of a tank would be no one's. */
const PARTS_MAX = 4
/** Beside a tank that is at least so wide. */
const TANK_PX = 9
const BESIDE_PX = 4.5
const END_PX = 2.5

/** Bytes that an input may hold before it stops its sender; infinite where that is no input's. */
export function inputRoom({ recording: { scene } }: Pick<ClosePicture, 'recording'>): number {
  if (scene.flowControl === 'credits') return scene.bufferBytes
  return scene.flowControl === 'pfc' ? scene.xoffBytes : Infinity
}

type HeldPicture = Pick<ClosePicture, 'recording' | 'frame' | 'held'>

/** What a tank holds, input by input. */
export function heldByInput(picture: HeldPicture, port: number): readonly Held[] {
  const shares = picture.held.get(port) ?? []
  if (shares.length < 2 || inputRoom(picture) === Infinity) return shares
  const inputs = new Map(shares.map(({ row }) => [row, inputOf(picture, port, row)]))
  return [...shares].sort((a, b) => inputs.get(a.row)! - inputs.get(b.row)! || a.row - b.row)
}

/** Of the inputs that are stopped, what they have in a tank. */
export function stoppedParts(
  picture: HeldPicture & Pick<ClosePicture, 'channels'>,
  port: number,
): InputPart[] {
  const { recording, frame, channels } = picture
  const room = inputRoom(picture)
  if (frame < 0 || room === Infinity) return []
  const shares = heldByInput(picture, port)
  const total = shares.reduce((sum, { bytes }) => sum + bytes, 0)
  const scale = recording.queueBytes[frame * recording.ports + port]! / (total || 1)
  const parts = new Map<number, InputPart>()
  let from = 0
  for (const { row, bytes } of shares) {
    const input = inputOf(picture, port, row)
    const before = parts.get(input) ?? { port: input, from, bytes: 0, room }
    parts.set(input, { ...before, bytes: before.bytes + bytes * scale })
    from += bytes * scale
  }
  return [...parts.values()].filter((one) => (channels[one.port]?.paused ?? 0) >= PAUSED_LEAST)
}

/** The link by which a flow comes to an output's switch; -1: it begins there. */
function inputOf({ recording, frame }: HeldPicture, port: number, row: number): number {
  const { from, to } = recording.scene
  return recording.waysOf(row, frame).ports.find((one) => to[one] === from[port]) ?? -1
}

/** Beside the tank: thick as far as the input fills it, thin to where its room ends. */
export function drawStopped(picture: ClosePicture, { port, x, y, w, h }: Tank): void {
  const { context, tankTop: top } = picture
  const parts = w < TANK_PX ? [] : stoppedParts(picture, port)
  if (parts.length > PARTS_MAX) return
  const at = (bytes: number): number => Math.max(y, y + h - (bytes / top) * h)
  context.strokeStyle = PAUSE_COLOUR
  parts.forEach(({ from, bytes, room }, i) => {
    const side = i % 2 === 0 ? -1 : 1
    const beside = side < 0 ? x - BESIDE_PX : x + w + BESIDE_PX
    // Above it on its side begins another.
    const end = Math.min(from + room, parts[i + 2]?.from ?? Infinity)
    const line = (width: number, x0: number, y0: number, x1: number, y1: number): void => {
      context.lineWidth = width
      context.beginPath()
      context.moveTo(x0, y0)
      context.lineTo(x1, y1)
      context.stroke()
    }
    line(3, beside, at(from), beside, at(from + bytes))
    line(1, beside, at(from + bytes), beside, at(end))
    line(1.4, beside - END_PX, at(end), beside + END_PX, at(end))
  })
}
