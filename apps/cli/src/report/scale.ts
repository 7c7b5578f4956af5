/** The unit in which an axis is best read, by its largest value: the same for all panels. */

export interface Scale {
  readonly unit: string
  /** Base units in one of this unit. */
  readonly divisor: number
}

type Steps = readonly (readonly [unit: string, divisor: number])[]

const TIME: Steps = [
  ['ps', 1],
  ['ns', 1e3],
  ['us', 1e6],
  ['ms', 1e9],
  ['s', 1e12],
]
const RATE: Steps = [
  ['bit/s', 1],
  ['kb/s', 1e3],
  ['Mb/s', 1e6],
  ['Gb/s', 1e9],
  ['Tb/s', 1e12],
]
const SIZE: Steps = [
  ['B', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
]

export function timeScale(ps: number): Scale {
  return largest(ps, TIME)
}

export function rateScale(bps: number): Scale {
  return largest(bps, RATE)
}

export function sizeScale(bytes: number): Scale {
  return largest(bytes, SIZE)
}

/** The largest unit of which the value has at least one. */
function largest(value: number, steps: Steps): Scale {
  const [unit, divisor] = steps.findLast(([, size]) => value >= size) ?? steps[0]!
  return { unit, divisor }
}
