/**
 * Packets that one can see, on request: ACCurate's heartbeats, each with the rate that it carries,
 * which every link on the way may lower; packets that tell a sender something (CNPs, heartbeats
 * that came back) on the last link before it; packets that are marked or lost; agents' packets and
 * credits. What passes is on its link for the link's delay, or as long as the eye needs.
 */
import { broadcastWords, drawBroadcasts } from './broadcasts.ts'
import { drawCredits } from './credits.ts'
import { cutWords } from './cut-words.ts'
import { obstaclesOf, placeOf } from './free-place.ts'
import type { Rect } from './free-place.ts'
import { drawHeartbeats } from './heartbeats.ts'
import { drawHostNames } from './hosts.ts'
import { linkCover } from './link-cover.ts'
import { wrapped } from './notes.ts'
import { flowColour } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { drawBoxNames } from './box-names.ts'
import { spotOn } from './wires.ts'
import type { Spot } from './wires.ts'

const spot: Spot = { x: 0, y: 0, ux: 0, uy: 0 }
/** Pictures in which a mark is seen. */
const MARK_FRAMES = 4
/** From a tank to above the name of its switch. */
const NAME_PX = 20

/** `glidePs`: a heartbeat is seen for at least so long. `hasCredits`: they are not in the way. */
export function drawPackets(picture: ClosePicture, glidePs: number, hasCredits: boolean): void {
  if (hasCredits) drawCredits(picture, glidePs)
  drawBroadcasts(picture, glidePs)
  drawHostNames(picture)
  drawBoxNames(picture)
  drawHeartbeats(picture, glidePs)
  drawHeard(picture, glidePs)
  drawMarks(picture)
  drawDrops(picture)
  drawWords(picture, packetWords(picture, glidePs))
}

/** How far broadcasts have come, and what was not noted; also for those who do not see it. */
export function packetWords(picture: ClosePicture, glidePs: number): string[] {
  const { recording, playheadPs } = picture
  return [...broadcastWords(picture, glidePs), ...cutWords(recording, playheadPs)]
}

const LINE = 14
const WORDS_STEP = 8
/** In one line, or in as many as fit between nodes. */
const WORDS_WIDE = [Infinity, 150, 110]

/** In a narrow picture the names of nodes stand at the top. */
function drawWords(picture: ClosePicture, words: readonly string[]): void {
  const { context, ink } = picture
  if (words.length === 0) return
  context.font = 'bold 12px system-ui, sans-serif'
  const { lines: said, x, y: top } = placedWords(picture, words)
  context.textAlign = 'left'
  context.textBaseline = 'top'
  context.strokeStyle = ink.back
  context.lineWidth = 4
  context.fillStyle = ink.text
  said.forEach((words, k) => {
    context.strokeText(words, x, top + LINE * k)
    context.fillText(words, x, top + LINE * k)
  })
}

/** In a corner, or where no node, no name and, if there is such a place, no link lies. */
function placedWords(
  picture: ClosePicture,
  words: readonly string[],
): Rect & { readonly lines: readonly string[] } {
  const { context, width, height } = picture
  const [taken, cover] = [obstaclesOf(picture), linkCover(picture)]
  let best: { lines: readonly string[]; rect: Rect; unmet: number } | undefined
  for (const wide of WORDS_WIDE) {
    const lines = words.flatMap((line) => wrapped(context, line, wide))
    const widest = Math.max(...lines.map((line) => context.measureText(line).width))
    // In steps, so that a number which grows does not make the words jump.
    const [w, h] = [Math.ceil(widest / WORDS_STEP) * WORDS_STEP, LINE * lines.length]
    const wanted = { x: 12, y: width < 600 ? height - 4 - h : 6, w, h }
    const one = placeOf(wanted, taken, picture, [(rect) => !cover.isUnder(rect)])
    if (best === undefined || one.unmet < best.unmet) best = { lines, ...one }
    // Where there is room for long lines, a link may lie under them.
    if (best.unmet === 0 || (width >= 600 && best.unmet === 1)) break
  }
  const { lines, rect } = best!
  return { lines, ...rect }
}

const ENVELOPE_PX = 9

/** An envelope on its way into each sender that hears something, with how many there were. */
function drawHeard(picture: ClosePicture, glidePs: number): void {
  const { context, recording, playheadPs, frame, wires, ink, colourOf } = picture
  const { close, intervalPs } = recording
  if (close === undefined || frame < 0) return
  const shown = new Map<number, { count: number; part: number }>()
  for (let at = frame; at >= 0; at--) {
    const part = (playheadPs - at * intervalPs) / glidePs
    if (part > 1) break
    for (const { row, count } of close.heardAt(at)) {
      const before = shown.get(row)
      // The latest is shown where it is, for all that came within the time of a glance.
      shown.set(row, { count: count + (before?.count ?? 0), part: before?.part ?? part })
    }
  }
  context.font = 'bold 10.5px system-ui, sans-serif'
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  for (const [row, { count, part }] of shown) {
    const port = backTo(picture, recording.flows[row]?.path[0] ?? -1)
    if (port < 0) continue
    spotOn(wires, port, wires.length[port]! * (0.35 + 0.5 * Math.max(0, part)), spot)
    const [x, y] = [spot.x - ENVELOPE_PX / 2, spot.y - 3]
    context.fillStyle = ink.back
    context.strokeStyle = flowColour(colourOf(row))
    context.lineWidth = 1.5
    context.beginPath()
    context.rect(x, y, ENVELOPE_PX, 6.5)
    context.moveTo(x, y)
    context.lineTo(x + ENVELOPE_PX / 2, y + 4)
    context.lineTo(x + ENVELOPE_PX, y)
    context.fill()
    context.stroke()
    if (count < 2) continue
    context.strokeStyle = ink.back
    context.lineWidth = 3
    context.fillStyle = ink.text
    context.strokeText(`×${count}`, x + ENVELOPE_PX + 3, y + 3)
    context.fillText(`×${count}`, x + ENVELOPE_PX + 3, y + 3)
  }
}

/** The port of the same link that leads to where another begins. */
function backTo({ recording }: ClosePicture, port: number): number {
  const { from, to } = recording.scene
  if (port < 0) return -1
  return from.findIndex((node, other) => node === to[port] && to[other] === from[port])
}

/** Crosses that fall from a tank which loses packets now. */
function drawDrops({ context, recording, frame, tanks, ink }: ClosePicture): void {
  const { close } = recording
  if (close === undefined || frame < 0) return
  context.strokeStyle = ink.loss
  context.lineWidth = 1.8
  for (const { port, x, y, w } of tanks) {
    for (let back = 0; back < MARK_FRAMES; back++) {
      const at = frame - back
      if (at < 0 || close.droppedBy(at, port) <= close.droppedBy(at - 1, port)) continue
      const [cx, cy] = [x + w + 5 + 2 * back, y + 4 + 7 * back]
      context.beginPath()
      context.moveTo(cx - 3, cy - 3)
      context.lineTo(cx + 3, cy + 3)
      context.moveTo(cx - 3, cy + 3)
      context.lineTo(cx + 3, cy - 3)
      context.stroke()
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
    // Above the name of its switch.
    const top = y - NAME_PX
    context.fillStyle = ink.queue
    context.beginPath()
    context.moveTo(x + w / 2 - 5, top - 10)
    context.lineTo(x + w / 2 + 5, top - 10)
    context.lineTo(x + w / 2, top)
    context.fill()
    context.strokeStyle = ink.back
    context.lineWidth = 3
    context.fillStyle = ink.text
    context.strokeText(`${marked} marked`, x + w / 2, top - 11)
    context.fillText(`${marked} marked`, x + w / 2, top - 11)
  }
}
