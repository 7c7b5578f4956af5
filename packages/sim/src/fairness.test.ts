/** What the summary says of fairness: whom it compares, and over which time. */
import { describe, expect, it } from 'vitest'
import { simulate } from './run.ts'
import { graphOf, specOf } from './testing/index.ts'
import type { Tree } from './testing/index.ts'

function jainOf(flows: readonly Tree[], more: Tree = {}): number {
  const spec = specOf({
    topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0', 'h3 s0']),
    fabric: { flowControl: 'none' },
    workload: [{ flows }],
    scheme: 'none',
    run: { until: '1ms' },
    ...more,
  })
  return simulate(spec).summary.jain
}

describe("Jain's index of a run", () => {
  const links = { changes: [{ between: ['h1', 's0'], at: '0us', state: 'down' }] }

  it('counts a flow that got nothing, if it had the time', () => {
    const starved = [
      { from: 'h0', to: 'h2', size: '100KB' },
      { from: 'h1', to: 'h3', size: '100KB' },
    ]
    expect(jainOf(starved)).toBeCloseTo(1, 3)
    expect(jainOf(starved, { links })).toBeCloseTo(0.5, 3)
  })

  it('does not count one that has only begun', () => {
    const late = [
      { from: 'h0', to: 'h2', size: '100KB' },
      { from: 'h2', to: 'h0', size: '100KB' },
      { from: 'h1', to: 'h3', size: '100KB', start: '999us' },
    ]
    expect(jainOf(late, { links })).toBeCloseTo(1, 3)
  })

  it('of flows without end is that of their shares of max-min rates', () => {
    // h1 has the rest of h2's link: 10 and 15 Gb/s are both all that is theirs.
    const flows = [
      { from: 'h0', to: 'h2' },
      { from: 'h1', to: 'h2' },
    ]
    const more = {
      topology: graphOf(['h0 s0 10Gbps', 'h1 s0 25Gbps', 'h2 s0 25Gbps']),
      scheme: 'accurate',
      metrics: { interval: '10us' },
    }
    expect(jainOf(flows, more)).toBeCloseTo(1, 3)
  })

  it('is none of a flow that shares with nobody', () => {
    const alone = [{ from: 'h0', to: 'h2' }]
    expect(jainOf(alone, { metrics: { interval: '10us' } })).toBeNaN()
    expect(jainOf([{ from: 'h0', to: 'h2', size: '100KB' }])).toBeNaN()
  })

  it('of flows without end is that of the later half since the last change', () => {
    // They have h2's link alone for 500 us each, then half of it each.
    const joined = [
      { from: 'h0', to: 'h2' },
      { from: 'h1', to: 'h2', start: '500us' },
    ]
    const more = { fabric: { flowControl: 'pfc' }, metrics: { interval: '10us' } }
    expect(jainOf(joined, more)).toBeCloseTo(1, 2)
  })
})

describe('the time to converge', () => {
  const times = ['2us', '10us', '40us'].map((interval) => {
    const flows = [
      { from: 'h0', to: 'h2' },
      { from: 'h1', to: 'h2', start: '100us' },
    ]
    const spec = specOf({
      topology: graphOf(['h0 s0', 'h1 s0', 'h2 s0']),
      workload: [{ flows }],
      scheme: 'accurate',
      run: { until: '1ms' },
      metrics: { interval },
    })
    return simulate(spec).summary.convergencePs / 1e6
  })

  it('is known of fine samples too, in which a packet more is a third of the rate', () => {
    // At half of 9.5 Gb/s 20 packets take 34 us, which 4 samples of 10 us or 17 of 2 us hold.
    for (const us of times) expect(us).toBeGreaterThan(20)
    for (const us of times) expect(us).toBeLessThan(120)
  })
})
