/**
 * Flows that come and go in a rack of 512 nodes, and the computation of their rates each rho:
 * what a node's control plane does, without packets. A flow sends at once, as fast as its own
 * ways allow; a computation takes it in when it is rho old, and from then on it has its computed
 * rate ('we only consider the flows that last more than one interval'). Between computations
 * rates stand still.
 */
import { Random, pow } from '@weir/engine'
import type { LinkFractions } from '@weir/theory'
import { Cube, IncrementalFilling, ShortestWays, spraying, Translated } from '@weir/theory'

export const LINK_BPS = 10e9
export const HEADROOM = 0.05

export interface TraceOptions {
  readonly sizes: readonly number[]
  readonly rhoUs: number
  readonly interarrivalUs: number
  /** `pareto`: shape 1.05, mean 100 KB, without end; a number: so many flows of 10 MB. */
  readonly flows: 'pareto' | number
  /** Computations to record; those of the first fifth are left out. */
  readonly ticks: number
  readonly seed: number
  /** Flows are taken in at the next computation, however young. */
  readonly isImpatient?: boolean
  /** Milliseconds of a clock; without one no times are taken. */
  readonly clockMs?: () => number
}

export interface Trace {
  /** Of each computation: time of the incremental and of the full one, flows that it considers. */
  readonly incrementalUs: readonly number[]
  readonly fullUs: readonly number[]
  readonly flows: readonly number[]
  /** Flows that came or went, and that each way of computing filled. */
  readonly events: readonly number[]
  readonly filled: readonly number[]
  /** Largest relative difference between the two rates of any flow at any time. */
  readonly disagreement: number
}

interface Live {
  readonly source: number
  readonly target: number
  /** From when a computation takes it in. */
  links: LinkFractions | undefined
  readonly startUs: number
  bytes: number
  rateBps: number
  incremental: number
  full: number
}

export function traceOf(options: TraceOptions): Trace {
  const { rhoUs, ticks, clockMs = () => 0 } = options
  const leastAgeUs = options.isImpatient === true ? 0 : rhoUs
  const source = new Source(options)
  const capacities = Array.from({ length: source.cube.count }, () => LINK_BPS)
  const incremental = new IncrementalFilling(capacities, HEADROOM)
  const full = new IncrementalFilling(capacities, HEADROOM)
  const columns = { incrementalUs: [], fullUs: [], flows: [], events: [], filled: [] } as Record<
    'incrementalUs' | 'fullUs' | 'flows' | 'events' | 'filled',
    number[]
  >
  let disagreement = 0
  let young: Live[] = []
  let considered: Live[] = []
  for (let tick = 1; tick <= ticks; tick++) {
    const nowUs = tick * rhoUs
    young.push(...source.arrivals(nowUs))
    advance(young, nowUs, rhoUs)
    advance(considered, nowUs, rhoUs)
    const gone = considered.filter(({ bytes }) => bytes <= 0)
    const grown = young.filter(({ bytes, startUs }) => bytes > 0 && nowUs - startUs >= leastAgeUs)
    young = young.filter(({ bytes, startUs }) => bytes > 0 && nowUs - startUs < leastAgeUs)
    considered = considered.filter(({ bytes }) => bytes > 0).concat(grown)
    for (const flow of grown) flow.links = source.links(flow)
    const beginMs = clockMs()
    for (const flow of gone) incremental.remove(flow.incremental)
    for (const flow of grown) flow.incremental = incremental.add(flow.links!)
    incremental.settle()
    const halfMs = clockMs()
    for (const flow of gone) full.remove(flow.full)
    for (const flow of grown) flow.full = full.add(flow.links!)
    full.refill()
    const endMs = clockMs()
    for (const flow of considered) {
      flow.rateBps = incremental.rateBps(flow.incremental)
      const other = full.rateBps(flow.full)
      disagreement = Math.max(disagreement, Math.abs(flow.rateBps - other) / other)
    }
    if (tick <= ticks / 5 && options.flows === 'pareto') continue
    if (considered.length === 0 && gone.length === 0) continue
    columns.incrementalUs.push(1e3 * (halfMs - beginMs))
    columns.fullUs.push(1e3 * (endMs - halfMs))
    columns.flows.push(considered.length)
    columns.events.push(gone.length + grown.length)
    columns.filled.push(incremental.filled)
  }
  return { ...columns, disagreement }
}

/** Takes off what flows have sent since the last computation, or since their start. */
function advance(flows: readonly Live[], nowUs: number, rhoUs: number): void {
  for (const flow of flows) {
    const us = Math.min(rhoUs, nowUs - flow.startUs)
    flow.bytes -= (flow.rateBps * us) / 8e6
  }
}

class Source {
  readonly cube: Cube
  readonly #routes: Translated
  readonly #random: Random
  readonly #options: TraceOptions
  readonly #mosts: number[] = []
  #nextUs: number
  #made = 0

  constructor(options: TraceOptions) {
    this.cube = new Cube([...options.sizes])
    this.#routes = new Translated(this.cube, spraying(new ShortestWays(this.cube)))
    this.#random = new Random(options.seed, 'r2c2.trace')
    this.#options = options
    this.#nextUs = this.#random.exponential(options.interarrivalUs)
  }

  /** The flows that begin up to this time. */
  arrivals(untilUs: number): Live[] {
    const { flows, interarrivalUs } = this.#options
    const live: Live[] = []
    while (this.#nextUs < untilUs && (flows === 'pareto' || this.#made < flows)) {
      live.push(this.#flow(this.#nextUs))
      this.#made++
      this.#nextUs += this.#random.exponential(interarrivalUs)
    }
    return live
  }

  links({ source, target }: Live): LinkFractions {
    return this.#routes.fractions(source, target)
  }

  /** The largest fraction of a flow on any link; few flows live long enough to need them all. */
  #most(source: number, target: number): number {
    const { cube } = this
    const offset = cube.nodeAt(cube.sizes.map((_, d) => cube.offset(source, target, d)))
    return (this.#mosts[offset] ??= Math.max(...this.#routes.fractions(0, offset).fractions))
  }

  #flow(startUs: number): Live {
    const random = this.#random
    const { nodes } = this.cube
    const source = random.below(nodes)
    const target = (source + 1 + random.below(nodes - 1)) % nodes
    return {
      source,
      target,
      links: undefined,
      startUs,
      bytes: this.#options.flows === 'pareto' ? paretoBytes(random) : 10e6,
      rateBps: LINK_BPS / this.#most(source, target),
      incremental: -1,
      full: -1,
    }
  }
}

const SHAPE = 1.05
const MEAN_BYTES = 100e3

export function paretoBytes(random: Random): number {
  const least = (MEAN_BYTES * (SHAPE - 1)) / SHAPE
  return least / pow(1 - random.uniform(), 1 / SHAPE)
}
