import { buildGraph, cubeCoordinates } from '@weir/fabric'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectedGraph } from './conforms.ts'
import { NextHops } from './next-hops.ts'
import { leafSpine, torus } from './testing.ts'

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1))

it('finds as many shortest paths in a 3D torus as the multinomial counts', () => {
  const sizes = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 1, max: 6 })))
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (dimensions, i, j) => {
      const hosts = dimensions.reduce((a, b) => a * b)
      const [source, target] = [i % hosts, j % hosts]
      fc.pre(source !== target)
      const from = cubeCoordinates(source, dimensions)
      const to = cubeCoordinates(target, dimensions)
      const gaps = dimensions.map((size, d) => {
        const gap = Math.abs(from[d]! - to[d]!)
        return Math.min(gap, size - gap)
      })
      // Half-way around an even ring, both ways are shortest; a ring of two has one link.
      const bothWays = dimensions.filter((size, d) => size > 2 && gaps[d] === size / 2).length
      const sum = gaps.reduce((a, b) => a + b)
      const multinomial = gaps.reduce((ways, gap) => ways / factorial(gap), factorial(sum))

      const nextHops = new NextHops(torus(...dimensions))
      expect(nextHops.distance(source, target)).toBe(sum + 2)
      expect(nextHops.pathCount(source, target)).toBeCloseTo(multinomial * 2 ** bothWays, 6)
    }),
  )
})

it('takes every port that ends one link nearer, and no other', () => {
  fc.assert(
    fc.property(connectedGraph, fc.nat(), (graph, pick) => {
      const nextHops = new NextHops(graph)
      const target = pick % graph.nodes.filter((node) => node.kind === 'host').length
      const { ports } = nextHops
      graph.nodes.forEach((_, node) => {
        if (node === target) return
        const nearer = [...ports.list.slice(ports.starts[node], ports.starts[node + 1])].filter(
          (port) =>
            (ports.to[port] === target || graph.nodes[ports.to[port]!]!.kind === 'switch') &&
            nextHops.distance(ports.to[port]!, target) === nextHops.distance(node, target) - 1,
        )
        const found = Array.from({ length: nextHops.count(node, target) }, (_, i) =>
          nextHops.port(node, target, i),
        )
        expect(found).toEqual(nearer)
      })
    }),
  )
})

it('counts parallel links as ways of their own', () => {
  const link = (a: string, b: string) => ({ a, b, rateBps: 1e9, delayPs: 0 })
  const links = [link('h0', 's'), link('s', 't'), link('s', 't'), link('t', 's'), link('h1', 't')]
  const graph = buildGraph({ kind: 'graph', hosts: ['h0', 'h1'], switches: ['s', 't'], links })
  expect(new NextHops(graph).pathCount(0, 1)).toBe(3)
})

it('knows two hosts that a cable joins without a switch', () => {
  const links = [{ a: 'h0', b: 'h1', rateBps: 1e9, delayPs: 0 }]
  const graph = buildGraph({ kind: 'graph', hosts: ['h0', 'h1'], switches: [], links })
  const nextHops = new NextHops(graph)
  expect(nextHops.distance(1, 0)).toBe(1)
  expect(nextHops.walk(1, 0, () => 0)).toEqual([1])
})

it('makes a table for each switch with hosts that is asked for, and not before', () => {
  const nextHops = new NextHops(leafSpine(4, 2, 8))
  expect(nextHops.tableBytes).toBe(0)
  nextHops.distance(0, 8)
  const once = nextHops.tableBytes
  nextHops.distance(31, 15)
  expect(nextHops.tableBytes).toBe(once)
  nextHops.distance(0, 16)
  expect(nextHops.tableBytes).toBe(2 * once)
})

it('copes with a fat tree of 8,192 hosts: 256 paths across the core, tables of a few MB', () => {
  const graph = buildGraph({ kind: 'fat-tree', k: 32, rateBps: 100e9, delayPs: 1e6 })
  const nextHops = new NextHops(graph)
  for (let target = 0; target < 8192; target += 128)
    expect(nextHops.pathCount((target + 4096) % 8192, target)).toBe(256)
  // 64 of the 512 tables: all would be eight times as much.
  expect(nextHops.tableBytes * 8).toBeLessThan(25e6)
})

it('holds all tables of the 512-node rack in about 3 MB', () => {
  const nextHops = new NextHops(torus(8, 8, 8))
  let links = 0
  for (let target = 1; target < 512; target++) links += nextHops.distance(0, target) - 2
  nextHops.distance(1, 0)
  // R2C2, section 3.2: the average path in this torus is 6 hops long.
  expect(links / 512).toBe(6)
  expect(nextHops.tableBytes).toBeLessThan(3.5e6)
})

it('knows that there is no way to a host without a link, nor past one that is down', () => {
  const graph = leafSpine(2, 1, 1)
  const everyLink = new NextHops(graph)
  expect(everyLink.distance(0, 1)).toBe(4)
  expect(everyLink.distance(0, 0)).toBe(0)
  // Of the four links, those of the hosts come first.
  const cut = new NextHops(graph, (link) => link === 3)
  expect(cut.distance(0, 1)).toBe(Infinity)
  expect(cut.pathCount(0, 1)).toBe(0)
  expect(cut.stages(0, 1)).not.toContainEqual([2])
  expect(() => cut.walk(0, 1, () => 0)).toThrow(/no (path|way)/i)
  const alone = new NextHops(graph, (link) => link === 0)
  expect([alone.distance(0, 1), alone.count(0, 1)]).toEqual([Infinity, 0])
  expect([alone.distance(1, 0), alone.count(1, 0)]).toEqual([Infinity, 1])
})

it('goes around a link that is down, in a large cube too, which has no tables otherwise', () => {
  const ring = torus(6)
  const many = 1
  const link = ring.links.findIndex(({ a, b }) => {
    return ring.nodes[a]!.kind === 'switch' && ring.nodes[b]!.kind === 'switch'
  })
  const whole = new NextHops(ring, undefined, many)
  const cut = new NextHops(ring, (one) => one === link, many)
  const { a, b } = ring.links[link]!
  expect([whole.distance(a, b), cut.distance(a, b)]).toEqual([1, 5])
  expect(whole.tableBytes).toBe(0)
  expect(cut.tableBytes).toBeGreaterThan(0)
})

it('has tables below so many servers, and where there is no cube', () => {
  for (const nextHops of [
    new NextHops(torus(6), undefined, 7),
    new NextHops(leafSpine(2, 1, 1), undefined, 0),
  ]) {
    nextHops.distance(0, 1)
    expect(nextHops.tableBytes).toBeGreaterThan(0)
  }
})

it('has no port from a switch to itself', () => {
  const graph = leafSpine(2, 1, 1)
  expect(new NextHops(graph).count(2, 2)).toBe(0)
  expect(new NextHops(graph).distance(2, 2)).toBe(0)
})
