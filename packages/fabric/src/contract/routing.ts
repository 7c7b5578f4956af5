/**
 * Routing: which way from here. A routing is made once for a graph. A flow keeps the path that it
 * is given when it starts (`path`), or, if `perPacket`, each packet takes a way of its own: the one
 * that its sender chooses among paths (`spread`), or writes for it (`route`), or else one that is
 * found switch by switch (`next`).
 *
 * Directed links are numbered as the network numbers its ports: link i of the graph is port 2i from
 * a to b and port 2i + 1 from b to a. A path is the list of ports that a packet leaves by, the
 * host's own first. Runs in Node and in a page; no allocation in `next` and `route`.
 */
import type { Graph } from '../topologies/graph.ts'
import type { Random } from '@weir/engine'
import type { Section } from '@weir/engine/codec'
import type { Spread, SpreadContext } from './spread.ts'

export interface Routing {
  readonly name: string
  /** True if packets of one flow take ways of their own. */
  readonly perPacket: boolean
  /**
   * Ports from `source` to `target` (node indices) for a flow with this key. With another `entropy`
   * (0 unless said) it is another path, if there are several. Throws if there is none.
   */
  path(source: number, target: number, flowKey: number, entropy?: number): readonly number[]
  /**
   * The port by which `node` sends a packet for `target`; only asked if `perPacket`, of packets
   * whose way is not written: ACKs and control packets too.
   */
  next(node: number, target: number, random: Random): number
  /** If `perPacket`: for each hop from `source` to `target`, every port that a packet may take. */
  stages?(source: number, target: number): readonly (readonly number[])[]
  /**
   * Writes the way of one data packet into `ports`, from index `at` on, the host's own port first.
   * False: it is longer than ROUTE_MAX, or there is none; the packet goes hop by hop.
   */
  route?(source: number, target: number, random: Random, ports: Int32Array, at: number): boolean
  /** What spreads one flow's packets over paths. */
  spread?(context: SpreadContext): Spread
  /** Of a routing that is a choice of several: them, and which of them a flow begins with. */
  readonly members?: readonly Routing[]
  memberOf?(flowKey: number): number
}

export type IsDown = (link: number) => boolean

/** A routing as scenarios name it, with parameters `P`. */
export interface RoutingKind<P = object> {
  readonly name: string
  readonly summary: string
  readonly codec: Section<P & { readonly kind: string }>
  /** Packets of one flow may overtake each other. */
  readonly reorders?: boolean
  /** Why it cannot route in this graph; undefined: it can. */
  refuses?(graph: Graph, params: P): string | undefined
  /** `isDown`: links of the graph, by number, that routes must not take. */
  create(graph: Graph, params: P, isDown?: IsDown): Routing
}
