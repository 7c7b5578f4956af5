import type { Result, Summary } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import type { Comparison } from '../comparison.ts'
import { entriesOf, madeResult } from '../testing/made-result.ts'
import { deepestQueue, fctCdf, jainCurve } from './curves.ts'
import { fctFinding, queueFinding, rateFinding, slowdownFinding } from './findings.ts'
import { reportHtml } from './report.ts'

const hpcc = madeResult({ scheme: 'hpcc', badness: 1 })
const dcqcn = madeResult({ scheme: 'dcqcn', badness: 2, warnings: ['a <script> in a warning'] })
const entries = entriesOf([hpcc, dcqcn])
const comparison: Comparison = {
  ...{ scenario: 'incast', seed: 1, draws: { kind: 'seeds', count: 1 }, skipped: [] },
  entries,
}

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
    const page = reportHtml({ ...comparison, entries: entriesOf([bare]) }, 'x', 'y')
    expect(page).not.toContain('Deepest queue under')
  })

  it('draws many flows as a band, not one by one', () => {
    const many = entriesOf([madeResult({ flows: 100, samples: 2000 })])
    const page = reportHtml({ ...comparison, entries: many }, 'x', 'y')
    expect(page).toContain('mean and range of 100 flows')
    expect(page.length).toBeLessThan(200_000)
  })
})

describe('findings', () => {
  it('say who is best and who is worst', () => {
    expect(rateFinding(entries)).toBe(
      'Most is delivered under hpcc, 24 Gbps; least under dcqcn, 12 Gbps',
    )
    expect(queueFinding(entriesOf([hpcc, hpcc]))).toBe('Queues are alike, 250 KB at most')
  })

  it('do not claim what was not seen: flows that had not ended', () => {
    const { summary } = dcqcn
    const cut: Summary = { ...summary, flowsUnfinished: 3, atLeast: ['fctPsP99', 'slowdownP99'] }
    const open = entriesOf([hpcc, { ...dcqcn, summary: cut }])
    expect(fctFinding(entries)).toMatch(/^The slowest flow takes/)
    expect(fctFinding(open)).toMatch(/as far as they are known: flows had not ended, 3 under dcqcn/)
    expect(slowdownFinding(open)).toMatch(/^Slowdowns, at least/)
  })

  it('speak of 99 in 100 flows where there are so many', () => {
    const many = [1, 2].map((badness) => madeResult({ flows: 100, scheme: `s${badness}`, badness }))
    expect(fctFinding(entriesOf(many))).toMatch(/^99 of 100 flows end within .* under s1, within/)
    expect(slowdownFinding(entriesOf(many))).toMatch(/^1 flow in 100 takes more than .* under s1/)
    const few = [1, 2].map((badness) => madeResult({ flows: 99, scheme: `s${badness}`, badness }))
    expect(fctFinding(entriesOf(few))).toMatch(/^The slowest flow takes .* under s1, .* under s2/)
    expect(slowdownFinding(entriesOf(few))).toMatch(/^The slowest flow takes 4.* under s1/)
  })

  it('do not call a difference what seeds do not tell apart', () => {
    const drawn = (...gbps: number[]): Result[] =>
      gbps.map((rate) => ({ ...hpcc, summary: { ...hpcc.summary, goodputBps: rate * 1e9 } }))
    const apart = [
      { label: 'a', results: drawn(20, 21, 22) },
      { label: 'b', results: drawn(30, 31.5, 32) },
    ]
    const alike = [apart[0]!, { label: 'b', results: drawn(30, 15, 22) }]
    expect(rateFinding(apart)).toMatch(/^Most is delivered under b,/)
    expect(rateFinding(alike)).toMatch(/^All deliver about the same/)
  })
})

describe('curves', () => {
  it('of completion times end below 1 where flows did not end', () => {
    const fctPs = hpcc.flows.fctPs.map((time, row) => (row === 0 ? NaN : time))
    expect(fctCdf(hpcc).at(-1)!.y).toBe(1)
    expect(fctCdf({ flows: { ...hpcc.flows, fctPs } }).at(-1)!.y).toBe(0.75)
  })

  it('of the deepest queue are of a switch, however much waits in a host', () => {
    const [rate, ...others] = hpcc.series
    const deep = { ...rate!, name: 'queue.h1->s0.c3', values: [9e9, 9e9] }
    const queues = others.filter(({ name }) => name !== 'queue.h1->s0.c3')
    expect(deepestQueue({ ...hpcc, series: [deep, ...queues] })?.name).toBe('s0->h0.c3')
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
