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
      { from: 'h1', to: 'h3', size: '100KB', start: '999us' },
    ]
    expect(jainOf(late, { links })).toBe(1)
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
