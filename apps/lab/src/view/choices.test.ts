// @vitest-environment jsdom
/** Keys to what is drawn: each is there where its mark is, and nowhere else. */
import { render } from 'preact'
import type { VNode } from 'preact'
import { describe, expect, it } from 'vitest'
import type { ChartData } from './chart.ts'
import { BandKey, Legend } from './choices.ts'
import { html } from './html.ts'

function textOf(shown: VNode): string {
  const element = document.createElement('div')
  render(shown, element)
  return element.textContent!
}

describe('the key of bands', () => {
  it('is there where a line has one', () => {
    const chartOf = (low: readonly number[] | undefined): ChartData => {
      const band = low === undefined ? {} : { low, high: low }
      const lines = [{ name: 'f1', colour: 0, values: [5, 6], ...band }]
      return { lines } as unknown as ChartData
    }
    expect(textOf(html`<${BandKey} charts=${[chartOf(undefined), chartOf([5, 6])]} />`)).toContain(
      'least to most',
    )
    expect(textOf(html`<${BandKey} charts=${[chartOf(undefined)]} />`)).toBe('')
  })
})

describe('the legend of a large network', () => {
  it('has racks where there are any: none in a torus', () => {
    const hosts = Array.from({ length: 40 }, (_, i) => ({ name: `h${i}`, kind: 'host' }))
    const nodes = [...hosts, { name: 'leaf', kind: 'switch' }]
    const [from, to] = [hosts.map((_, i) => i), hosts.map(() => 40)]
    const legendOf = (topology: string): string => {
      const scene = { topology, nodes, from: [...from, ...to], to: [...to, ...from] }
      const session = { shown: [{ recording: { scene } }], openRack: '' }
      return textOf(html`<${Legend} isClose=${false} session=${session} />`)
    }
    expect(legendOf('leaf-spine')).toContain('a rack: sends above')
    expect(legendOf('torus')).not.toContain('a rack')
    expect(legendOf('torus')).toContain('idle to full link')
  })
})
