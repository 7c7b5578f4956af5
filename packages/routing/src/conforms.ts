/**
 * What every routing must do, whatever its choices: the first call of each member's test.
 * `shortest: false` waives the length of paths, for members that take detours on purpose.
 */
import { Random } from '@weir/engine'
import { buildGraph } from '@weir/fabric'
import type { Graph, Routing, RoutingKind } from '@weir/fabric'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NextHops } from './next-hops.ts'
import { portFrom, portTo } from './ports.ts'

export function conforms<P>(
  kind: RoutingKind<P>,
  options: { readonly shortest: boolean; readonly params?: P },
): void {
  const params = options.params ?? ({ hashSeed: 1 } as P)
  describe(`${kind.name}, as every routing,`, () => {
    it('leads from any host to any other, link after link, and through no host', () => {
      fc.assert(
        fc.property(connectedGraph, fc.nat(), fc.nat(), fc.maxSafeNat(), (graph, i, j, flowKey) => {
          const [source, target] = twoHosts(graph, i, j)
          const routing = kind.create(graph, params)
          const path = routing.path(source, target, flowKey)
          expectPath(graph, path, source, target)
          if (options.shortest)
            expect(path).toHaveLength(new NextHops(graph).distance(source, target))
        }),
      )
    })

    it('leads every packet to its target too, if it routes packets', () => {
      fc.assert(
        fc.property(connectedGraph, fc.nat(), fc.nat(), fc.nat(), (graph, i, j, seed) => {
          const [source, target] = twoHosts(graph, i, j)
          const routing = kind.create(graph, params)
          if (!routing.perPacket) return
          const path = packetPath(graph, routing, source, target, new Random(seed, 'packet'))
          expectPath(graph, path, source, target)
          if (options.shortest)
            expect(path).toHaveLength(new NextHops(graph).distance(source, target))
        }),
      )
    })

    it('says between whom there is no path', () => {
      const routing = kind.create(apart, params)
      expect(() => routing.path(0, 1, 7)).toThrow('there is no path from "h0" to "h1"')
      expect(() => routing.path(0, 0, 7)).toThrow('a flow from "h0" to itself needs no path')
      if (routing.perPacket)
        expect(() => packetPath(apart, routing, 0, 1, new Random(1, 'packet'))).toThrow('no path')
    })
  })
}

/** The ports that one packet takes. */
export function packetPath(
  graph: Graph,
  routing: Routing,
  source: number,
  target: number,
  random: Random,
): number[] {
  const path: number[] = []
  for (let node = source; node !== target; node = portTo(graph, path[path.length - 1]!)) {
    if (path.length > 4 * graph.nodes.length) throw new Error('the packet wanders for ever')
    path.push(routing.next(node, target, random))
  }
  return path
}

/** Hosts on switches of a random tree, with more links at random, some of them parallel. */
export const connectedGraph: fc.Arbitrary<Graph> = fc
  .record({
    parents: fc.array(fc.nat(), { maxLength: 11 }),
    more: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 15 }),
    homes: fc.array(fc.nat(), { minLength: 2, maxLength: 6 }),
  })
  .map(({ parents, more, homes }) => {
    const switches = parents.length + 1
    const tree = parents.map((parent, i) => [i + 1, parent % (i + 1)] as const)
    const extra = more
      .map(([a, b]) => [a % switches, b % switches] as const)
      .filter(([a, b]) => a !== b)
    const link = (a: string, b: string) => ({ a, b, rateBps: 1e9, delayPs: 0 })
    return buildGraph({
      kind: 'graph',
      hosts: homes.map((_, i) => `h${i}`),
      switches: Array.from({ length: switches }, (_, i) => `s${i}`),
      links: [
        ...[...tree, ...extra].map(([a, b]) => link(`s${a}`, `s${b}`)),
        ...homes.map((home, i) => link(`h${i}`, `s${home % switches}`)),
      ],
    })
  })

/** Two hosts on switches that nothing joins; `buildGraph` would refuse it. */
const apart: Graph = {
  nodes: (['h0', 'h1', 's0', 's1'] as const).map((name, i) => ({
    name,
    kind: i < 2 ? 'host' : 'switch',
    aliases: [],
    tier: i < 2 ? 0 : 1,
    x: i,
    y: 0,
    z: 0,
  })),
  links: [
    { a: 0, b: 2, rateBps: 1e9, delayPs: 0 },
    { a: 1, b: 3, rateBps: 1e9, delayPs: 0 },
  ],
}

export function twoHosts(graph: Graph, i: number, j: number): [number, number] {
  const hosts = graph.nodes.filter((node) => node.kind === 'host').length
  const source = i % hosts
  return [source, (source + 1 + (j % (hosts - 1))) % hosts]
}

export function expectPath(
  graph: Graph,
  path: readonly number[],
  source: number,
  target: number,
): void {
  let node = source
  path.forEach((port, i) => {
    expect(portFrom(graph, port)).toBe(node)
    if (i > 0) expect(graph.nodes[node]!.kind).toBe('switch')
    node = portTo(graph, port)
  })
  expect(node).toBe(target)
}
