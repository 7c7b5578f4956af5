/**
 * Theory laid over a run: the exact max-min rates of its flows, and the fluid of its bottleneck;
 * and how far the packets are from both.
 */
import type { Result, Series } from '../result.ts'
import type { ValidSpec } from '../spec/valid-spec.ts'
import { fluidLine } from './fluid-line.ts'
import type { FluidLine } from './fluid-line.ts'
import { maxMinCourse, maxMinMean } from './max-min-course.ts'
import type { MaxMinSteps } from './max-min-course.ts'
import { plannedFlows } from './planned-flows.ts'
import type { NoTheory } from './planned-flows.ts'

export interface TheoryOverlay {
  /** By flow, in the order of arrival. */
  readonly maxMin: readonly MaxMinSteps[] | NoTheory
  readonly fluid: FluidLine | NoTheory
}

/** Of packets and fluid, over the same samples; NaN: nothing to compare. */
export interface TheoryDistance {
  /** Mean queue of the bottleneck in the later half, in bytes. */
  readonly queuePackets: number
  readonly queueFluid: number
  /** Mean of |fluid - packets| over the whole course, over the mean queue of packets. */
  readonly queueApart: number
  /** Of the flow that is furthest from its max-min rate, over the later half; 0.1 is a tenth. */
  readonly rateApart: number
  /** Whose that is, and which way: below zero it had less. */
  readonly rateWorst: string
}

export function isTheory<T extends object>(theory: T | NoTheory): theory is T {
  return !('why' in theory)
}

export function theoryOf(spec: ValidSpec): TheoryOverlay {
  const planned = plannedFlows(spec)
  if (!isTheory(planned)) return { maxMin: planned, fluid: planned }
  const maxMin = maxMinCourse(planned.flows, planned.capacitiesBps, spec.run.untilPs)
  return { maxMin, fluid: fluidLine(spec, planned, maxMin) }
}

export function theoryDistance(result: Result, { maxMin, fluid }: TheoryOverlay): TheoryDistance {
  const queue = isTheory(fluid) ? queueDistance(result, fluid) : NOTHING
  const rate = isTheory(maxMin) ? rateDistance(result, maxMin) : { rateApart: NaN, rateWorst: '' }
  return { ...queue, ...rate }
}

const NOTHING = { queuePackets: NaN, queueFluid: NaN, queueApart: NaN }

/** All classes of a port together, sample by sample; none if they were not recorded. */
export function portQueue({ series }: Result, port: string): number[] {
  const own = series.filter(({ name }) => name.startsWith(`queue.${port}.`))
  return Array.from(own[0]?.values ?? [], (_, i) =>
    own.reduce((sum, { values }) => sum + (values[i] ?? 0), 0),
  )
}

function queueDistance(
  result: Result,
  { port, queueBytes }: FluidLine,
): Pick<TheoryDistance, 'queuePackets' | 'queueFluid' | 'queueApart'> {
  const packets = portQueue(result, port).slice(0, queueBytes.length)
  if (packets.length < 2) return NOTHING
  const fluid = queueBytes.slice(0, packets.length)
  const half = Math.floor(packets.length / 2)
  const apart = meanOf(packets.map((bytes, i) => Math.abs(bytes - fluid[i]!)))
  return {
    queuePackets: meanOf(packets.slice(half)),
    queueFluid: meanOf(fluid.slice(half)),
    queueApart: apart / meanOf(packets),
  }
}

/** Flows that are there in the later half, by what they were delivered in it. */
function rateDistance(
  { series, measuredPs }: Result,
  maxMin: readonly MaxMinSteps[],
): Pick<TheoryDistance, 'rateApart' | 'rateWorst'> {
  let worst = { rateApart: NaN, rateWorst: '' }
  for (const steps of maxMin) {
    const rates = series.find(({ name }) => name === `rate.${steps.name}`)
    if (rates === undefined) continue
    const fromPs = Math.max(measuredPs / 2, steps.atPs[0] ?? Infinity)
    const toPs = Math.min(measuredPs, steps.atPs.at(-1) ?? 0)
    const samples = within(rates, fromPs, toPs)
    if (samples.length === 0) continue
    const ideal = maxMinMean(steps, fromPs, toPs)
    const apart = meanOf(samples) / ideal - 1
    if (!(Math.abs(apart) <= Math.abs(worst.rateApart))) {
      worst = { rateApart: apart, rateWorst: steps.name }
    }
  }
  return worst
}

function within({ startPs, intervalPs, values }: Series, fromPs: number, toPs: number): number[] {
  return values.filter((_, i) => {
    const atPs = startPs + i * intervalPs
    return atPs >= fromPs && atPs + intervalPs <= toPs
  })
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
