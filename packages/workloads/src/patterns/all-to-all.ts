/**
 * All to all: a flow for every ordered pair of hosts. A round starts them all, in the order in
 * which an MPI library would: every host to its next one, then to the one after, so that no target
 * comes first for everybody. With random arrivals, a host drawn by rate takes its targets in that
 * order, one per flow: every pair gets the same number of flows, which uniform traffic has only on
 * average.
 */
import { is, section } from '@weir/engine/codec'
import type { Pattern, PatternKind } from '../contract.ts'
import type { Sources } from './sources.ts'

export function allToAll(sources: Sources): Pattern {
  const { hosts } = sources
  const n = hosts.length
  const stepsTaken = new Uint32Array(n)
  return {
    flowsPerArrival: 1,
    arrival(random) {
      const position = sources.draw(random)
      const step = 1 + stepsTaken[position]!
      stepsTaken[position] = step === n - 1 ? 0 : step
      return [[hosts[position]!, hosts[(position + step) % n]!]]
    },
    *round() {
      for (let step = 1; step < n; step++) {
        for (let i = 0; i < n; i++) yield [hosts[i]!, hosts[(i + step) % n]!]
      }
    },
  }
}

export interface AllToAll {
  readonly kind: 'all-to-all'
}

export const allToAllPattern: PatternKind<AllToAll> = {
  summary: 'each host sends to every other',
  codec: section('an all-to-all', { kind: is('all-to-all') }),
  make: (_, { sources }) => allToAll(sources),
}
