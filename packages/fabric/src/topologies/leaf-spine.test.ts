import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { NodeNames } from './node-names.ts'
import { hops, linksBetween, neighbours, tierCounts } from './testing.ts'

conforms({
  kind: 'leaf-spine',
  leaves: 3,
  spines: 2,
  hostsPerLeaf: 4,
  hostRateBps: 25e9,
  hostDelayPs: 1e6,
  fabricRateBps: 100e9,
  fabricDelayPs: 1e6,
})

const params = {
  kind: 'leaf-spine',
  leaves: 3,
  spines: 2,
  hostsPerLeaf: 4,
  hostRateBps: 25e9,
  hostDelayPs: 1e6,
  fabricRateBps: 100e9,
  fabricDelayPs: 2e6,
} as const
const graph = buildGraph(params)

it('joins every leaf with every spine, and every host with its leaf', () => {
  expect(tierCounts(graph)).toEqual([12, 3, 2])
  expect(neighbours(graph, 'spine1')).toEqual(['leaf0', 'leaf1', 'leaf2'])
  expect(neighbours(graph, 'leaf1')).toEqual([
    'leaf1.h0',
    'leaf1.h1',
    'leaf1.h2',
    'leaf1.h3',
    'spine0',
    'spine1',
  ])
  expect(hops(graph, 'leaf0.h0', 'leaf0.h3')).toBe(2)
  expect(hops(graph, 'leaf0.h0', 'leaf2.h3')).toBe(4)
})

it('counts hosts leaf by leaf, so that h5 is the second host of leaf1', () => {
  expect(new NodeNames(graph).index('h5')).toBe(new NodeNames(graph).index('leaf1.h1'))
})

it('gives host links and fabric links their own rates and delays', () => {
  for (const link of linksBetween(graph, 0, 1))
    expect(link).toMatchObject({ rateBps: 25e9, delayPs: 1e6 })
  for (const link of linksBetween(graph, 1, 2))
    expect(link).toMatchObject({ rateBps: 100e9, delayPs: 2e6 })
  expect(graph.links).toHaveLength(12 + 6)
})

it('draws tiers as rows with each leaf above the middle of its hosts', () => {
  const at = (name: string) => graph.nodes[new NodeNames(graph).index(name)]!
  expect(at('leaf1').x).toBe((at('leaf1.h0').x + at('leaf1.h3').x) / 2)
  expect(new Set(graph.nodes.map((node) => node.y)).size).toBe(3)
  expect(at('spine0').y).toBeGreaterThan(at('leaf0').y)
})

it('needs no spine for a single leaf, and at least one for two', () => {
  expect(tierCounts(buildGraph({ ...params, leaves: 1, spines: 0 }))).toEqual([4, 1])
  expect(() => buildGraph({ ...params, spines: 0 })).toThrow('topology.spines of the leaf-spine')
})
