/**
 * Completion times and slowdowns by flow size, as the documents' figures have them: small flows
 * feel queues, large ones feel rates, and one mean over both says nothing. Percentiles by nearest
 * rank.
 */
import { mean, nearestRank, sortedValues } from './percentile.ts'

/** One row a flow; NaN where it did not end. A flow of size 0 has no size and is left out. */
export interface FlowColumns {
  readonly sizeBytes: ArrayLike<number>
  readonly fctPs: ArrayLike<number>
  readonly slowdown: ArrayLike<number>
}

/** Flows of `fromBytes` up to, and without, `toBytes`, which is Infinity for the last. */
export interface SizeBucket {
  readonly fromBytes: number
  readonly toBytes: number
  /** Those that ended. */
  readonly flows: number
  readonly fctPsMean: number
  readonly fctPsP50: number
  readonly fctPsP99: number
  readonly slowdownMean: number
  readonly slowdownP50: number
  readonly slowdownP99: number
}

/**
 * One bucket below the first edge, one from each edge on. Empty ones are kept (their values NaN),
 * so that the rows of two runs stand beside each other.
 */
export function buckets(columns: FlowColumns, edgesBytes: readonly number[]): SizeBucket[] {
  const edges = [...new Set([0, ...edgesBytes])].sort((a, b) => a - b)
  const members: number[][] = edges.map(() => [])
  for (let i = 0; i < columns.sizeBytes.length; i++) {
    const size = columns.sizeBytes[i]!
    const fct = columns.fctPs[i]!
    // A flow without a size is of no bucket, even if it was stopped.
    if (!(size > 0 && size < Infinity) || fct !== fct) continue
    let b = edges.length - 1
    while (edges[b]! > size) b--
    members[b]!.push(i)
  }
  return edges.map((fromBytes, b) => {
    const fct = sortedValues(members[b]!.map((i) => columns.fctPs[i]!))
    const slowdown = sortedValues(members[b]!.map((i) => columns.slowdown[i]!))
    return {
      fromBytes,
      toBytes: edges[b + 1] ?? Infinity,
      flows: fct.length,
      fctPsMean: mean(fct),
      fctPsP50: nearestRank(fct, 0.5),
      fctPsP99: nearestRank(fct, 0.99),
      slowdownMean: mean(slowdown),
      slowdownP50: nearestRank(slowdown, 0.5),
      slowdownP99: nearestRank(slowdown, 0.99),
    }
  })
}
