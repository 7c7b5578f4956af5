/** Right of a receiver: what each of its flows has, the numbers behind the ribbons. */
import { leadOf, meanOver, windowOf } from '../model/mean-window.ts'
import { rateOfDigits } from '../model/rate-text.ts'
import type { Recording } from '../model/recording.ts'
import { drawSquare } from './flow-mark.ts'
import type { ClosePicture } from './picture.ts'
import { say } from './say.ts'
import { shortened } from './shortened.ts'

/** Of a name, its rate and how many more there are, each on a line of its own. */
const OWN_LINE = 12
/** A flow's square, and what is left free at the picture's edge. */
const BESIDE = 16

export function drawArrived(picture: ClosePicture): void {
  const { context, ink, recording, layout, frame, colourOf } = picture
  if (layout.sideOf === undefined || frame < 0) return
  const rates = meanRates(recording, frame, picture.windowPart)
  const byNode = new Map<number, [row: number, rate: number][]>()
  for (const [row, rate] of rates) {
    const node = recording.scene.to[recording.flows[row]?.path.at(-1) ?? -1]
    if (node === undefined || layout.sideOf(node) !== 'right') continue
    byNode.set(node, [...(byNode.get(node) ?? []), [row, rate]])
  }
  context.font = '12px system-ui, sans-serif'
  context.textBaseline = 'middle'
  const heights = [...byNode.keys()].map((node) => layout.y[node]!)
  for (const [node, list] of byNode) {
    const apart = heights.map((y) => Math.abs(y - layout.y[node]!)).filter((gap) => gap > 1)
    const gap = Math.min(...apart, 75)
    const fits = Math.max(1, Math.min(5, Math.floor(gap / 15)))
    const most = list.length > fits ? fits - 1 : fits
    // Those that stand out come first.
    const rank = (row: number): number => Number(picture.isFaint(row))
    const first = list
      .sort((a, b) => rank(a[0]) - rank(b[0]) || b[1] - a[1] || a[0] - b[0])
      .slice(0, most)
    const x = layout.x[node]! + layout.hostRadius + 8
    const room = picture.width - x - BESIDE
    // Of some whose names would be cut, one has the room of all.
    const isOne = list.length > fits && isAnyCut(picture, first, room)
    const shown = isOne ? first.slice(0, 1) : first
    const isMore = list.length > shown.length
    const top = layout.y[node]! - ((shown.length - 1 + Number(isMore)) * 15) / 2
    const texts = ratesBeside(picture, shown, room)
    let isTold = false
    shown.forEach(([row], k) => {
      const y = top + k * 15
      const roomBeside = (text: string): number => room - context.measureText(text).width
      const text = texts[k]!
      const own = recording.flows[row]!.name
      // A name that would be cut has a line of its own, if that is free.
      const isCut = context.measureText(own).width > roomBeside(` ${text}`)
      const lines = isMore ? 3 : 2
      const isAlone = shown.length === 1 && gap > (lines - 0.5) * OWN_LINE
      const hasOwnLine = isCut && isAlone && roomBeside('') > 50
      const line = hasOwnLine && isMore ? y - OWN_LINE / 2 : y
      drawSquare(context, colourOf(row), { x, y: line - 4.5, w: 9, h: 9 })
      if (hasOwnLine) {
        const more = `and ${list.length - 1} more`
        say(picture, shortened(context, own, roomBeside('')), x + 13, line, ink.text, 'left')
        say(picture, text, x + 13, line + OWN_LINE, ink.text, 'left')
        if (isMore) say(picture, more, x + 13, line + 2 * OWN_LINE, ink.faint, 'left')
        isTold = true
        return
      }
      const name = shortened(context, own, roomBeside(` ${text}`))
      say(picture, `${name} ${text}`, x + 13, y, ink.text, 'left')
    })
    if (!isMore || isTold) continue
    const more = `${shown.length === 0 ? '' : 'and '}${list.length - shown.length} more`
    say(picture, more, x + 13, top + shown.length * 15, ink.faint, 'left')
  }
}

/** Even with two digits. */
function isAnyCut(
  { context, recording }: ClosePicture,
  shown: readonly (readonly [row: number, rate: number])[],
  room: number,
): boolean {
  return shown.some(([row, rate]) => {
    const text = `${recording.flows[row]!.name} ${rateOfDigits(rate, 2)}`
    return context.measureText(text).width > room
  })
}

/** Two digits where three would cut a name: it is by the name that a flow is known. */
function ratesBeside(
  { context, recording }: ClosePicture,
  shown: readonly (readonly [row: number, rate: number])[],
  room: number,
): string[] {
  const texts = shown.map(([, rate]) => rateOfDigits(rate, 3))
  const isCut = shown.some(
    ([row], k) => context.measureText(`${recording.flows[row]!.name} ${texts[k]!}`).width > room,
  )
  if (!isCut || shown.length === 1) return texts
  return shown.map(([, rate]) => rateOfDigits(rate, 2))
}

/** Of the flows that run: the means that the plots show at this picture, over the same window. */
export function meanRates(recording: Recording, frame: number, part: number): Map<number, number> {
  const window = windowOf(recording.count, part)
  const from = frame - window + 1
  // The lead of a flow is within the first window of a run.
  const first = from > window ? from : 0
  const last = Math.max(frame, Math.min(recording.count - 1, 2 * window))
  const near = new Map<number, (number | null)[]>()
  for (const row of recording.flowsAt(frame).rows)
    near.set(row, new Array<number | null>(last + 1 - first).fill(null))
  for (let at = first; at <= last; at++) {
    const { rows, rates } = recording.flowsAt(at)
    for (let k = 0; k < rows.length; k++) {
      const values = near.get(rows[k]!)
      if (values !== undefined) values[at - first] = rates[k]!
    }
  }
  const meanOf = (values: readonly (number | null)[]): number => {
    const own = values[frame - first] ?? 0
    if (window < 2) return own
    const lead = first > 0 ? 0 : leadOf(values, window)
    const to = Math.max(0, Math.min(frame, recording.count - 2) - first)
    return meanOver(values, from - first, to, lead)?.mean ?? own
  }
  return new Map([...near].map(([row, values]) => [row, meanOf(values)]))
}
