/**
 * What every model of flows at one bottleneck has: groups, the indices of their numbers, a queue
 * that fills with what comes and never runs below empty, and rates within the line's.
 */
import { bytesPerSecond, TheoryError } from './model.ts'
import type { FixedPoint, FluidGroup, FluidNetwork, FluidSystem } from './model.ts'

export interface Bottleneck {
  /** Capacity, and the senders' line rate, in bytes per second. */
  readonly capacity: number
  readonly line: number
  readonly flows: number
  /** Round trip without queue, in seconds. */
  readonly delay: number
  /** From the bottleneck to a sender and back. */
  readonly near: number
  readonly packet: number
}

export function bottleneckOf(network: FluidNetwork): Bottleneck {
  const { rateBps, lineRateBps = rateBps, flows, delayPs, packetBytes } = network
  const { nearDelayPs = delayPs / 2 } = network
  const wrong = [
    ['rate', rateBps],
    ['line rate', lineRateBps],
    ['number of flows', flows],
    ['delay', delayPs],
    ['delay to the senders', nearDelayPs],
    ['packet size', packetBytes],
  ].find(([, value]) => !(Number(value) > 0 && Number.isFinite(Number(value))))
  if (wrong !== undefined) {
    throw new TheoryError(`A ${wrong[0]} of ${wrong[1]} makes no bottleneck; give more than 0.`)
  }
  return {
    capacity: bytesPerSecond(rateBps),
    line: bytesPerSecond(lineRateBps),
    flows,
    delay: delayPs * 1e-12,
    near: nearDelayPs * 1e-12,
    packet: packetBytes,
  }
}

/** Slope of a queue: what comes less what leaves, and never below empty. */
export function queueSlope(queue: number, arriving: number, capacity: number): number {
  return queue > 0 ? arriving - capacity : Math.max(0, arriving - capacity)
}

/** Keeps a number of the state within bounds; true if it was outside. */
export function clamp(state: Float64Array, index: number, low: number, high: number): boolean {
  const value = state[index]!
  if (value >= low && value <= high) return false
  state[index] = value < low ? low : high
  return true
}

/** A slope that does not lead out of bounds at which the state already is. */
export function within(slope: number, value: number, low: number, high: number): number {
  if (value <= low && slope < 0) return 0
  if (value >= high && slope > 0) return 0
  return slope
}

/** How a model's state is laid out. */
export interface Layout {
  /** Numbers that all flows share, after the queue. */
  readonly shared?: readonly string[]
  /** Numbers of each group. */
  readonly each: readonly string[]
  /** Rate of a flow that begins, in bit/s. */
  readonly firstBps: number
  /** One entry per delay: does it hold the wait in the queue? */
  readonly waits: readonly boolean[]
}

/** The parts of a fluid system that do not depend on the scheme. */
export abstract class SharedQueue implements FluidSystem {
  readonly names: readonly string[]
  readonly shared: number
  readonly groups: readonly Required<FluidGroup>[]
  readonly scale: Float64Array
  readonly start: Float64Array
  readonly capacity: number
  readonly waits: readonly boolean[]
  readonly b: Bottleneck
  /** Numbers of each group. */
  readonly each: number

  constructor(network: FluidNetwork, groups: readonly FluidGroup[] | undefined, layout: Layout) {
    const { shared = [], each, firstBps, waits } = layout
    this.b = bottleneckOf(network)
    this.capacity = this.b.capacity
    const given = groups ?? [{ flows: network.flows }]
    this.groups = given.map((group) => ({ startPs: 0, rateBps: firstBps, ...group }))
    this.each = each.length
    this.shared = 1 + shared.length
    const isOne = this.groups.length === 1
    const ofGroups = this.groups.flatMap((_, g) =>
      each.map((name) => (isOne ? name : `${name} ${g + 1}`)),
    )
    this.names = ['queue', ...shared, ...ofGroups]
    this.waits = waits
    this.scale = new Float64Array(this.names.length).fill(1)
    this.scale[0] = this.b.packet
    this.start = new Float64Array(this.names.length)
  }

  get delayMin(): number {
    return Math.min(this.b.delay, this.b.near)
  }

  /** Index of a group's first number. */
  at(group: number): number {
    return this.shared + group * this.each
  }

  /** Fair share, in bytes per second. */
  get fair(): number {
    return this.b.capacity / this.b.flows
  }

  delays(_state: Float64Array, out: Float64Array): void {
    out.fill(this.b.delay)
  }

  project(state: Float64Array): boolean {
    return clamp(state, 0, 0, Infinity)
  }

  abstract derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void
  abstract rateBps(state: Float64Array, group: number): number
  abstract fixedPoint(): FixedPoint
}
