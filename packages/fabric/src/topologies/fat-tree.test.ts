import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { hops, neighbours, tierCounts } from './testing.ts'

conforms({ kind: 'fat-tree', k: 4, rateBps: 10e9, delayPs: 1e6 })

const tree = (k: number) => buildGraph({ kind: 'fat-tree', k, rateBps: 10e9, delayPs: 1e6 })

it.each([
  [2, [2, 2, 2, 1]],
  [4, [16, 8, 8, 4]],
  [8, [128, 32, 32, 16]],
])('k = %i has k^3/4 hosts, k^2/2 edge and aggregation switches, k^2/4 cores', (k, counts) => {
  const graph = tree(k)
  expect(tierCounts(graph)).toEqual(counts)
  expect(graph.links).toHaveLength((3 * k ** 3) / 4)
})

it('uses every port of every switch', () => {
  const graph = tree(4)
  for (const node of graph.nodes)
    if (node.kind === 'switch') expect(neighbours(graph, node.name)).toHaveLength(4)
})

it('joins each core with one aggregation switch of every pod (Al-Fares et al., section 3)', () => {
  expect(neighbours(tree(4), 'core3')).toEqual([0, 1, 2, 3].map((pod) => `pod${pod}.agg1`))
})

it('is 2, 4 or 6 hops wide: in a rack, in a pod, across the core', () => {
  expect(hops(tree(4), 'pod1.edge0.h0', 'pod1.edge0.h1')).toBe(2)
  expect(hops(tree(4), 'pod1.edge0.h0', 'pod1.edge1.h1')).toBe(4)
  expect(hops(tree(4), 'h0', 'h15')).toBe(6)
})

it('refuses an odd k', () => {
  expect(() => tree(5)).toThrow('topology.k of the fat-tree is 5: give an even number of ports')
})
