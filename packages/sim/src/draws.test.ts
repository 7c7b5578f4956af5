import { describe, expect, it } from 'vitest'
import { drawsOf } from './draws.ts'
import { simulate } from './run.ts'
import { specOf } from './testing/specs.ts'

const spec = specOf({
  topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 },
  routing: 'packet-spray',
  workload: [{ generate: { arrivals: { kind: 'poisson', load: 0.5 }, sizes: '20KB' } }],
  run: { until: '200us' },
})

describe('draws', () => {
  it('begin with the spec as it is', () => {
    expect(drawsOf(spec, 'seeds', 1)).toEqual([spec])
    expect(drawsOf(spec, 'repeats', 3)[0]).toEqual(spec)
  })

  it('of seeds have other flows each', () => {
    const starts = drawsOf(spec, 'seeds', 3).map((one) => String(simulate(one).flows.startPs))
    expect(new Set(starts).size).toBe(3)
  })

  it('repeated have the same flows, and other chance', () => {
    const results = drawsOf(spec, 'repeats', 3).map(simulate)
    expect(new Set(results.map(({ flows }) => String(flows.startPs))).size).toBe(1)
    expect(new Set(results.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })

  it('stay within what a seed can be', () => {
    const last = { ...spec, seed: 2 ** 31 - 1, chanceSeed: 2 ** 31 - 1 }
    expect(drawsOf(last, 'seeds', 2).map(({ seed }) => seed)).toEqual([2 ** 31 - 1, 0])
  })
})
