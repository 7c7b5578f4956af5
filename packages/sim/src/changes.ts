/** Changes of a scheme's parameters during a run: those at its beginning, and later ones. */
import { MANAGE } from '@weir/fabric'
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

/** Makes the changes at time 0, and schedules the others: MANAGE, by number. */
export function scheduleChanges(network: Network, { scheme }: ValidSpec): void {
  scheme.changes?.forEach((change, i) => {
    if (change.atPs === 0) network.control.manage?.(change, 0)
    else network.outside.schedule(change.atPs, MANAGE, i)
  })
}

/** MANAGE */
export function change(network: Network, { scheme }: ValidSpec, i: number, nowPs: number): void {
  const changes = scheme.changes ?? []
  if (changes[i] !== undefined) network.control.manage?.(changes[i], nowPs)
}
