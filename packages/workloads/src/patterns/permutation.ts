/**
 * Permutation: every host sends to one other host and receives from one, the same for the whole
 * run. The permutation is one cycle through all hosts, drawn once: no host sends to itself.
 */
import { is, section } from '@weir/engine/codec'
import type { Pattern, PatternKind } from '../contract.ts'
import type { Sources } from './sources.ts'
import type { Random } from '@weir/engine'

export function permutation(sources: Sources, random: Random): Pattern {
  const { hosts } = sources
  const order = random.shuffle(hosts.map((_, position) => position))
  const partners = new Array<number>(hosts.length)
  order.forEach((position, i) => {
    partners[position] = hosts[order[(i + 1) % order.length]!]!
  })
  return {
    flowsPerArrival: 1,
    arrival(chance) {
      const position = sources.draw(chance)
      return [[hosts[position]!, partners[position]!]]
    },
    *round() {
      for (let i = 0; i < hosts.length; i++) yield [hosts[i]!, partners[i]!]
    },
  }
}

export interface Permutation {
  readonly kind: 'permutation'
}

export const permutationPattern: PatternKind<Permutation> = {
  summary: 'each host sends to one other and receives from one other',
  codec: section('a permutation', { kind: is('permutation') }),
  make: (_, { sources, random }) => permutation(sources, random),
}
