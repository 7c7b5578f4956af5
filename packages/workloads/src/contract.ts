/**
 * The contracts of workloads: arrivals x sizes x patterns, three axes that know nothing of each
 * other. A workload item says when (a `Clock`), how much (`Sizes`) and between whom (a `Pattern`);
 * `workload.ts` joins them into one stream of arrivals.
 *
 * The inputs are the shapes that a valid spec has: times in whole picoseconds, sizes in bytes,
 * rates in bit/s. How a scenario writes each is beside it (`codec`).
 */
import type { Random } from '@weir/engine'
import type { Section } from '@weir/engine/codec'
import type { ArrivalsInput } from './arrivals/arrivals.ts'
import type { FlowList } from './flow-list.ts'
import type { MessagesInput } from './messages/driver.ts'
import type { PatternInput } from './patterns/patterns.ts'
import type { Sources } from './patterns/sources.ts'
import type { SizesInput } from './sizes/sizes.ts'

/** The highest class that a fabric can have. */
export const CLASS_MAX = 15

/** A workload that cannot be made; the message is one sentence with the place and the remedy. */
export class WorkloadError extends Error {
  override readonly name = 'WorkloadError'
}

/** A flow that begins. `source` and `target` are indices into the hosts given to `arrivals`. */
export interface Arrival {
  readonly startPs: number
  readonly source: number
  readonly target: number
  /** 0: no size; the flow runs until `stopPs`, or to the end of the run. */
  readonly sizeBytes: number
  /** 0: none. */
  readonly stopPs: number
  /** -1: the hosts' own class of data. */
  readonly class: number
  readonly weight: number
  readonly name: string
  /**
   * What the flow's chance and its path are drawn by. It stays the same whatever other flows there
   * are: a flow's name, or the number of a message among its own process's.
   */
  readonly key: string
  /** Names of the switches to pass, in order; empty: as routing says. */
  readonly path: readonly string[]
  /** Which item of the workload it is of: see `itemNames`. */
  readonly item: number
}

export interface Host {
  readonly name: string
  /** Rate of its link, by which it sends; 0 is fine for a host of explicit flows alone. */
  readonly rateBps: number
  /** Other names for it: `h17` for `leaf1.h1`. */
  readonly aliases?: readonly string[]
}

/** Times of events, in order. Called by the stream, once for each event. */
export interface Clock {
  /** The next event's time in whole picoseconds; Infinity after the last. */
  next(): number
}

/** A distribution of flow sizes. */
export interface Sizes {
  /** Expected bytes of a sample, before it is rounded to a whole byte; the load is built on it. */
  mean(): number
  /** Whole bytes, at least 1. */
  sample(random: Random): number
}

export type Pair = readonly [source: number, target: number]

/** Who sends to whom. Pairs come lazily: a round of all-to-all is never held in memory. */
export interface Pattern {
  /** How many pairs `arrival` gives: the load is divided by it. */
  readonly flowsPerArrival: number
  /** The flow, or the group of flows, of one random arrival. */
  arrival(random: Random): Iterable<Pair>
  /** The whole pattern at once, for periodic arrivals. */
  round(random: Random): Iterable<Pair>
}

/** A pattern as scenarios name it, with parameters `P`. */
export interface PatternKind<P> {
  readonly summary: string
  readonly codec: Section<P>
  /** Refuses, at one of its keys, what does not fit the hosts. */
  check?(params: P, hosts: HostChoice): void
  make(params: P, world: PatternWorld): Pattern
}

/** The hosts of a generator, while a scenario is checked. */
export interface HostChoice {
  /** Indices of those that it sends between. */
  readonly chosen: ReadonlySet<number>
  /** The index of a host by its name; a name that is none is refused at `key`. */
  index(name: string, key: string): number
}

export interface PatternWorld {
  readonly hosts: readonly Host[]
  readonly sources: Sources
  /** For what is drawn once, before the first arrival. */
  readonly random: Random
}

/** A distribution of sizes as scenarios name it; `Draft` is what can be read without files. */
export interface SizesKind<P, Draft = P> {
  readonly summary: string
  readonly codec: Section<Draft>
  make(params: P): Sizes
}

/** Messages depend on each other: `arrivals` has none of them, a `MessageDriver` makes them. */
export type WorkloadInput = FlowsInput | GenerateInput | MessagesInput

export interface FlowsInput {
  readonly kind: 'flows'
  /** Many are in columns, and read like an array. */
  readonly flows: readonly FlowInput[] | FlowList
}

export interface FlowInput {
  readonly name: string
  readonly from: string
  readonly to: string
  /** 0: no size; the flow runs until `stopPs`, or to the end of the run. */
  readonly sizeBytes: number
  readonly startPs: number
  /** 0: none. */
  readonly stopPs: number
  /** Names of the switches to pass, in order; empty: as routing says. */
  readonly path: readonly string[]
  /** -1: `hosts.dataClass`. */
  readonly class: number
  readonly weight: number
}

export interface GenerateInput {
  readonly kind: 'generate'
  /** Prefix of the names of its flows, and of its own random streams. */
  readonly name: string
  readonly arrivals: ArrivalsInput
  readonly sizes: SizesInput
  readonly pattern: PatternInput
  /** Names or ranges (`h0..h15`); empty: every host. */
  readonly hosts: readonly string[]
  readonly startPs: number
  /** No arrivals from here on; 0: the run's end. */
  readonly stopPs: number
  /** No more flows than this; 0: no bound. */
  readonly flowsMax: number
  readonly class: number
}
