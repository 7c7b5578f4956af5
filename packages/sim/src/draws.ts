/**
 * Other draws of the same scenario: with another seed, other flows arrive; with other chance alone,
 * the same flows arrive, and marks, sprayed packets and timers are drawn anew.
 */
import type { ValidSpec } from './spec/valid-spec.ts'

export type DrawKind = 'seeds' | 'repeats'

/** Seeds are below this. */
const SEEDS = 2 ** 31

/** The spec itself, and as many more as make `count`; every scheme gets the same flows in each. */
export function drawsOf(spec: ValidSpec, kind: DrawKind, count: number): ValidSpec[] {
  return Array.from({ length: count }, (_, k) => {
    const chanceSeed = (spec.chanceSeed + k) % SEEDS
    const seed = kind === 'seeds' ? (spec.seed + k) % SEEDS : spec.seed
    // Series are drawn of the first alone; of many runs they would fill the memory.
    const metrics = k === 0 ? spec.metrics : { ...spec.metrics, series: [] }
    return { ...spec, seed, chanceSeed, metrics }
  })
}
