/**
 * Valiant load balancing: each packet goes to a switch drawn from all that have hosts and can be
 * reached, and from there to its target, both by shortest ways, each way equally often.
 *
 * L. G. Valiant and G. J. Brebner, "Universal Schemes for Parallel Communication", STOC 1981; a
 * routing of P. Costa et al., "R2C2", SIGCOMM 2015. Any traffic becomes two times uniform traffic,
 * so that no pattern is worse than another, and ways are longer. The sender draws and writes the
 * whole way; ACKs and control packets, which are few, go the shortest way. Base delays, and windows
 * made of them, are those of shortest ways.
 */
import { ROUTE_MAX } from '@weir/fabric'
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { is, section } from '@weir/engine/codec'
import { NextHops } from './next-hops.ts'
import { sprayed } from './packet-spray.ts'
import { portTo } from './ports.ts'

export const vlb: RoutingKind = {
  name: 'vlb',
  summary: 'each packet goes by way of a random switch (Valiant load balancing)',
  codec: section('VLB routing', { kind: is('vlb') }),
  reorders: true,
  create(graph: Graph, _params: object, isDown?: IsDown): Routing {
    const nextHops = new NextHops(graph, isDown)
    const { ports } = nextHops
    const all = switchesWithHosts(graph)
    /** By switch: waypoints that can be reached from it. Switches of one piece share a list. */
    const reached: (readonly number[] | undefined)[] = []
    const waypointsOf = (first: number): readonly number[] => {
      const list = all.filter((node) => nextHops.distance(node, first) < Infinity)
      for (const node of list) reached[node] = list
      return (reached[first] = list)
    }
    return {
      ...sprayed('vlb', nextHops, 'paths'),
      route(source, target, random, route, at) {
        const up = ports.list[ports.starts[source]!]!
        const first = ports.to[up]!
        const waypoints = reached[first] ?? waypointsOf(first)
        let end = waypoints.length === 0 ? target : waypoints[random.below(waypoints.length)]!
        route[at] = up
        let i = at + 1
        for (let node = first; node !== target; node = ports.to[route[i++]!]!) {
          if (node === end) end = target
          if (i === at + ROUTE_MAX || nextHops.count(node, end) === 0) return false
          route[i] = nextHops.drawWay(node, end, random)
        }
        return true
      },
    }
  },
}

function switchesWithHosts(graph: Graph): number[] {
  const homes = new Set<number>()
  graph.links.forEach((_, link) => {
    for (const port of [2 * link, 2 * link + 1]) {
      const to = portTo(graph, port)
      if (graph.nodes[portTo(graph, port ^ 1)]!.kind === 'host') homes.add(to)
    }
  })
  return [...homes].filter((node) => graph.nodes[node]!.kind === 'switch').sort((a, b) => a - b)
}
