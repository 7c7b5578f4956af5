/**
 * A few sizes, each with a weight: 20% of 1 MB and 80% of 20 KB are the long and the critical flows
 * of ACCurate's Fig. 5. Weights need not add up to 1. One draw a sample, then a linear search.
 */
import type { MixturePart, Sizes } from '../contract.ts'
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
