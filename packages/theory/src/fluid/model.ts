/**
 * A fluid model: a scheme as delay differential equations, for flows that share one bottleneck.
 *
 * Packets become rates, chance becomes its mean, and what is left is a queue, what each flow
 * remembers, and the time that news takes. A model has the name of its scheme, and its parameters
 * have the names, units and defaults of the scheme's (a test holds them to it): times in ps, sizes
 * in bytes, rates in bit/s. Within a model everything is in seconds and bytes.
 *
 * Flows come in groups of equal ones: a state has what the queue's side remembers first, the queue
 * itself at index 0, and then the same few numbers for each group.
 */
import type { LinearDde } from '../linear/linear-dde.ts'

export type FluidValue = number | boolean | string
export type FluidValues = Readonly<Record<string, FluidValue>>

/** The bottleneck, and who shares it. */
export interface FluidNetwork {
  readonly rateBps: number
  /** Of the senders' own links; the bottleneck's if left out. */
  readonly lineRateBps?: number
  readonly flows: number
  /** From a sender to the bottleneck, on to the receiver and back, without any queue. */
  readonly delayPs: number
  /**
   * From the bottleneck to a sender and back to it, for switches that tell senders themselves; half
   * of `delayPs` if left out: a bottleneck midway.
   */
  readonly nearDelayPs?: number
  /** Bytes of a full packet on the wire. */
  readonly packetBytes: number
}

/** Flows that do the same: how many, when they begin, and with what rate. */
export interface FluidGroup {
  readonly flows: number
  readonly startPs?: number
  /** First rate; the scheme's own if left out. */
  readonly rateBps?: number
}

export interface FluidModel {
  /** The scheme's name. */
  readonly name: string
  readonly title: string
  /** Where the equations stand. */
  readonly cite: string
  readonly defaults: FluidValues
  /** Parameters that the scheme does not have: words of the model's own to choose from. */
  readonly own?: Readonly<Record<string, readonly string[]>>
  /** The scheme whose parameters it takes, if that is not the one of its name. */
  readonly scheme?: string
  /** What the model leaves out, a sentence each. */
  readonly leavesOut: readonly string[]
  create(network: FluidNetwork, values: FluidValues, groups?: readonly FluidGroup[]): FluidSystem
}

export interface FluidSystem {
  /** Names of the state's numbers: the shared ones, then those of one group after the other. */
  readonly names: readonly string[]
  /** Numbers that all flows share; the queue is the first. */
  readonly shared: number
  readonly groups: readonly Required<FluidGroup>[]
  /** A size of each number that counts as large: errors are relative to it. */
  readonly scale: Float64Array
  /** The state before anything happens. */
  readonly start: Float64Array
  /** Of the bottleneck, in bytes per second. */
  readonly capacity: number
  /**
   * One entry per delay: does what is told wait in the queue first? Then the delay is that long and
   * the wait longer, as it was for what comes back now: news that met the queue at u returns at
   * u + q(u) / C + delay.
   */
  readonly waits: readonly boolean[]
  /** Delays in seconds, without such waits. */
  delays(state: Float64Array, out: Float64Array): void
  /** No delay is ever shorter, in seconds. */
  readonly delayMin: number
  /**
   * Writes the state's slope. `lagged[k]` is the state of delay k ago; `since[g]` is how long group
   * g has been sending, below zero before it does.
   */
  derivative(
    state: Float64Array,
    lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void
  /** Puts back what a step overshot; true if anything changed. */
  project(state: Float64Array): boolean
  /** Rate of one flow of a group, in bit/s. */
  rateBps(state: Float64Array, group: number): number
  /** Where it comes to rest, with all flows alike. */
  fixedPoint(): FixedPoint
}

export interface FixedPoint {
  /** Nothing: the equations have no fixed point, or no single one; `why` says which. */
  readonly state: Float64Array | undefined
  /** One sentence: what kind of fixed point this is. */
  readonly why: string
  /** What a reader wants to know, with units. */
  readonly quantities: readonly Quantity[]
  /** Numbers of the state that stay where they are near it (a queue that is empty). */
  readonly frozen: readonly number[]
  /** Where the loop is opened for a transfer function; the queue unless it is frozen. */
  readonly opened: number
  /** The equations near it where they cannot be differentiated by themselves (a threshold). */
  readonly linear?: LinearDde
}

export interface Quantity {
  readonly name: string
  readonly value: number
  readonly unit: 'bytes' | 'bit/s' | 's' | 'degrees' | ''
  /** Which formula; left out where it is the fixed point's own. */
  readonly cite?: string
}

/** Something that a model was asked and cannot be: one sentence with the remedy. */
export class TheoryError extends Error {
  override readonly name = 'TheoryError'
}

export function numberOf(values: FluidValues, name: string): number {
  const value = Number(values[name])
  if (!Number.isFinite(value)) throw new TheoryError(`'${name}' is not a number; give one.`)
  return value
}

/** In seconds. */
export function secondsOf(values: FluidValues, name: string): number {
  return numberOf(values, name) * 1e-12
}

/** In bytes per second. */
export function bytesPerSecond(bps: number): number {
  return bps / 8
}
