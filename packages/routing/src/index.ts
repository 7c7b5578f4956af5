/** Every routing by kind: the index is the catalogue. A routing is added with one line here. */
import { kinds, otherwise } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { ecmp } from './ecmp.ts'
import type { EcmpParams } from './ecmp.ts'
import { packetSpray } from './packet-spray.ts'
import { shortestPath } from './shortest-path.ts'

/** Their parameters, by kind. */
export interface RoutingParamsByKind {
  readonly 'shortest-path': object
  readonly ecmp: EcmpParams
  readonly 'packet-spray': object
}

export type RoutingName = keyof RoutingParamsByKind

/** A routing with its kind; a spec's `routing` is one. */
export type RoutingSpec = {
  [Kind in RoutingName]: { readonly kind: Kind } & RoutingParamsByKind[Kind]
}[RoutingName]

export const routings: { readonly [Kind in RoutingName]: RoutingKind<RoutingParamsByKind[Kind]> } =
  {
    'shortest-path': shortestPath,
    ecmp,
    'packet-spray': packetSpray,
  }

/** RoCE fabrics hash flows to paths. */
const ROUTING = 'ecmp'

/** `routing:` of a scenario. */
export const routingCodec: Codec<RoutingSpec> = otherwise(
  kinds<RoutingSpec>({
    what: 'a kind of routing',
    members: Object.values(routings).map(({ codec }) => codec),
  }),
  ROUTING,
)

/** The routing of a scenario, in its graph. */
export function makeRouting(graph: Graph, spec: RoutingSpec, isDown?: IsDown): Routing {
  // The record pairs each kind with the routing that takes its parameters.
  return (routings[spec.kind] as RoutingKind<RoutingSpec>).create(graph, spec, isDown)
}

export type { Routing, RoutingKind } from '@weir/fabric'
export { ecmp } from './ecmp.ts'
export { ExplicitPaths } from './explicit.ts'
export { flowHash } from './flow-hash.ts'
export { NextHops } from './next-hops.ts'
export type { Choose } from './next-hops.ts'
export { packetSpray } from './packet-spray.ts'
export { portFrom, portOpposite, Ports, portTo } from './ports.ts'
export { shortestPath } from './shortest-path.ts'
