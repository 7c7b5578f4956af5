/**
 * Two policies on one link of 10 Gb/s, small enough to check by hand: flows with deadlines, and
 * tenants with many flows and few.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 3.3.2, 'Beyond per-flow fairness', which names
 * these policies and shows no numbers: the ones here are ours. Flows are fluids that send at the
 * computed rates, computed anew whenever one ends.
 */
import type { Policy, PolicyFlow } from '@weir/theory'
import { deadlinePolicy, fairPolicy, IncrementalFilling, tenantPolicy } from '@weir/theory'
import { holds, ours } from '../figure.ts'
import type { Check, Figure, FigureResult, Plot } from '../figure.ts'
import { CITE } from './cite.ts'

const LINK_BPS = 10e9

/** In milliseconds and megabytes: A needs 5 Gb/s and B 2.5 Gb/s to be in time. */
const JOBS: readonly PolicyFlow[] = [
  { tenant: 'A', bytesLeft: 10e6, deadlineS: 16e-3 },
  { tenant: 'B', bytesLeft: 5e6, deadlineS: 16e-3 },
  { tenant: 'C', bytesLeft: 20e6, deadlineS: Infinity },
]

export const policies: Figure = {
  id: 'r2c2/policies',
  title: 'Deadlines and tenants as weights and priorities',
  cite: `${CITE}, section 3.3.2`,
  claim:
    'High-level policies such as deadline-based and tenant-based sharing can be mapped onto the ' +
    'weight and the priority of a flow.',
  switches: [
    {
      name: 'deadlines (every flow the same)',
      reproduce: () => Promise.resolve(reproduce(fairPolicy, tenantPolicy)),
      breaks: ['deadlines missed, by deadline'],
    },
    {
      name: 'tenants (every flow the same)',
      reproduce: () => Promise.resolve(reproduce(deadlinePolicy, () => fairPolicy)),
      breaks: ["A's share, per tenant"],
    },
  ],
  reproduce: () => Promise.resolve(reproduce(deadlinePolicy, tenantPolicy)),
}

function reproduce(byDeadline: Policy, byTenant: typeof tenantPolicy): FigureResult {
  return {
    checks: [...deadlineChecks(byDeadline), ...tenantChecks(byTenant)],
    plots: [
      endsPlot(
        'computed without packets',
        endsMs(JOBS, byDeadline),
        endsMs(JOBS, fairPolicy),
        [16, 16],
      ),
    ],
    draws: 'no chance',
    notes: [
      'Deadlines, by hand: with per-flow fairness each has 3.33 Gb/s until B ends at 12 ms; A ' +
        'then has 5 MB left at 5 Gb/s and ends at 20 ms, 4 ms late, and C at 28 ms. By deadline ' +
        'A and B share the link 2 to 1 and both end at 12 ms, and C sends its 20 MB alone from ' +
        'there: 28 ms, the same.',
      'Tenants, by hand: A has one flow and B four. Fair per flow, A gets a fifth of the link; ' +
        'per ' +
        'tenant a half, and with weights of 3 to 1 three quarters.',
    ],
  }
}

/**
 * When flows A, B ... end under both policies, beside the deadlines of those that have one; `how`
 * says from what that is known.
 */
export function endsPlot(
  how: string,
  kept: readonly number[],
  fair: readonly number[],
  deadlinesMs: readonly number[],
): Plot {
  const x = kept.map((_, i) => 'ABC'[i]!)
  return {
    ...{ title: `When three flows end, ${how}`, kind: 'bars' },
    ...{ x: { label: 'flow', unit: '' }, y: { label: 'end', unit: 'ms' } },
    curves: [
      { name: 'by deadline', x, y: kept },
      { name: 'per-flow fairness', x, y: fair },
      {
        name: 'deadline (our bound)',
        x: x.slice(0, deadlinesMs.length),
        y: deadlinesMs,
        isExpected: true,
      },
    ],
  }
}

const CLAIM = 'policies can be mapped onto weight and priority'

function deadlineChecks(byDeadline: Policy): Check[] {
  const fair = endsMs(JOBS, fairPolicy)
  const kept = endsMs(JOBS, byDeadline)
  const ends = (policy: string, got: readonly number[]): Check[] =>
    JOBS.map(({ tenant }, i) => ours(`${policy}: ${tenant} ends at`, got[i]!, 'ms'))
  const name = 'deadlines missed, by deadline'
  return [
    holds(name, CLAIM, missed(kept), missed(kept) === 0, 'of 2', 'both can be kept'),
    ours('deadlines missed, per-flow fairness', missed(fair), 'of 2'),
    ...ends('by deadline', kept),
    ...ends('per-flow fairness', fair),
  ]
}

function missed(ends: readonly number[]): number {
  return JOBS.filter(({ deadlineS }, i) => ends[i]! > 1e3 * deadlineS).length
}

function tenantChecks(byTenant: typeof tenantPolicy): Check[] {
  const flows = ['A', 'B', 'B', 'B', 'B'].map((tenant) => ({
    tenant,
    bytesLeft: 1e9,
    deadlineS: Infinity,
  }))
  const shareOfA = (policy: Policy): number => ratesOf(flows, policy, 0)[0]! / LINK_BPS
  const share = (name: string, policy: Policy, expected: number): Check => {
    const got = shareOfA(policy)
    const isMet = Math.abs(got - expected) < 1e-9
    return holds(`A's share, ${name}`, CLAIM, got, isMet, 'of the link', `${expected} by weight`)
  }
  return [
    share('per tenant', byTenant(), 0.5),
    share('per tenant, 3 to 1', byTenant(new Map([['A', 3]])), 0.75),
    ours("A's share, per flow", shareOfA(fairPolicy), 'of the link'),
  ]
}

function ratesOf(flows: readonly PolicyFlow[], policy: Policy, nowS: number): number[] {
  const filling = new IncrementalFilling([LINK_BPS])
  const handles = policy
    .allot(flows, nowS)
    .map((allotment) =>
      filling.add({ links: Int32Array.of(0), fractions: Float64Array.of(1), ...allotment }),
    )
  filling.settle()
  return handles.map((handle) => filling.rateBps(handle))
}

/** When each flow ends, in ms, all having begun at 0. */
function endsMs(jobs: readonly PolicyFlow[], policy: Policy): number[] {
  const ends = jobs.map(() => NaN)
  let live = jobs.map((job, i) => ({ ...job, i }))
  for (let nowS = 0; live.length > 0;) {
    const rates = ratesOf(live, policy, nowS)
    const stepS = Math.min(...live.map(({ bytesLeft }, k) => (8 * bytesLeft) / rates[k]!))
    nowS += stepS
    live = live.map((job, k) => ({ ...job, bytesLeft: job.bytesLeft - (rates[k]! * stepS) / 8 }))
    for (const { i, bytesLeft } of live) if (bytesLeft < 1e-3) ends[i] = 1e3 * nowS
    live = live.filter(({ bytesLeft }) => bytesLeft >= 1e-3)
  }
  return ends
}
