import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { specOf } from './testing/specs.ts'

describe('groups of flows', () => {
  const { flows, summary } = simulate(
    specOf({
      topology: { kind: 'star', hosts: 6, rate: '10Gbps', delay: '1us' },
      workload: [
        { generate: { name: 'quick', arrivals: 'once', sizes: '2KB', hosts: 'h4..h5', class: 5 } },
        { flows: [{ name: 'long', from: 'h3', to: 'h2' }] },
        {
          generate: {
            name: 'incast',
            arrivals: 'once',
            sizes: '100KB',
            pattern: { kind: 'incast', senders: 3 },
          },
        },
        { flows: [{ name: 'one', from: 'h4', to: 'h5', size: '1MB', start: '500us' }] },
      ],
      run: { until: '2ms' },
    }),
  )

  it('are the items of the workload, in their order, each with its own flows', () => {
    expect(summary.items.map(({ name }) => name)).toEqual(['quick', 'flows', 'incast', 'flows-2'])
    const [, long, incast, one] = summary.items
    expect(long).toMatchObject({ flows: 0, flowsUnsized: 1, slowdownP99: NaN })
    expect(incast).toMatchObject({ flows: 3, flowsEnded: 3, flowsUnsized: 0 })
    expect(one).toMatchObject({ flows: 1, flowsEnded: 1 })
    // Three share a line; one is alone.
    expect(incast!.slowdownP99).toBeGreaterThan(2.5)
    expect(one!.slowdownP99).toBeLessThan(1.1)
  })

  it('are the classes too', () => {
    expect(summary.classes.map(({ name }) => name)).toEqual(['class 3', 'class 5'])
    const count = (c: number): number => flows.class.filter((one) => one === c).length
    expect(summary.classes[0]).toMatchObject({ flows: count(3) - 1, flowsUnsized: 1 })
    expect(summary.classes[1]).toMatchObject({ flows: count(5) })
  })

  it('share out the goodput, and leave none of it over', () => {
    const sum = (of: readonly { goodputBps: number }[]): number =>
      of.reduce((total, { goodputBps }) => total + goodputBps, 0)
    expect(sum(summary.items)).toBeCloseTo(summary.goodputBps, -3)
    expect(sum(summary.classes)).toBeCloseTo(summary.goodputBps, -3)
  })
})
