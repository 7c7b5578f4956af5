/** What nodes reckon with is what packets do, whatever the routing, with links up and down. */
import { Random } from '@weir/engine'
import type { Graph } from '@weir/fabric'
import { buildGraph, ROUTE_MAX } from '@weir/fabric'
import { makeRouting, Ports } from '@weir/routing'
import type { RoutingSpec } from '@weir/routing'
import { simulate, validateSpec } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { protocolsOf } from './protocols.ts'
import { RackWorld } from './world.ts'

const links = { rateBps: 10e9, delayPs: 1e5, injectionRateBps: 40e9, injectionDelayPs: 1e5 }
const TORUS = buildGraph({ kind: 'torus', dimensions: [4, 3, 2], ...links })
const MESH = buildGraph({ kind: 'mesh', dimensions: [3, 4], ...links })

const SPECS: readonly RoutingSpec[] = [
  { kind: 'packet-spray', evenOver: 'ports' },
  { kind: 'packet-spray', evenOver: 'paths' },
  { kind: 'vlb' },
  { kind: 'wlb' },
  { kind: 'romm' },
  { kind: 'dimension-order' },
]
const DRAWS = 8000

function worldOf(graph: Graph, routing: RoutingSpec): RackWorld {
  return new RackWorld(graph, {
    ...{ rhoPs: 5e8, headroom: 0.05, trees: 1, digestPs: Infinity, start: 'paths' },
    protocols: protocolsOf(routing),
  })
}

/** Of packets from host to host, the part that crosses each port. */
function drawn(
  graph: Graph,
  spec: RoutingSpec,
  isDown: (link: number) => boolean,
  source: number,
  target: number,
): Float64Array {
  const routing = makeRouting(graph, spec, isDown)
  const { to } = new Ports(graph)
  const crossed = new Float64Array(2 * graph.links.length)
  const random = new Random(1, `${source} ${target}`)
  const ports = new Int32Array(ROUTE_MAX)
  for (let packet = 0; packet < DRAWS; packet++) {
    const isWritten = routing.route?.(source, target, random, ports, 0) === true
    const path = routing.perPacket ? undefined : routing.path(source, target, packet)
    for (let node = source, hop = 0; node !== target; hop++) {
      const port = path?.[hop] ?? (isWritten ? ports[hop]! : routing.next(node, target, random))
      crossed[port]! += 1 / DRAWS
      node = to[port]!
    }
  }
  return crossed
}

function reckoned(world: RackWorld, isDown: (link: number) => boolean, pair: number[]) {
  const loads = new Float64Array(world.channels.count)
  const topology = world.topologyOf(isDown)
  const { fractions, links } = topology.fractions(world.protocols[0]!, pair[0]!, pair[1]!)!
  links.forEach((channel, k) => (loads[world.portOf(channel)] = fractions[k]!))
  return loads
}

describe.each([
  ['torus', TORUS],
  ['mesh', MESH],
] as const)('on a %s', (_, graph) => {
  const hosts = graph.nodes.filter(({ kind }) => kind === 'host').length
  // Links between switches come behind those of hosts.
  const dead = new Set([hosts, hosts + 5])
  const pairs = [
    [0, hosts - 1],
    [1, hosts - 2],
    [3, 5],
  ]
  for (const spec of SPECS) {
    for (const [name, isDown] of [
      ['all links up', () => false],
      ['two links down', (link: number) => dead.has(link)],
    ] as const) {
      it(`${JSON.stringify(spec)}, ${name}`, () => {
        const world = worldOf(graph, spec)
        for (const pair of pairs) {
          const seen = drawn(graph, spec, isDown, pair[0]!, pair[1]!)
          const known = reckoned(world, isDown, pair)
          // Five standard deviations of a fraction of one half.
          known.forEach((load, port) => expect(Math.abs(load - seen[port]!)).toBeLessThan(0.028))
        }
      })
    }
  }
})

it('one path per flow, where there are several, is warned of', () => {
  const warnings = (routing: string, topology: object): readonly string[] => {
    const workload = [{ flows: [{ from: 'h0', to: 'h1', size: '1KB' }] }]
    const run = { until: '1ms' }
    return simulate(validateSpec({ topology, routing, scheme: 'r2c2', workload, run })).warnings
  }
  const torus = { kind: 'torus', dimensions: [4, 4] }
  expect(warnings('ecmp', torus).join()).toMatch(/ecmp puts on links on average only.*packet-spray/)
  expect(warnings('shortest-path', torus)).toHaveLength(1)
  expect(warnings('dimension-order', torus)).toEqual([])
  expect(warnings('packet-spray', torus)).toEqual([])
  expect(warnings('ecmp', { kind: 'star', hosts: 3 })).toEqual([])
})

describe('routes that nodes cannot choose between', () => {
  const refused = (routing: unknown, params: object = {}): (() => unknown) => {
    const scheme = { name: 'r2c2', params: { routes: 'adaptive', ...params } }
    const topology = { kind: 'torus', dimensions: [4, 4] }
    const workload = [{ flows: [{ from: 'h0', to: 'h1' }] }]
    return () => validateSpec({ topology, routing, scheme, workload, run: { until: '1ms' } })
  }
  const choice = (...of: string[]) => ({ kind: 'choice', of })

  it('are refused with a sentence', () => {
    expect(refused('ecmp')).toThrow(/scheme.params.routes.*routing: ecmp leaves nothing to choose/)
    expect(refused(choice('packet-spray', 'reps'))).toThrow(/what reps puts on each link/)
    expect(refused(choice('dimension-order', 'dimension-order'))).toThrow(/one path per flow/)
    expect(refused(choice('packet-spray', 'vlb'), { control: 'central' })).toThrow(/broadcast/)
    expect(refused(choice('packet-spray', 'vlb'))).not.toThrow()
  })
})
