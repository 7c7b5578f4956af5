/** Small networks close up: what lies over what, and where words stand, without a browser. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { stories } from '../stories/index.ts'
import { closePicture, wordsOf } from '../testing/close-picture.ts'
import type { Drawn } from '../testing/close-picture.ts'
import { recordedLanes } from '../testing/recorded.ts'
import type { Recording } from '../model/recording.ts'
import { drawCloseUp, drawSaid } from './close-up.ts'
import { meets, obstaclesOf } from './free-place.ts'
import { drawPackets } from './packets.ts'
import { flowColour, flowDash, LANE_COLOUR, PAUSE_BACK, PORT_COLOUR } from './palette.ts'

const PHONE = { width: 390, height: 250 }
const GLIDE_PS = 0.3e6
/** Who joins, joins at once. */
const SOON = [...[1, 2, 3, 4].map((i) => `workload[0].flows[${i}].start=${i}00us`), 'run.until=5ms']

const stepOf = (story: string, step: number) =>
  stories.find(({ name }) => name === story)!.steps[step]!

beforeAll(() => {
  // The pattern of a pause is drawn in a canvas of its own.
  const canvas = { getContext: () => new Proxy({}, { get: () => () => undefined }) }
  vi.stubGlobal('document', { createElement: () => canvas })
})

describe('a broadcast', () => {
  const drawnAt = (recording: Recording, atPs: number, size = PHONE): Drawn[] => {
    const { picture, drawn } = closePicture(recording, { ...size, atPs })
    drawCloseUp(picture, 0, GLIDE_PS)
    drawPackets(picture, GLIDE_PS, true)
    return drawn
  }

  it('has its tree under hosts, switches and their names', () => {
    const [lane] = recordedLanes(stepOf('r2c2', 1), ['run.until=520us'])
    const drawn = drawnAt(lane!.recording, 500.6e6, { width: 900, height: 280 })
    const at = (is: (one: Drawn) => boolean): number[] =>
      drawn.flatMap((one, i) => (is(one) ? [i] : []))
    const trees = at(({ call, set }) => call === 'stroke' && set['lineWidth'] === 3.4)
    const boxes = at(({ call }) => call === 'roundRect')
    const circles = at(({ call, set }) => call === 'arc' && set['lineWidth'] === 2.2)
    expect(trees.length).toBeGreaterThan(10)
    expect(circles.length).toBeGreaterThan(2)
    expect(trees.at(-1)).toBeLessThan(Math.min(...boxes, ...circles))
    // Whoever is told stands under its name too.
    const heads = at(({ call, set }) => call === 'closePath' && set['lineWidth'] === 1.3)
    const names = at(({ call, at: [text] }) => call === 'fillText' && text === 'f1')
    expect(names.at(-1)).toBeGreaterThan(Math.max(...trees, ...heads))
  })

  it('is told of on no name, on a phone too', () => {
    const [lane] = recordedLanes(stepOf('r2c2-routes', 5), ['run.until=1010us'])
    let count = 0
    for (let atPs = 1000.1e6; atPs < 1002.4e6; atPs += 0.15e6) {
      const words = wordsOf(drawnAt(lane!.recording, atPs))
      const names = words.filter(({ text }) => /^[hn]\d$/u.test(text))
      const told = words.filter(
        ({ colour, text }) =>
          !names.some((name) => name.text === text) && colour === '#1b2330' && / /u.test(text),
      )
      expect(names.length).toBeGreaterThan(15)
      count += told.length
      for (const one of told) {
        expect(
          names.filter((name) => meets(name, one)),
          `${one.text} at ${atPs}`,
        ).toEqual([])
      }
    }
    expect(count).toBeGreaterThan(5)
  })
})

describe('words', () => {
  it('keep off a name that is wider than its switch', () => {
    const [lane] = recordedLanes(stepOf('accurate', 0))
    const { picture, drawn } = closePicture(lane!.recording, { ...PHONE, atPs: 5e6 })
    drawCloseUp(picture, 0, 0)
    const names = wordsOf(drawn).filter(({ text }) => /^(leaf|spine)\d$/u.test(text))
    const taken = obstaclesOf(picture)
    expect(names.length).toBeGreaterThan(5)
    for (const { text, x, y, w } of names) {
      for (const end of [x, x + w - 1]) {
        const at = { x: end, y: y + 4, w: 1, h: 1 }
        expect(
          taken.some((one) => meets(one, at)),
          text,
        ).toBe(true)
      }
    }
  })

  it('of a pause stand at their arrow on a phone', () => {
    const lanes = recordedLanes(stepOf('infiniband', 1), SOON)
    let said = 0
    for (const { recording } of lanes) {
      for (let atPs = 1.05e9; atPs < 5e9; atPs += 0.1e9) {
        const { picture, drawn } = closePicture(recording, { width: 335, height: 250, atPs })
        drawSaid(picture)
        const words = wordsOf(drawn).filter(({ colour }) => colour === PAUSE_BACK)
        const ends = drawn.flatMap(({ call, at }) =>
          call === 'quadraticCurveTo' ? [at as number[]] : [],
        )
        for (const { text, x, y, w, h } of words) {
          const apart = ends.map(([bx, by, ex, ey]) => {
            const [px, py] = [(bx! + ex!) / 2, (by! + ey!) / 2]
            return Math.hypot(Math.max(x - px, 0, px - x - w), Math.max(y - py, 0, py - y - h))
          })
          said++
          expect(Math.min(...apart), `${text} at ${atPs / 1e9} ms`).toBeLessThan(60)
        }
      }
    }
    expect(said).toBeGreaterThan(20)
  })
})

describe('flows of one colour', () => {
  it('are told apart by a second mark, which is not that of what was computed', () => {
    const looks = Array.from(
      { length: 24 },
      (_, row) => `${flowColour(row)} ${flowDash(row).join()}`,
    )
    expect(new Set(looks).size).toBe(24)
    const dashed = [8, 16, LANE_COLOUR + 1, LANE_COLOUR + 2, LANE_COLOUR + 3]
    for (let i = 1; i < 8; i++) dashed.push(PORT_COLOUR + i)
    for (const index of dashed) {
      for (const [k, length] of flowDash(index).entries()) {
        if (k % 2 === 0) expect(length, `${index}`).toBeGreaterThanOrEqual(4)
      }
    }
  })

  it('have rings, ribbons and squares in as many pieces as their lines', () => {
    const [lane] = recordedLanes(stepOf('pacc', 2), ['run.until=8ms'])
    const { picture, drawn } = closePicture(lane!.recording, { width: 455, height: 230, atPs: 7e9 })
    drawCloseUp(picture, 0, 0)
    const dashes = (colour: string): Set<string> => {
      const all = new Set<string>()
      let dash = ''
      for (const { call, at, set } of drawn) {
        if (call === 'setLineDash') dash = (at[0] as number[]).length > 0 ? 'dashed' : 'whole'
        if (call === 'stroke' && set['strokeStyle'] === colour) all.add(dash)
      }
      return all
    }
    // f1 and f9, f2 and f10; f3 has its colour for itself.
    for (const row of [0, 1]) expect(dashes(flowColour(row))).toEqual(new Set(['whole', 'dashed']))
    expect(dashes(flowColour(2))).toEqual(new Set(['whole']))
  })
})
