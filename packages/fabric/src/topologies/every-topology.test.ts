import { describe, expect, it } from 'vitest'
import { buildGraph } from './index.ts'
import type { TopologyParams } from './index.ts'

const link = { rateBps: 25e9, delayPs: 1e6 }
const tiers = { hostRateBps: 25e9, hostDelayPs: 1, fabricRateBps: 100e9, fabricDelayPs: 2 }
const examples: readonly TopologyParams[] = [
  { kind: 'star', hosts: 5, ...link },
  { kind: 'dumbbell', left: 4, right: 3, ...link, bottleneckRateBps: 1e9, bottleneckDelayPs: 5 },
  { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 4, ...tiers },
  { kind: 'fat-tree', k: 4, ...link },
  {
    kind: 'three-tier',
    cores: 2,
    pods: 3,
    aggsPerPod: 2,
    torsPerPod: 2,
    hostsPerTor: 3,
    ...tiers,
  },
  { kind: 'folded-clos', hosts: 12, radix: 6, ...link },
  {
    kind: 'two-blade',
    blades: 2,
    groupsPerBlade: 3,
    nodesPerGroup: 4,
    linksBetweenBlades: 2,
    injectionRateBps: 25e9,
    injectionDelayPs: 1,
    ...link,
  },
]

describe.each(examples.map((params) => [params.kind, params] as const))('a %s', (kind, params) => {
  it('refuses counts that are none, by the name of the count and of the topology', () => {
    for (const [name, value] of Object.entries(params)) {
      if (typeof value !== 'number' || /Bps$|Ps$/.test(name)) continue
      for (const wrong of [-1, 1.5]) {
        const built = (): unknown => buildGraph({ ...params, [name]: wrong })
        expect(built).toThrow(`topology.${name} of the ${kind} is ${wrong}: give a whole number`)
      }
    }
  })

  it('is drawn with each node at a place of its own, and hosts at the edge', () => {
    const { nodes } = buildGraph(params)
    const places = nodes.map(({ x, y, z }) => `${x} ${y} ${z}`)
    expect(new Set(places).size).toBe(nodes.length)
    for (const { x, y, z } of nodes) expect([x, y, z].every(Number.isFinite)).toBe(true)
    const isTree = kind !== 'dumbbell' && kind !== 'two-blade'
    if (!isTree) return
    const highest = Math.max(...nodes.filter((node) => node.tier === 0).map(({ y }) => y))
    for (const { tier, y } of nodes) expect(tier === 0 || y > highest).toBe(true)
  })
})

it('may have no link between blades only where there is one blade', () => {
  const params = examples.find(({ kind }) => kind === 'two-blade') as TopologyParams
  const of = (blades: number): TopologyParams =>
    ({ ...params, blades, linksBetweenBlades: 0 }) as TopologyParams
  expect(buildGraph(of(1)).nodes.filter(({ kind }) => kind === 'host')).toHaveLength(12)
  expect(() => buildGraph(of(2))).toThrow('give a whole number of at least 1')
})

it('names the ends of a dumbbell by side as well', () => {
  const { nodes } = buildGraph(examples[1]!)
  expect(nodes.map(({ name, aliases }) => [name, ...aliases].join(' '))).toEqual([
    ...['h0 l0', 'h1 l1', 'h2 l2', 'h3 l3', 'h4 r0', 'h5 r1', 'h6 r2'],
    ...['left s0', 'right s1'],
  ])
})
