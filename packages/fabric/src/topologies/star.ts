/**
 * A star: every host on one switch. The smallest fabric with a bottleneck: an incast into one port.
 *
 * Hosts are `h0`, `h1` ...; the switch is `switch` (or `s0`).
 */
import { is, section } from '@weir/engine/codec'
import { GraphDraft, requireWhole, rowHeight, spread } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { hostCount, links } from './links.ts'
import type { Links } from './links.ts'

export interface StarParams extends Links {
  readonly hosts: number
}

export const star: Topology<StarParams> = {
  name: 'star',
  summary: 'all hosts on one switch',
  codec: section('a star', {
    kind: is('star'),
    hosts: hostCount(2, 17),
    ...links,
  }),
  build(params: StarParams): Graph {
    const { hosts, rateBps, delayPs } = params
    requireWhole('star', 'hosts', hosts, 1)

    const draft = new GraphDraft('star')
    for (let i = 0; i < hosts; i++) draft.host(`h${i}`, { x: spread(i, hosts, hosts), y: 0 })
    const centre = draft.switch('switch', 1, { x: hosts / 2, y: rowHeight(hosts) }, ['s0'])
    for (let i = 0; i < hosts; i++) draft.link(i, centre, rateBps, delayPs)
    return draft.graph()
  },
}
