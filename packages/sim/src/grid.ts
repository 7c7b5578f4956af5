/**
 * The shortest link delay above 0, for fabrics whose nodes are all one cell: runs stop at multiples
 * of it. Where there are several cells the grid is the shortest delay between them (`cells.ts`).
 */
import type { Graph } from '@weir/fabric'

/** 1 if no link has a delay. */
export function shortestDelayPs({ links }: Graph): number {
  let shortest = Infinity
  for (const { delayPs } of links) if (delayPs > 0 && delayPs < shortest) shortest = delayPs
  return shortest < Infinity ? shortest : 1
}
