export type { Graph, GraphLink, GraphNode, Topology } from './topologies/graph.ts'
export type { Routing, RoutingKind } from './contract/routing.ts'
export * from './topologies/index.ts'
