import { expect, it } from 'vitest'
import type { Curve, Plot } from './figure.ts'
import { stylesOf } from './styles.ts'

const curve = (name: string, more: Partial<Curve> = {}): Curve => ({
  ...{ name, x: [0, 1], y: [name.length, 2 * name.length] },
  ...more,
})
const plotOf = (curves: readonly Curve[], kind: Plot['kind'] = 'lines'): Plot => {
  return { title: '', kind, x: { label: 'x', unit: '' }, y: { label: 'y', unit: '' }, curves }
}
const inksOf = (plot: Plot): number[] => stylesOf([plot])[0]!.map(({ ink }) => ink)
const computed = { isExpected: true }

it('several computed lines have colours, and what was published of one of them has its colour', () => {
  const published = curve('torus (text)', { isPublished: true })
  const lines = [curve('torus', computed), curve('a mesh', computed), published]
  expect(inksOf(plotOf(lines))).toEqual([0, 1, 0])
  expect(inksOf(plotOf([curve('packets'), ...lines]))).toEqual([0, 1, 2, 1])
})

it('one computed line has the ink of the page, and so have marks on bars', () => {
  expect(inksOf(plotOf([curve('packets'), curve('theory', computed)]))).toEqual([0, -1])
  const bars = [curve('packets'), curve('a', computed), curve('bb', computed)]
  expect(inksOf(plotOf(bars, 'bars'))).toEqual([0, -1, -1])
})
