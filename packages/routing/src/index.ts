/** Every routing by kind: the index is the catalogue. A routing is added with one line here. */
import { kinds, otherwise } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { choiceAmong } from './choice.ts'
import type { ChoiceParams } from './choice.ts'
import { dimensionOrder } from './dimension-order.ts'
import { ecmp } from './ecmp.ts'
import type { EcmpParams } from './ecmp.ts'
import { makeOwnRouting, missing, ownKind } from './own.ts'
import type { OwnParams, OwnRouting } from './own.ts'
import { packetSpray } from './packet-spray.ts'
import type { PacketSprayParams } from './packet-spray.ts'
import { pathsInTurn } from './paths-in-turn.ts'
import type { PathsInTurnParams } from './paths-in-turn.ts'
import { romm, wlb } from './quadrant.ts'
import { reps } from './reps.ts'
import type { RepsParams } from './reps.ts'
import { shortestPath } from './shortest-path.ts'
import { vlb } from './vlb.ts'

/** Their parameters, by kind. */
interface ParamsByKind {
  readonly 'shortest-path': object
  readonly ecmp: EcmpParams
  readonly 'packet-spray': PacketSprayParams
  readonly 'paths-in-turn': PathsInTurnParams
  readonly reps: RepsParams
  readonly 'dimension-order': object
  readonly vlb: object
  readonly romm: object
  readonly wlb: object
}

type SimpleName = keyof ParamsByKind

type SimpleSpec = {
  [Kind in SimpleName]: { readonly kind: Kind } & ParamsByKind[Kind]
}[SimpleName]

export interface RoutingParamsByKind extends ParamsByKind {
  readonly choice: ChoiceParams<SimpleSpec>
  readonly own: OwnParams
}

export type RoutingName = keyof RoutingParamsByKind

/** A routing with its kind; a spec's `routing` is one. */
export type RoutingSpec = {
  [Kind in RoutingName]: { readonly kind: Kind } & RoutingParamsByKind[Kind]
}[RoutingName]

const simple: { readonly [Kind in SimpleName]: RoutingKind<ParamsByKind[Kind]> } = {
  'shortest-path': shortestPath,
  ecmp,
  'packet-spray': packetSpray,
  'paths-in-turn': pathsInTurn,
  reps,
  'dimension-order': dimensionOrder,
  vlb,
  romm,
  wlb,
}

export const routings: { readonly [Kind in RoutingName]: RoutingKind<RoutingParamsByKind[Kind]> } =
  {
    ...simple,
    choice: choiceAmong<SimpleSpec>({
      codec: kinds<SimpleSpec>({
        what: 'a kind of routing',
        members: Object.values(simple).map(({ codec }) => codec),
      }),
      refuses: refusesRouting,
      create: (graph, member, isDown) => makeRouting(graph, member, isDown),
    }),
    own: ownKind,
  }

/** RoCE fabrics hash flows to paths. */
const ROUTING = 'ecmp'

/** `routing:` of a scenario. */
export const routingCodec: Codec<RoutingSpec> = otherwise(
  kinds<RoutingSpec>({
    what: 'a kind of routing',
    members: Object.values(routings).map(({ codec }) => codec),
    words: Object.keys(simple),
  }),
  ROUTING,
)

/** The routing of a scenario, in its graph; `own`: the one that the person brings. */
export function makeRouting(
  graph: Graph,
  spec: RoutingSpec,
  isDown: IsDown = () => false,
  own?: OwnRouting,
): Routing {
  if (spec.kind !== 'own') return kindOf(spec).create(graph, spec, isDown)
  if (own?.name !== spec.name) throw new Error(missing(spec.name))
  return makeOwnRouting(graph, own, isDown)
}

/** Why a routing cannot be had in a graph; undefined: it can. */
export function refusesRouting(
  graph: Graph,
  spec: RoutingSpec,
  own?: OwnRouting,
): string | undefined {
  if (spec.kind === 'own') return own?.name === spec.name ? undefined : missing(spec.name)
  return kindOf(spec).refuses?.(graph, spec)
}

/** The record pairs each kind with the routing that takes its parameters. */
function kindOf({ kind }: RoutingSpec): RoutingKind<RoutingSpec> {
  return routings[kind] as RoutingKind<RoutingSpec>
}

export type { Routing, RoutingKind } from '@weir/fabric'
export { dimensionOrder } from './dimension-order.ts'
export { ecmp } from './ecmp.ts'
export { ExplicitPaths } from './explicit.ts'
export { flowHash } from './flow-hash.ts'
export { OwnRoutingError, routingIn } from './own.ts'
export type { OwnRouting } from './own.ts'
export { NextHops } from './next-hops.ts'
export type { Choose } from './next-hops.ts'
export { packetSpray } from './packet-spray.ts'
export { pathsInTurn } from './paths-in-turn.ts'
export { portFrom, portOpposite, Ports, portTo } from './ports.ts'
export { romm, wlb } from './quadrant.ts'
export { reps } from './reps.ts'
export { shortestPath } from './shortest-path.ts'
export { vlb } from './vlb.ts'
