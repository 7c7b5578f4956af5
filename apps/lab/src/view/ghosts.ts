/** The run before, as faint lines behind those of the run that took its place. */
import type { Recording } from '../model/recording.ts'
import { portByName } from '../scene/picture.ts'
import type { ChartLine } from './chart.ts'
import { banded } from './smooth.ts'

/** Rates of flows by name, at the times of another recording. */
export function ghostRates(
  before: Recording,
  timesPs: Float64Array,
  flows: readonly { readonly name: string; readonly colour: number }[],
  part: number,
): ChartLine[] {
  const found = flows.flatMap(({ name, colour }) => {
    const row = before.rowOf.get(name)
    return row === undefined ? [] : [{ name, colour, row }]
  })
  const values = before.ratesOf(found.map(({ row }) => row))
  return found.map(({ name, colour }, i) => ({
    name,
    colour,
    values: atTimes(before, timesPs, banded(values[i]!, part).values),
  }))
}

export function ghostOfPort(
  before: Recording,
  timesPs: Float64Array,
  name: string,
  colour: number,
  columnOf: (port: number) => ArrayLike<number | null>,
): ChartLine[] {
  const port = portByName(before, name)
  if (port < 0) return []
  return [{ name, colour, values: atTimes(before, timesPs, columnOf(port)) }]
}

/** Pictures of two runs need not be of the same length: the one that holds each moment. */
export function atTimes(
  { intervalPs, count }: Recording,
  timesPs: Float64Array,
  values: ArrayLike<number | null>,
): (number | null)[] {
  return Array.from(timesPs, (timePs) => {
    const frame = Math.ceil(timePs / intervalPs) - 1
    return frame < 0 || frame >= count ? null : (values[frame] ?? null)
  })
}
