/**
 * The grid of a run: multiples of the shortest link delay above 0. Nodes affect each other no
 * sooner than that, so a run that ends on the grid ends for all of its nodes at once.
 */
import type { Graph } from '@weir/fabric'

/** 1 if no link has a delay. */
export function shortestDelayPs({ links }: Graph): number {
  let shortest = Infinity
  for (const { delayPs } of links) if (delayPs > 0 && delayPs < shortest) shortest = delayPs
  return shortest < Infinity ? shortest : 1
}
