/**
 * Shortest path, always the same one: of the ports that lead on a shortest way, the lowest. This is
 * the null member of the family: no choice, no state, no chance.
 */
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { is, section } from '@weir/engine/codec'
import { NextHops } from './next-hops.ts'

export const shortestPath: RoutingKind = {
  name: 'shortest-path',
  summary: 'one shortest path between two hosts, always the same: the lowest port at each switch',
  codec: section('shortest-path routing', { kind: is('shortest-path') }),
  create(graph: Graph, _params: object, isDown?: IsDown): Routing {
    const nextHops = new NextHops(graph, isDown)
    return {
      name: 'shortest-path',
      perPacket: false,
      path: (source, target) => nextHops.walk(source, target, () => 0),
      next(node, target) {
        if (nextHops.count(node, target) === 0) throw nextHops.unreachable(node, target)
        return nextHops.port(node, target, 0)
      },
    }
  },
}
