/**
 * Exact max-min rates of flows whose packets take many ways: what a summary holds them against is
 * reckoned with the part of each flow that each link carries.
 */
import { none } from '@weir/schemes'
import { describe, expect, it } from 'vitest'
import { longFlowsOf } from './long-flows.ts'
import type { Result } from './result.ts'
import { createRun, simulate } from './run.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { validateSpec } from './spec/validate.ts'
import { simulateTogether } from './testing/together.ts'

const RING = 8
const TORNADO = Array.from({ length: RING }, (_, i) => ({
  name: `f${i}`,
  from: `h${i}`,
  to: `h${(i + 3) % RING}`,
}))

/** Everybody sends three hops on; payload is 20/21 of what links carry. */
function ring(routing: unknown, more: object = {}): ValidSpec {
  return validateSpec({
    topology: {
      kind: 'torus',
      dimensions: [RING],
      rate: '2Gbps',
      delay: '100ns',
      injectionRate: '8Gbps',
    },
    fabric: { flowControl: 'none', ecn: 'none', buffer: { size: '4MB', threshold: '1MB' } },
    hosts: { mtu: '1000B', header: '50B', ack: 'none', reliability: 'none' },
    routing,
    workload: [{ flows: TORNADO }],
    scheme: { name: 'r2c2', params: { rho: '50us', headroom: 0, digests: false, start: 'link' } },
    run: { until: '1ms' },
    metrics: { interval: '50us' },
    ...more,
  })
}

/** The max-min rate of each flow as a fraction of a link's payload. */
function targets(spec: ValidSpec): number[] {
  const run = createRun(spec)
  while (run.advance(1e6)) continue
  const { targetsBps } = longFlowsOf(run)!
  return targetsBps.map((bps) => Number((bps / ((2e9 * 20) / 21)).toFixed(9)))
}

const all = (rate: number): number[] => Array(RING).fill(Number(rate.toFixed(9))) as number[]

describe('max-min rates of flows that go many ways', () => {
  it('are those of the ring: a third by shortest ways, half by VLB, 8/15 by WLB', () => {
    expect(targets(ring('packet-spray'))).toEqual(all(1 / 3))
    expect(targets(ring('vlb'))).toEqual(all(1 / 2))
    expect(targets(ring('wlb'))).toEqual(all(8 / 15))
  })

  it('are what r2c2 delivers, and the summary says so', () => {
    const { summary } = simulate(ring('vlb'))
    // By one path per flow, as it was reckoned once, they would be a third, and this 0.5.
    expect(summary.maxMinError).toBeLessThan(0.05)
  })

  it('follow what the scheme has chosen, in however many threads', () => {
    const adaptive = { rho: '50us', headroom: 0, routes: 'adaptive', routePeriod: '200us' }
    const spec = ring(
      { kind: 'choice', of: ['packet-spray', 'vlb'] },
      { scheme: { name: 'r2c2', params: { ...adaptive, start: 'link' } }, run: { until: '2ms' } },
    )
    expect(targets(spec)).toEqual(all(1 / 2))
    const text = (result: Result): string => JSON.stringify(result)
    expect(text(simulateTogether(spec, 2)) === text(simulate(spec))).toBe(true)
  })

  it('go round links that are down, from when that was found', () => {
    const changes = [{ between: ['n0', 'n1'], at: '300us', state: 'down' }]
    const flows = ['h1', 'h7'].map((to, i) => ({ name: `f${i}`, from: 'h0', to }))
    const more = { workload: [{ flows }] }
    const spec = ring('packet-spray', { ...more, links: { detection: '100us', changes } })
    expect(targets(ring('packet-spray', more))).toEqual([1, 1])
    // Both leave by n7 now.
    expect(targets(spec)).toEqual([0.5, 0.5])
    const run = createRun(spec)
    while (run.advance(1e6)) continue
    expect(longFlowsOf(run)!.fromPs).toBe(400e6)
    expect(run.result().summary.maxMinError).toBeLessThan(0.05)
  })

  it('of paths in turn are those of the paths, each equally often', () => {
    const flows = Array.from({ length: 4 }, (_, i) => ({
      name: `f${i}`,
      from: `leaf0.h${i}`,
      to: `leaf1.h${i % 2}`,
    }))
    const spec = validateSpec({
      topology: {
        ...{ kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 4 },
        ...{ hostRate: '10Gbps', fabricRate: '10Gbps', delay: '100ns' },
      },
      hosts: { mtu: '1000B', header: '50B' },
      routing: 'paths-in-turn',
      workload: [{ flows }],
      scheme: 'none',
      run: { until: '100us' },
      metrics: { interval: '10us' },
    })
    const run = createRun(spec, none)
    while (run.advance(1e6)) continue
    // Two for each receiver; the two links to spines carry the half of all four each.
    const share = (10e9 * 20) / 21 / 2
    for (const bps of longFlowsOf(run)!.targetsBps) expect(bps / share).toBeCloseTo(1, 9)
  })

  it('are not known of REPS: nothing is said of them, and why', () => {
    const { summary, warnings } = simulate(ring('reps'))
    expect(summary.maxMinError).toBeNaN()
    expect(summary.convergencePs).toBeNaN()
    expect(summary.jain).toBeGreaterThan(0.9)
    expect(warnings.join()).toContain('no max-min rates to compare flows with: which links reps')
  })
})
