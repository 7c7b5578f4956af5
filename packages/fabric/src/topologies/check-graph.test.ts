import { describe, expect, it } from 'vitest'
import { checkGraph } from './check-graph.ts'
import { buildGraph, topologies } from './index.ts'
import type { TopologyParams } from './index.ts'

const link = (a: string, b: string, rateBps = 10e9, delayPs = 0) => ({ a, b, rateBps, delayPs })
const graph = (hosts: string[], switches: string[], links: ReturnType<typeof link>[]) => () =>
  buildGraph({ kind: 'graph', hosts, switches, links })

it('accepts a pair of hosts on a switch', () => {
  expect(graph(['a', 'b'], ['s'], [link('a', 's'), link('b', 's')])).not.toThrow()
})

it.each([
  [
    'two nodes of one name',
    graph(['a', 'a'], ['s'], []),
    'two nodes of the topology are called "a"',
  ],
  [
    'a link of no rate',
    graph(['a'], ['s'], [link('a', 's', 0)]),
    'between "a" and "s" has a rate of 0',
  ],
  ['a negative delay', graph(['a'], ['s'], [link('a', 's', 1, -1)]), 'has a delay of -1 ps'],
  [
    'a delay below a picosecond',
    graph(['a'], ['s'], [link('a', 's', 1, 0.5)]),
    'whole picoseconds',
  ],
  [
    'a host with two links',
    graph(['a'], ['s', 't'], [link('a', 's'), link('a', 't'), link('s', 't')]),
    '"a" has 2 links',
  ],
  ['a host with none', graph(['a', 'b'], ['s'], [link('a', 's')]), '"b" has 0 links'],
  [
    'an unreachable node',
    graph(['a', 'b'], ['s', 't'], [link('a', 's'), link('b', 't')]),
    'no links lead from "a" to "b"',
  ],
  [
    'a link to itself',
    graph(['a'], ['s'], [link('a', 's'), link('s', 's')]),
    'begins and ends at one node',
  ],
  ['no host', graph([], ['s'], []), 'the topology has no hosts'],
])('refuses %s', (_, build, sentence) => {
  expect(build).toThrow(sentence)
})

it('refuses an unknown kind with the list of known ones', () => {
  expect(() => buildGraph({ kind: 'ring' } as unknown as TopologyParams)).toThrow(
    'there is no topology "ring": choose one of star, dumbbell, leaf-spine',
  )
})

const rates = { rateBps: 10e9, delayPs: 1e6 }
const tiers = { hostRateBps: 25e9, hostDelayPs: 1e6, fabricRateBps: 100e9, fabricDelayPs: 1e6 }
const injection = { ...rates, injectionRateBps: 10e9, injectionDelayPs: 0 }
const examples: readonly TopologyParams[] = [
  { kind: 'star', hosts: 9, ...rates },
  { kind: 'dumbbell', left: 3, right: 2, ...rates, bottleneckRateBps: 1e9, bottleneckDelayPs: 0 },
  { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 4, ...tiers },
  { kind: 'fat-tree', k: 4, ...rates },
  { kind: 'three-tier', cores: 4, pods: 2, aggsPerPod: 2, torsPerPod: 3, hostsPerTor: 2, ...tiers },
  { kind: 'torus', dimensions: [3, 2, 4], ...injection },
  { kind: 'mesh', dimensions: [5], ...injection },
  {
    kind: 'two-blade',
    blades: 3,
    groupsPerBlade: 3,
    nodesPerGroup: 2,
    linksBetweenBlades: 2,
    ...injection,
  },
  { kind: 'folded-clos', hosts: 13, radix: 6, ...rates },
  { kind: 'graph', hosts: ['a', 'b'], switches: ['s'], links: [link('a', 's'), link('b', 's')] },
]

describe('every topology', () => {
  it('has an example here', () => {
    expect(examples.map(({ kind }) => kind)).toEqual(Object.keys(topologies))
  })

  it.each(examples)('$kind: host n is node n, is called h<n>, and is drawn apart', (params) => {
    const { nodes } = checkGraph(buildGraph(params))
    const hosts = nodes.filter((node) => node.kind === 'host')
    hosts.forEach((host, i) => {
      expect(nodes[i]).toBe(host)
      expect([host.name, ...host.aliases]).toContain(`h${i}`)
      expect(host.tier).toBe(0)
    })
    expect(new Set(nodes.map(({ x, y, z }) => `${x} ${y} ${z}`)).size).toBe(nodes.length)
    expect(topologies[params.kind].name).toBe(params.kind)
  })
})
