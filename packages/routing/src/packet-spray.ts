/**
 * Random packet spraying: each packet takes, at each switch, any port of a shortest way.
 *
 * A. Dixit et al., "On the Impact of Packet Spraying in Data Center Networks", INFOCOM 2013; the
 * RPS of P. Costa et al., "R2C2", SIGCOMM 2015. Packets of a flow overtake each other. The choice
 * is uniform over ports at each switch, not over paths. Draws once where there is a choice, and not
 * where there is none.
 *
 * `path` gives the way of the lowest ports: all ways are equally long, so that base delays can be
 * told from it.
 */
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { is, section } from '@weir/engine/codec'
import { NextHops } from './next-hops.ts'

export const packetSpray: RoutingKind = {
  name: 'packet-spray',
  summary: 'each packet takes a random port of a shortest way at each switch',
  codec: section('packet-spray routing', { kind: is('packet-spray') }),
  reorders: true,
  create(graph: Graph, _params: object, isDown?: IsDown): Routing {
    const nextHops = new NextHops(graph, isDown)
    return {
      name: 'packet-spray',
      perPacket: true,
      path: (source, target) => nextHops.walk(source, target, () => 0),
      next(node, target, random) {
        const count = nextHops.count(node, target)
        if (count === 0) throw nextHops.unreachable(node, target)
        return nextHops.port(node, target, count === 1 ? 0 : random.below(count))
      },
      stages: (source, target) => nextHops.stages(source, target),
    }
  },
}
