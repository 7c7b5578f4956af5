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
  { isMember, isDown }: TreeOptions = {},
): BroadcastTree {
  const { nodes, from } = channels
  const { order, reached, distances, choices, first, after } = nearestFirst(
    channels,
    source,
    isDown,
  )
  // Several trees differ by whom a node hangs on; but a pure switch hangs where others do.
  const ofSwitches = flowHash(tree, 0, source)
  const arrivals = new Int32Array(nodes).fill(-1)
  const isNeeded = new Uint8Array(nodes)
  let edges = 0
  let depth = 0
  // From the far end inwards: a node is needed if it is a member or somebody hangs on it.
  for (let i = reached - 1; i > 0; i--) {
    const node = order[i]!
    const isOne = isMember === undefined || isMember(node)
    if (isNeeded[node] === 0 && !isOne) continue
    const hash = isOne ? flowHash(tree, node, source) : ofSwitches
    let channel = first[node]!
    for (let pick = Math.floor((hash / 4294967296) * choices[node]!); pick > 0; pick--) {
      channel = after[channel]!
    }
    arrivals[node] = channel
    isNeeded[from[channel]!] = 1
    edges++
    if (distances[node]! > depth) depth = distances[node]!
  }
  return { source, arrivals, edges, depth }
}

interface Nearest {
  /** Nodes by distance from the source; so many are reached. */
  readonly order: Int32Array
  readonly reached: number
  readonly distances: Int32Array
  /** By node: how many channels reach it the shortest way, the first of them; and what follows. */
  readonly choices: Int32Array
  readonly first: Int32Array
  readonly after: Int32Array
}

function nearestFirst(
  { count, nodes, starts, to }: Channels,
  source: number,
  isDown: ((channel: number) => boolean) | undefined,
): Nearest {
  const distances = new Int32Array(nodes).fill(UNREACHED)
  const [choices, first, last] = [
    new Int32Array(nodes),
    new Int32Array(nodes),
    new Int32Array(nodes),
  ]
  const after = new Int32Array(count)
  const order = new Int32Array(nodes)
  distances[source] = 0
  order[0] = source
  let reached = 1
  for (let i = 0; i < reached; i++) {
    const node = order[i]!
    const beyond = distances[node]! + 1
    for (let c = starts[node]!; c < starts[node + 1]!; c++) {
      const next = to[c]!
      const distance = distances[next]!
      if ((distance !== UNREACHED && distance !== beyond) || isDown?.(c) === true) continue
      if (choices[next]!++ > 0) after[last[next]!] = c
      else {
        first[next] = c
        distances[next] = beyond
        order[reached++] = next
      }
      last[next] = c
    }
  }
  return { order, reached, distances, choices, first, after }
}
