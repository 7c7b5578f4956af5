/**
 * Cells: which nodes run together. A node affects another no sooner than a link's delay later, so
 * nodes run alone for windows of the shortest delay between cells. Nodes that are joined by a link
 * without delay are one cell, and have one order of events; so are a host and the switch in its
 * server, whose link is much shorter than those between servers: short windows cost.
 */
import type { Graph } from '@weir/fabric'

export interface Cells {
  /** By node. */
  readonly cellOf: Int32Array
  readonly cells: number
  /** What a cell does reaches no other before this time is over. */
  readonly windowPs: number
}

export function cellsOf(graph: Graph): Cells {
  const roots = rootsOf(graph)
  let windowPs = Infinity
  for (const { a, b, delayPs } of graph.links) {
    if (roots[a] !== roots[b] && delayPs < windowPs) windowPs = delayPs
  }
  if (windowPs === Infinity) windowPs = shortestDelayPs(graph)
  let cells = 0
  const cellOf = new Int32Array(graph.nodes.length)
  roots.forEach((root, node) => (cellOf[node] = root === node ? cells++ : cellOf[root]!))
  return { cellOf, cells, windowPs }
}

/** By node: the first node of those that run together with it. */
function rootsOf(graph: Graph): Int32Array {
  const parent = Int32Array.from(graph.nodes, (_, node) => node)
  const root = (node: number): number => {
    let top = node
    while (parent[top] !== top) top = parent[top]!
    parent[node] = top
    return top
  }
  const isInside = insideServers(graph)
  for (const link of graph.links) {
    if (link.delayPs > 0 && !isInside(link)) continue
    const [a, b] = [root(link.a), root(link.b)]
    parent[Math.max(a, b)] = Math.min(a, b)
  }
  return Int32Array.from(graph.nodes, (_, node) => root(node))
}

/**
 * Does a link join a host to the switch in the same server? So it is taken if the host has no other
 * link, and switches are at least twice as far from each other.
 */
function insideServers({ nodes, links }: Graph): (link: Graph['links'][number]) => boolean {
  const isHost = (node: number): boolean => nodes[node]?.kind === 'host'
  const linksOf = new Int32Array(nodes.length)
  let betweenSwitchesPs = Infinity
  for (const { a, b, delayPs } of links) {
    linksOf[a]!++
    linksOf[b]!++
    if (!isHost(a) && !isHost(b)) betweenSwitchesPs = Math.min(betweenSwitchesPs, delayPs)
  }
  return ({ a, b, delayPs }) => {
    const host = isHost(a) ? a : b
    const isLeaf = isHost(host) && linksOf[host] === 1 && isHost(a) !== isHost(b)
    return isLeaf && betweenSwitchesPs < Infinity && 2 * delayPs <= betweenSwitchesPs
  }
}

/** Of a fabric that is one cell, which has no delay between cells: runs stop at multiples of it. */
function shortestDelayPs({ links }: Graph): number {
  let shortest = Infinity
  for (const { delayPs } of links) if (delayPs > 0 && delayPs < shortest) shortest = delayPs
  return shortest < Infinity ? shortest : 1
}
