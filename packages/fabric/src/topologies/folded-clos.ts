/**
 * A two-level folded Clos of equal switches: a leaf gives half its ports to hosts and half to
 * spines, so that the fabric is not oversubscribed.
 *
 * P. Costa et al., "R2C2: A Network Stack for Rack-scale Computers", SIGCOMM 2015, section 6: 512
 * hosts with 32-port switches, which makes 32 leaves and 16 spines. C. Clos, "A Study of
 * Non-Blocking Switching Networks", BSTJ 1953. The paper says of it that there is no room for route
 * selection; with 16 spines there are 16 paths between leaves, and routing here may use them.
 *
 * There are radix/2 spines, each with one link to each leaf; if fewer than `radix` leaves are
 * needed, spines keep ports free. The last leaf takes what hosts are left.
 *
 * Names as in leaf-spine: `leaf1.h4` (also `h<n>`), `leaf1`, `spine2`.
 */
import { count, is, section } from '@weir/engine/codec'
import { requireWhole } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { hostCount, links } from './links.ts'
import type { Links } from './links.ts'
import { twoTiers } from './leaf-spine.ts'

export interface FoldedClosParams extends Links {
  readonly hosts: number
  /** Ports of a switch; even. */
  readonly radix: number
}

export const foldedClos: Topology<FoldedClosParams> = {
  name: 'folded-clos',
  summary: 'two levels of equal switches, half of each leaf for hosts and half for spines',
  codec: section('a folded-clos', {
    kind: is('folded-clos'),
    hosts: hostCount(2, 512),
    radix: count(2, 1024, 32),
    ...links,
  }),
  build(params: FoldedClosParams): Graph {
    const { hosts, radix, rateBps, delayPs } = params
    requireWhole('folded-clos', 'hosts', hosts, 1)
    requireWhole('folded-clos', 'radix', radix, 2)
    if (radix % 2 !== 0)
      throw new Error(`topology.radix of the folded-clos is ${radix}: give an even number of ports`)
    const half = radix / 2
    if (hosts > radix * half)
      throw new Error(
        `topology.hosts of the folded-clos is ${hosts}: two levels of ${radix}-port switches ` +
          `reach at most ${radix * half}; raise topology.radix`,
      )
    return twoTiers('folded-clos', hosts, {
      leaves: Math.ceil(hosts / half),
      spines: half,
      hostsPerLeaf: half,
      hostRateBps: rateBps,
      hostDelayPs: delayPs,
      fabricRateBps: rateBps,
      fabricDelayPs: delayPs,
    })
  },
}
