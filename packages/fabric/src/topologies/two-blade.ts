/**
 * Blades of MultiNode Groups: a hierarchy of full meshes of servers.
 *
 * ACCurate, section III-C and Fig. 5(a): the nodes of a group are fully connected; one
 * node of each group, N*, also has links to the N* of every other group of its blade; two blades
 * are joined by two links. The text does not say where those two links end. Here all join the N* of
 * group 0 of one blade with that of the other. Ended at different groups, traffic that leaves a
 * blade by one N* and traffic that comes in by another share links, and back-pressure can close a
 * cycle: lossless TCP at load 0.2 then deadlocked after some 20 ms, which the paper does not
 * report. With more than two blades, every pair of blades is joined so.
 *
 * A server is a switch and a host with an injection link. N* is node 0 of its group.
 * Names: switch `b0.g1.n2`, host `b0.g1.h2` (also `h<n>`). N* is of tier 2, the others of tier 1.
 */
import { count, is, otherwise, section } from '@weir/engine/codec'
import { GraphDraft, requireWhole } from './graph-draft.ts'
import type { Place } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { rackLinks } from './links.ts'
import type { RackLinks } from './links.ts'

export interface TwoBladeParams extends RackLinks {
  readonly blades: number
  readonly groupsPerBlade: number
  readonly nodesPerGroup: number
  /** Links between a pair of blades, side by side. */
  readonly linksBetweenBlades: number
}

export const twoBlade: Topology<TwoBladeParams> = {
  name: 'two-blade',
  summary: 'blades of fully connected groups of fully connected servers (ACCurate, Fig. 5a)',
  codec: section('a two-blade', {
    kind: is('two-blade'),
    // ACCurate, Fig. 5(a).
    blades: otherwise(count(1, 1024, 2), 2),
    groupsPerBlade: otherwise(count(1, 1024, 4), 4),
    nodesPerGroup: otherwise(count(1, 1024, 4), 4),
    linksBetweenBlades: otherwise(count(1, 1024, 2), 2),
    ...rackLinks,
  }),
  build(params: TwoBladeParams): Graph {
    const { blades, groupsPerBlade, nodesPerGroup, linksBetweenBlades, rateBps, delayPs } = params
    requireWhole('two-blade', 'blades', blades, 1)
    requireWhole('two-blade', 'groupsPerBlade', groupsPerBlade, 1)
    requireWhole('two-blade', 'nodesPerGroup', nodesPerGroup, 1)
    requireWhole('two-blade', 'linksBetweenBlades', linksBetweenBlades, blades > 1 ? 1 : 0)

    const count = blades * groupsPerBlade * nodesPerGroup
    const draft = new GraphDraft('two-blade')
    for (let i = 0; i < count; i++) {
      const { x, y } = placeOf(i, params)
      draft.host(nameOf(i, params, 'h'), { x: x + 0.3, y: y - 0.3 })
    }
    for (let i = 0; i < count; i++)
      draft.switch(nameOf(i, params, 'n'), i % nodesPerGroup === 0 ? 2 : 1, placeOf(i, params))

    for (let i = 0; i < count; i++)
      draft.link(i, count + i, params.injectionRateBps, params.injectionDelayPs)
    const groups = blades * groupsPerBlade
    const star = (group: number): number => count + group * nodesPerGroup
    for (let group = 0; group < groups; group++)
      for (const [i, j] of pairs(nodesPerGroup))
        draft.link(star(group) + i, star(group) + j, rateBps, delayPs)
    for (let blade = 0; blade < blades; blade++)
      for (const [g, h] of pairs(groupsPerBlade))
        draft.link(
          star(blade * groupsPerBlade + g),
          star(blade * groupsPerBlade + h),
          rateBps,
          delayPs,
        )
    for (const [a, b] of pairs(blades))
      for (let i = 0; i < linksBetweenBlades; i++)
        draft.link(star(a * groupsPerBlade), star(b * groupsPerBlade), rateBps, delayPs)
    return draft.graph()
  },
}

function* pairs(count: number): Generator<readonly [number, number]> {
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) yield [i, j]
}

function nameOf(i: number, params: TwoBladeParams, letter: 'h' | 'n'): string {
  const { groupsPerBlade, nodesPerGroup } = params
  const group = Math.floor(i / nodesPerGroup)
  const blade = Math.floor(group / groupsPerBlade)
  return `b${blade}.g${group % groupsPerBlade}.${letter}${i % nodesPerGroup}`
}

/** Squares of nodes in squares of groups, one cluster a blade, side by side. */
function placeOf(i: number, params: TwoBladeParams): Place {
  const { groupsPerBlade, nodesPerGroup } = params
  const nodeColumns = Math.ceil(Math.sqrt(nodesPerGroup))
  const groupColumns = Math.ceil(Math.sqrt(groupsPerBlade))
  const groupPitch = nodeColumns + 1
  const bladePitch = groupColumns * groupPitch + 2
  const node = i % nodesPerGroup
  const group = Math.floor(i / nodesPerGroup) % groupsPerBlade
  const blade = Math.floor(i / (nodesPerGroup * groupsPerBlade))
  return {
    x: blade * bladePitch + (group % groupColumns) * groupPitch + (node % nodeColumns),
    y: -Math.floor(group / groupColumns) * groupPitch - Math.floor(node / nodeColumns),
  }
}
