import { describe, expect, it } from 'vitest'
import { comparisonJson, comparisonText, verdict } from './comparison.ts'
import { bestOf, measures } from './measures.ts'
import { madeResult, madeSummary } from './testing/made-result.ts'

const results = [
  madeResult({ scheme: 'hpcc', badness: 1 }),
  madeResult({ scheme: 'dcqcn', badness: 2, warnings: ['PFC fired before ECN'] }),
  madeResult({ scheme: 'dctcp', badness: 3, warnings: ['PFC fired before ECN'] }),
]
const skipped = [{ scheme: 'ib-cc', why: 'unfit', reason: 'it needs credits.' }] as const
const comparison = { scenario: 'incast', seed: 1, results, skipped }

describe('comparison', () => {
  it('marks the best value of each measure, and none that all share', () => {
    const marked: string[] = []
    const best = (text: string): string => (marked.push(text.trim()), text)
    comparisonText(comparison, { best, dim: (text) => text })
    expect(marked).toContain('24 Gbps')
    expect(marked).toContain('250 KB')
    expect(marked).not.toContain('4/4')
  })

  it('does not call best what reads the same as the others', () => {
    const queue = measures.find(({ key }) => key === 'queueBytesMax')!
    const nearly = { ...madeSummary(4, 1), queueBytesMax: 250_001 }
    expect(bestOf(queue, [madeSummary(4, 1), nearly]).size).toBe(0)
  })

  it('ignores what has no value', () => {
    const jain = measures.find(({ key }) => key === 'jain')!
    const none = { ...madeSummary(4, 1), jain: NaN }
    expect([...bestOf(jain, [none, madeSummary(4, 2), madeSummary(4, 1)])]).toEqual([2])
  })

  it('says why a scheme was skipped, and a shared warning once', () => {
    const text = comparisonText(comparison)
    expect(text).toContain('ib-cc  skipped: it needs credits.')
    expect(text.match(/PFC fired/g)).toHaveLength(1)
    expect(text).toContain('warning: dcqcn, dctcp: PFC fired before ECN')
  })

  it('prints the agreed JSON', () => {
    const parsed = JSON.parse(comparisonJson(comparison)) as Record<string, unknown>
    expect(Object.keys(parsed)).toEqual(['scenario', 'seed', 'runs', 'skipped'])
    const [first] = parsed['runs'] as Record<string, unknown>[]
    expect(Object.keys(first!)).toEqual(['scheme', 'fingerprint', 'summary', 'warnings'])
  })

  it('shows how much of a difference is noise, beside each scheme, only if asked', () => {
    const noise = [
      { flows: 4, p50: 0.00123, p99: 0.0456 },
      undefined,
      { flows: 0, p50: NaN, p99: NaN },
    ]
    const text = comparisonText({ ...comparison, noise })
    expect(text).toMatch(/noise p50 +noise p99/)
    expect(text).toMatch(/^hpcc .* 0\.123 % +4\.56 % /m)
    expect(text).toMatch(/^dcqcn .* - +- /m)
    expect(comparisonText(comparison)).not.toContain('noise')
    const { runs } = JSON.parse(comparisonJson({ ...comparison, noise })) as {
      runs: { noise?: unknown }[]
    }
    expect(runs.map((one) => one.noise)).toEqual([
      noise[0],
      null,
      { flows: 0, p50: null, p99: null },
    ])
  })

  it('names who did best', () => {
    expect(verdict(results)).toContain('highest goodput: hpcc (24 Gbps)')
    expect(verdict([results[0]!])).toBe('')
  })
})
