import { expect, it } from 'vitest'
import type { Plot } from './figure.ts'
import { stylesOf } from './styles.ts'

const plotOf = (...names: string[]): Plot => ({
  title: '',
  kind: 'lines',
  x: { label: 'time', unit: 's' },
  y: { label: 'rate', unit: 'Gb/s' },
  curves: names.map((name) => ({ name, x: [0, 1], y: [0, 1] })),
})
const inksOf = (plots: readonly Plot[]): number[][] =>
  stylesOf(plots).map((styles) => styles.map(({ ink }) => ink))

it('a colour means one thing in all plots of a figure', () => {
  const plots = [plotOf('TIMELY', 'DCQCN'), plotOf('without', 'with'), plotOf('DCQCN', 'with')]
  expect(inksOf(plots)).toEqual([
    [0, 1],
    [2, 3],
    [1, 3],
  ])
})

it('curves without a legend share a colour that no other has', () => {
  const plots = [plotOf('share'), plotOf('TIMELY', 'DCQCN'), plotOf('index')]
  expect(inksOf(plots)).toEqual([[2], [0, 1], [2]])
})

it('where there are more names than colours, those that never meet share one', () => {
  const many = Array.from({ length: 7 }, (_, i) => `f${i}`)
  const inks = inksOf([plotOf(...many), plotOf('g', 'h', 'i')])
  expect(inks[1]).toEqual([7, 0, 1])
})
