/**
 * What a scheme takes for itself: bytes that are no payload, of them those that nodes send each
 * other (broadcasts, grants, pulls), and packets that wait at receivers because others overtook
 * them. Shown where there is any of the last two.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import type { Result } from '@weir/sim'
import type { Breakdown } from './breakdown.ts'
import type { Entry } from './comparison.ts'
import { count, percent, ratio } from './format.ts'
import { bestOf, cellText, type Measure } from './measures.ts'

type Costed = Result & { readonly atLeast?: readonly string[] }

const OVERHEAD: Measure<Costed> = {
  key: 'controlFraction',
  title: 'not payload',
  about: 'headers, ACKs and control, of all bytes on all links',
  best: 'low',
  value: ({ counters }) => counters.controlBytes / counters.allBytes,
  show: percent,
  dropOrder: 0,
}

/** Whole in a run; means of several runs have digits, and no more than three. */
function packets(value: number): string {
  return Number.isInteger(value) ? count(value) : ratio(value)
}

const COSTS: readonly Measure<Costed>[] = [
  OVERHEAD,
  {
    ...OVERHEAD,
    key: 'agentBytes',
    title: 'node to node',
    about: 'packets between nodes (broadcasts, grants, pulls), of all bytes on all links',
    value: ({ counters }) => counters.agentBytes / counters.allBytes,
  },
  {
    ...OVERHEAD,
    key: 'reorderP95',
    title: 'reorder p95',
    about: 'packets that waited for an overtaken one, 95th percentile of flows',
    value: ({ flows }) => nearestRank(sortedValues(flows.reorderPackets), 0.95),
    show: packets,
  },
  {
    ...OVERHEAD,
    key: 'reorderMax',
    title: 'reorder max',
    about: 'packets that waited for an overtaken one, at the most',
    value: ({ flows }) => flows.reorderPackets.reduce((most, one) => Math.max(most, one), 0),
    show: packets,
  },
]

export function costs(entries: readonly Entry[]): Breakdown[] {
  const draws = entries.map(({ results }) => results)
  const isAny = draws.flat().some(({ counters, flows }) => {
    return counters.agentBytes > 0 || flows.reorderPackets.some((waited) => waited > 0)
  })
  if (!isAny) return []
  const best = COSTS.map((measure) => bestOf(measure, draws))
  return [
    {
      title: 'What it costs',
      note: 'Bytes on all links; packets of a flow that waited for one that was overtaken or lost.',
      columns: COSTS.map(({ title, about }) => ({ title, about })),
      cells: draws.map((own, row) =>
        COSTS.map((measure, i) => ({
          text: cellText(measure, own),
          isBest: best[i]!.has(row),
        })),
      ),
    },
  ]
}
