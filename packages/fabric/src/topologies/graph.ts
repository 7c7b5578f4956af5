/**
 * The graph that every topology builds and that routing and the network read.
 *
 * A node is a host or a switch; a link is full duplex. A direct-connect fabric (torus, mesh, the
 * two-blade hierarchy of ACCurate), where a server forwards too, has one switch and one host per
 * server, joined by an injection link.
 */
import type { Section } from '@weir/engine/codec'

export interface GraphNode {
  /** The name a person writes in a scenario: `h3`, `leaf1.h4`, `spine0`, `n2.1`. Unique. */
  readonly name: string
  readonly kind: 'host' | 'switch'
  /** Other names for the same node: `h17` for `leaf1.h1`, so that hosts can always be counted. */
  readonly aliases: readonly string[]
  /** Rank for drawing and for reports: 0 is a host, then upwards (leaf 1, spine 2 ...). */
  readonly tier: number
  /** Where the lab and the reports draw it, in any unit: only proportions matter. */
  readonly x: number
  readonly y: number
  readonly z: number
}

export interface GraphLink {
  /** Indices into `nodes`. */
  readonly a: number
  readonly b: number
  readonly rateBps: number
  readonly delayPs: number
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly links: readonly GraphLink[]
  /** Of a torus or a mesh: its shape. Server i is host i, on the i-th switch behind all hosts. */
  readonly cube?: CubeShape
}

export interface CubeShape {
  /** Nodes along each dimension; the last coordinate counts fastest. */
  readonly sizes: readonly number[]
  readonly wraps: boolean
}

/** A topology: checked parameters in, a graph out. `summary` is one line for `weir list`. */
export interface Topology<Params, Draft = Params & Kind> {
  readonly name: string
  readonly summary: string
  /** Its parameters as a scenario has them, with their defaults. */
  readonly codec: Section<Draft>
  build(params: Params): Graph
}

interface Kind {
  readonly kind: string
}
