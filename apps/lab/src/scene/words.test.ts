/** Words in a picture: no line strikes out others, and names and notes hide no link of a flow. */
import { describe, expect, it } from 'vitest'
import { infiniband } from '../stories/infiniband.ts'
import { parkingLot } from '../stories/parking-lot.ts'
import { pfc } from '../stories/pfc.ts'
import { r2c2 } from '../stories/r2c2.ts'
import { r2c2Routes } from '../stories/r2c2-routes.ts'
import type { StoryStep } from '../stories/story.ts'
import { closePicture, wordsOf } from '../testing/close-picture.ts'
import type { Drawn, Word } from '../testing/close-picture.ts'
import { recordedLanes } from '../testing/recorded.ts'
import { drawCredits } from './credits.ts'
import { meets, nameRectsOf } from './free-place.ts'
import { linkCover } from './link-cover.ts'
import { placeNotes } from './notes.ts'
import { PAUSE_BACK, PAUSE_COLOUR } from './palette.ts'
import { drawPauses } from './words.ts'

const DESK = { width: 920, height: 312 }
/** InfiniBand's test bed with two flows soon after its start. */
const creditsAlone: StoryStep = {
  ...infiniband.steps[0]!,
  settings: [1, 2, 3, 4].map((i) => `workload[0].flows[${i}].start=${i === 1 ? 200 : 1500}us`),
}
const WIDE = { width: 1500, height: 335 }
const PHONE = { width: 388, height: 248 }
const BESIDE = { width: 453, height: 266 }

const pictureOf = (
  step: StoryStep,
  size: typeof DESK,
  atUs: number,
): ReturnType<typeof closePicture> => {
  const [lane] = recordedLanes(step, [`run.until=${atUs + 20}us`])
  return closePicture(lane!.recording, { ...size, atPs: atUs * 1e6 })
}

/** Straight lines in the colour of a pause. */
function linesOf(drawn: readonly Drawn[]): { from: number[]; to: number[] }[] {
  return drawn.flatMap(({ call, at, set }, i) => {
    const before = drawn[i - 1]
    const isLine = call === 'lineTo' && before?.call === 'moveTo' && drawn[i + 1]?.call === 'stroke'
    if (!isLine || set['strokeStyle'] !== PAUSE_COLOUR) return []
    return [{ from: before.at as number[], to: at as number[] }]
  })
}

/** Bowed lines in the colour of a pause, as places on them. */
function arrowsOf(drawn: readonly Drawn[]): [number, number][][] {
  return drawn.flatMap(({ call, at, set }, i) => {
    if (call !== 'quadraticCurveTo' || set['strokeStyle'] !== PAUSE_COLOUR) return []
    const [[x0, y0], [bx, by, x1, y1]] = [drawn[i - 1]!.at, at] as [number[], number[]]
    const mix = (t: number, a: number, b: number, c: number): number =>
      (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c
    const parts = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    return [parts.map((t) => [mix(t, x0!, bx!, x1!), mix(t, y0!, by!, y1!)] as [number, number])]
  })
}

/** So far from its arrow a word may stand, a second line of it too. */
const NEAR = 45
const distance = ({ x, y, w, h }: Word, [px, py]: [number, number]): number =>
  Math.hypot(Math.max(x - px, 0, px - x - w), Math.max(y - py, 0, py - y - h))

const isOn = ({ x, y, w, h }: Word, [px, py]: number[]): boolean =>
  px! > x && px! < x + w && py! > y && py! < y + h

describe('words', () => {
  it('of pauses are struck out by no line that leads from others', () => {
    for (const atUs of [60, 158, 300, 458]) {
      const { picture, drawn } = pictureOf(parkingLot.steps[2]!, BESIDE, atUs)
      drawPauses(picture)
      const words = wordsOf(drawn)
      expect(words.length, `${atUs} us`).toBeGreaterThan(1)
      for (const { from, to } of linesOf(drawn)) {
        for (let part = 0.1; part < 0.95; part += 0.05) {
          const at = [0, 1].map((i) => from[i]! + part * (to[i]! - from[i]!))
          expect(words.filter((word) => isOn(word, at)).map(({ text }) => text)).toEqual([])
        }
      }
    }
  })

  it.each([
    { name: 'parking lot', step: parkingLot.steps[0]!, size: DESK, at: [60, 159, 300] },
    {
      name: 'parking lot, two lanes',
      step: parkingLot.steps[2]!,
      size: BESIDE,
      at: [60, 158, 458],
    },
    { name: 'parking lot, phone', step: parkingLot.steps[1]!, size: PHONE, at: [60, 158, 458] },
    { name: 'half a ring', step: pfc.steps[5]!, size: DESK, at: [400, 743] },
    { name: 'half a ring, phone', step: pfc.steps[5]!, size: PHONE, at: [400, 743] },
    { name: 'a victim', step: pfc.steps[1]!, size: DESK, at: [160, 366] },
    { name: 'a victim, phone', step: pfc.steps[1]!, size: PHONE, at: [160, 366] },
  ])('of pauses stand beside their arrow, and nearer to no other: $name', (one) => {
    const { step, size, at } = one
    for (const atUs of at) {
      const { picture, drawn } = pictureOf(step, size, atUs)
      drawPauses(picture)
      const arrows = arrowsOf(drawn)
      const words = wordsOf(drawn).filter(({ colour }) => colour === PAUSE_BACK)
      const nearest = words.map((word) => {
        const far = arrows.map((arrow) => Math.min(...arrow.map((to) => distance(word, to))))
        expect(Math.min(...far), `${word.text} at ${atUs} us`).toBeLessThan(NEAR)
        return far.indexOf(Math.min(...far))
      })
      // Said in the order in which the arrows are drawn, and each of one.
      expect(nearest, words.map(({ text }) => text).join('; ')).toEqual(
        [...nearest].sort((a, b) => a - b),
      )
      expect(new Set(nearest).size).toBe(arrows.length)
    }
  })

  it.each([
    { name: 'four switches', step: pfc.steps[4]! },
    { name: 'eight servers', step: r2c2Routes.steps[0]! },
  ])('that name the switches of a ring lie on no link: $name', ({ step }) => {
    for (const size of [DESK, BESIDE, PHONE]) {
      const { picture } = pictureOf(step, size, 100)
      const cover = linkCover(picture)
      const { nodes } = picture.recording.scene
      const switches = nodes.filter(({ kind }) => kind === 'switch').length
      const names = nameRectsOf(picture).slice(0, switches)
      // Its halo may touch an edge.
      const inner = names.map(({ x, y, w, h }) => ({ x: x + 2, y: y + 4, w: w - 4, h: h - 7 }))
      const hidden = inner.filter((rect) => cover.isFlowUnder(rect))
      expect(hidden, `${size.width} px`).toEqual([])
    }
  })

  it('of a story hide no link that flows go by', () => {
    for (const height of [279, 290, 312]) {
      const { picture } = pictureOf(r2c2.steps[0]!, { width: 920, height }, 530)
      const notes = r2c2.steps[0]!.notes!.map(({ at, text, side = 'above' }) => ({
        ...{ at, text, side, fromPs: 0, toPs: Infinity },
      }))
      const [note] = placeNotes(picture, notes)
      expect(linkCover(picture).isFlowUnder(note!), `${height} px`).toBe(false)
    }
  })

  it('of credits lie on no others and on no sign', () => {
    let said = 0
    for (const atUs of [1600, 1900, 2300, 2750]) {
      const { picture, drawn } = pictureOf(creditsAlone, WIDE, atUs)
      drawCredits(picture, 400e6)
      const words = wordsOf(drawn)
      const signs = drawn.flatMap(({ call, at }) => (call === 'arc' ? [at as number[]] : []))
      said += words.length
      for (const word of words) {
        const others = words.filter((one) => one !== word && meets(one, word))
        expect(others.map(({ text }) => text)).toEqual([])
        expect(signs.filter(([x, y]) => isOn(word, [x!, y!]))).toEqual([])
      }
    }
    expect(said).toBeGreaterThan(8)
  })
})
