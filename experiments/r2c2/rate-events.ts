/**
 * One flow comes or goes, and all rates of a rack are computed anew: what that costs within a
 * tolerance beside filling all flows from nothing, and how far rates are then from exact ones.
 * All tolerances see the same events, which happen as exact rates have it.
 */
import { Random } from '@weir/engine'
import type { LinkFractions } from '@weir/theory'
import { Cube, IncrementalFilling, ShortestWays, spraying, Translated } from '@weir/theory'
import { HEADROOM, LINK_BPS, paretoBytes } from './rate-trace.ts'

export interface EventOptions {
  readonly sizes: readonly number[]
  /** `pareto`: flows as in section 5.2, one each microsecond; a number: so many without end. */
  readonly flows: 'pareto' | number
  readonly events: number
  readonly tolerances: readonly number[]
  readonly seed: number
  /** Milliseconds of a clock; without one no times are taken. */
  readonly clockMs?: () => number
}

export interface EventCosts {
  readonly tolerance: number
  /** Of each event: flows filled and links touched, and time, over those of filling all. */
  readonly filled: readonly number[]
  readonly touched: readonly number[]
  readonly time: readonly number[]
  /** Of all flows at every tenth event: the part by which rates are off. */
  readonly off: Float64Array
  /** Of any flow at any event; of any link's usable capacity. */
  readonly offMost: number
  readonly overloadMost: number
}

export interface Events {
  /** Flows there were after each event. */
  readonly flows: readonly number[]
  readonly costs: readonly EventCosts[]
}

const WARM_UP = 400
const OFF_EACH = 10
/** Beside the numbers of the tolerances. */
const EXACT = -1

interface Live {
  readonly routes: LinkFractions
  bytes: number
  rateBps: number
  /** In the exact filling, and in those within tolerances. */
  exact: number
  readonly handles: number[]
}

export function eventsOf(options: EventOptions): Events {
  const rack = new EventRack(options)
  const warmUp = options.flows === 'pareto' ? WARM_UP : 0
  for (let event = 0; event < warmUp + options.events; event++) rack.next(event >= warmUp)
  return rack.measured()
}

class Measured {
  readonly filled: number[] = []
  readonly touched: number[] = []
  readonly time: number[] = []
  readonly off: number[] = []
  offMost = 0
  overloadMost = 0
}

class EventRack {
  readonly #options: EventOptions
  readonly #random: Random
  readonly #cube: Cube
  readonly #routes: Translated
  readonly #exact: IncrementalFilling
  readonly #fillings: readonly IncrementalFilling[]
  readonly #measured: readonly Measured[]
  readonly #counts: number[] = []
  /** By filling, since the last event. */
  readonly #spentMs = new Map<number, number>()
  #live: Live[] = []
  #nowUs = 0
  #arrivalUs: number
  #events = 0

  constructor(options: EventOptions) {
    const { flows, seed, sizes, tolerances } = options
    this.#options = options
    this.#random = new Random(seed, 'r2c2.events')
    this.#cube = new Cube([...sizes])
    this.#routes = new Translated(this.#cube, spraying(new ShortestWays(this.#cube)))
    const capacities = new Float64Array(this.#cube.count).fill(LINK_BPS)
    this.#exact = new IncrementalFilling(capacities, HEADROOM)
    this.#fillings = tolerances.map(
      (tolerance) => new IncrementalFilling(capacities, HEADROOM, tolerance),
    )
    this.#measured = tolerances.map(() => new Measured())
    this.#arrivalUs = this.#random.exponential(1)
    for (let i = 0; i < (flows === 'pareto' ? 0 : flows); i++) this.#come()
    this.#exact.refill()
    for (const filling of this.#fillings) filling.settle()
    this.#spentMs.clear()
  }

  /** The next flow comes or goes; without end, one goes and one comes in turn. */
  next(isMeasured: boolean): void {
    if (this.#options.flows === 'pareto') this.#follow()
    else if (this.#events++ % 2 === 0) this.#go(this.#random.below(this.#live.length))
    else this.#come()
    this.#compute(isMeasured)
  }

  measured(): Events {
    const { tolerances } = this.#options
    const costs = this.#measured.map((one, i) => ({
      ...{ tolerance: tolerances[i]!, filled: one.filled, touched: one.touched, time: one.time },
      ...{ offMost: one.offMost, overloadMost: one.overloadMost },
      off: Float64Array.from(one.off).sort(),
    }))
    return { flows: this.#counts, costs }
  }

  #follow(): void {
    let first = -1
    let untilUs = this.#arrivalUs
    this.#live.forEach(({ bytes, rateBps }, i) => {
      const endUs = this.#nowUs + (8e6 * bytes) / rateBps
      if (endUs >= untilUs) return
      untilUs = endUs
      first = i
    })
    for (const flow of this.#live) flow.bytes -= (flow.rateBps * (untilUs - this.#nowUs)) / 8e6
    this.#nowUs = untilUs
    if (first >= 0) return this.#go(first)
    this.#come()
    this.#arrivalUs += this.#random.exponential(1)
  }

  #come(): void {
    const random = this.#random
    const { nodes } = this.#cube
    const source = random.below(nodes)
    const routes = this.#routes.fractions(source, (source + 1 + random.below(nodes - 1)) % nodes)
    this.#live.push({
      ...{ routes, rateBps: 0, exact: this.#timed(EXACT, () => this.#exact.add(routes)) },
      bytes: this.#options.flows === 'pareto' ? paretoBytes(random) : Infinity,
      handles: this.#fillings.map((filling, i) => this.#timed(i, () => filling.add(routes))),
    })
  }

  #go(index: number): void {
    const [{ exact, handles }] = this.#live.splice(index, 1) as [Live]
    this.#timed(EXACT, () => this.#exact.remove(exact))
    this.#fillings.forEach((filling, i) => this.#timed(i, () => filling.remove(handles[i]!)))
  }

  /** Adds what this takes to the time of the event. */
  #timed<Value>(i: number, act: () => Value): Value {
    const { clockMs = () => NaN } = this.#options
    const beginMs = clockMs()
    const value = act()
    this.#spentMs.set(i, (this.#spentMs.get(i) ?? 0) + clockMs() - beginMs)
    return value
  }

  #compute(isMeasured: boolean): void {
    this.#timed(EXACT, () => this.#exact.refill())
    this.#fillings.forEach((filling, i) => this.#timed(i, () => filling.settle()))
    const spentMs = new Map(this.#spentMs)
    this.#spentMs.clear()
    for (const flow of this.#live) flow.rateBps = this.#exact.rateBps(flow.exact)
    if (!isMeasured || this.#live.length === 0) return
    const entries = this.#live.reduce((sum, { routes }) => sum + routes.links.length, 0)
    const isKept = this.#counts.length % OFF_EACH === 0
    this.#counts.push(this.#live.length)
    this.#fillings.forEach((filling, i) => {
      const measured = this.#measured[i]!
      measured.filled.push(filling.filled / this.#live.length)
      measured.touched.push(filling.touched / entries)
      measured.time.push(spentMs.get(i)! / spentMs.get(EXACT)!)
      this.#compare(i, measured, isKept)
    })
  }

  /** Rates within a tolerance, and what links carry of them, beside exact rates and capacities. */
  #compare(i: number, measured: Measured, isKept: boolean): void {
    const filling = this.#fillings[i]!
    const loads = new Float64Array(this.#cube.count)
    for (const { handles, rateBps, routes } of this.#live) {
      const { links, fractions } = routes
      const rate = filling.rateBps(handles[i]!)
      const off = Math.abs(rate - rateBps) / rateBps
      measured.offMost = Math.max(measured.offMost, off)
      if (isKept) measured.off.push(off)
      for (let k = 0; k < links.length; k++) loads[links[k]!]! += rate * fractions[k]!
    }
    const most = Math.max(...loads) / (LINK_BPS * (1 - HEADROOM))
    measured.overloadMost = Math.max(measured.overloadMost, most - 1)
  }
}
