/**
 * All shortest ways between nodes of any graph, without enumerating them: a node's distance to a
 * target and the number of shortest ways from it there say everything. A packet at u that is to
 * take each of the ways equally often goes on to v with the ways from v over the ways from u.
 *
 * Tables are made per target when first asked for, by a breadth-first search backwards; a torus of
 * 512 nodes has 5 MB of them. Counts are exact up to 2^53 ways, and to 16 digits beyond.
 */
import type { Channels } from './channels.ts'

interface Table {
  readonly distances: Int32Array
  readonly ways: Float64Array
}

export const UNREACHED = -1

export class ShortestWays {
  readonly channels: Channels
  readonly #tables: (Table | undefined)[]
  /** The channels that end at a node, by node. */
  readonly #incoming: readonly (readonly number[])[]
  readonly #reached: Float64Array
  readonly #queue: Int32Array

  constructor(channels: Channels) {
    this.channels = channels
    this.#tables = new Array<Table | undefined>(channels.nodes).fill(undefined)
    const incoming: number[][] = Array.from({ length: channels.nodes }, () => [])
    channels.to.forEach((node, channel) => incoming[node]!.push(channel))
    this.#incoming = incoming
    this.#reached = new Float64Array(channels.nodes)
    this.#queue = new Int32Array(channels.nodes)
  }

  /** Links on a shortest way; UNREACHED if there is none. */
  distance(node: number, target: number): number {
    return this.#table(target).distances[node]!
  }

  /** How many shortest ways there are; 0 if none. */
  ways(node: number, target: number): number {
    return this.#table(target).ways[node]!
  }

  /** Of what is at `from` and is bound for `target`, the part that leaves by this channel. */
  share(channel: number, target: number, each: 'way' | 'hop'): number {
    const { distances, ways } = this.#table(target)
    const { from, to, starts } = this.channels
    const at = from[channel]!
    const nearer = distances[at]! - 1
    if (nearer < 0 || distances[to[channel]!] !== nearer) return 0
    if (each === 'way') return ways[to[channel]!]! / ways[at]!
    let choices = 0
    for (let c = starts[at]!; c < starts[at + 1]!; c++) {
      if (distances[to[c]!] === nearer) choices++
    }
    return 1 / choices
  }

  /**
   * Adds to `loads` what each channel carries of `amount`, if each way is used equally (`way`) or
   * if each node splits equally between the channels that lead nearer (`hop`).
   */
  addLoads(
    source: number,
    target: number,
    amount: number,
    loads: Float64Array,
    each: 'way' | 'hop',
  ): void {
    const { distances } = this.#table(target)
    const { starts, to } = this.channels
    if (distances[source] === UNREACHED) {
      throw new RangeError(
        `No way leads from node ${source} to node ${target}; join them by links.`,
      )
    }
    const reached = this.#reached
    const queue = this.#queue
    queue[0] = source
    reached[source] = 1
    let queued = 1
    // Nodes leave the queue in the order of their distance: what reaches one is complete by then.
    for (let head = 0; head < queued; head++) {
      const node = queue[head]!
      const part = reached[node]!
      reached[node] = 0
      for (let c = starts[node]!; c < starts[node + 1]!; c++) {
        const share = this.share(c, target, each)
        if (share === 0) continue
        const next = to[c]!
        if (reached[next] === 0) queue[queued++] = next
        reached[next]! += part * share
        loads[c]! += amount * part * share
      }
    }
  }

  #table(target: number): Table {
    const known = this.#tables[target]
    if (known !== undefined) return known
    const { nodes, from } = this.channels
    const distances = new Int32Array(nodes).fill(UNREACHED)
    const ways = new Float64Array(nodes)
    distances[target] = 0
    ways[target] = 1
    const queue = [target]
    for (const near of queue) {
      for (const channel of this.#incoming[near]!) {
        const far = from[channel]!
        if (distances[far] === UNREACHED) {
          distances[far] = distances[near]! + 1
          queue.push(far)
        }
        if (distances[far] === distances[near]! + 1) ways[far]! += ways[near]!
      }
    }
    const table = { distances, ways }
    this.#tables[target] = table
    return table
  }
}
