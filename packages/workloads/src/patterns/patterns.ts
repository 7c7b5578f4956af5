/** Every pattern by kind: the index is the catalogue. A pattern is added with two lines here. */
import { kinds, otherwise } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import type { HostChoice, Pattern, PatternKind, PatternWorld } from '../contract.ts'
import { allToAllPattern } from './all-to-all.ts'
import type { AllToAll } from './all-to-all.ts'
import { hotSpotPattern } from './hot-spot.ts'
import type { HotSpot } from './hot-spot.ts'
import { incastPattern } from './incast.ts'
import type { Incast } from './incast.ts'
import { permutationPattern } from './permutation.ts'
import type { Permutation } from './permutation.ts'
import { uniformPattern } from './uniform.ts'
import type { Uniform } from './uniform.ts'

export type PatternInput = Uniform | Permutation | AllToAll | Incast | HotSpot

export const patterns: readonly PatternKind<unknown>[] = [
  uniformPattern,
  permutationPattern,
  allToAllPattern,
  incastPattern,
  hotSpotPattern,
]

/** `pattern:` of a generator; traffic between any two hosts if it is not there. */
export const patternCodec: Codec<PatternInput> = otherwise(
  kinds<PatternInput>({
    what: 'a pattern',
    members: patterns.map(({ codec }) => codec),
  }),
  'uniform',
)

export function makePattern(input: PatternInput, world: PatternWorld): Pattern {
  return kindOf(input).make(input, world)
}

/** Throws a `Refusal` at one of the pattern's keys. */
export function checkPattern(input: PatternInput, hosts: HostChoice): void {
  kindOf(input).check?.(input, hosts)
}

function kindOf({ kind }: PatternInput): PatternKind<PatternInput> {
  return patterns.find(({ codec }) => codec.kind === kind) as PatternKind<PatternInput>
}
