import { expect, it } from 'vitest'
import type { Curve, Plot } from './figure.ts'
import { partsAgain, patternAgain, sectorAgain, undersOf } from './overlap.ts'

const plotOf = (curves: readonly Curve[]): Plot => ({
  title: '',
  kind: 'lines',
  x: { label: 'time', unit: 's' },
  y: { label: 'rate', unit: 'Gb/s' },
  curves,
})
const x = [0, 1, 2, 3]

it('a curve has the parts on which later ones lie, by how many, and no other', () => {
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

it('a part of a line lies on the line as it is drawn, on logarithmic axes too', () => {
  const plot = plotOf([
    { name: 'a', x: [1, 100], y: [1, 100] },
    { name: 'b', x: [1, 10, 100], y: [1, 10, 80] },
    { name: 'c', x: [1, 100], y: [1000, 1000] },
  ])
  const log = { scale: 'log' } as const
  const [parts] = undersOf({ ...plot, x: { ...plot.x, ...log }, y: { ...plot.y, ...log } })
  const { x: at, y } = parts![0]!
  expect(at.at(-1)!).toBeGreaterThan(10)
  expect(at.at(-1)!).toBeLessThan(50)
  // The straight line between (1, 1) and (100, 100).
  y.forEach((value, i) => expect(value).toBeCloseTo(at[i]!, 6))
})

it('each part is drawn again once, though more curves lie on a piece of it', () => {
  const [parts] = undersOf(
    plotOf([
      { name: 'a', x, y: [5, 5, 5, 5] },
      { name: 'b', x, y: [5, 5, 5, 5] },
      { name: 'c', x: [1, 2], y: [5, 5] },
      { name: 'other', x, y: [0, 9, 0, 9] },
    ]),
  )
  const again = partsAgain(parts!)
  const spans = again.map((part) => [part.layers, part.x[0]!, part.x.at(-1)!])
  expect(spans.map(([layers]) => layers)).toEqual([2, 1, 1])
  const [two, before, after] = spans
  expect([before![1], after![2]]).toEqual([0, 3])
  expect([before![2], after![1]]).toEqual([two![1], two![2]])
  expect(two![1]).toBeCloseTo(1, 1)
  expect(two![2]).toBeCloseTo(2, 1)
  for (const { y } of again) expect(new Set(y)).toEqual(new Set([5]))
})

it('of curves that lie on each other as much is left of each, on lines and in marks', () => {
  for (const count of [2, 3]) {
    const layersAt = Array.from({ length: count }, (_, i) => count - 1 - i)
    // The first curve is drawn last.
    const seenBy = (isDrawn: (layers: number, at: number) => boolean, all: number): number[] => {
      const seen = layersAt.map(() => 0)
      for (let at = 0; at < all; at++) {
        seen[layersAt.findIndex((layers) => layers === 0 || isDrawn(layers, at + 0.5))]! += 1
      }
      return seen
    }
    const onLine = (layers: number, at: number): boolean => {
      const [on, off] = patternAgain(layers)
      return at % (on + off) < on
    }
    const inMark = (layers: number, at: number): boolean => {
      const [from, to] = sectorAgain(layers)
      return at >= from && at < to
    }
    const [whole] = patternAgain(1)
    expect(seenBy(onLine, 6 * whole)).toEqual(layersAt.map(() => (6 * whole) / count))
    expect(seenBy(inMark, 360)).toEqual(layersAt.map(() => 360 / count))
  }
})
