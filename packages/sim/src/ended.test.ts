import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { validateSpec } from './spec/index.ts'
import type { Result } from './result.ts'

/** Flows of 20 KB to one host of a star, at a load of all hosts together. */
function hotSpot(load: number, until: string): Result {
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
          },
        },
      ],
      scheme: 'none',
      run: { until },
    }),
  )
}

describe('the end of a run', () => {
  it('is saturation where more is offered than is carried, and most flows are late', () => {
    const { ended } = hotSpot(0.4, '10ms')
    expect(ended).toMatchObject({ why: 'time', saturated: true })
  })

  it('is only a matter of time where the last flows are young', () => {
    const { ended, flows } = hotSpot(0.05, '10ms')
    if (ended.why === 'time') expect(ended.saturated).toBe(false)
    expect(flows.unfinished.filter((why) => why !== '').length).toBeLessThan(5)
  })

  it('names every flow that did not end, and why', () => {
    const { flows, summary } = hotSpot(0.4, '10ms')
    const unfinished = flows.unfinished.filter((why) => why !== '')
    expect(unfinished.length).toBe(summary.flows - summary.flowsEnded)
    for (const why of unfinished) expect(why).toMatch(/^\d+ of 20000 bytes delivered; /)
  })
})
