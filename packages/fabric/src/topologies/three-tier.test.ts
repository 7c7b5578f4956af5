import { expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { buildGraph } from './index.ts'
import { NodeNames } from './node-names.ts'
import { hops, linksBetween, neighbours, tierCounts } from './testing.ts'

conforms({
  kind: 'three-tier',
  cores: 4,
  pods: 2,
  aggsPerPod: 2,
  torsPerPod: 3,
  hostsPerTor: 2,
  hostRateBps: 25e9,
  hostDelayPs: 1e6,
  fabricRateBps: 100e9,
  fabricDelayPs: 1e6,
})

/** PACC, section II. */
const pacc = {
  kind: 'three-tier',
  cores: 16,
  pods: 5,
  aggsPerPod: 4,
  torsPerPod: 4,
  hostsPerTor: 16,
  hostRateBps: 25e9,
  hostDelayPs: 1e6,
  fabricRateBps: 100e9,
  fabricDelayPs: 1e6,
} as const

it("has the nodes and links of HPCC's published topology file: 376 nodes, 480 links", () => {
  const graph = buildGraph(pacc)
  expect(tierCounts(graph)).toEqual([320, 20, 20, 16])
  expect(graph.links).toHaveLength(480)
  expect(linksBetween(graph, 1, 2)).toHaveLength(80)
  expect(linksBetween(graph, 2, 3)).toHaveLength(80)
})

it('wires pods as that file does: a ToR to the aggs of its pod, agg j to cores 4j to 4j+3', () => {
  const graph = buildGraph(pacc)
  expect(neighbours(graph, 'pod2.tor1').slice(16)).toEqual([
    'pod2.agg0',
    'pod2.agg1',
    'pod2.agg2',
    'pod2.agg3',
  ])
  expect(neighbours(graph, 'pod3.agg2').slice(4)).toEqual(['core8', 'core9', 'core10', 'core11'])
  expect(neighbours(graph, 'core5')).toEqual([0, 1, 2, 3, 4].map((pod) => `pod${pod}.agg1`))
})

it('gives the base round trip of PACC: 12 us between pods', () => {
  const graph = buildGraph(pacc)
  expect(2 * hops(graph, 'h0', 'h319') * pacc.fabricDelayPs).toBe(12e6)
})

it('names racks and aggregation switches by pod and by number', () => {
  const names = new NodeNames(buildGraph(pacc))
  expect(names.index('tor6')).toBe(names.index('pod1.tor2'))
  expect(names.index('agg19')).toBe(names.index('pod4.agg3'))
  expect(names.index('h17')).toBe(names.index('pod0.tor1.h1'))
})

it('refuses cores that cannot be shared out among the aggregation switches', () => {
  expect(() => buildGraph({ ...pacc, cores: 18 })).toThrow('multiple of topology.aggsPerPod (4)')
})

it('needs cores between pods, and none for one pod alone', () => {
  const few = { ...pacc, aggsPerPod: 2, torsPerPod: 1, hostsPerTor: 1 }
  expect(buildGraph({ ...few, cores: 0, pods: 1 }).nodes).toHaveLength(1 + 1 + 2)
  expect(() => buildGraph({ ...few, cores: 0, pods: 2 })).toThrow('cores')
})
