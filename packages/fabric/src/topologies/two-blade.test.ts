import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { hops, neighbours, tierCounts } from './testing.ts'

conforms(
  {
    kind: 'two-blade',
    blades: 3,
    groupsPerBlade: 3,
    nodesPerGroup: 2,
    linksBetweenBlades: 2,
    rateBps: 10e9,
    delayPs: 1e6,
    injectionRateBps: 10e9,
    injectionDelayPs: 0,
  },
  { hostsLowest: false },
)

/** ACCurate, section III-C: 2 blades of 4 groups of 4 nodes. */
const params = {
  kind: 'two-blade',
  blades: 2,
  groupsPerBlade: 4,
  nodesPerGroup: 4,
  linksBetweenBlades: 2,
  rateBps: 10e9,
  delayPs: 1e5,
  injectionRateBps: 10e9,
  injectionDelayPs: 0,
} as const

it('has 32 servers, 8 of them N*, and the links of Fig. 5(a)', () => {
  const graph = buildGraph(params)
  expect(tierCounts(graph)).toEqual([32, 24, 8])
  // 32 injection links, 6 in each of 8 groups, 6 in each of 2 blades, 2 between the blades.
  expect(graph.links).toHaveLength(32 + 8 * 6 + 2 * 6 + 2)
})

it('connects a plain node with its group only, and N* with its blade too', () => {
  const graph = buildGraph(params)
  expect(neighbours(graph, 'b0.g1.n2').sort()).toEqual(
    ['b0.g1.h2', 'b0.g1.n0', 'b0.g1.n1', 'b0.g1.n3'].sort(),
  )
  expect(neighbours(graph, 'b0.g2.n0').sort()).toEqual(
    [
      'b0.g2.h0',
      ...[1, 2, 3].map((n) => `b0.g2.n${n}`),
      ...[0, 1, 3].map((g) => `b0.g${g}.n0`),
    ].sort(),
  )
})

it('joins the blades by links between the N* of their first groups', () => {
  const graph = buildGraph(params)
  const between = neighbours(graph, 'b0.g0.n0').filter((name) => name === 'b1.g0.n0')
  expect(between).toHaveLength(2)
  expect(neighbours(graph, 'b0.g1.n0')).not.toContain('b1.g1.n0')
  // h, n, N*, N* at the blade's exit, N* at the other's entry, N*, n, h.
  expect(hops(graph, 'b0.g2.h1', 'b1.g3.h1')).toBe(7)
})

it('draws blades as clusters that do not overlap', () => {
  const { nodes } = buildGraph(params)
  const xs = (blade: string) => nodes.filter((n) => n.name.startsWith(blade)).map((n) => n.x)
  expect(Math.max(...xs('b0'))).toBeLessThan(Math.min(...xs('b1')))
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length)
})

it('may have no link between blades only where there is one blade', () => {
  const unlinked = { ...params, linksBetweenBlades: 0 }
  const { nodes } = buildGraph({ ...unlinked, blades: 1 })
  expect(nodes.filter(({ kind }) => kind === 'host')).toHaveLength(16)
  expect(() => buildGraph({ ...unlinked, blades: 2 })).toThrow('give a whole number of at least 1')
})
