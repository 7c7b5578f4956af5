import { describe, expect, it } from 'vitest'
import { madeResult } from '../testing/made-result.ts'
import { jainCurve } from './curves.ts'
import { queueFinding, rateFinding } from './findings.ts'
import { reportHtml } from './report.ts'

const hpcc = madeResult({ scheme: 'hpcc', badness: 1 })
const dcqcn = madeResult({ scheme: 'dcqcn', badness: 2, warnings: ['a <script> in a warning'] })
const comparison = { scenario: 'incast', seed: 1, results: [hpcc, dcqcn], skipped: [] }

describe('report', () => {
  const html = reportHtml(comparison, './weir compare incast', 'name: incast\n')

  it('needs no network', () => {
    const outside = html.match(/(src|href)="|url\(|@import|https?:\/\/(?!www\.w3\.org)/g)
    expect(outside).toBeNull()
  })

  it('holds the command, the scenario, the fingerprints and each figure', () => {
    expect(html).toContain('./weir compare incast')
    expect(html).toContain('name: incast')
    expect(html).toContain(hpcc.fingerprint)
    for (const label of ['Throughput of flows under', 'Deepest queue under', 'Cumulative']) {
      expect(html).toContain(`aria-label="${label}`)
    }
  })

  it('escapes what comes from outside', () => {
    expect(html).not.toContain('<script>')
    expect(html).toContain('a &lt;script&gt; in a warning')
  })

  it('is the same to the byte each time', () => {
    expect(reportHtml(comparison, './weir compare incast', 'name: incast\n')).toBe(html)
  })

  it('leaves out figures for which nothing was sampled', () => {
    const bare = { ...hpcc, series: [] }
    const page = reportHtml({ ...comparison, results: [bare] }, 'x', 'y')
    expect(page).not.toContain('Deepest queue under')
  })

  it('draws many flows as a band, not one by one', () => {
    const results = [madeResult({ flows: 100, samples: 2000 })]
    const page = reportHtml({ ...comparison, results }, 'x', 'y')
    expect(page).toContain('mean and range of 100 flows')
    expect(page.length).toBeLessThan(200_000)
  })
})

describe('findings', () => {
  it('say who is best and who is worst', () => {
    expect(rateFinding([hpcc, dcqcn])).toBe('hpcc delivers most, 24 Gbps; dcqcn least, 12 Gbps')
    expect(queueFinding([hpcc, hpcc])).toBe('Queues are alike, 250 KB at most')
  })
})

describe('jainCurve', () => {
  it('is 1 for equal rates and 1/n when one flow has all', () => {
    const at = (y: number): { name: string; points: { x: number; y: number }[] } => ({
      name: '',
      points: [{ x: 0, y }],
    })
    expect(jainCurve([at(5), at(5)])).toEqual([{ x: 0, y: 1 }])
    expect(jainCurve([at(5), at(0)])).toEqual([{ x: 0, y: 0.5 }])
    expect(jainCurve([at(5)])).toEqual([])
  })
})
