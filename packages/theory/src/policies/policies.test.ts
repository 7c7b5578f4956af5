import { describe, expect, it } from 'vitest'
import { waterFill } from '../water-filling.ts'
import { deadlinePolicy, fairPolicy, tenantPolicy } from './index.ts'
import type { Policy, PolicyFlow } from './index.ts'

const flow = (given: Partial<PolicyFlow>): PolicyFlow => ({
  bytesLeft: 1e6,
  deadlineS: Infinity,
  tenant: 'a',
  ...given,
})

/** Rates of flows that share a link of 10 Gb/s, at second 2. */
function ratesBps(policy: Policy, flows: readonly PolicyFlow[]): number[] {
  const allotted = policy.allot(flows, 2).map((allotment) => ({ links: [0], ...allotment }))
  return Array.from(waterFill([10e9], allotted).ratesBps)
}

describe('the policy of deadlines', () => {
  it('keeps every deadline if the needs fit into the link, and nobody else sends before', () => {
    // 750 MB and 250 MB in the second that is left: 6 and 2 Gb/s, of which 10 make 7.5 and 2.5.
    const soon = [
      flow({ bytesLeft: 750e6, deadlineS: 3 }),
      flow({ bytesLeft: 250e6, deadlineS: 3 }),
    ]
    const [large, small, whenever] = ratesBps(deadlinePolicy, [...soon, flow({})])
    expect(large! / 1e9).toBeCloseTo(7.5, 9)
    expect(small! / 1e9).toBeCloseTo(2.5, 9)
    expect(whenever).toBe(0)
  })

  it('counts by the time that is left: half of it is twice the need', () => {
    const rates = ratesBps(deadlinePolicy, [flow({ deadlineS: 3 }), flow({ deadlineS: 4 })])
    expect(rates[0]! / rates[1]!).toBeCloseTo(2, 12)
    // 1 MB in a second are 8 Mb/s, in units of 1 Mb/s.
    const allotted = deadlinePolicy.allot([flow({ deadlineS: 3 })], 2)
    expect(allotted).toEqual([{ weight: 8, priority: 1 }])
  })

  it('serves a flow like the others once its deadline is over', () => {
    const late = [flow({ deadlineS: 2 }), flow({ deadlineS: 1 }), flow({})]
    expect(deadlinePolicy.allot(late, 2)).toEqual(fairPolicy.allot(late, 2))
    expect(ratesBps(deadlinePolicy, late)).toEqual([10e9 / 3, 10e9 / 3, 10e9 / 3])
  })

  it('has a weight also for a flow that has nothing left', () => {
    const [first, second] = ratesBps(deadlinePolicy, [
      flow({ bytesLeft: 0, deadlineS: 3 }),
      flow({ bytesLeft: 1, deadlineS: 3 }),
    ])
    expect(first).toBe(second)
  })
})

describe('the policy of tenants', () => {
  it('divides a link by what tenants pay, however many flows they have', () => {
    const policy = tenantPolicy(new Map([['a', 3]]))
    const flows = ['a', 'b', 'b', 'b', 'b', 'a'].map((tenant) => flow({ tenant }))
    const rates = ratesBps(policy, flows)
    expect((rates[0]! + rates[5]!) / 1e9).toBeCloseTo(7.5, 9)
    rates.slice(1, 5).forEach((rate) => expect(rate / 1e9).toBeCloseTo(2.5 / 4, 9))
  })

  it('is alike for tenants that are not named', () => {
    const flows = ['a', 'b', 'b'].map((tenant) => flow({ tenant }))
    expect(ratesBps(tenantPolicy(), flows)).toEqual([5e9, 2.5e9, 2.5e9])
  })
})

it('policies have names of their own, and say what they do', () => {
  const policies = [fairPolicy, deadlinePolicy, tenantPolicy()]
  expect(policies.map(({ name }) => name)).toEqual(['fair', 'deadline', 'tenant'])
  for (const { summary } of policies) expect(summary).not.toBe('')
})
