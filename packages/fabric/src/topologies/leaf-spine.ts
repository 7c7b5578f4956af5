/**
 * Leaf and spine: hosts on leaves, every leaf joined to every spine by one link.
 *
 * The two-tier folded Clos that data centers build: M. Alizadeh and T. Edsall, "On the Data Path
 * Performance of Leaf-Spine Datacenter Fabrics", Hot Interconnects 2013. Oversubscription is
 * hostsPerLeaf x hostRate : spines x fabricRate.
 *
 * Names: `leaf1.h4` (also `h<n>`, counted leaf by leaf), `leaf1`, `spine2`.
 */
import { count, is, section } from '@weir/engine/codec'
import { GraphDraft, requireWhole, rowHeight, spread } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { bothDelays, tieredLinks } from './links.ts'
import type { TieredLinks } from './links.ts'

export interface LeafSpineParams extends TieredLinks {
  readonly leaves: number
  readonly spines: number
  readonly hostsPerLeaf: number
}

export const leafSpine: Topology<LeafSpineParams> = {
  name: 'leaf-spine',
  summary: 'hosts on leaf switches, each leaf joined to each spine',
  codec: section(
    'a leaf-spine',
    {
      kind: is('leaf-spine'),
      leaves: count(1, 4096, 4),
      spines: count(1, 4096, 2),
      hostsPerLeaf: count(1, 4096, 8),
      ...tieredLinks,
    },
    bothDelays,
  ),
  build(params: LeafSpineParams): Graph {
    requireWhole('leaf-spine', 'leaves', params.leaves, 1)
    requireWhole('leaf-spine', 'hostsPerLeaf', params.hostsPerLeaf, 1)
    // A single leaf needs no spine.
    requireWhole('leaf-spine', 'spines', params.spines, params.leaves > 1 ? 1 : 0)
    return twoTiers('leaf-spine', params.leaves * params.hostsPerLeaf, params)
  },
}

/** Two tiers with the hosts given to leaf after leaf until they run out (see folded-clos.ts). */
export function twoTiers(kind: string, hosts: number, params: LeafSpineParams): Graph {
  const { leaves, spines, hostsPerLeaf } = params
  const width = leaves * hostsPerLeaf
  const row = rowHeight(width)
  const draft = new GraphDraft(kind)
  for (let i = 0; i < hosts; i++) {
    const leaf = Math.floor(i / hostsPerLeaf)
    draft.host(`leaf${leaf}.h${i - leaf * hostsPerLeaf}`, { x: spread(i, width, width), y: 0 })
  }
  for (let i = 0; i < leaves; i++)
    draft.switch(`leaf${i}`, 1, { x: spread(i, leaves, width), y: row })
  for (let i = 0; i < spines; i++)
    draft.switch(`spine${i}`, 2, { x: spread(i, spines, width), y: 2 * row })

  for (let i = 0; i < hosts; i++)
    draft.link(i, hosts + Math.floor(i / hostsPerLeaf), params.hostRateBps, params.hostDelayPs)
  for (let leaf = 0; leaf < leaves; leaf++)
    for (let spine = 0; spine < spines; spine++)
      draft.link(hosts + leaf, hosts + leaves + spine, params.fabricRateBps, params.fabricDelayPs)
  return draft.graph()
}
