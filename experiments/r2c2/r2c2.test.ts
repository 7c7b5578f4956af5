/** R2C2's figures, small: what each must show, and what is known to differ. */
import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { fig18Packets } from './fig18-packets.ts'
import { fig8 } from './fig8.ts'
import { figures } from './index.ts'
import { policies } from './policies.ts'

const reproduced = describeFigures('figures of R2C2', figures, {
  'r2c2/fig2': [
    'ROMM (the column "random packet spraying"), transpose',
    'WLB (RLB), nearest neighbour',
    'WLB (RLB), transpose',
  ],
  'r2c2/fig9': ['shortest paths of an average pair of 6 x 6 x 6'],
})

describe('figures of R2C2', () => {
  it('fig8: incremental computations fill fewer flows, to the same rates', async () => {
    const { checks } = await reproduced(fig8)
    const filled = checks.filter(({ name }) => name.startsWith('flows filled'))
    expect(filled).toHaveLength(2)
    for (const { measured } of filled) expect(measured).toBeLessThan(1)
    const apart = checks.find(({ name }) => name.startsWith('largest relative difference'))
    expect(apart!.measured).toBeLessThan(1e-6)
  })

  it('fig18-packets: receivers get what nodes compute, within a hundredth', async () => {
    const { checks } = await reproduced(fig18Packets)
    const ratios = checks.filter(({ name }) => name.startsWith('delivered over computed'))
    expect(ratios).toHaveLength(2)
    for (const { measured } of ratios) expect(Math.abs(measured - 1)).toBeLessThan(0.01)
  })

  it('policies: flows end, and tenants share, as worked out by hand in the notes', async () => {
    const { checks } = await reproduced(policies)
    const measured = Object.fromEntries(checks.map((check) => [check.name, check.measured]))
    const byHand = {
      'by deadline: A ends at': 12,
      'by deadline: B ends at': 12,
      'by deadline: C ends at': 28,
      'per-flow fairness: A ends at': 20,
      'per-flow fairness: B ends at': 12,
      'per-flow fairness: C ends at': 28,
      'deadlines missed, per-flow fairness': 1,
      "A's share, per flow": 0.2,
    }
    for (const [name, value] of Object.entries(byHand)) expect(measured[name]).toBeCloseTo(value, 9)
  })

  it('have names of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^r2c2\//)
  })
})
