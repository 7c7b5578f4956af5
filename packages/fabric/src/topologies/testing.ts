/** Questions that the tests of topologies ask of a graph. */
import type { Graph } from './graph.ts'
import { NodeNames } from './node-names.ts'

/** Names of the nodes next to `name`, one for each link, in link order. */
export function neighbours(graph: Graph, name: string): string[] {
  const names = new NodeNames(graph)
  const node = names.index(name)
  return graph.links.flatMap(({ a, b }) =>
    a === node ? [names.name(b)] : b === node ? [names.name(a)] : [],
  )
}

/** How many nodes of each tier there are, hosts first. */
export function tierCounts(graph: Graph): number[] {
  const counts: number[] = []
  for (const { tier } of graph.nodes) counts[tier] = (counts[tier] ?? 0) + 1
  return counts
}

/** Least number of links between two nodes. */
export function hops(graph: Graph, from: string, to: string): number {
  const names = new NodeNames(graph)
  const target = names.index(to)
  let front = new Set([names.index(from)])
  const seen = new Set(front)
  for (let distance = 0; front.size > 0; distance++) {
    if (front.has(target)) return distance
    const next = new Set<number>()
    for (const { a, b } of graph.links) {
      if (front.has(a) && !seen.has(b)) next.add(b)
      if (front.has(b) && !seen.has(a)) next.add(a)
    }
    for (const node of next) seen.add(node)
    front = next
  }
  return Infinity
}

/** The links that join two tiers. */
export function linksBetween(graph: Graph, lower: number, upper: number): Graph['links'] {
  const tier = (i: number): number => graph.nodes[i]!.tier
  return graph.links.filter(({ a, b }) => tier(a) === lower && tier(b) === upper)
}
