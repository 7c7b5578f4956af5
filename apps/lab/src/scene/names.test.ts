/** Names and colours in a picture: each told from the others, however many there are. */
import { createRun, loadSpec, scenarioByName } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { Recording } from '../model/recording.ts'
import { Recorder } from '../worker/recorder.ts'
import { drawHosts } from './hosts.ts'
import { layoutOf } from './layout.ts'
import { flowColour, flowDash, inkOf, LANE_COLOUR, PAUSED } from './palette.ts'
import type { ClosePicture } from './picture.ts'
import { shortened } from './shortened.ts'

/** Seven pixels per letter. */
const measureText = (text: string): TextMetrics => ({ width: 7 * text.length }) as TextMetrics

/** Calls with each word, where it stands and which of its ends does. */
function drawnHosts(text: string, onWord: (word: string, x: number, align: string) => void): void {
  const scene = new Recorder(createRun(loadSpec({ text }))).scene('', '')
  const [width, height] = [900, 360]
  const layout = layoutOf(scene, { width, height, yaw: 0, pitch: 0 })
  const set = { textAlign: 'center' }
  const context = new Proxy(set as CanvasRenderingContext2D, {
    get: (_, name) => {
      if (name === 'measureText') return measureText
      if (name === 'fillText') return (word: string, x: number) => onWord(word, x, set.textAlign)
      return () => undefined
    },
  })
  const picture = { context, ink: inkOf(false), recording: new Recording(scene), layout, width }
  drawHosts({ ...picture, height, colourOf: (row: number) => row } as unknown as ClosePicture)
}

describe('names', () => {
  it('keep the number at their end when they are cut', () => {
    expect(shortened({ measureText }, 'f1', 70)).toBe('f1')
    expect(shortened({ measureText }, 'background.1234', 70)).toBe('back….1234')
    expect(shortened({ measureText }, 'shares-receiver', 70)).toBe('shares-re…')
    expect(shortened({ measureText }, 'background.1234', 28)).toBe('bac…')
    expect(shortened({ measureText }, 'background', 1)).toBe('b…')
  })

  it('of hosts that are too long end where the picture does', () => {
    const long = `${'a'.repeat(60)}7`
    const text = `topology:
  {kind: graph, hosts: [${long}, R], switches: [S], links: [${long} S, S R]}
workload:
  - flows:
      - {name: f, from: ${long}, to: R}
scheme: none
run: {until: 100us}
`
    const words: [word: string, left: number][] = []
    drawnHosts(text, (word, x, align) =>
      words.push([word, align === 'right' ? x - 7 * word.length : x - 3.5 * word.length]),
    )
    expect(words.map(([word]) => word)).toContainEqual(expect.stringMatching(/^a+…7$/u))
    for (const [word, left] of words) expect(left, word).toBeGreaterThan(0)
  })

  it('of hosts in a row do not lie on each other', () => {
    const { text } = scenarioByName('leaf-spine-mix')!
    const drawn: { left: number; right: number }[] = []
    drawnHosts(text, (word, x) =>
      drawn.push({ left: x - 3 * word.length, right: x + 3 * word.length }),
    )
    expect(drawn.length).toBeGreaterThan(5)
    drawn.sort((a, b) => a.left - b.left)
    drawn.forEach(({ left }, i) => expect(left).toBeGreaterThan(drawn[i - 1]?.right ?? -Infinity))
  })
})

describe('colours', () => {
  it('of flows are flows’ colours, of the thousandth and the millionth too', () => {
    const first = [0, 1, 2, 3, 4, 5, 6, 7].map((row) => flowColour(row))
    for (const row of [1000, 1003, 1004, 1_000_000, 2 ** 31]) {
      expect(flowColour(row), `row ${row}`).toBe(first[row % 8])
    }
    expect(first).not.toContain(flowColour(LANE_COLOUR))
    expect(first).not.toContain(flowColour(PAUSED))
    expect(flowDash(LANE_COLOUR + 1)).toEqual([8, 4])
  })
})
