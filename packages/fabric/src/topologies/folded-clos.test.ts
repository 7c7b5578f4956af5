import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { neighbours, tierCounts } from './testing.ts'

conforms({ kind: 'folded-clos', hosts: 13, radix: 6, rateBps: 10e9, delayPs: 1e6 })

const params = { kind: 'folded-clos', hosts: 512, radix: 32, rateBps: 10e9, delayPs: 1e5 } as const

it('makes the 512-host rack of R2C2 from 32-port switches without a free port', () => {
  const graph = buildGraph(params)
  expect(tierCounts(graph)).toEqual([512, 32, 16])
  for (const node of graph.nodes)
    if (node.kind === 'switch') expect(neighbours(graph, node.name)).toHaveLength(32)
})

it('gives a broadcast of 16-byte packets the 8.7 KB of R2C2 section 6', () => {
  const [hosts = 0, leaves = 0] = tierCounts(buildGraph(params))
  // A tree under one spine has a link for each host and each leaf.
  expect((hosts + leaves) * 16).toBe(8704)
})

it('leaves the last leaf short if hosts run out', () => {
  const graph = buildGraph({ ...params, hosts: 5, radix: 4 })
  expect(tierCounts(graph)).toEqual([5, 3, 2])
  expect(neighbours(graph, 'leaf2')).toEqual(['leaf2.h0', 'spine0', 'spine1'])
})

it('refuses more hosts than two levels reach, and an odd radix', () => {
  expect(() => buildGraph({ ...params, hosts: 513 })).toThrow('reach at most 512')
  expect(() => buildGraph({ ...params, radix: 31 })).toThrow('even number of ports')
})
