import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { createRun, simulate } from './run.ts'
import { specOf } from './testing/specs.ts'

const STAR = { kind: 'star', hosts: 5, rate: '10Gbps', delay: '1us' }

/** Flows of 300 KB that only `until` stops, on four hosts that send to one another. */
function open(run: object, more: object = {}): Result {
  const sizes = '300KB'
  const workload = [{ generate: { arrivals: { kind: 'poisson', load: 0.5 }, sizes } }]
  return simulate(specOf({ topology: STAR, workload, run, ...more }))
}

/** A run stops at the first multiple of the shortest link delay, 1 us, after the last end. */
function afterLast(endPs: readonly number[]): number {
  const last = Math.max(...endPs.filter((ps) => !Number.isNaN(ps)))
  return (Math.floor(last / 1e6) + 1) * 1e6
}

describe('the drain', () => {
  it('lets flows end that had begun, and nothing arrives in it', () => {
    const cut = open({ until: '2ms', drain: 'none' })
    const drained = open({ until: '2ms' })
    expect(cut.summary.flowsUnfinished).toBeGreaterThan(2)
    expect(cut.ended.why).toBe('time')
    expect(drained.summary.flowsUnfinished).toBe(0)
    expect(drained.ended).toEqual({ why: 'completed' })
    expect(drained.flows.startPs).toEqual(cut.flows.startPs)
    expect(drained.simulatedPs).toBe(afterLast(drained.flows.endPs))
    expect(drained.drained).toEqual({
      flows: cut.summary.flowsUnfinished,
      unfinished: 0,
      ps: drained.simulatedPs - 2e9,
    })
    expect(cut.drained).toBeUndefined()
  })

  it('changes nothing that happened before it', () => {
    const cut = open({ until: '2ms', drain: 'none' })
    const drained = open({ until: '2ms' })
    cut.flows.endPs.forEach((endPs, row) => {
      if (!Number.isNaN(endPs)) expect(drained.flows.endPs[row]).toBe(endPs)
    })
    // A cut run counts up to its last event, a drained one up to `until`.
    expect(drained.summary.goodputBps / cut.summary.goodputBps).toBeCloseTo(1, 4)
  })

  it('shows what a cut only bounds from below', () => {
    const cut = open({ until: '2ms', drain: 'none' }).summary
    const drained = open({ until: '2ms' }).summary
    expect(cut.atLeast).toContain('slowdownMean')
    expect(cut.slowdownMean).toBeLessThan(drained.slowdownMean)
    expect(cut.slowdownP99).toBeLessThanOrEqual(drained.slowdownP99)
    expect(drained.atLeast).toEqual([])
  })

  it('ends by its bound, and says so and what was left', () => {
    const { drained, ended, simulatedPs, summary, warnings } = open({ until: '2ms', drain: '50us' })
    expect(simulatedPs).toBe(2.05e9)
    expect(summary.flowsUnfinished).toBeGreaterThan(0)
    expect(drained).toMatchObject({ unfinished: summary.flowsUnfinished, ps: 5e7 })
    const sentence = `${summary.flowsUnfinished} flows had still not ended after 50us of drain`
    expect(ended).toMatchObject({ why: 'time', sentence })
    expect(warnings).toContain(sentence)
  })

  it('is no part of series, nor of the queues that are sampled', () => {
    const metrics = { interval: '10us', series: ['queue.*', 'rate.*'] }
    const cut = open({ until: '2ms', drain: 'none' }, { metrics })
    const drained = open({ until: '2ms' }, { metrics })
    expect(drained.series).toEqual(cut.series)
    expect(drained.summary.queueBytesP99).toBe(cut.summary.queueBytesP99)
  })

  it('is there only where generators have no end of their own', () => {
    const drainPs = (workload: object): number =>
      specOf({ topology: STAR, workload: [workload], run: { until: '2ms' } }).run.drainPs
    const generate = { arrivals: { kind: 'poisson', load: 0.5 }, sizes: '1MB' }
    expect(drainPs({ generate })).toBe(50 * 2e9)
    expect(drainPs({ generate: { ...generate, stop: '2ms' } })).toBe(50 * 2e9)
    expect(drainPs({ generate: { ...generate, stop: '1ms' } })).toBe(0)
    expect(drainPs({ generate: { ...generate, flowsMax: 10 } })).toBe(0)
    expect(drainPs({ generate: { ...generate, arrivals: 'once' } })).toBe(0)
    expect(drainPs({ flows: [{ from: 'h0', to: 'h1', size: '1MB' }] })).toBe(0)
  })

  it('goes on beside flows without end, and ends with the last that has one', () => {
    const generate = { arrivals: { kind: 'poisson', load: 0.3 }, sizes: '300KB' }
    const workload = [{ generate }, { flows: [{ name: 'long', from: 'h0', to: 'h1' }] }]
    const { ended, flows, simulatedPs, summary } = simulate(
      specOf({ topology: STAR, workload, run: { until: '2ms' } }),
    )
    expect(ended).toEqual({ why: 'completed' })
    expect(summary.flowsUnfinished).toBe(0)
    expect(simulatedPs).toBe(afterLast(flows.endPs))
    expect(simulatedPs).toBeGreaterThan(2e9)
  })

  it('is the same in steps, and a stop at `until` is not its beginning', () => {
    const workload = [{ generate: { arrivals: { kind: 'poisson', load: 0.5 }, sizes: '300KB' } }]
    const spec = specOf({ topology: STAR, workload, run: { until: '2ms' } })
    const run = createRun(spec)
    expect(run.step(2e9)).toBe(true)
    expect(run.drain).toBeUndefined()
    for (let ps = 2e9; run.step(ps); ps += 1.7e7) continue
    expect(run.result()).toEqual(simulate(spec))
  })

  it('says that more was offered than carried, though all was carried in the end', () => {
    const pattern = { kind: 'hot-spot', host: 'h0', fraction: 1 }
    const generate = { arrivals: { kind: 'poisson', load: 0.6 }, sizes: '20KB', pattern }
    const spec = specOf({ topology: STAR, workload: [{ generate }], run: { until: '5ms' } })
    const { ended, warnings } = simulate(spec)
    expect(ended.why).toBe('completed')
    expect(warnings.join()).toMatch(
      /when arrivals stopped, \d+ flows had not ended and the backlog/,
    )
  })
})
