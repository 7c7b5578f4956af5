import { expect, it } from 'vitest'
import type { Curve, Plot } from './figure.ts'
import { undersOf } from './overlap.ts'

const plotOf = (curves: readonly Curve[]): Plot => ({
  title: '',
  kind: 'lines',
  x: { label: 'time', unit: 's' },
  y: { label: 'rate', unit: 'Gb/s' },
  curves,
})
const x = [0, 1, 2, 3]

it('a curve is as many times wider as later ones lie on it, where they do and nowhere else', () => {
  const unders = undersOf(
    plotOf([
      { name: 'a', x, y: [10, 5, 5, 5] },
      { name: 'b', x, y: [10, 5, 5, 7] },
      { name: 'crosses', x, y: [0, 6, 9, 1] },
      { name: 'c', x: [0.5, 1.5, 2.5], y: [7.5, 5, 5] },
      { name: 'a', x, y: [10, 5, 5, 5], isPublished: true },
      { name: 'rule', x, y: [10, 5, 5, 5], isExpected: true },
    ]),
  )
  expect(unders.map((parts) => parts.map(({ layers }) => layers))).toEqual([
    [2, 1],
    [1],
    ...[[], [], [], []],
  ])
  const ends = unders[0]!.map((part) => [part.x[0]!, part.x.at(-1)!])
  // c cuts the corner at 1, and b leaves at 2.
  expect(ends[0]![0]).toBeGreaterThan(1)
  expect(ends[0]![1]).toBeCloseTo(2, 1)
  expect(ends[1]![0]).toBe(0)
  expect(unders[0]![1]).toMatchObject({ x: [0, 1, 2, expect.any(Number)], y: [10, 5, 5, 5] })
})

it('curves that lie on each other on a logarithmic axis are found', () => {
  const plot = plotOf([
    { name: 'a', x: [1, 10, 100], y: [1, 10, 100] },
    { name: 'b', x: [1, 10, 100], y: [1, 10, 1] },
  ])
  const [parts] = undersOf({ ...plot, x: { ...plot.x, scale: 'log' } })
  expect(parts!.map((part) => [part.x[0], Math.round(part.x.at(-1)!)])).toEqual([[1, 10]])
})
