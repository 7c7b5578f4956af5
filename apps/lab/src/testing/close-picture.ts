/** A moment of a small network as the page would draw it, and what it draws, without a page. */
import type { Recording } from '../model/recording.ts'
import { apartOf, widthsOf } from '../scene/close-up.ts'
import { layoutOf } from '../scene/layout.ts'
import { inkOf } from '../scene/palette.ts'
import type { ClosePicture } from '../scene/picture.ts'
import { channelsAt } from '../scene/ribbons.ts'
import { boxesOf, tankTop } from '../scene/tanks.ts'
import { wiresOf } from '../scene/wires.ts'

/** A call of the canvas, with what was set when it was made. */
export interface Drawn {
  readonly call: string
  readonly at: readonly unknown[]
  readonly set: Readonly<Record<string, unknown>>
}

const PX_PER_LETTER = 6.2

export function closePicture(
  recording: Recording,
  { width, height, atPs }: { width: number; height: number; atPs: number },
): { picture: ClosePicture; drawn: Drawn[] } {
  const layout = layoutOf(recording.scene, { width, height, yaw: 0, pitch: 0 })
  const widths = widthsOf(recording, layout)
  const { tanks, boxes } = boxesOf(recording, layout)
  const drawn: Drawn[] = []
  const set: Record<string, unknown> = { font: '', textAlign: 'center' }
  const context = new Proxy(set, {
    get: (_, name: string) => {
      if (name in set) return set[name]
      if (name === 'createPattern') return () => null
      return (...at: unknown[]) => {
        if (name === 'measureText') return { width: PX_PER_LETTER * String(at[0]).length }
        drawn.push({ call: name, at, set: { ...set } })
        return undefined
      }
    },
  }) as unknown as CanvasRenderingContext2D
  const frame = recording.frameAt(atPs)
  const picture: ClosePicture = {
    ...{ context, recording, layout, widths, tanks, boxes, frame, playheadPs: atPs },
    ...{ wires: wiresOf(recording.scene, layout, apartOf(widths)), ink: inkOf(false) },
    ...{ selected: undefined, pins: [], colouredRows: new Map(), width, height, notes: [] },
    channels: channelsAt(recording, frame),
    held: recording.close?.heldAt(frame) ?? new Map(),
    tankTop: tankTop([recording]),
    ...{ phases: new Map(), moved: 0, deadlock: undefined, windowPart: 1 / 60 },
    colourOf: (row) => row,
    isFaint: () => false,
  }
  return { picture, drawn }
}

export interface Word {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly colour: string
}

/** Words of a picture and where they lie; of those written twice, once. */
export function wordsOf(drawn: readonly Drawn[]): Word[] {
  const words = drawn.flatMap(({ call, at, set }): Word[] => {
    if (call !== 'fillText') return []
    const [text, x, y] = at as [string, number, number]
    const w = PX_PER_LETTER * text.length
    const left = set['textAlign'] === 'left' ? x : set['textAlign'] === 'right' ? x - w : x - w / 2
    const base = set['textBaseline']
    const top = base === 'top' ? y : base === 'bottom' ? y - 11 : y - 5.5
    return [{ text, x: left, y: top, w, h: 11, colour: String(set['fillStyle']) }]
  })
  return [...new Map(words.map((word) => [`${word.text} ${word.x} ${word.y}`, word])).values()]
}
