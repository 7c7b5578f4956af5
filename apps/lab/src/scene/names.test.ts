/** Names and colours in a picture: each told from the others, however many there are. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recording } from '../model/recording.ts'
import { Recorder } from '../worker/recorder.ts'
import { layoutOf } from './layout.ts'
import { flowColour, flowDash, inkOf, LANE_COLOUR, PAUSED } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { shortened } from './shortened.ts'
import { drawHosts } from './words.ts'

/** Seven pixels per letter. */
const measureText = (text: string): TextMetrics => ({ width: 7 * text.length }) as TextMetrics

describe('names', () => {
  it('keep the number at their end when they are cut', () => {
    expect(shortened({ measureText }, 'f1', 70)).toBe('f1')
    expect(shortened({ measureText }, 'background.1234', 70)).toBe('back….1234')
    expect(shortened({ measureText }, 'shares-receiver', 70)).toBe('shares-re…')
    expect(shortened({ measureText }, 'background.1234', 28)).toBe('bac…')
    expect(shortened({ measureText }, 'background', 1)).toBe('b…')
  })

  it('of hosts in a row do not lie on each other', () => {
    const { text } = scenarioByName('leaf-spine-mix')!
    const scene = new Recorder(createRun(loadSpec({ text }))).scene('', '')
    const layout = layoutOf(scene, { width: 900, height: 360, yaw: 0, pitch: 0 })
    const drawn: { left: number; right: number }[] = []
    const context = new Proxy({} as CanvasRenderingContext2D, {
      get: (_, name) =>
        name === 'fillText'
          ? (word: string, x: number) =>
              drawn.push({ left: x - 3 * word.length, right: x + 3 * word.length })
          : () => undefined,
      set: () => true,
    })
    const picture = { context, ink: inkOf(false), recording: new Recording(scene), layout }
    drawHosts({ ...picture, colourOf: (row: number) => row } as unknown as ClosePicture)
    expect(drawn.length).toBeGreaterThan(5)
    drawn.sort((a, b) => a.left - b.left)
    drawn.forEach(({ left }, i) => expect(left).toBeGreaterThan(drawn[i - 1]?.right ?? -Infinity))
  })
})

describe('colours', () => {
  it('of flows are flows’ colours, of the thousandth and the millionth too', () => {
    const first = [0, 1, 2, 3, 4, 5, 6, 7].map(flowColour)
    for (const row of [1000, 1003, 1004, 1_000_000, 2 ** 31]) {
      expect(flowColour(row), `row ${row}`).toBe(first[row % 8])
    }
    expect(first).not.toContain(flowColour(LANE_COLOUR))
    expect(first).not.toContain(flowColour(PAUSED))
    expect(flowDash(LANE_COLOUR + 1)).toEqual([7, 3])
  })
})
