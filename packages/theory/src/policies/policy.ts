/**
 * The contract of an allocation policy, and the null member: what a flow is to its operator, turned
 * into the two numbers that the rate computation knows. P. Costa et al., "R2C2", SIGCOMM 2015,
 * section 3.3.2: 'deadline-based or tenant-based [policies] can be mapped onto these two
 * primitives', a flow's weight and its priority.
 */

export interface PolicyFlow {
  readonly bytesLeft: number
  /** When it should have ended, in seconds; Infinity if it does not matter. */
  readonly deadlineS: number
  /** Whose it is. */
  readonly tenant: string
}

export interface Allotment {
  readonly weight: number
  /** Higher ones are served first. */
  readonly priority: number
}

export interface Policy {
  readonly name: string
  readonly summary: string
  /** Of each of the rack's flows, at a time in seconds. */
  allot(flows: readonly PolicyFlow[], nowS: number): Allotment[]
}

/** Per-flow fairness. */
export const fairPolicy: Policy = {
  name: 'fair',
  summary: 'all flows alike',
  allot: (flows) => flows.map(() => ({ weight: 1, priority: 0 })),
}
