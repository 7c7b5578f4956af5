/** Routes that senders write: vlb on any graph, romm and wlb on tori and meshes. */
import { Random } from '@weir/engine'
import { buildGraph, ROUTE_MAX } from '@weir/fabric'
import type { Graph } from '@weir/fabric'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectedGraph, expectPath, twoHosts } from './conforms.ts'
import { dimensionOrder } from './dimension-order.ts'
import { makeRouting, refusesRouting } from './index.ts'
import { NextHops } from './next-hops.ts'
import { portTo } from './ports.ts'
import { leafSpine, torus } from './testing.ts'

const cubes: fc.Arbitrary<Graph> = fc
  .record({
    kind: fc.constantFrom('torus' as const, 'mesh' as const),
    dimensions: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  })
  .filter(({ dimensions }) => dimensions.some((size) => size > 1))
  .map(({ kind, dimensions }) =>
    buildGraph({
      kind,
      dimensions,
      rateBps: 10e9,
      delayPs: 1e5,
      injectionRateBps: 10e9,
      injectionDelayPs: 0,
    }),
  )

const KINDS = ['vlb', 'romm', 'wlb'] as const

for (const kind of KINDS) {
  describe(kind, () => {
    it('writes ways that lead from any server of a cube to any other', () => {
      fc.assert(
        fc.property(cubes, fc.nat(), fc.nat(), fc.nat(), (graph, i, j, seed) => {
          const [source, target] = twoHosts(graph, i, j)
          const routing = makeRouting(graph, { kind })
          const route = new Int32Array(2 * ROUTE_MAX).fill(-1)
          const random = new Random(seed, 'packet')
          expect(routing.route?.(source, target, random, route, ROUTE_MAX)).toBe(true)
          const ports = [...route.subarray(ROUTE_MAX)].filter((port) => port >= 0)
          expectPath(graph, ports, source, target)
          if (kind === 'romm') {
            expect(ports).toHaveLength(new NextHops(graph).distance(source, target))
          }
        }),
      )
    })
  })
}

it('vlb writes ways on any graph', () => {
  fc.assert(
    fc.property(connectedGraph, fc.nat(), fc.nat(), fc.nat(), (graph, i, j, seed) => {
      const [source, target] = twoHosts(graph, i, j)
      const route = new Int32Array(ROUTE_MAX).fill(-1)
      const routing = makeRouting(graph, { kind: 'vlb' })
      if (routing.route?.(source, target, new Random(seed, 'packet'), route, 0) !== true) return
      const ports = [...route].filter((port) => port >= 0)
      expectPath(graph, ports, source, target)
    }),
  )
})

it('vlb goes by way of a switch with hosts, each as often, its own and the target’s too', () => {
  // Of four leaves two are on the straight way, of 4 links; by way of the others it has 6.
  const graph = leafSpine(4, 2, 2)
  const routing = makeRouting(graph, { kind: 'vlb' })
  const random = new Random(1, 'packet')
  const route = new Int32Array(ROUTE_MAX)
  const leaves = new Map<number, number>()
  const draws = 1000
  let long = 0
  for (let packet = 0; packet < draws; packet++) {
    route.fill(-1)
    routing.route?.(0, 7, random, route, 0)
    const length = route.indexOf(-1)
    if (length === 4) continue
    if (length === 6) long++
    const waypoint = portTo(graph, route[2]!)
    leaves.set(waypoint, (leaves.get(waypoint) ?? 0) + 1)
  }
  // Four standard deviations of that many coins.
  expect(Math.abs(long / draws - 0.5)).toBeLessThan(2 / Math.sqrt(draws))
  expect(leaves.size).toBe(2)
  for (const count of leaves.values()) {
    expect(Math.abs(count / long - 0.5)).toBeLessThan(2 / Math.sqrt(long))
  }
})

it('leaves a way that is too long to the switches', () => {
  const graph = buildGraph({
    kind: 'torus',
    dimensions: [200],
    rateBps: 10e9,
    delayPs: 1e5,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  })
  for (const kind of KINDS) {
    const route = new Int32Array(ROUTE_MAX)
    const routing = makeRouting(graph, { kind })
    expect(routing.route?.(0, 100, new Random(1, 'packet'), route, 0)).toBe(false)
  }
})

it('goes around a link that is down', () => {
  const graph = buildGraph({
    kind: 'torus',
    dimensions: [4, 4],
    rateBps: 10e9,
    delayPs: 1e5,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  })
  const down = 16
  const route = new Int32Array(ROUTE_MAX)
  for (const kind of KINDS) {
    const routing = makeRouting(graph, { kind }, (link) => link === down)
    const random = new Random(7, 'packet')
    for (let packet = 0; packet < 500; packet++) {
      route.fill(-1)
      if (routing.route?.(packet % 16, (packet + 5) % 16, random, route, 0) !== true) continue
      expect([...route].filter((port) => port >= 0).map((port) => port >> 1)).not.toContain(down)
    }
  }
  const ordered = makeRouting(graph, { kind: 'dimension-order' }, (link) => link === down)
  expect(ordered.path(0, 8, 1).map((port) => port >> 1)).not.toContain(down)
})

it('says on which topologies it needs dimensions', () => {
  const graph = leafSpine(2, 2, 2)
  for (const kind of ['dimension-order', 'romm', 'wlb'] as const) {
    expect(refusesRouting(graph, { kind })).toMatch(/take a torus or a mesh/)
  }
  expect(refusesRouting(graph, { kind: 'vlb' })).toBeUndefined()
  const choice = { kind: 'choice', begin: 'first' } as const
  expect(refusesRouting(graph, { ...choice, of: [{ kind: 'wlb' }] })).toMatch(/torus/)
  expect(refusesRouting(graph, { ...choice, of: [] })).toMatch(/name one or more/)
})

describe('a cube without tables', () => {
  it('has the shortest ways of one with tables', () => {
    fc.assert(
      fc.property(cubes, fc.nat(), fc.nat(), fc.nat(), (graph, i, j, seed) => {
        const [source, target] = twoHosts(graph, i, j)
        const [tables, cube] = [new NextHops(graph), new NextHops(graph, undefined, 0)]
        const randoms = [new Random(seed, 'way'), new Random(seed, 'way')] as const
        expect(cube.distance(source, target)).toBe(tables.distance(source, target))
        expect(cube.stages(source, target)).toEqual(tables.stages(source, target))
        for (let node = source; node !== target;) {
          const port = tables.drawWay(node, target, randoms[0])
          expect(cube.drawWay(node, target, randoms[1])).toBe(port)
          node = cube.ports.to[port]!
        }
        expect(cube.tableBytes).toBe(0)
      }),
    )
  })
})

describe('dimension order', () => {
  it('takes the first dimension first, the shorter way round, by parity at half the ring', () => {
    const graph = torus(4, 5)
    // Servers are 5 x + y; their switches are counted from 20 on.
    const servers = (source: number, target: number): number[] =>
      dimensionOrder
        .create(graph, {})
        .path(source, target, 1)
        .slice(0, -1)
        .map((port) => portTo(graph, port) - 20)
    expect(servers(0, 5 + 2)).toEqual([0, 5, 6, 7])
    expect(servers(0, 3 * 5 + 3)).toEqual([0, 15, 19, 18])
    // From x = 0 forward to x = 2, and from x = 1 back to x = 3.
    expect(servers(0, 10)).toEqual([0, 5, 10])
    expect(servers(5, 15)).toEqual([5, 0, 15])
  })

  it('takes a shortest way in every cube, one dimension after the other', () => {
    fc.assert(
      fc.property(cubes, fc.nat(), fc.nat(), (graph, i, j) => {
        const [source, target] = twoHosts(graph, i, j)
        const path = dimensionOrder.create(graph, {}).path(source, target, 1)
        expectPath(graph, path, source, target)
        expect(path).toHaveLength(new NextHops(graph).distance(source, target))
      }),
    )
  })
})
