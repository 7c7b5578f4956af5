/**
 * A routing that a person brings in a module of their own, and the border between it and the
 * simulator: a port that is not the node's, or a path that does not lead on, would be met hops
 * later as something else; here it is refused where it is said.
 */
import { ROUTE_MAX } from '@weir/fabric'
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { is, name, section } from '@weir/engine/codec'
import { NextHops } from './next-hops.ts'

export interface OwnRouting {
  readonly name: string
  readonly summary?: string
  /** `isDown`: links of the graph, by number, that routes must not take. */
  create(graph: Graph, isDown: IsDown): Routing
}

/** A mistake in a person's own routing: a sentence for its author. */
export class OwnRoutingError extends Error {
  override readonly name = 'OwnRoutingError'
}

export interface OwnParams {
  readonly name: string
}

/** What a scenario says of one: its name. Whoever runs it has the module. */
export const ownKind: RoutingKind<OwnParams> = {
  name: 'own',
  summary: 'a routing of your own, from a module',
  codec: section('a routing of your own', {
    kind: is('own'),
    name: name('a routing', 'my-routing'),
  }),
  // It may: what a transport has to expect must not depend on what a module does.
  reorders: true,
  create(_graph, params) {
    throw new Error(missing(params.name))
  },
}

/** Why a scenario with a routing of one's own cannot run without it. */
export function missing(name: string): string {
  return `${name} is a routing of your own: give its module too (--routing ./${name}.ts)`
}

/** The module's routing; throws if there is none, or more than one. */
export function routingIn(module: Readonly<Record<string, unknown>>): OwnRouting {
  const found = [...new Set(Object.values(module))].filter(isRouting)
  if (found.length === 1) return found[0]!
  throw new OwnRoutingError(
    found.length === 0
      ? 'no export of the module is a routing: export const mine: OwnRouting = { name, create }'
      : `the module exports ${found.length} routings: leave one`,
  )
}

function isRouting(value: unknown): value is OwnRouting {
  const it = value as Partial<OwnRouting> | null
  return (
    typeof it === 'object' &&
    it !== null &&
    typeof it.name === 'string' &&
    /^[a-z][\w-]*$/u.test(it.name) &&
    typeof it.create === 'function'
  )
}

function tooLong(source: string, target: string): string {
  return `its way from ${source} to ${target} is longer than ${ROUTE_MAX} ports; return false there`
}

/** The routing at work, with every answer looked at. */
export function makeOwnRouting(graph: Graph, own: OwnRouting, isDown: IsDown): Routing {
  const made = own.create(graph, isDown)
  const { ports } = new NextHops(graph)
  const nameOf = (node: number): string => graph.nodes[node]?.name ?? `node ${node}`
  const refuse = (what: string): never => {
    throw new OwnRoutingError(`${own.name}: ${what}`)
  }
  /** Where a port leads, if it is one of `node` and ends at a switch or at the target. */
  const step = (node: number, port: number, target: number): number => {
    if (!Number.isInteger(port) || ports.from[port] !== node) {
      return refuse(`at ${nameOf(node)} it says port ${port}, which is not one of its ports`)
    }
    const next = ports.to[port]!
    if (next !== target && graph.nodes[next]!.kind === 'host') {
      return refuse(`at ${nameOf(node)} it sends what is for ${nameOf(target)} to ${nameOf(next)}`)
    }
    return next
  }
  const lead = (source: number, target: number, way: ArrayLike<number>): void => {
    let node = source
    for (let i = 0; i < way.length; i++) node = step(node, way[i]!, target)
    if (node !== target) {
      refuse(`its path from ${nameOf(source)} to ${nameOf(target)} ends at ${nameOf(node)}`)
    }
  }
  const { route, spread } = made
  return {
    ...{ name: own.name, perPacket: made.perPacket },
    path(source, target, flowKey, entropy) {
      const way = made.path(source, target, flowKey, entropy)
      lead(source, target, way)
      return way
    },
    next(node, target, random) {
      const port = made.next(node, target, random)
      step(node, port, target)
      return port
    },
    stages: (source, target) => made.stages?.(source, target) ?? [],
    ...(route !== undefined && {
      route(source, target, random, way, at) {
        if (!route.call(made, source, target, random, way, at)) return false
        let node = source
        for (let i = at; node !== target; i++) {
          // What stands behind it is another packet's way.
          if (i === at + ROUTE_MAX) refuse(tooLong(nameOf(source), nameOf(target)))
          node = step(node, way[i]!, target)
        }
        return true
      },
    }),
    ...(spread !== undefined && { spread: (context) => spread.call(made, context) }),
  }
}
