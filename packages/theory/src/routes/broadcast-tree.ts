/**
 * Shortest-path trees for broadcasting: P. Costa et al., "R2C2", SIGCOMM 2015, section 3.2. A tree
 * of a source reaches every node by a shortest way, so that the last one hears as early as it can;
 * 'there can be multiple shortest-path trees for a given source', and each number gives another:
 * a node hangs on one of the neighbours that are nearer to the source, drawn by a hash of the
 * source, the tree and the node. So every node finds the same trees without a word.
 *
 * Nodes that only pass on (switches that are no members) are left out where nobody hangs on them.
 */
import { flowHash } from '@weir/routing'
import type { Channels } from './channels.ts'
import { UNREACHED } from './shortest-ways.ts'

export interface BroadcastTree {
  readonly source: number
  /** The channel by which each node is reached; -1 for the source and for nodes left out. */
  readonly arrivals: Int32Array
  /** Channels that a broadcast crosses. */
  readonly edges: number
  /** Hops until the last member has it. */
  readonly depth: number
}

export interface TreeOptions {
  /** Who is to hear; everybody if left out. */
  readonly isMember?: (node: number) => boolean
  /** Channels that are down. */
  readonly isDown?: (channel: number) => boolean
}

export function broadcastTree(
  channels: Channels,
  source: number,
  tree: number,
  { isMember = () => true, isDown = () => false }: TreeOptions = {},
): BroadcastTree {
  const { nodes, from } = channels
  const { order, distances, choices } = nearestFirst(channels, source, isDown)
  // Several trees differ by whom a node hangs on; but a pure switch hangs where others do.
  const ofSwitches = flowHash(tree, 0, source)
  const picks = new Int32Array(nodes)
  for (let i = 1; i < order.length; i++) {
    const node = order[i]!
    const hash = isMember(node) ? flowHash(tree, node, source) : ofSwitches
    picks[node] = Math.floor((hash / 4294967296) * choices[node]!)
  }
  const arrivals = chosen(channels, order, distances, picks, isDown)
  const isNeeded = new Uint8Array(nodes)
  let edges = 0
  let depth = 0
  // From the far end inwards: a node is needed if it is a member or somebody hangs on it.
  for (let i = order.length - 1; i > 0; i--) {
    const node = order[i]!
    if (isNeeded[node] === 0 && !isMember(node)) {
      arrivals[node] = -1
      continue
    }
    isNeeded[from[arrivals[node]!]!] = 1
    edges++
    depth = Math.max(depth, distances[node]!)
  }
  return { source, arrivals, edges, depth }
}

/** Nodes by distance from the source, and by how many channels each is reached the shortest way. */
function nearestFirst(
  { nodes, starts, to }: Channels,
  source: number,
  isDown: (channel: number) => boolean,
): { order: number[]; distances: Int32Array; choices: Int32Array } {
  const distances = new Int32Array(nodes).fill(UNREACHED)
  const choices = new Int32Array(nodes)
  distances[source] = 0
  const order = [source]
  for (const node of order) {
    const beyond = distances[node]! + 1
    for (let c = starts[node]!; c < starts[node + 1]!; c++) {
      const next = to[c]!
      if ((distances[next] !== UNREACHED && distances[next] !== beyond) || isDown(c)) continue
      if (choices[next]!++ > 0) continue
      distances[next] = beyond
      order.push(next)
    }
  }
  return { order, distances, choices }
}

/** Of the channels that reach a node the shortest way, the one that was picked; -1: none. */
function chosen(
  { nodes, starts, to }: Channels,
  order: readonly number[],
  distances: Int32Array,
  picks: Int32Array,
  isDown: (channel: number) => boolean,
): Int32Array {
  const arrivals = new Int32Array(nodes).fill(-1)
  for (const node of order) {
    const beyond = distances[node]! + 1
    for (let c = starts[node]!; c < starts[node + 1]!; c++) {
      const next = to[c]!
      if (distances[next] !== beyond || isDown(c)) continue
      if (picks[next]!-- === 0) arrivals[next] = c
    }
  }
  return arrivals
}
