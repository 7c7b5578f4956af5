/**
 * Random packet spraying: each packet takes, at each switch, any port of a shortest way.
 *
 * A. Dixit et al., "On the Impact of Packet Spraying in Data Center Networks", INFOCOM 2013: each
 * port equally often (`evenOver: ports`). The RPS of P. Costa et al., "R2C2", SIGCOMM 2015, section
 * 3.3, uses all shortest paths equally (`evenOver: paths`): a port as often as paths go on by it.
 * Where the paths fan out alike, as in a Clos network, both are the same. Packets of a flow
 * overtake each other. Draws once where there is a choice, and not where there is none.
 *
 * `path` gives the way of the lowest ports: all ways are equally long, so that base delays can be
 * told from it.
 */
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { is, otherwise, section, word } from '@weir/engine/codec'
import { NextHops } from './next-hops.ts'

export interface PacketSprayParams {
  readonly evenOver: EvenOver
}

type EvenOver = 'ports' | 'paths'

export const packetSpray: RoutingKind<PacketSprayParams> = {
  name: 'packet-spray',
  summary: 'each packet takes a random port of a shortest way at each switch',
  codec: section('packet-spray routing', {
    kind: is('packet-spray'),
    evenOver: otherwise(word<EvenOver>('what is used evenly', ['ports', 'paths']), 'ports'),
  }),
  reorders: true,
  create(graph: Graph, { evenOver }: PacketSprayParams, isDown?: IsDown): Routing {
    return sprayed('packet-spray', new NextHops(graph, isDown), evenOver)
  },
}

/** Any packet to its target by shortest ways, drawn hop by hop. */
export function sprayed(name: string, nextHops: NextHops, evenOver: EvenOver): Routing {
  const isByWays = evenOver === 'paths'
  return {
    name,
    perPacket: true,
    path: (source, target) => nextHops.walk(source, target, () => 0),
    next(node, target, random) {
      const count = nextHops.count(node, target)
      if (count === 0) throw nextHops.unreachable(node, target)
      if (isByWays) return nextHops.drawWay(node, target, random)
      return nextHops.port(node, target, count === 1 ? 0 : random.below(count))
    },
    stages: (source, target) => nextHops.stages(source, target),
  }
}
