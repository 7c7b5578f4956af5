/**
 * What one flow that comes or goes costs a node that wants all rates, exactly or within a
 * tolerance, and one that wants exact rates of its own flows alone; all of it ours. Exact rates
 * change at a third to two fifths of all sprayed flows with each event, nearly all by less than a
 * thousandth, so that no exact computation of all of them is a small part of a full one.
 */
import { mean, nearestRank, sortedValues } from '@weir/metrics'
import { ours } from '../figure.ts'
import type { Check, FigureContext, Plot } from '../figure.ts'
import { ownCostsOf } from './own-rates.ts'
import type { OwnCosts } from './own-rates.ts'
import { eventsOf } from './rate-events.ts'
import type { EventCosts, Events } from './rate-events.ts'

const FULL = { events: 2000, flows: ['pareto', 500, 1000, 2241] } as const
const QUICK = { events: 200, flows: ['pareto', 500] } as const
/** Whose own flows are asked for; twelve Pareto flows are of as many nodes. */
const OWN_NODES = { full: 8, quick: 4 }
/** 0: the exact computation. */
const TOLERANCES = [0, 1e-4, 1e-3, 1e-2]

interface Counted extends Events {
  readonly name: string
  readonly own: OwnCosts | undefined
}

export async function countedEvents(
  context: FigureContext,
  clockMs?: () => number,
): Promise<readonly Counted[]> {
  const { events, flows } = context.size === 'full' ? FULL : QUICK
  const counted: Counted[] = []
  for (const count of flows) {
    const name = count === 'pareto' ? 'Pareto flows, one each us' : `${count} long flows`
    context.progress(0.9, `one event at a time, ${name}`)
    const options = { sizes: [8, 8, 8], flows: count, events, tolerances: TOLERANCES, seed: 1 }
    const all = eventsOf({ ...options, ...(clockMs && { clockMs }) })
    await Promise.resolve()
    const nodes = OWN_NODES[context.size]
    const own =
      count === 'pareto'
        ? undefined
        : ownCostsOf({ ...options, flows: count, nodes, ...(clockMs && { clockMs }) })
    counted.push({ name, own, ...all })
    await Promise.resolve()
  }
  return counted
}

export function eventChecks(counted: readonly Counted[]): Check[] {
  return counted.flatMap(({ costs, flows, name, own }) => [
    ...costs.map((cost) => workCheck(name, cost)),
    ...(own === undefined ? [] : [ownCheck(name, own)]),
    ...costs.filter(({ tolerance }) => tolerance > 0).map((cost) => offCheck(name, cost, flows)),
  ])
}

function workCheck(name: string, { filled, time, tolerance, touched }: EventCosts): Check {
  const times = time.some(Number.isFinite) ? `; time ${spread(time)}` : ''
  const links = tolerance > 0 ? `; links ${spread(touched)}` : ''
  return ours(
    `one event, ${name}, ${within(tolerance)}: flows filled, of a full computation`,
    mean(filled),
    'times',
    `Median and 99th percentile, of a full one: flows ${spread(filled)}${links}${times}.`,
  )
}

function ownCheck(name: string, { filled, offMost, time, touched }: OwnCosts): Check {
  const none = filled.filter((part) => part === 0).length / filled.length
  const times = time.some(Number.isFinite) ? `; time ${spread(time)}` : ''
  return ours(
    `one event, ${name}, exact, own flows of a node: flows filled, of a full computation`,
    mean(filled),
    'times',
    `Of nodes that have some. Median and 99th percentile: flows ${spread(filled)}; links ` +
      `${spread(touched)}, ${percent(mean(touched))} in the mean${times}. ${percent(none)} of ` +
      `events cost nothing. Rates are ${offMost.toExponential(0)} off those of filling all.`,
  )
}

function offCheck(name: string, cost: EventCosts, flows: readonly number[]): Check {
  const { off, offMost, overloadMost, tolerance } = cost
  return ours(
    `one event, ${name}, ${within(tolerance)}: rates off exact ones, 99th percentile`,
    100 * nearestRank(off, 0.99),
    '%',
    `Median ${percent(nearestRank(off, 0.5))}, most ${percent(offMost)}; no link has more than ` +
      `${percent(overloadMost)} too much. ${flows.length} events, ` +
      `${nearestRank(sortedValues(flows), 0.5)} flows in the median.`,
  )
}

export function eventPlots(counted: readonly Counted[]): Plot[] {
  const x = { label: 'tolerance', unit: '%', scale: 'log' } as const
  const curves = (of: (cost: EventCosts) => number): Plot['curves'] =>
    counted.flatMap(({ name, costs }) => {
      // A logarithmic axis has no zero, which is where few flows are exact whatever is tolerated.
      const some = costs.filter((cost) => cost.tolerance > 0 && of(cost) > 0)
      if (some.length === 0) return []
      return [{ name, x: some.map(({ tolerance }) => 100 * tolerance), y: some.map(of) }]
    })
  return [
    {
      title: 'Within a tolerance: flows filled after one comes or goes',
      kind: 'lines',
      x,
      y: { label: 'flows filled, mean', unit: '% of a full computation', scale: 'log' },
      curves: curves(({ filled }) => 100 * mean(filled)),
    },
    {
      title: 'Within a tolerance: how far rates are from exact ones, 99th percentile',
      kind: 'lines',
      x,
      y: { label: 'distance from the exact rate', unit: '%', scale: 'log' },
      curves: curves(({ off }) => 100 * nearestRank(off, 0.99)),
    },
  ]
}

function within(tolerance: number): string {
  return tolerance === 0 ? 'exact' : `within ${100 * tolerance}%`
}

function spread(values: readonly number[]): string {
  const sorted = sortedValues(values)
  return `${percent(nearestRank(sorted, 0.5))} and ${percent(nearestRank(sorted, 0.99))}`
}

function percent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(2))}%`
}
