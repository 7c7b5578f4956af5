/**
 * A k-ary fat tree: three tiers of equal k-port switches with full bisection bandwidth.
 *
 * M. Al-Fares, A. Loukissas and A. Vahdat, "A Scalable, Commodity Data Center Network
 * Architecture", SIGCOMM 2008, section 3 (not verified): k pods of k/2 edge and k/2 aggregation
 * switches, (k/2)^2 cores, k^3/4 hosts. Aggregation switch j of every pod has cores j k/2 .. (j+1)
 * k/2 - 1.
 *
 * Names: `pod1.edge0.h1` (also `h<n>`), `pod1.edge0` (also `edge<n>`), `pod1.agg0` (also `agg<n>`),
 * `core3`.
 */
import { count, is, section } from '@weir/engine/codec'
import { requireWhole } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { links } from './links.ts'
import type { Links } from './links.ts'
import { pods3 } from './three-tier.ts'

export interface FatTreeParams extends Links {
  /** Ports of a switch; even. */
  readonly k: number
}

export const fatTree: Topology<FatTreeParams> = {
  name: 'fat-tree',
  summary: 'k-ary fat tree: k^3/4 hosts, k-port switches, full bisection bandwidth',
  codec: section('a fat-tree', {
    kind: is('fat-tree'),
    k: count(2, 64, 8),
    ...links,
  }),
  build(params: FatTreeParams): Graph {
    const { k, rateBps, delayPs } = params
    requireWhole('fat-tree', 'k', k, 2)
    if (k % 2 !== 0)
      throw new Error(`topology.k of the fat-tree is ${k}: give an even number of ports`)
    return pods3('fat-tree', 'edge', {
      cores: (k / 2) * (k / 2),
      pods: k,
      aggsPerPod: k / 2,
      torsPerPod: k / 2,
      hostsPerTor: k / 2,
      hostRateBps: rateBps,
      hostDelayPs: delayPs,
      fabricRateBps: rateBps,
      fabricDelayPs: delayPs,
    })
  },
}
