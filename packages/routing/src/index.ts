/** Every routing by kind: the index is the catalogue. A routing is added with one line here. */
import type { RoutingKind } from '@weir/fabric'
import { ecmp } from './ecmp.ts'
import { packetSpray } from './packet-spray.ts'
import { shortestPath } from './shortest-path.ts'

export type RoutingName = 'shortest-path' | 'ecmp' | 'packet-spray'

export const routings: Readonly<Record<RoutingName, RoutingKind>> = {
  'shortest-path': shortestPath,
  ecmp,
  'packet-spray': packetSpray,
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
