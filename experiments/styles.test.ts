import { describe, expect, it } from 'vitest'
import type { Curve, Plot } from './figure.ts'
import { stylesOf } from './styles.ts'

const curve = (name: string, more: Partial<Curve> = {}): Curve => ({
  ...{ name, x: [0, 1], y: [name.length, 2 * name.length] },
  ...more,
})
const plotOf = (curves: readonly Curve[], kind: Plot['kind'] = 'lines'): Plot => {
  return { title: '', kind, x: { label: 'x', unit: '' }, y: { label: 'y', unit: '' }, curves }
}
const inksOf = (...plots: Plot[]): number[][] =>
  stylesOf(plots).map((styles) => styles.map(({ ink }) => ink))
const computed = { isExpected: true }

describe('of measured curves', () => {
  const named = (...names: string[]): Plot => plotOf(names.map((name) => curve(name)))

  it('a colour means one thing in all plots of a figure', () => {
    const plots = [named('TIMELY', 'DCQCN'), named('without', 'with'), named('DCQCN', 'with')]
    expect(inksOf(...plots)).toEqual([
      [0, 1],
      [2, 3],
      [1, 3],
    ])
  })

  it('those without a legend share a colour that no other has', () => {
    const plots = [named('share'), named('TIMELY', 'DCQCN'), named('index')]
    expect(inksOf(...plots)).toEqual([[2], [0, 1], [2]])
  })

  it('where there are more names than colours, those that never meet share one', () => {
    const many = Array.from({ length: 7 }, (_, i) => `f${i}`)
    expect(inksOf(named(...many), named('g', 'h', 'i'))[1]).toEqual([7, 0, 1])
  })
})

describe('of published curves', () => {
  const published = { isPublished: true }

  it('one whose own is in another plot has its colour there', () => {
    const both = plotOf([curve('median'), curve('tail')])
    const one = plotOf([curve('median'), curve('tail (text: within)', published)])
    expect(inksOf(both, one)).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(inksOf(both, plotOf([curve('median'), curve('mode', published)]))[1]).toEqual([0, -1])
  })
})

describe('of computed curves', () => {
  it('several lines have colours of their own, and what was published of one has its', () => {
    const published = curve('torus (text)', { isPublished: true })
    const lines = [curve('torus', computed), curve('a mesh', computed), published]
    expect(inksOf(plotOf(lines))).toEqual([[0, 1, 0]])
    expect(inksOf(plotOf([curve('packets'), ...lines]))).toEqual([[0, 1, 2, 1]])
  })

  it('a line that is the only one has the ink of the page, and so have marks on bars', () => {
    expect(inksOf(plotOf([curve('packets'), curve('theory', computed)]))).toEqual([[0, -1]])
    const bars = [curve('packets'), curve('a', computed), curve('bb', computed)]
    expect(inksOf(plotOf(bars, 'bars'))).toEqual([[0, -1, -1]])
  })
})
