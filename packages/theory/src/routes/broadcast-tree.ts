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
  const { nodes, starts, to, from } = channels
  const distances = new Int32Array(nodes).fill(UNREACHED)
  const choices: number[][] = Array.from({ length: nodes }, () => [])
  distances[source] = 0
  const order = [source]
  for (const node of order) {
    for (let c = starts[node]!; c < starts[node + 1]!; c++) {
      if (isDown(c)) continue
      const next = to[c]!
      if (distances[next] === UNREACHED) {
        distances[next] = distances[node]! + 1
        order.push(next)
      }
      if (distances[next] === distances[node]! + 1) choices[next]!.push(c)
    }
  }
  const arrivals = new Int32Array(nodes).fill(-1)
  const isNeeded = new Uint8Array(nodes)
  let edges = 0
  let depth = 0
  // From the far end inwards: a node is needed if it is a member or somebody hangs on it.
  for (let i = order.length - 1; i > 0; i--) {
    const node = order[i]!
    if (isMember(node)) isNeeded[node] = 1
    if (isNeeded[node] === 0) continue
    const options = choices[node]!
    // Several trees differ by whom a node hangs on; but a pure switch hangs where others do.
    const key = isMember(node) ? node : 0
    const pick = Math.floor((flowHash(tree, key, source) / 4294967296) * options.length)
    arrivals[node] = options[pick]!
    isNeeded[from[options[pick]!]!] = 1
    edges++
    depth = Math.max(depth, distances[node]!)
  }
  return { source, arrivals, edges, depth }
}
