/**
 * Flows with a deadline before those without, and among them each by the rate that it needs to keep
 * it: bytes left over time left, after B. Vamanan et al., "Deadline-Aware Datacenter TCP", SIGCOMM
 * 2012. A flow whose deadline has passed has nothing more to win, and is served like the others.
 *
 * If the flows' needs fit into each link, every deadline is kept: each gets at least what it needs.
 */
import type { Policy } from './policy.ts'

/** The weight of a flow that needs 1 bit/s is 1 / UNIT_BPS. */
const UNIT_BPS = 1e6

export const deadlinePolicy: Policy = {
  name: 'deadline',
  summary: 'flows with a deadline first, by the rate that each needs to keep it',
  allot: (flows, nowS) =>
    flows.map(({ bytesLeft, deadlineS }) => {
      const timeLeftS = deadlineS - nowS
      if (!(timeLeftS > 0) || timeLeftS === Infinity) return { weight: 1, priority: 0 }
      return { weight: Math.max(bytesLeft, 1) / timeLeftS / (UNIT_BPS / 8), priority: 1 }
    }),
}
