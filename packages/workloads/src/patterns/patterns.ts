/** The pattern that a spec describes, over the hosts that it selects. */
import type { Host, Pattern, PatternInput } from '../contract.ts'
import { hostIndex, indexHosts } from '../select-hosts.ts'
import { allToAll } from './all-to-all.ts'
import { hotSpot } from './hot-spot.ts'
import { incast } from './incast.ts'
import { permutation } from './permutation.ts'
import type { Sources } from './sources.ts'
import { uniform } from './uniform.ts'
import type { Random } from '@weir/engine'

/** `random` serves what is drawn once, before the first arrival. */
export function makePattern(
  input: PatternInput,
  hosts: readonly Host[],
  sources: Sources,
  random: Random,
): Pattern {
  switch (input.kind) {
    case 'uniform':
      return uniform(sources)
    case 'permutation':
      return permutation(sources, random)
    case 'all-to-all':
      return allToAll(sources)
    case 'incast': {
      const receiver =
        input.receiver === ''
          ? sources.hosts[0]!
          : hostIndex(hosts, indexHosts(hosts), input.receiver)
      return incast(sources.hosts, receiver, input.senders, input.drawSenders)
    }
    case 'hot-spot':
      return hotSpot(sources, hostIndex(hosts, indexHosts(hosts), input.host), input.fraction)
  }
}
