/**
 * The directed channels of a fabric in columns: what routes are made of. The channels of node n are
 * numbers `starts[n] .. starts[n + 1] - 1`, so that a channel is also an output of its node, and a
 * source route can name it in a few bits.
 */
import type { Graph } from '@weir/fabric'

export class Channels {
  readonly nodes: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly starts: Int32Array

  /** `pairs` are the directed channels, each `[from, to]`, in the order of their sources. */
  constructor(nodes: number, pairs: readonly (readonly [number, number])[]) {
    this.nodes = nodes
    this.from = Int32Array.from(pairs, ([from]) => from)
    this.to = Int32Array.from(pairs, ([, to]) => to)
    this.starts = new Int32Array(nodes + 1)
    pairs.forEach(([from, to], i) => {
      if (!(from >= 0 && from < nodes && to >= 0 && to < nodes)) {
        throw new RangeError(
          `Channel ${i} joins ${from} to ${to}; the nodes are 0 to ${nodes - 1}.`,
        )
      }
      if (i > 0 && from < pairs[i - 1]![0]) {
        throw new RangeError(`Channel ${i} leaves node ${from} out of order; sort them by source.`)
      }
      this.starts[from + 1]!++
    })
    for (let node = 0; node < nodes; node++) this.starts[node + 1]! += this.starts[node]!
  }

  get count(): number {
    return this.to.length
  }

  /** The first channel from one node to another; -1 if no link joins them. */
  between(from: number, to: number): number {
    for (let c = this.starts[from]!; c < this.starts[from + 1]!; c++) {
      if (this.to[c] === to) return c
    }
    return -1
  }

  /** The most outputs of any node. */
  get degree(): number {
    let degree = 0
    for (let n = 0; n < this.nodes; n++) {
      degree = Math.max(degree, this.starts[n + 1]! - this.starts[n]!)
    }
    return degree
  }
}

/** The channels of any topology, hosts included; `ports[c]` is the simulator's port of one. */
export function graphChannels(graph: Graph): { channels: Channels; ports: Int32Array } {
  const ends = graph.links.flatMap(({ a, b }, i) => [
    { from: a, to: b, port: 2 * i },
    { from: b, to: a, port: 2 * i + 1 },
  ])
  ends.sort((x, y) => x.from - y.from || x.port - y.port)
  return {
    channels: new Channels(
      graph.nodes.length,
      ends.map(({ from, to }) => [from, to] as const),
    ),
    ports: Int32Array.from(ends, ({ port }) => port),
  }
}
