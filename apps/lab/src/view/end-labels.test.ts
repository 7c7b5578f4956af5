/** What stands where lines end: one name for lines on each other, and keys that are told apart. */
import { describe, expect, it } from 'vitest'
import { FLOW_COLOURS, flowColour, flowDash, PORT_COLOUR } from '../scene/palette.ts'
import type { ChartData, ChartLine } from './chart.ts'
import { endsOf, keyStyle } from './end-labels.ts'

const line = (name: string, colour: number, of: (i: number) => number | null): ChartLine => ({
  ...{ name, colour, values: Array.from({ length: 100 }, (_, i) => of(i)) },
})
const chart = (lines: readonly ChartLine[], guides: readonly ChartLine[] = []): ChartData => ({
  ...{ title: '', xLabel: '', yLabel: '', isTime: true, lines, guides },
  ...{ x: Array.from({ length: 100 }, (_, i) => i + 1), showX: String, showY: String },
})
const namesOf = (data: ChartData, from: number = 0, to: number = 100): string[] =>
  endsOf(data, from, to, 0.1).map(({ lines }) => lines.map(({ name }) => name).join(' = '))

describe('names where lines end', () => {
  it('are one for lines that lie on each other there', () => {
    const lines = [
      line('f1', 0, () => 5),
      line('f2', 1, (i) => (i < 50 ? 9 : 5.01)),
      line('f3', 2, (i) => (i < 95 ? 5 : 6)),
      line('f4', 3, (i) => (i < 60 ? null : 5)),
      line('f5', 4, (i) => (i < 60 ? 5 : null)),
    ]
    // f2 and f3 come near to f1 for a part of what is shown only.
    expect(namesOf(chart(lines))).toEqual(['f1 = f4', 'f2', 'f3', 'f5'])
    // In another part of time others lie on each other.
    expect(namesOf(chart(lines), 10, 45)).toEqual(['f1 = f3 = f5', 'f2'])
  })

  it('tell two fair shares apart by their values', () => {
    const guides = [line('fair', 0, () => 8), line('fair', 1, () => 4), line('link', 0, () => 8)]
    const ends = endsOf(chart([], guides), 0, 100, 0.1)
    expect(ends.map(({ lines, value }) => [lines.map(({ name }) => name), value])).toEqual([
      [['fair', 'link'], 8],
      [['fair'], 4],
    ])
  })

  it('of guides stand where the line ends, with the value there, or with none', () => {
    const guides = [
      line('fair', 0, (i) => (i < 90 ? 12 : 24)),
      line('total', 0, (i) => i),
      line('gone', 0, (i) => (i < 60 ? 7 : null)),
    ]
    const ends = (from: number, to: number): unknown[] =>
      endsOf(chart([], guides), from, to, 0.1).map(({ value, isMoving }) => [value, isMoving])
    // A value that it has had for a tenth of the time is not its own.
    expect(ends(0, 100)).toEqual([
      [24, true],
      [99, true],
      [7, true],
    ])
    // In a view that ends before the change, and in which nothing has ended yet.
    expect(ends(0, 50)).toEqual([
      [12, false],
      [49, true],
      [7, false],
    ])
  })

  it('have keys that look as their lines do', () => {
    const packets = line('packets', PORT_COLOUR, () => 1)
    const fluid: ChartLine = { ...packets, name: 'fluid', dash: [6, 3] }
    expect(keyStyle(packets)).not.toEqual(keyStyle(fluid))
    expect(keyStyle(fluid)['background']).toContain('repeating')
  })

  it('of ports are in no colour of a flow, and no two alike', () => {
    const looks = Array.from({ length: 8 }, (_, i) => {
      expect(FLOW_COLOURS).not.toContain(flowColour(PORT_COLOUR + i))
      return `${flowColour(PORT_COLOUR + i)} ${flowDash(PORT_COLOUR + i).join()}`
    })
    expect(new Set(looks).size).toBe(8)
  })
})
