/**
 * Tenants by what they pay, however many flows they have: a tenant's weight is divided among its
 * flows (L. Popa et al., "FairCloud", SIGCOMM 2012: proportional sharing). Where all flows of two
 * tenants meet in one link, the tenants' rates there are as their weights.
 */
import type { Policy } from './policy.ts'

/** `weights` by tenant; 1 for those that are not named. */
export function tenantPolicy(weights: ReadonlyMap<string, number> = new Map()): Policy {
  return {
    name: 'tenant',
    summary: "each tenant's weight divided among its flows",
    allot(flows) {
      const counts = new Map<string, number>()
      for (const { tenant } of flows) counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
      return flows.map(({ tenant }) => ({
        weight: (weights.get(tenant) ?? 1) / counts.get(tenant)!,
        priority: 0,
      }))
    },
  }
}
