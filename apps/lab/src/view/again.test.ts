/** Lines of the lab's plots that lie on each other. */
import { expect, it } from 'vitest'
import { partsInView } from './again.ts'
import type { ChartData, ChartLine } from './chart.ts'

const COUNT = 400
const line = (name: string, of: (i: number) => number | null): ChartLine => ({
  ...{ name, colour: 0, values: Array.from({ length: COUNT }, (_, i) => of(i)) },
})
const chart = (lines: readonly ChartLine[]): ChartData => ({
  ...{ title: '', xLabel: '', yLabel: '', isTime: true, lines, showX: String, showY: String },
  x: Array.from({ length: COUNT }, (_, i) => i),
})
const spans = (data: ChartData, from: number, to: number, top: number): unknown[] =>
  partsInView(data, { x: [from, to], y: [0, top] }).map((parts) =>
    parts.map(({ layers, x }) => [layers, Math.round(x[0]!), Math.round(x.at(-1)!)]),
  )

it('are drawn again where later ones lie on them, and not where one has ended', () => {
  const data = chart([
    line('f1', () => 5),
    line('f2', (i) => (i < 200 ? 9 : 5)),
    line('f3', (i) => (i < 300 ? null : 5)),
  ])
  const [first, second, third] = partsInView(data, { x: [0, 399], y: [0, 10] })
  expect(first!.map(({ layers }) => layers)).toEqual([2, 1])
  expect(second!.map(({ layers }) => layers)).toEqual([1])
  expect(third).toEqual([])
  expect(first![0]!.x[0]!).toBeCloseTo(300, -1)
  expect(first![1]!.x[0]!).toBeCloseTo(200, -1)
  expect(first![1]!.x.at(-1)).toBe(first![0]!.x[0])
})

it('are near by what is in view: time, and the height of the axis', () => {
  const data = chart([
    line('f1', (i) => (i < 100 ? 1 : 5)),
    line('f2', () => 5),
    line('f3', () => 5.2),
  ])
  expect(spans(data, 0, 90, 10)).toEqual([[], [], []])
  expect(spans(data, 151, 399, 10)).toEqual([[[1, 150, 399]], [], []])
  // A fifth is little beside a thousand.
  expect(spans(data, 151, 399, 1000)).toEqual([[[2, 150, 399]], [[1, 150, 399]], []])
})
