/** A fluid model's course in time: the solver's problem, and its solution at even intervals. */
import { solve } from '../dde/solver.ts'
import type { DelayProblem, Past, SolveOptions } from '../dde/solver.ts'
import type { FluidSystem } from './model.ts'

export interface Trajectory {
  /** In seconds, evenly apart, the first 0. */
  readonly times: Float64Array
  readonly queueBytes: Float64Array
  /** Of one flow of each group, in bit/s; 0 before it starts. */
  readonly rateBps: readonly Float64Array[]
  /** Every number of the state, by `names`. */
  readonly state: readonly Float64Array[]
  readonly names: readonly string[]
  /** Steps of the solver. */
  readonly steps: number
}

export interface TrajectoryOptions extends SolveOptions {
  /** Where it starts, if not where the scheme does. */
  readonly from?: Float64Array
}

export function trajectory(
  system: FluidSystem,
  seconds: number,
  intervalSeconds: number,
  options: TrajectoryOptions = {},
): Trajectory {
  const starts = system.groups.map(({ startPs }) => startPs * 1e-12)
  const first = options.from ?? system.start
  const solution = solve(problemOf(system, first, starts, seconds), { tolerance: 1e-6, ...options })
  const count = Math.floor(seconds / intervalSeconds + 1e-9) + 1
  const times = Float64Array.from({ length: count }, (_, i) =>
    Math.min(seconds, i * intervalSeconds),
  )
  const state = system.names.map((_, index) => times.map((time) => solution.value(index, time)))
  const here = new Float64Array(system.names.length)
  const rateBps = starts.map((start, g) =>
    times.map((time, i) => {
      state.forEach((values, index) => (here[index] = values[i]!))
      return time < start ? 0 : system.rateBps(here, g)
    }),
  )
  return {
    times,
    // Between steps the polynomial of an emptying queue may dip below zero.
    queueBytes: state[0]!.map((bytes) => Math.max(0, bytes)),
    rateBps,
    state,
    names: system.names,
    steps: solution.times.length - 1,
  }
}

function problemOf(
  system: FluidSystem,
  first: Float64Array,
  starts: readonly number[],
  end: number,
): DelayProblem {
  const dimension = system.names.length
  const lags = system.waits.length
  const delays = new Float64Array(lags)
  const lagged = Array.from({ length: lags }, () => new Float64Array(dimension))
  const since = new Float64Array(starts.length)
  return {
    dimension,
    start: 0,
    end,
    delayMin: system.delayMin,
    breaks: starts.filter((start) => start > 0 && start < end),
    scale: system.scale,
    before: (index) => first[index]!,
    derivative: (time, y, past, dy) => {
      system.delays(y, delays)
      for (let k = 0; k < lagged.length; k++) {
        const back = time - Math.max(delays[k]!, system.delayMin)
        const then = system.waits[k] ? metQueueAt(past, back, system.capacity) : back
        const row = lagged[k]!
        for (let i = 0; i < dimension; i++) row[i] = past(i, then)
      }
      for (let g = 0; g < starts.length; g++) since[g] = time - starts[g]!
      system.derivative(y, lagged, since, dy)
    },
    project: (y) => system.project(y),
  }
}

const ROUNDS_MAX = 60

/**
 * When what left the queue at `left` had come to it: the u with u + q(u) / C = left. The left side
 * never falls, for no queue drains faster than C. By false position (Illinois).
 */
function metQueueAt(past: Past, left: number, capacity: number): number {
  const late = (u: number): number => u - left + Math.max(0, past(0, u)) / capacity
  let high = left
  let above = late(high)
  if (above <= 0) return left
  let width = above
  let low = left - width
  let below = late(low)
  while (below > 0) {
    high = low
    above = below
    width *= 2
    low -= width
    below = late(low)
  }
  let side = 0
  for (let round = 0; round < ROUNDS_MAX && high - low > 1e-12 * width; round++) {
    const u = (low * above - high * below) / (above - below)
    const value = late(u)
    if (Math.abs(value) < 1e-13) return u
    if (value > 0) {
      high = u
      above = value
      if (side === 1) below /= 2
      side = 1
    } else {
      low = u
      below = value
      if (side === -1) above /= 2
      side = -1
    }
  }
  return low
}
