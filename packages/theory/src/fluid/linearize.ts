/**
 * A fluid model near its fixed point as a linear delay equation: each slope is differentiated by
 * each number of the state now and at each delay, by central differences. At a fixed point it does
 * not matter that a delay depends on the state, for the state does not move.
 */
import type { LinearDde } from '../linear/linear-dde.ts'
import type { FixedPoint, FluidSystem } from './model.ts'

/** Relative to a number's scale; the error of a central difference is about its square. */
const STEP = 1e-5

/** Undefined where there is no fixed point to be near. */
export function linearize(system: FluidSystem, point: FixedPoint): LinearDde | undefined {
  if (point.linear !== undefined) return point.linear
  if (point.state === undefined) return undefined
  const centre = point.state
  const moving = centre.reduce<number[]>(
    (kept, _, i) => (point.frozen.includes(i) ? kept : [...kept, i]),
    [],
  )
  const delays = delaysAt(system, centre)
  const terms = [-1, ...Array.from(delays, (_, k) => k)].map((lag) => ({
    delay: lag < 0 ? 0 : delays[lag]!,
    matrix: transposed(moving.map((index) => slopes(system, centre, lag, index, moving))),
  }))
  return { names: moving.map((i) => system.names[i]!), terms, opened: moving.indexOf(point.opened) }
}

/** Delays in seconds with their waits, of a state that does not move. */
export function delaysAt(system: FluidSystem, state: Float64Array): Float64Array {
  const delays = new Float64Array(system.waits.length)
  system.delays(state, delays)
  return delays.map((delay, k) => delay + (system.waits[k] ? state[0]! / system.capacity : 0))
}

/** How the slopes of all moving numbers change with one number, now (-1) or at a delay. */
function slopes(
  system: FluidSystem,
  centre: Float64Array,
  lag: number,
  index: number,
  moving: readonly number[],
): number[] {
  const size = Math.max(system.scale[index]!, Math.abs(centre[index]!)) * STEP
  const at = (offset: number): Float64Array => {
    const now = centre.slice()
    const lagged = Array.from({ length: system.waits.length }, () => centre.slice())
    const moved = lag < 0 ? now : lagged[lag]!
    moved[index]! += offset
    const slope = new Float64Array(centre.length)
    system.derivative(now, lagged, new Float64Array(system.groups.length).fill(1e9), slope)
    return slope
  }
  const above = at(size)
  const below = at(-size)
  return moving.map((i) => (above[i]! - below[i]!) / (2 * size))
}

function transposed(columns: readonly (readonly number[])[]): number[][] {
  return columns.map((_, i) => columns.map((column) => column[i]!))
}
