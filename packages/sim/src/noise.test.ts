import { buildGraph } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { noiseOf, perturbed } from './noise.ts'
import type { Noise } from './noise.ts'
import { simulate } from './run.ts'
import { incastOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

/** Random flows, sprayed packet by packet: chance decides the paths and nothing else. */
const sprayed = (more: Tree): Tree => ({
  topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 4, fabricRate: '25Gbps' },
  routing: 'packet-spray',
  hosts: { reliability: 'selective-repeat' },
  workload: [
    { generate: { arrivals: { kind: 'poisson', load: 0.5 }, sizes: '50KB', pattern: 'uniform' } },
  ],
  run: { until: '500us' },
  ...more,
})

const TOPOLOGIES: readonly Tree[] = [
  { kind: 'star', hosts: 3 },
  { kind: 'dumbbell', left: 2, right: 2 },
  { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 2 },
  { kind: 'fat-tree', k: 4 },
  { kind: 'three-tier' },
  { kind: 'torus', dimensions: [3, 3] },
  { kind: 'mesh', dimensions: [2, 2] },
  { kind: 'two-blade' },
  { kind: 'folded-clos', hosts: 8, radix: 4 },
  { kind: 'graph', hosts: ['h0', 'h1'], switches: ['s'], links: ['h0 s', 'h1 s'] },
]

describe('a perturbed run', () => {
  it.each(TOPOLOGIES)('has one nanosecond more on every link of a $kind', (topology) => {
    const workload = [{ generate: { arrivals: 'once', sizes: '1KB', pattern: 'permutation' } }]
    const spec = specOf({ topology, workload })
    const before = buildGraph(spec.topology)
    const links = before.links.map((link) => ({ ...link, delayPs: link.delayPs + 1000 }))
    expect(buildGraph(perturbed(spec).topology)).toEqual({ ...before, links })
  })

  it('has the same flows, and other chance', () => {
    const run = simulate(specOf(sprayed({})))
    const again = simulate(specOf(sprayed({ chanceSeed: 2 })))
    const { name, source, target, startPs, sizeBytes } = run.flows
    expect(again.flows).toMatchObject({ name, source, target, startPs, sizeBytes })
    expect(again.flows.fctPs).not.toEqual(run.flows.fctPs)
    // Another seed is another workload; and chance follows it unless it has its own.
    expect(simulate(specOf(sprayed({ seed: 2 }))).flows.startPs).not.toEqual(startPs)
    expect(specOf(sprayed({ seed: 7 })).chanceSeed).toBe(7)
    const spec = specOf(sprayed({}))
    expect(perturbed(spec)).toMatchObject({ seed: spec.seed, chanceSeed: spec.chanceSeed + 1 })
  })
})

describe('chance of a scheme', () => {
  it('follows chanceSeed: the clocks of ACCurate differ by it', () => {
    const clocks = { name: 'accurate', params: { clockSkew: '5us' } }
    const run = (chanceSeed: number): readonly number[] =>
      simulate(specOf({ ...incastOf(4, '1MB'), scheme: clocks, chanceSeed })).flows.fctPs
    expect(run(1)).toEqual(run(1))
    expect(run(2)).not.toEqual(run(1))
  })
})

describe('noise', () => {
  it('of a lone flow without chance is the nanosecond of each link, there and back', () => {
    const spec = specOf(incastOf(1, '10KB'))
    const run = simulate(spec)
    const moved = 4000 / run.flows.fctPs[0]!
    expect(noiseOf(run, simulate(perturbed(spec)))).toEqual({ flows: 1, p50: moved, p99: moved })
    expect(noiseOf(run, run)).toEqual({ flows: 1, p50: 0, p99: 0 })
  })

  it('is told flow by flow, by name, of those that ended in both runs', () => {
    const run = simulate(specOf(incastOf(4, '10KB')))
    const table = (fctPs: number[], order: number[]): typeof run => ({
      ...run,
      flows: { ...run.flows, name: order.map((i) => `f${i}`), fctPs },
    })
    const first = table([100, 100, 200, NaN], [0, 1, 2, 3])
    const second = table([150, 90, 99, 400], [2, 0, 1, 3])
    // 10%, 1% and 25%; f3 did not end.
    expect(noiseOf(first, second)).toEqual({ flows: 3, p50: 0.1, p99: 0.25 })
    expect(noiseOf(table([], []), second)).toEqual({ flows: 0, p50: NaN, p99: NaN })
  })

  it('is not of flows that are stopped, which end when the scenario says', () => {
    const of = (...ends: Tree[]): Noise => {
      const flows = ends.map((end, i) => ({ from: `h${i + 1}`, to: 'h0', ...end }))
      const run = simulate(specOf({ topology: { kind: 'star', hosts: 3 }, workload: [{ flows }] }))
      expect(run.flows.fctPs.every(Number.isFinite)).toBe(true)
      return noiseOf(run, run)
    }
    expect(of({ size: '100KB' }, { stop: '200us' })).toEqual({ flows: 1, p50: 0, p99: 0 })
    expect(of({ stop: '200us' })).toEqual({ flows: 0, p50: NaN, p99: NaN })
  })

  it('of sprayed packets is what chance makes of it, far above the nanoseconds', () => {
    const spec = specOf(sprayed({}))
    const run = simulate(spec)
    const noise = noiseOf(run, simulate(perturbed(spec)))
    // Eight links there and back.
    const nanoseconds = 8000 / Math.min(...run.flows.idealFctPs)
    expect(noise.flows).toBeGreaterThan(30)
    expect(noise.p50).toBeGreaterThan(5 * nanoseconds)
    expect(noise.p99).toBeGreaterThan(noise.p50)
  })
})
