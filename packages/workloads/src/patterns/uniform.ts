/**
 * Uniform: a flow goes from a host, drawn by rate, to any other host, all alike. A round is one
 * flow from every host.
 */
import { is, section } from '@weir/engine/codec'
import type { Pair, Pattern, PatternKind } from '../contract.ts'
import type { Sources } from './sources.ts'
import type { Random } from '@weir/engine'

export function uniform(sources: Sources): Pattern {
  const { hosts } = sources
  const from = (position: number, random: Random): Pair => [
    hosts[position]!,
    hosts[sources.drawOther(random, position)]!,
  ]
  return {
    flowsPerArrival: 1,
    arrival: (random) => [from(sources.draw(random), random)],
    *round(random) {
      for (let i = 0; i < hosts.length; i++) yield from(i, random)
    },
  }
}

export interface Uniform {
  readonly kind: 'uniform'
}

export const uniformPattern: PatternKind<Uniform> = {
  summary: 'every flow between two hosts drawn anew',
  codec: section('a uniform pattern', { kind: is('uniform') }),
  make: (_, { sources }) => uniform(sources),
}
