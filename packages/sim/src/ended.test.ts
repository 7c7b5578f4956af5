import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { validateSpec } from './spec/index.ts'
import type { Result } from './result.ts'

/** Flows of 20 KB to one host of a star, at a load of all hosts together; and more, if given. */
function hotSpot(load: number, stop: string, more: readonly unknown[] = []): Result {
  return simulate(
    validateSpec({
      name: 'hot-spot',
      topology: { kind: 'star', hosts: 9, rate: '10Gbps', delay: '1us' },
      workload: [
        {
          generate: {
            arrivals: { kind: 'poisson', load },
            sizes: '20KB',
            pattern: { kind: 'hot-spot', host: 'h0', fraction: 1 },
            stop,
          },
        },
        ...more,
      ],
      scheme: 'none',
      run: { until: '10ms', drain: 'none' },
    }),
  )
}

describe('the end of a run', () => {
  it('is saturation where more is offered than is carried, and most flows are late', () => {
    const { ended } = hotSpot(0.4, '10ms')
    expect(ended).toMatchObject({ why: 'time', saturated: true })
  })

  it('is only a matter of time where the last flows are young, though the backlog grows', () => {
    // 1 MB takes 0.84 ms alone and has 0.1 ms; the others have half a millisecond to end.
    const late = { name: 'late', from: 'h1', to: 'h0', start: '9.9ms', size: '1MB' }
    const { ended, flows, summary } = hotSpot(0.05, '9.5ms', [{ flows: [late] }])
    expect(ended).toEqual({
      why: 'time',
      saturated: false,
      sentence: '1 flow had not ended when the time was over',
    })
    expect(summary.flows).toBeGreaterThan(200)
    expect(flows.name.filter((_, i) => flows.unfinished[i] !== '')).toEqual(['late'])
  })

  it('is completion where every flow has ended, and not before the last has', () => {
    const { ended, flows, simulatedPs } = hotSpot(0.05, '9.5ms')
    expect(ended).toEqual({ why: 'completed' })
    expect(flows.unfinished.filter((why) => why !== '')).toEqual([])
    // The first multiple of the shortest link delay, 1 us, after the last end.
    expect(simulatedPs).toBe((Math.floor(Math.max(...flows.endPs) / 1e6) + 1) * 1e6)
  })

  it('names every flow that did not end, and why', () => {
    const { flows, summary } = hotSpot(0.4, '10ms')
    const unfinished = flows.unfinished.filter((why) => why !== '')
    expect(unfinished.length).toBe(summary.flows - summary.flowsEnded)
    for (const why of unfinished) expect(why).toMatch(/^\d+ of 20000 bytes delivered; /)
  })
})
