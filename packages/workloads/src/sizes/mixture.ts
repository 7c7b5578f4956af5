/**
 * A few sizes, each with a weight: 20% of 1 MB and 80% of 20 KB are the long and the critical flows
 * of ACCurate's Fig. 5. Weights need not add up to 1. One draw a sample, then a linear search.
 */
import { as, is, list, ratio, section, size } from '@weir/engine/codec'
import type { Sizes, SizesKind } from '../contract.ts'
import { WorkloadError } from '../contract.ts'
import type { Random } from '@weir/engine'

export function mixture(parts: readonly MixturePart[]): Sizes {
  let total = 0
  let weightedBytes = 0
  for (const { weight, bytes } of parts) {
    if (!(weight >= 0 && bytes >= 1) || !Number.isFinite(weight * bytes)) {
      throw new WorkloadError(
        `A part of a mixture has weight ${weight} and ${bytes} bytes; ` +
          'give a weight of 0 or more and at least 1 byte.',
      )
    }
    total += weight
    weightedBytes += weight * bytes
  }
  if (total === 0) {
    throw new WorkloadError('A mixture of sizes has no weight; give a part with a weight above 0.')
  }
  return {
    mean: () => weightedBytes / total,
    sample: (random: Random) => Math.round(pick(parts, random.uniform() * total)),
  }
}

function pick(parts: readonly MixturePart[], point: number): number {
  let passed = 0
  let last = 0
  for (const { weight, bytes } of parts) {
    if (weight === 0) continue
    passed += weight
    last = bytes
    if (point < passed) return bytes
  }
  // Rounding in the sum can leave the point at the very end.
  return last
}

export interface Mixture {
  readonly kind: 'mixture'
  readonly parts: readonly MixturePart[]
}

export interface MixturePart {
  readonly weight: number
  readonly bytes: number
}

const part = section<MixturePart>('a part of a mixture', {
  weight: ratio(0, 1e9, '80%'),
  bytes: as('size', size()),
})

export const mixtureSizes: SizesKind<Mixture> = {
  summary: 'a few sizes, each with its weight',
  codec: section('a mixture of sizes', {
    kind: is('mixture'),
    parts: list(part, 'parts such as {weight: 80%, size: 20KB}'),
  }),
  make: ({ parts }) => mixture(parts),
}
