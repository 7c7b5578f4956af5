/**
 * Dimension order, or destination tag: one dimension after the other, the shorter way round. One
 * path for each pair of hosts.
 *
 * W. J. Dally and B. Towles, "Principles and Practices of Interconnection Networks", 2003, section
 * 8.4.2. At half the ring both directions are shortest: the parity of the source's coordinate
 * decides, which balances them and keeps one path for a pair. Around a link that is down it is a
 * shortest path as any.
 */
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { is, section } from '@weir/engine/codec'
import { CubePorts, refusesButCubes } from './cube-ports.ts'
import type { Step } from './cube-ports.ts'
import { NextHops } from './next-hops.ts'

export const dimensionOrder: RoutingKind = {
  name: 'dimension-order',
  summary: 'of a torus or mesh: one dimension after the other, the shorter way round',
  codec: section('dimension-order routing', { kind: is('dimension-order') }),
  refuses: refusesButCubes('dimension-order'),
  create(graph: Graph, _params: object, isDown: IsDown = () => false): Routing {
    const nextHops = new NextHops(graph, isDown)
    const cube = new CubePorts(graph)
    const path = (source: number, target: number): readonly number[] => {
      const shortest = nextHops.walk(source, target, () => 0)
      const ordered = orderedPath(cube, cube.serverOf(source), cube.serverOf(target))
      return ordered.some((port) => isDown(port >> 1)) ? shortest : ordered
    }
    return {
      name: 'dimension-order',
      perPacket: false,
      path,
      next() {
        throw new Error('dimension-order routes whole flows: ask for a path, not for the next hop')
      },
    }
  },
}

function orderedPath(cube: CubePorts, source: number, target: number): readonly number[] {
  const path = [cube.up(source)]
  let server = source
  cube.sizes.forEach((_, d) => {
    const { step, hops } = shorterWay(cube, source, target, d)
    for (let hop = 0; hop < hops; hop++) {
      path.push(cube.output(server, d, step))
      server = cube.next(path.at(-1)!)
    }
  })
  return [...path, cube.down(target)]
}

/** Along one dimension: which way is shorter, and how far that is. */
function shorterWay(
  cube: CubePorts,
  source: number,
  target: number,
  d: number,
): { readonly step: Step; readonly hops: number } {
  const offset = cube.offset(source, target, d)
  if (!cube.wraps) return { step: offset > 0 ? 1 : -1, hops: Math.abs(offset) }
  const back = cube.sizes[d]! - offset
  const isForward = offset === back ? !cube.isOdd(source, d) : offset < back
  return isForward ? { step: 1, hops: offset } : { step: -1, hops: back }
}
