import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { validateSpec } from './spec/index.ts'
import type { Result } from './result.ts'

function run(scheme: unknown): Result {
  const flows = ['h1', 'h2', 'h3'].map((from) => ({ name: from, from, to: 'h0' }))
  return simulate(
    validateSpec({
      topology: { kind: 'star', hosts: 5, rate: '25Gbps', delay: '1us' },
      workload: [{ flows: [...flows, { name: 'alone', from: 'h0', to: 'h4', size: '1MB' }] }],
      scheme,
      run: { until: '1ms' },
    }),
  )
}

describe('notifications in the table of flows', () => {
  it.each([
    ['CNPs of a switch', { name: 'pacc' }],
    ['CNPs of a receiver', { name: 'dcqcn' }],
    ['fair rates', { name: 'rocc' }],
  ])('are what each sender heard: %s', (_what, scheme) => {
    const { flows, counters } = run(scheme)
    const [h1, h2, h3] = ['h1', 'h2', 'h3'].map((name) => {
      return flows.notifications[flows.name.indexOf(name)]!
    })
    for (const count of [h1, h2, h3]) expect(count).toBeGreaterThan(0)
    expect(flows.notifications[flows.name.indexOf('alone')]).toBe(0)
    // Some may be on their way when the run ends.
    const heard = h1! + h2! + h3!
    expect(heard).toBeLessThanOrEqual(counters.notifications)
    expect(heard).toBeGreaterThan(counters.notifications - 10)
  })

  it('are none where marks come back in ACKs', () => {
    const { flows, counters } = run({ name: 'dcqcn', preset: 'firmware' })
    expect(counters.packetsMarked).toBeGreaterThan(0)
    expect(flows.notifications).toEqual([0, 0, 0, 0])
  })
})
