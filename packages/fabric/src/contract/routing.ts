/**
 * Routing: which way from here. A routing is made once for a graph; the fabric asks it for a whole
 * path when a flow starts (`path`), or, if `perPacket`, at every switch (`next`).
 *
 * Directed links are numbered as the network numbers its ports: link i of the graph is port 2i from
 * a to b and port 2i + 1 from b to a. A path is the list of ports that a packet leaves by, the
 * host's own first. Runs in Node and in a page; no allocation in `next`.
 */
import type { Graph } from '../topologies/graph.ts'
import type { Random } from '@weir/engine'
import type { Section } from '@weir/engine/codec'

export interface Routing {
  readonly name: string
  /** True if each packet is routed on its own, hop by hop. */
  readonly perPacket: boolean
  /**
   * Ports from `source` to `target` (node indices) for a flow with this key. Throws if there is
   * none.
   */
  path(source: number, target: number, flowKey: number): readonly number[]
  /** The port by which `node` sends a packet for `target`; only asked if `perPacket`. */
  next(node: number, target: number, random: Random): number
  /** If `perPacket`: for each hop from `source` to `target`, every port that a packet may take. */
  stages?(source: number, target: number): readonly (readonly number[])[]
}

export type IsDown = (link: number) => boolean

/** A routing as scenarios name it, with parameters `P`. */
export interface RoutingKind<P = object> {
  readonly name: string
  readonly summary: string
  readonly codec: Section<P & { readonly kind: string }>
  /** Packets of one flow may overtake each other. */
  readonly reorders?: boolean
  /** `isDown`: links of the graph, by number, that routes must not take. */
  create(graph: Graph, params: P, isDown?: IsDown): Routing
}
