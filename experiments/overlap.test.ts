import { expect, it } from 'vitest'
import type { Curve, Plot } from './figure.ts'
import { gapsOf } from './overlap.ts'

const plotOf = (curves: readonly Curve[]): Plot => ({
  title: '',
  kind: 'lines',
  x: { label: 'time', unit: 's' },
  y: { label: 'rate', unit: 'Gb/s' },
  curves,
})
const x = [0, 1, 2, 3]

it('a curve that lies on an earlier one has gaps, and one that crosses it has none', () => {
  const gaps = gapsOf(
    plotOf([
      { name: 'a', x, y: [10, 5, 5, 5] },
      { name: 'b', x, y: [10, 5, 5, 7] },
      { name: 'crosses', x, y: [0, 5, 9, 1] },
      { name: 'c', x: [0.5, 1.5, 2.5], y: [7.5, 5, 5] },
      { name: 'a', x, y: [10, 5, 5, 5], isPublished: true },
    ]),
  )
  expect(gaps[0]).toBe('')
  expect(gaps[1]).not.toBe('')
  expect(gaps[2]).toBe('')
  // Along two, and so unlike both.
  expect(['', gaps[1]]).not.toContain(gaps[3])
  expect(gaps[4]).toBe('')
})
