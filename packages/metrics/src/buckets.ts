/**
 * Completion times and slowdowns by flow size, as the documents' figures have them: small flows
 * feel queues, large ones feel rates, and one mean over both says nothing.
 */
import { flowStats, type FlowColumns, type FlowStats } from './flow-stats.ts'

/** Flows of `fromBytes` up to, and without, `toBytes`, which is Infinity for the last. */
export interface SizeBucket extends FlowStats {
  readonly fromBytes: number
  readonly toBytes: number
}

/**
 * One bucket below the first edge, one from each edge on. Empty ones are kept (their values NaN),
 * so that the rows of two runs stand beside each other. A flow without a size is of no bucket.
 */
export function buckets(columns: FlowColumns, edgesBytes: readonly number[]): SizeBucket[] {
  const edges = [...new Set([0, ...edgesBytes])].sort((a, b) => a - b)
  const { sizeBytes } = columns
  const bucketOf = (size: number): number => {
    if (!(size > 0 && size < Infinity)) return -1
    let b = edges.length - 1
    while (edges[b]! > size) b--
    return b
  }
  const counts = new Uint32Array(edges.length)
  for (let i = 0; i < sizeBytes.length; i++) {
    const b = bucketOf(sizeBytes[i]!)
    if (b >= 0) counts[b]!++
  }
  const members = Array.from(counts, (count) => new Uint32Array(count))
  counts.fill(0)
  for (let i = 0; i < sizeBytes.length; i++) {
    const b = bucketOf(sizeBytes[i]!)
    if (b >= 0) members[b]![counts[b]!++] = i
  }
  return edges.map((fromBytes, b) => ({
    fromBytes,
    toBytes: edges[b + 1] ?? Infinity,
    ...flowStats(columns, members[b]!),
  }))
}
