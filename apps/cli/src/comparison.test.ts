import { describe, expect, it } from 'vitest'
import type { Group, Result, Summary } from '@weir/sim'
import { comparisonJson, comparisonText, comparisonWarnings } from './comparison.ts'
import { drawnWarnings, partsText } from './comparison.ts'
import type { Comparison, Entry } from './comparison.ts'
import { partsCsv, portsCsv } from './csv.ts'
import { bestOf, measures } from './measures.ts'
import { portsText } from './ports-text.ts'
import { entriesOf, madeResult, madeSummary } from './testing/made-result.ts'
import { verdict } from './verdict.ts'

const results = [
  madeResult({ scheme: 'hpcc', badness: 1 }),
  madeResult({ scheme: 'dcqcn', badness: 2, warnings: ['PFC fired before ECN'] }),
  madeResult({ scheme: 'dctcp', badness: 3, warnings: ['PFC fired before ECN'] }),
]
const skipped = [{ scheme: 'ib-cc', why: 'unfit', reason: 'it needs credits.' }] as const
const entries = entriesOf(results)
const draws = { kind: 'seeds', count: 1 } as const
const comparison: Comparison = { scenario: 'incast', seed: 1, draws, entries, skipped }

/** The same entry with one value in each draw. */
function drawn(label: string, key: keyof Summary, ...values: number[]): Entry {
  const results = values.map((value) => {
    const result = madeResult()
    return { ...result, summary: { ...result.summary, [key]: value } }
  })
  return { label, results }
}

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
    expect(bestOf(queue, [[madeSummary(4, 1)], [nearly]]).size).toBe(0)
  })

  it('ignores what has no value', () => {
    const jain = measures.find(({ key }) => key === 'jain')!
    const none = { ...madeSummary(4, 1), jain: NaN }
    expect([...bestOf(jain, [[none], [madeSummary(4, 2)], [madeSummary(4, 1)]])]).toEqual([2])
  })

  it('says why a scheme was skipped, and a shared warning once', () => {
    const text = comparisonText(comparison) + comparisonWarnings(comparison)
    expect(text).toContain('ib-cc  skipped: it needs credits.')
    expect(text.match(/PFC fired/g)).toHaveLength(1)
    expect(text).toContain('warning: dcqcn, dctcp: PFC fired before ECN')
  })

  it('prints the agreed JSON', () => {
    const parsed = JSON.parse(comparisonJson(comparison)) as Record<string, unknown>
    expect(Object.keys(parsed)).toEqual(['scenario', 'seed', 'runs', 'skipped'])
    const [first] = parsed['runs'] as Record<string, unknown>[]
    const keys = ['scheme', 'fingerprint', 'ended', 'summary', 'ports', 'warnings']
    expect(Object.keys(first!)).toEqual(keys)
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
    expect(verdict(entries)).toContain('highest goodput: hpcc (24 Gbps)')
    expect(verdict([entries[0]!])).toEqual([])
  })

  it('names who was fairest to flows without end, where max-min rates are known', () => {
    const one = (scheme: string, jain: number, maxMinError: number): Result => {
      const made = madeResult({ scheme })
      return { ...made, summary: { ...made.summary, jain, maxMinError } }
    }
    const told = verdict(entriesOf([one('greedy', 0.89, 0.5), one('fair', 1, 0.01)]))
    expect(told).toContain('fairest to flows without end: fair (1.000)')
    const plain = verdict(entriesOf([one('greedy', 0.89, NaN), one('fair', 1, NaN)]))
    expect(plain.join()).not.toContain('fairest')
  })

  it('does not crown a scheme whose flows had not ended', () => {
    const cut = madeResult({ scheme: 'starved' })
    const summary = { ...cut.summary, slowdownP99: 3, atLeast: ['slowdownP99' as const] }
    const open = [...entries, ...entriesOf([{ ...cut, summary }])]
    expect(comparisonText({ ...comparison, entries: open })).toContain('>= 3.00')
    expect(verdict(open)[0]).toMatch(
      /^lowest p99 slowdown: cannot be told .*lowest bound is that of starved \(>= 3\.00\)/,
    )
    // One whose bound is above the best does not matter.
    const late = { ...summary, slowdownP99: 9 }
    const told = [...entries, ...entriesOf([{ ...cut, summary: late }])]
    expect(verdict(told)[0]).toBe('lowest p99 slowdown: hpcc (4.00)')
  })

  it('shows means with intervals, and calls no difference what is within them', () => {
    const a = drawn('a', 'slowdownP99', 4, 5, 6)
    const b = drawn('b', 'slowdownP99', 4.9, 5.2, 5.2)
    const c = drawn('c', 'slowdownP99', 8, 9.1, 10)
    const three = { ...comparison, draws: { kind: 'seeds', count: 3 } as const }
    // Of 4, 5 and 6 the interval is 4.303 / sqrt(3).
    expect(comparisonText({ ...three, entries: [a, b, c] })).toContain('5.00 ±2.48')
    const [first] = verdict([a, b, c])
    expect(first).toBe('lowest p99 slowdown: a (5.00 ±2.48); not told apart by these draws: b')
    expect(verdict([a, b])[0]).toBe('lowest p99 slowdown: no difference beyond chance')
    const { runs } = JSON.parse(comparisonJson({ ...three, entries: [a] })) as {
      runs: { intervals: Record<string, { mean: number; half: number }>; drawn: unknown[] }[]
    }
    expect(runs[0]!.intervals['slowdownP99']!.half).toBeCloseTo(2.484, 3)
    expect(runs[0]!.drawn).toHaveLength(3)
  })

  it('says once what several draws warn of with other numbers', () => {
    const warned = (left: number): Result =>
      madeResult({ warnings: [`${left} flows had not ended when the time was over`, 'the same'] })
    expect(drawnWarnings([warned(5), warned(7), warned(5), warned(9)])).toEqual([
      '5 flows had not ended when the time was over (and likewise in 2 more draws)',
      'the same',
    ])
  })

  it('says how few flows a tail rests on', () => {
    expect(verdict(entries).join()).toContain('flows beyond p99, over all draws: 0. With fewer')
    const { summary } = results[0]!
    const buckets = summary.buckets.map((bucket) => ({ ...bucket, flows: 250 }))
    const many = entriesOf(results.map((one) => ({ ...one, summary: { ...one.summary, buckets } })))
    expect(verdict(many).join()).not.toContain('beyond p99')
  })

  it('compares draw by draw: what a seed does to both is no difference', () => {
    const seeds = [10, 20, 40]
    const a = drawn('a', 'slowdownP99', ...seeds)
    const b = drawn('b', 'slowdownP99', ...seeds.map((value) => value * 1.1))
    expect(verdict([a, b])[0]).toMatch(/^lowest p99 slowdown: a \(/)
  })

  it('tells the items of a workload apart, and names the best for each', () => {
    const group = (name: string, p99: number): Group => {
      const { flowsEnded, fctPsMean, fctPsP50, fctPsP99, slowdownMean, slowdownP999, atLeast } =
        madeSummary(4, 1)
      const stats = {
        flowsEnded,
        fctPsMean,
        fctPsP50,
        fctPsP99,
        slowdownMean,
        slowdownP999,
        atLeast,
      }
      const slow = { slowdownP50: p99 / 2, slowdownP99: p99 }
      return { name, flows: 4, ...stats, ...slow, flowsUnsized: 0, goodputBps: 1e9 }
    }
    const made = (scheme: string, incast: number, background: number): Result => {
      const result = madeResult({ scheme })
      const items = [group('background', background), group('incast', incast)]
      return { ...result, summary: { ...result.summary, items } }
    }
    const both = entriesOf([made('hpcc', 3, 9), made('dcqcn', 8, 2)])
    const text = partsText(both)
    expect(text).toMatch(/background p50 +background p99 +incast p50 +incast p99/)
    expect(text).toMatch(/^hpcc +4\.50 +9\.00 +1\.50 +3\.00$/m)
    expect(verdict(both).slice(0, 2)).toEqual([
      'lowest p99 slowdown of background: dcqcn (2.00)',
      'lowest p99 slowdown of incast: hpcc (3.00)',
    ])
    const csv = partsCsv(both).split('\n')
    expect(csv[0]).toMatch(/^scheme,seed,by,name,flows,flowsEnded,/)
    expect(csv.filter((line) => line.startsWith('hpcc,1,item,incast,'))).toHaveLength(1)
  })

  it('says what a scheme costs, where nodes talk to each other or packets overtake', () => {
    expect(partsText(entries)).not.toContain('What it costs')
    const made = (scheme: string, agentBytes: number, waited: readonly number[]): Result => {
      const result = madeResult({ scheme })
      const counters = { ...result.counters, controlBytes: 200, agentBytes, allBytes: 1000 }
      return { ...result, counters, flows: { ...result.flows, reorderPackets: waited } }
    }
    const text = partsText(entriesOf([made('r2c2', 50, [0, 3, 7]), made('hpcc', 0, [0, 0, 0])]))
    expect(text).toMatch(/not payload +node to node +reorder p95 +reorder max/)
    expect(text).toMatch(/^r2c2 +20(\.0+)? ?% +5(\.0+)? ?% +7 +7$/m)
    expect(text).toMatch(/^hpcc +20(\.0+)? ?% +0(\.0+)? ?% +0 +0$/m)
    const draws = [7, 8, 8].map((most) => made('r2c2', 50, [0, 3, most]))
    const several = partsText([{ label: 'r2c2', results: draws }])
    expect(several).toMatch(/^r2c2 .* 7\.67 ±1\.43 +7\.67 ±1\.43$/m)
  })

  it('says which ports waited, and for whose queue; hosts hold no queue of the fabric', () => {
    const text = partsText(entries)
    expect(text).toMatch(/^hpcc +s0->h0 \(250 KB\) +none$/m)
    expect(text).toMatch(/^dcqcn +s0->h0 \(500 KB\) +1 of 2 +h1->s0 +3 us +s0 +s0->h0$/m)
    expect(portsCsv(entries)).toContain('dcqcn,1,h1->s0,host,')
    expect(portsCsv(entries)).toContain('s0->h0 1.0000')
    expect(portsText(results[1]!)).toMatch(/^h1->s0 .* 3 us +s0->h0$/m)
  })

  it('leaves out that a series of one scheme is not there under the others', () => {
    const text = "metrics.series: nothing is called 'dcqcn.rate.*'; there are"
    const without = (scheme: string): Result => madeResult({ scheme, warnings: [text] })
    const said = (...made: Result[]): string =>
      comparisonWarnings({ ...comparison, entries: entriesOf(made) })
    expect(said(without('hpcc'), madeResult())).toBe('')
    expect(said(without('hpcc'), without('timely'))).toContain(`hpcc, timely: ${text}`)
  })

  it('says that a setting had no effect where two rows took the same course', () => {
    const twins = [
      { label: 'dcqcn:paper', results: [results[1]!] },
      { label: 'dcqcn:g=1/16', results: [results[1]!] },
    ]
    expect(comparisonWarnings({ ...comparison, entries: twins })).toContain(
      'dcqcn:paper and dcqcn:g=1/16 took the same course, packet by packet',
    )
    const repeats = { kind: 'repeats', count: 2 } as const
    const same = [{ label: 'a', results: [results[0]!, results[0]!] }]
    expect(comparisonWarnings({ ...comparison, entries: same, draws: repeats })).toContain(
      'a: every repeat was the same',
    )
  })
})
