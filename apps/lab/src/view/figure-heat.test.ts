// @vitest-environment jsdom
/** Colours of surfaces: of one sign a ramp, of both two colours that meet at zero. */
import { render } from 'preact'
import { expect, it } from 'vitest'
import type { Plot } from '../../../../experiments/figure.ts'
import { HeatMap } from './figure-heat.ts'
import { html } from './html.ts'

const axis = { label: 'gain', unit: '' }
const surface = (z: readonly number[]): Plot => ({
  ...{ title: 'margin', kind: 'surface', x: axis, y: axis, z: axis },
  curves: [{ name: 'ours', x: z.map((_, i) => i), y: z.map(() => 0), z }],
})

function cellsOf(z: readonly number[]): number[][] {
  const element = document.createElement('div')
  render(html`<${HeatMap} plot=${surface(z)} />`, element)
  return [...element.querySelectorAll('.figure-svg g > rect:not([fill=none])')].map((cell) =>
    cell.getAttribute('fill')!.match(/\d+/gu)!.map(Number),
  )
}

it('gives zero no colour, and as much to what is as far from it on either side', () => {
  const [far, below, zero, above] = cellsOf([-300, -50, 0, 50])
  expect(new Set(zero)).toHaveProperty('size', 1)
  expect(zero![0]).toBeGreaterThan(240)
  const [red, , blue] = [0, 1, 2]
  expect(far![red]! - far![blue]!).toBeGreaterThan(100)
  expect(below![red]!).toBeGreaterThan(below![blue]!)
  expect(above![blue]!).toBeGreaterThan(above![red]!)
  const strength = (cell: readonly number[]): number => 247 - Math.min(...cell)
  expect(strength(below!) / strength(above!)).toBeLessThan(2.5)
  expect(strength(far!)).toBeGreaterThan(3 * strength(above!))
})

it('has one ramp for heights of one sign', () => {
  const cells = cellsOf([1, 2, 3, 4])
  expect(cells[0]).toEqual([68, 1, 84])
  expect(cells[3]).toEqual([253, 231, 37])
})
