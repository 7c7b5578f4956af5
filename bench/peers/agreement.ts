/** How far apart the flows of two outcomes are, and beside that how far each moves by itself. */
import { nearestRank, sortedValues } from '@weir/metrics'
import type { PeerOutcome } from './input.ts'

export interface Spread {
  /** Flows that ended in both. */
  readonly flows: number
  /** Flows that ended in one of the two only. */
  readonly unmatched: number
  /** Of the ratio of completion times, the second's to the first's. */
  readonly p5: number
  readonly p50: number
  readonly p95: number
  /** Of the distance |ratio - 1|. */
  readonly distanceP50: number
  readonly distanceP95: number
  readonly worst: number
  /** Flows whose completion times are the same to the picosecond. */
  readonly equal: number
}

/** Flow by flow over all pairs of outcomes together. */
export function spreadOf(pairs: readonly (readonly [PeerOutcome, PeerOutcome])[]): Spread {
  const ratios: number[] = []
  let unmatched = 0
  for (const [first, second] of pairs) {
    first.fctPs.forEach((fctPs, i) => {
      const ratio = (second.fctPs[i] ?? NaN) / fctPs
      if (!Number.isNaN(ratio)) ratios.push(ratio)
      else if (!(Number.isNaN(fctPs) && Number.isNaN(second.fctPs[i]))) unmatched++
    })
  }
  const sorted = sortedValues(ratios)
  const distances = sortedValues(ratios.map((ratio) => Math.abs(ratio - 1)))
  return {
    flows: ratios.length,
    unmatched,
    p5: nearestRank(sorted, 0.05),
    p50: nearestRank(sorted, 0.5),
    p95: nearestRank(sorted, 0.95),
    distanceP50: nearestRank(distances, 0.5),
    distanceP95: nearestRank(distances, 0.95),
    worst: distances.at(-1) ?? NaN,
    equal: ratios.filter((ratio) => ratio === 1).length,
  }
}

export function median(values: readonly number[]): number {
  return nearestRank(sortedValues(values), 0.5)
}
