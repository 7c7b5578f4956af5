/**
 * Routes as senders draw them, against the fractions of theory: after many draws each channel has
 * been crossed as often as it should have. Only spraying over ports is another distribution.
 */
import { Random } from '@weir/engine'
import { buildGraph, ROUTE_MAX } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import { makeRouting, Ports } from '@weir/routing'
import type { Routing, RoutingSpec } from '@weir/routing'
import { expect, it } from 'vitest'
import { Cube } from './cube.ts'
import { hopSpraying, spraying } from './minimal.ts'
import { rlb, romm, valiant } from './non-minimal.ts'
import type { ObliviousRouting } from './oblivious.ts'
import { ShortestWays } from './shortest-ways.ts'

const SIZES = [5, 4, 3]
const DRAWS = 20_000
const cube = new Cube(SIZES)
const ways = new ShortestWays(cube)
const graph = buildGraph({
  kind: 'torus',
  dimensions: SIZES,
  rateBps: 10e9,
  delayPs: 1e5,
  injectionRateBps: 10e9,
  injectionDelayPs: 0,
})
const ports = new Ports(graph)

it.each<[string, RoutingSpec, ObliviousRouting]>([
  ['vlb', { kind: 'vlb' }, valiant(cube, spraying(ways))],
  ['romm', { kind: 'romm' }, romm(cube)],
  ['wlb', { kind: 'wlb' }, rlb(cube)],
  ['spraying over paths', { kind: 'packet-spray', evenOver: 'paths' }, spraying(ways)],
  ['spraying over ports', { kind: 'packet-spray', evenOver: 'ports' }, hopSpraying(ways)],
])('%s crosses channels as often as theory says', (_, spec, theory) => {
  const [source, target] = [0, 2 * 12 + 2 * 3 + 1]
  const expected = new Float64Array(cube.count)
  theory.addLoads(source, target, 1, expected)
  const crossed = crossings(graph, makeRouting(graph, spec), source, target)
  expected.forEach((fraction, channel) => {
    const share = crossed[channel]! / DRAWS
    // Five standard deviations of a sum of coins; a way may cross a channel more than once.
    expect(Math.abs(share - fraction)).toBeLessThan(5 * Math.sqrt((fraction + 1e-4) / DRAWS))
  })
})

/** How often each channel of the cube was crossed. */
function crossings(_: Graph, routing: Routing, source: number, target: number): Float64Array {
  const servers = cube.nodes
  const counts = new Float64Array(cube.count)
  const random = new Random(3, 'draws')
  const route = new Int32Array(ROUTE_MAX)
  for (let draw = 0; draw < DRAWS; draw++) {
    const isWritten = routing.route?.(source, target, random, route, 0) ?? false
    let node = source
    for (let i = 0; node !== target; i++) {
      const port = isWritten ? route[i]! : routing.next(node, target, random)
      const next = ports.to[port]!
      if (node >= servers && next >= servers)
        counts[cube.between(node - servers, next - servers)]!++
      node = next
    }
  }
  return counts
}
