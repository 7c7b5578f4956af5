/**
 * Theory of a lane that has been run: the fluid of its bottleneck, with fixed point and margins,
 * and the exact max-min rates of its flows. Loaded when it is first shown: the equations are no
 * part of the page that opens.
 */
import { analyse } from '@weir/theory'
import { shortSize, shortTime } from '@weir/engine'
import { schemeByName } from '@weir/schemes'
import { isTheory, theoryOf } from '@weir/sim/theory'
import type { FluidLine, MaxMinSteps } from '@weir/sim/theory'
import type { ValidSpec } from '@weir/sim'

export interface LaneTheory {
  /** What there is to say, a name and a value each; sentences where theory has none. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly fluid: FluidLine | undefined
  readonly maxMin: readonly MaxMinSteps[]
}

export function laneTheory(spec: ValidSpec): LaneTheory {
  const { fluid, maxMin } = theoryOf(spec)
  const rates = isTheory(maxMin) ? maxMin : []
  if (!isTheory(fluid))
    return { facts: [['fluid', `none: ${asPart(fluid.why)}`]], fluid: undefined, maxMin: rates }
  return { facts: [...factsOf(fluid), ...unknownOf(spec, fluid)], fluid, maxMin: rates }
}

/** Parameters that are not the scheme's own, and that its fluid has no place for. */
function unknownOf({ scheme }: ValidSpec, { model }: FluidLine): [string, string][] {
  const params = schemeByName(scheme.name)?.params
  const names = Object.keys(scheme.params).filter(
    (name) => !(name in model.defaults) && scheme.params[name] !== params?.[name]?.default,
  )
  return names.length === 0 ? [] : [['not known to the fluid', names.join(', ')]]
}

/** A sentence as a part of a list: 'None: a threshold ... swings.' is 'a threshold ... swings'. */
function asPart(why: string): string {
  return why.replace(/^None: /, '').replace(/\.$/, '')
}

function factsOf({ model, network, values, port }: FluidLine): [string, string][] {
  const { point, stability } = analyse(model, network, values)
  const queue = point.quantities.find(({ name }) => name === 'queue')
  const facts: [string, string][] = [
    ['bottleneck', `${port}, ${network.flows} flows, ${(network.delayPs / 1e6).toFixed(1)} us`],
    ['queue at rest', queue === undefined ? `none: ${asPart(point.why)}` : shortSize(queue.value)],
  ]
  if (stability === undefined) return facts
  const { isStable, isEdge, margins, roots } = stability
  const pace = `by a factor of e in ${shortTime(1e12 / Math.abs(roots[0]?.re ?? NaN))}`
  const verdict = isEdge
    ? 'on the edge: a disturbance neither grows nor dies'
    : `${isStable ? 'stable' : 'not stable'}: a disturbance ${isStable ? 'dies' : 'grows'} ${pace}`
  // On the edge the margin is zero, which is how the edge was found.
  if (isEdge) return [...facts, ['verdict', verdict]]
  const margin = `${margins.phaseDegrees.toFixed(1)} degrees`
  return [...facts, ['phase margin', margin], ['verdict', verdict]]
}

/** A staircase at the times of pictures; nothing before the flow begins and after it ends. */
export function stepsAt(
  { atPs, rateBps }: MaxMinSteps,
  timesPs: ArrayLike<number>,
): (number | null)[] {
  let i = -1
  return Array.from(timesPs, (timePs) => {
    while (i + 1 < atPs.length && atPs[i + 1]! < timePs) i++
    return i < 0 || rateBps[i] === 0 ? null : rateBps[i]!
  })
}

/** The fluid's samples at the times of pictures; nothing where it ends. */
export function fluidAt(
  { queueBytes, intervalPs }: FluidLine,
  timesPs: ArrayLike<number>,
): (number | null)[] {
  return Array.from(timesPs, (timePs) => {
    const i = Math.round(timePs / intervalPs) - 1
    return queueBytes[Math.max(0, i)] ?? null
  })
}
