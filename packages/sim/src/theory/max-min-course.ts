/**
 * What a perfect congestion control would give each flow at each moment: the exact max-min rates of
 * the flows that are there, anew whenever one comes or goes. A flow with a size goes when so many
 * bytes have been served at these rates. Rates are of payload; no time passes on links.
 */
import { maxMin } from '@weir/theory/max-min'
import type { PlannedFlow } from './planned-flows.ts'

/** One flow: from `atPs[i]` on it has `rateBps[i]`; the last is 0, at its end. */
export interface MaxMinSteps {
  readonly name: string
  readonly atPs: readonly number[]
  readonly rateBps: readonly number[]
}

interface Active {
  readonly flow: PlannedFlow
  readonly steps: { name: string; atPs: number[]; rateBps: number[] }
  leftBytes: number
  rateBps: number
}

/** A flow whose last part of a byte is left has ended. */
const CRUMB = 1e-3

export function maxMinCourse(
  flows: readonly PlannedFlow[],
  capacitiesBps: readonly number[],
  untilPs: number,
): MaxMinSteps[] {
  const all = flows.map((flow): Active => ({
    flow,
    steps: { name: flow.name, atPs: [], rateBps: [] },
    leftBytes: flow.sizeBytes,
    rateBps: 0,
  }))
  const waiting = [...all].sort((a, b) => a.flow.startPs - b.flow.startPs)
  let active: Active[] = []
  let nowPs = 0
  while (nowPs < untilPs && (active.length > 0 || waiting.length > 0)) {
    while (waiting.length > 0 && waiting[0]!.flow.startPs <= nowPs) active.push(waiting.shift()!)
    share(active, capacitiesBps, nowPs)
    const nextPs = Math.min(untilPs, waiting[0]?.flow.startPs ?? Infinity, ...active.map(endPsOf))
    for (const one of active) one.leftBytes -= (one.rateBps * (nextPs - nowPs)) / 8e12
    nowPs = nextPs
    active = active.filter((one) => !hasEnded(one, nowPs))
  }
  for (const one of active) step(one, untilPs, 0)
  return all.map(({ steps }) => steps)

  function endPsOf({ flow, leftBytes, rateBps }: Active): number {
    return Math.min(flow.stopPs, nowPs + (leftBytes * 8e12) / rateBps)
  }
}

function share(active: readonly Active[], capacitiesBps: readonly number[], nowPs: number): void {
  if (active.length === 0) return
  const { ratesBps } = maxMin(
    capacitiesBps,
    active.map(({ flow }) => flow.ports),
    { weights: active.map(({ flow }) => flow.weight) },
  )
  active.forEach((one, i) => step(one, nowPs, ratesBps[i]!))
}

function hasEnded(one: Active, nowPs: number): boolean {
  const isOver = one.leftBytes <= CRUMB || one.flow.stopPs <= nowPs
  if (isOver) step(one, nowPs, 0)
  return isOver
}

function step(one: Active, atPs: number, rateBps: number): void {
  one.rateBps = rateBps
  if (one.steps.rateBps.at(-1) === rateBps) return
  one.steps.atPs.push(atPs)
  one.steps.rateBps.push(rateBps)
}

/** Of one flow at a time, in bit/s. */
export function maxMinAt({ atPs, rateBps }: MaxMinSteps, timePs: number): number {
  let rate = 0
  for (let i = 0; i < atPs.length && atPs[i]! <= timePs; i++) rate = rateBps[i]!
  return rate
}

/** Its mean over a span of time, as a sample of a run is. */
export function maxMinMean(steps: MaxMinSteps, fromPs: number, toPs: number): number {
  const { atPs, rateBps } = steps
  let sum = 0
  for (let i = 0; i < atPs.length; i++) {
    const from = Math.max(fromPs, atPs[i]!)
    const to = Math.min(toPs, atPs[i + 1] ?? Infinity)
    if (to > from) sum += rateBps[i]! * (to - from)
  }
  return sum / (toPs - fromPs)
}
