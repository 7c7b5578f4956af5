import { simulate, validateSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { comparisonJson, type Comparison, type Entry } from './comparison.ts'
import { reportHtml } from './report/report.ts'
import { theoryNotes, theoryRows, theoryText } from './theory-over.ts'

function entry(scheme: string): Entry {
  const spec = validateSpec({
    topology: { kind: 'star', hosts: 3, rate: '25Gbps', delay: '1us' },
    workload: [
      {
        flows: [
          { name: 'a', from: 'h1', to: 'h0' },
          { name: 'b', from: 'h2', to: 'h0', start: '100us' },
        ],
      },
    ],
    scheme,
    run: { until: '1ms' },
    metrics: { interval: '10us' },
  })
  return { label: scheme, results: [simulate(spec)] }
}

const entries = [entry('pacc'), entry('qcn')]
const theory = theoryRows(entries)
const draws = { kind: 'seeds', count: 1 } as const
const comparison: Comparison = { scenario: 'two', seed: 1, draws, entries, skipped: [], theory }

describe('theory over packets', () => {
  it('has a row a scheme, and says where it cannot', () => {
    const text = theoryText(entries, theory)
    const [pacc, qcn] = ['pacc', 'qcn'].map((name) => {
      return text.split('\n').find((line) => line.startsWith(`${name} `))!
    })
    // The queue of packets and that of the fluid; of QCN there is none, but max-min there is.
    expect(pacc).toMatch(/KB .*KB .*% .*% +[ab]$/)
    expect(qcn).toMatch(/^qcn +- +- +- +[+-]\S+ % +[ab]$/)
    expect(theoryNotes(entries, theory)).toEqual([
      'pacc: fluid of 2 flows at switch->h0',
      'qcn: no fluid: there is no fluid model of qcn.',
    ])
  })

  it('is in JSON with its lines, and not there unless asked for', () => {
    const { runs } = JSON.parse(comparisonJson(comparison)) as {
      readonly runs: readonly { readonly theory: Record<string, unknown> }[]
    }
    const { fluid, maxMin, queueFluid } = runs[0]!.theory as {
      readonly fluid: { readonly queueBytes: number[]; readonly model: string }
      readonly maxMin: readonly { readonly atPs: number[] }[]
      readonly queueFluid: number
    }
    expect(fluid.model).toBe('pacc')
    expect(fluid.queueBytes).toHaveLength(100)
    expect(maxMin[0]!.atPs).toEqual([0, 100e6, 1e9])
    expect(queueFluid).toBeGreaterThan(0)
    const { theory: _, ...plain } = comparison
    expect(comparisonJson(plain)).not.toContain('maxMin"')
  })

  it('lies over the curves of the report', () => {
    const html = reportHtml(comparison, './weir compare two --with-theory', '')
    expect(html).toContain('Queue and fluid under pacc')
    expect(html).not.toContain('Queue and fluid under qcn')
    expect(html).toContain('Rates and max-min under qcn')
    // As dots, which nothing else is.
    const dotted =
      /stroke-linecap="round"[^>]*stroke-dasharray="0 5"|stroke-dasharray="0 5"[^>]*round/g
    expect(html.match(dotted)!.length).toBeGreaterThanOrEqual(5)
    expect(html).not.toContain('stroke-dasharray="5 3"')
    const { theory: _, ...plain } = comparison
    expect(reportHtml(plain, '', '')).not.toContain('Theory beside packets')
  })
})
