import { expect, it } from 'vitest'
import type { Curve, Plot } from './figure.ts'
import { layersOf } from './overlap.ts'

const plotOf = (curves: readonly Curve[]): Plot => ({
  title: '',
  kind: 'lines',
  x: { label: 'time', unit: 's' },
  y: { label: 'rate', unit: 'Gb/s' },
  curves,
})
const x = [0, 1, 2, 3]

it('a curve is as many times wider as later ones lie on it, and not if they only cross it', () => {
  const layers = layersOf(
    plotOf([
      { name: 'a', x, y: [10, 5, 5, 5] },
      { name: 'b', x, y: [10, 5, 5, 7] },
      { name: 'crosses', x, y: [0, 5, 9, 1] },
      { name: 'c', x: [0.5, 1.5, 2.5], y: [7.5, 5, 5] },
      { name: 'a', x, y: [10, 5, 5, 5], isPublished: true },
      { name: 'rule', x, y: [10, 5, 5, 5], isExpected: true },
    ]),
  )
  expect(layers).toEqual([2, 1, 0, 0, 0, 0])
})
