/**
 * A dumbbell: two switches with hosts, and one link between them that all traffic across shares.
 * The picture on which congestion control was first argued: V. Jacobson, "Congestion Avoidance and
 * Control", SIGCOMM 1988.
 *
 * Hosts are `h0` ...: first the left ones (`l0`, `l1` ...), then the right ones (`r0` ...). The
 * switches are `left` and `right` (or `s0`, `s1`). The last link is the bottleneck.
 */
import { is, orFrom, rate, section, time } from '@weir/engine/codec'
import { GraphDraft, requireWhole, spread } from './graph-draft.ts'
import type { Graph, Topology } from './graph.ts'
import { hostCount, links } from './links.ts'
import type { Links } from './links.ts'

export interface DumbbellParams extends Links {
  readonly left: number
  readonly right: number
  readonly bottleneckRateBps: number
  readonly bottleneckDelayPs: number
}

export const dumbbell: Topology<DumbbellParams> = {
  name: 'dumbbell',
  summary: 'two switches with hosts, joined by one bottleneck link',
  codec: section('a dumbbell', {
    kind: is('dumbbell'),
    left: hostCount(1, 4),
    right: hostCount(1, 4),
    ...links,
    bottleneckRateBps: orFrom(rate(), ({ rateBps }) => rateBps),
    bottleneckDelayPs: orFrom(time({ zero: true }), ({ delayPs }) => delayPs),
  }),
  build(params: DumbbellParams): Graph {
    const { left, right, rateBps, delayPs } = params
    requireWhole('dumbbell', 'left', left, 1)
    requireWhole('dumbbell', 'right', right, 1)

    // Drawn lying down: hosts in a column at each side, host 0 at the top.
    const height = Math.max(left, right)
    const draft = new GraphDraft('dumbbell')
    for (let i = 0; i < left; i++)
      draft.host(`h${i}`, { x: 0, y: height - spread(i, left, height) }, [`l${i}`])
    for (let i = 0; i < right; i++)
      draft.host(`h${left + i}`, { x: 2 * height, y: height - spread(i, right, height) }, [`r${i}`])
    const leftSwitch = draft.switch('left', 1, { x: 0.5 * height, y: height / 2 }, ['s0'])
    const rightSwitch = draft.switch('right', 1, { x: 1.5 * height, y: height / 2 }, ['s1'])

    for (let i = 0; i < left; i++) draft.link(i, leftSwitch, rateBps, delayPs)
    for (let i = 0; i < right; i++) draft.link(left + i, rightSwitch, rateBps, delayPs)
    draft.link(leftSwitch, rightSwitch, params.bottleneckRateBps, params.bottleneckDelayPs)
    return draft.graph()
  },
}
