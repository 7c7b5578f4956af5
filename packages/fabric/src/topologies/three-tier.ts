/**
 * Three tiers: hosts on top-of-rack switches, pods of racks and aggregation switches, and a core.
 *
 * The simulated fabric of PACC, section II, which is that of Y. Li et al., "HPCC:
 * High Precision Congestion Control", SIGCOMM 2019: 16 core, 20 aggregation and 20
 * top-of-rack switches, 16 hosts a rack. The papers give the counts; the wiring is that of the
 * topology file which HPCC's authors published for ns-3: 5 pods of 4 + 4 switches, each ToR joined
 * to the 4 aggs of its pod, agg j of every pod joined to cores 4j .. 4j+3.
 *
 * Names: `pod1.tor0.h3` (also `h<n>`), `pod1.tor0` (also `tor<n>`), `pod1.agg0` (also `agg<n>`),
 * `core3`.
 */
import { count, is, otherwise, section } from '@weir/engine/codec'
import { GraphDraft, requireWhole, rowHeight, spread } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { bothDelays, tieredLinks } from './links.ts'
import type { TieredLinks } from './links.ts'

export interface ThreeTierParams extends TieredLinks {
  /** A multiple of `aggsPerPod`: each agg of a pod has its own group of cores. */
  readonly cores: number
  readonly pods: number
  readonly aggsPerPod: number
  readonly torsPerPod: number
  readonly hostsPerTor: number
}

export const threeTier: Topology<ThreeTierParams> = {
  name: 'three-tier',
  summary: 'racks in pods under a core: the fabric of HPCC and PACC',
  codec: section(
    'a three-tier',
    {
      kind: is('three-tier'),
      // PACC, Fig. 1: 16 core, 20 aggregation and 20 top-of-rack switches, 320 hosts.
      cores: otherwise(count(1, 4096, 16), 16),
      pods: otherwise(count(1, 4096, 5), 5),
      aggsPerPod: otherwise(count(1, 4096, 4), 4),
      torsPerPod: otherwise(count(1, 4096, 4), 4),
      hostsPerTor: otherwise(count(1, 4096, 16), 16),
      ...tieredLinks,
    },
    bothDelays,
  ),
  build(params: ThreeTierParams): Graph {
    const { cores, pods, aggsPerPod, torsPerPod, hostsPerTor } = params
    requireWhole('three-tier', 'pods', pods, 1)
    requireWhole('three-tier', 'aggsPerPod', aggsPerPod, 1)
    requireWhole('three-tier', 'torsPerPod', torsPerPod, 1)
    requireWhole('three-tier', 'hostsPerTor', hostsPerTor, 1)
    requireWhole('three-tier', 'cores', cores, pods > 1 ? 1 : 0)
    if (cores % aggsPerPod !== 0)
      throw new Error(
        `topology.cores of the three-tier is ${cores}: give a multiple of topology.aggsPerPod ` +
          `(${aggsPerPod}), so that each aggregation switch has as many cores`,
      )
    return pods3('three-tier', 'tor', params)
  },
}

/** Pods under a core, with `edge` as the word for a switch that has hosts (see fat-tree.ts). */
export function pods3(kind: string, edge: string, params: ThreeTierParams): Graph {
  const { cores, pods, aggsPerPod, torsPerPod, hostsPerTor, fabricRateBps, fabricDelayPs } = params
  const tors = pods * torsPerPod
  const aggs = pods * aggsPerPod
  const hosts = tors * hostsPerTor
  const row = rowHeight(hosts)
  const draft = new GraphDraft(kind)

  const torName = (tor: number): string => inPod(tor, torsPerPod, edge)
  for (let i = 0; i < hosts; i++) {
    const tor = Math.floor(i / hostsPerTor)
    draft.host(`${torName(tor)}.h${i % hostsPerTor}`, { x: spread(i, hosts, hosts), y: 0 })
  }
  for (let i = 0; i < tors; i++)
    draft.switch(torName(i), 1, { x: spread(i, tors, hosts), y: row }, [`${edge}${i}`])
  for (let i = 0; i < aggs; i++) {
    const place = { x: spread(i, aggs, hosts), y: 2 * row }
    draft.switch(inPod(i, aggsPerPod, 'agg'), 2, place, [`agg${i}`])
  }
  for (let i = 0; i < cores; i++)
    draft.switch(`core${i}`, 3, { x: spread(i, cores, hosts), y: 3 * row })

  for (let i = 0; i < hosts; i++)
    draft.link(i, hosts + Math.floor(i / hostsPerTor), params.hostRateBps, params.hostDelayPs)
  for (let tor = 0; tor < tors; tor++) {
    const firstAgg = hosts + tors + Math.floor(tor / torsPerPod) * aggsPerPod
    for (let j = 0; j < aggsPerPod; j++)
      draft.link(hosts + tor, firstAgg + j, fabricRateBps, fabricDelayPs)
  }
  const coresPerAgg = cores / aggsPerPod
  for (let agg = 0; agg < aggs; agg++) {
    const firstCore = hosts + tors + aggs + (agg % aggsPerPod) * coresPerAgg
    for (let j = 0; j < coresPerAgg; j++)
      draft.link(hosts + tors + agg, firstCore + j, fabricRateBps, fabricDelayPs)
  }
  return draft.graph()
}

function inPod(i: number, perPod: number, word: string): string {
  return `pod${Math.floor(i / perPod)}.${word}${i % perPod}`
}
