/**
 * Port numbers. A link is two directed halves, and a port is the sending end of one: link i of the
 * graph is port 2i from a to b and port 2i + 1 from b to a. So a port's opposite differs from it in
 * the last bit only.
 */
import type { Graph, GraphLink } from '@weir/fabric'

/** The node that sends by this port. */
export function portFrom(graph: Graph, port: number): number {
  const link = linkOf(graph, port)
  return (port & 1) === 0 ? link.a : link.b
}

/** The node that receives what is sent by this port. */
export function portTo(graph: Graph, port: number): number {
  const link = linkOf(graph, port)
  return (port & 1) === 0 ? link.b : link.a
}

/** The port of the same link in the other direction. */
export function portOpposite(port: number): number {
  return port ^ 1
}

function linkOf(graph: Graph, port: number): GraphLink {
  const link = graph.links[port >> 1]
  if (link === undefined)
    throw new Error(`there is no port ${port}: the graph has ${graph.links.length} links`)
  return link
}

/** A graph's ports in columns: those of node n are `list[starts[n]] .. list[starts[n + 1] - 1]`. */
export class Ports {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly starts: Int32Array
  /** Port numbers by node, ascending within a node. */
  readonly list: Int32Array

  constructor(graph: Graph) {
    const count = 2 * graph.links.length
    const from = (this.from = new Int32Array(count))
    const to = (this.to = new Int32Array(count))
    const starts = (this.starts = new Int32Array(graph.nodes.length + 1))
    const list = (this.list = new Int32Array(count))
    graph.links.forEach(({ a, b }, i) => {
      from[2 * i] = to[2 * i + 1] = a
      to[2 * i] = from[2 * i + 1] = b
    })

    // Counting sort by node: starts[n + 1] counts n's ports, then their sums are the starts.
    for (let port = 0; port < count; port++) starts[from[port]! + 1]!++
    for (let node = 0; node < graph.nodes.length; node++) starts[node + 1]! += starts[node]!
    const filled = starts.slice()
    for (let port = 0; port < count; port++) list[filled[from[port]!]!++] = port
  }

  /** The lowest port from one node straight to another, or -1 if no link joins them. */
  between(from: number, to: number): number {
    for (let i = this.starts[from]!; i < this.starts[from + 1]!; i++)
      if (this.to[this.list[i]!] === to) return this.list[i]!
    return -1
  }
}
