/**
 * The rates that flows of a rack are assigned, without packets: flows come, send at the rates that
 * nodes would compute, and go when their bytes are sent. With rho = 0 rates are computed anew at
 * each start and end, for all flows; with rho they are computed at its multiples, for the flows
 * that are rho old, and a younger flow sends what its ways carry when they are empty.
 */
import { pow, Random } from '@weir/engine'
import type { LinkFractions } from '@weir/theory'
import { Cube, IncrementalFilling, ShortestWays, spraying, Translated } from '@weir/theory'

const LINK_BPS = 10e9
const SHAPE = 1.05
const MEAN_BYTES = 100e3

export interface FluidOptions {
  readonly dimensions: readonly number[]
  /** Mean time between flows. */
  readonly tauUs: number
  readonly flows: number
  /** 0: at each event. */
  readonly rhoUs: number
  readonly headroom: number
  readonly seed: number
}

/** By flow: the mean of the rates that it was assigned, over time; NaN: it never was. */
export function assignedBps(options: FluidOptions): Float64Array {
  return new FluidRack(options).run()
}

interface Live {
  readonly flow: number
  readonly links: LinkFractions
  readonly startUs: number
  bytes: number
  rateBps: number
  /** In the filling; -1: it is too young. */
  handle: number
  /** Bits and microseconds under assigned rates. */
  assignedBits: number
  assignedUs: number
}

interface Arrival {
  readonly atUs: number
  readonly bytes: number
  readonly source: number
  readonly target: number
}

class FluidRack {
  readonly #options: FluidOptions
  readonly #routes: Translated
  readonly #filling: IncrementalFilling
  readonly #arrivals: readonly Arrival[]
  readonly #assigned: Float64Array
  #live: Live[] = []
  #nowUs = 0

  constructor(options: FluidOptions) {
    const cube = new Cube([...options.dimensions])
    this.#options = options
    this.#routes = new Translated(cube, spraying(new ShortestWays(cube)))
    this.#filling = new IncrementalFilling(
      new Float64Array(cube.count).fill(LINK_BPS),
      options.headroom,
    )
    this.#arrivals = arrivalsOf(options, cube.nodes)
    this.#assigned = new Float64Array(options.flows).fill(NaN)
  }

  run(): Float64Array {
    const { rhoUs } = this.#options
    let next = 0
    let tick = 1
    while (next < this.#arrivals.length || this.#live.length > 0) {
      const startUs = this.#arrivals[next]?.atUs ?? Infinity
      const endUs = this.#nextEndUs()
      const computeUs = rhoUs > 0 ? tick * rhoUs : Infinity
      const atUs = Math.min(startUs, endUs, computeUs)
      this.#advance(atUs)
      if (atUs === computeUs) {
        tick++
        this.#takeIn()
      } else if (atUs === startUs) this.#begin(next++)
      else this.#end()
    }
    return this.#assigned
  }

  #nextEndUs(): number {
    let endUs = Infinity
    for (const { bytes, rateBps } of this.#live) {
      endUs = Math.min(endUs, this.#nowUs + (8e6 * bytes) / rateBps)
    }
    return endUs
  }

  #advance(toUs: number): void {
    const us = toUs - this.#nowUs
    this.#nowUs = toUs
    for (const flow of this.#live) {
      const bits = flow.rateBps * us * 1e-6
      flow.bytes -= bits / 8
      if (flow.handle < 0) continue
      flow.assignedBits += bits
      flow.assignedUs += us
    }
  }

  #begin(number: number): void {
    const { source, target, bytes } = this.#arrivals[number]!
    const links = this.#routes.fractions(source, target)
    const rateBps = LINK_BPS / Math.max(...links.fractions)
    const flow = {
      ...{ flow: number, links, startUs: this.#nowUs, bytes, rateBps, handle: -1 },
      ...{ assignedBits: 0, assignedUs: 0 },
    }
    this.#live.push(flow)
    if (this.#options.rhoUs > 0) return
    flow.handle = this.#filling.add(links)
    this.#compute()
  }

  #end(): void {
    // Whoever has less than a thousandth of a byte left ends with the one that was due.
    const isOver = ({ bytes }: Live): boolean => bytes < 1e-3
    for (const flow of this.#live.filter(isOver)) {
      if (flow.handle >= 0) this.#filling.remove(flow.handle)
      if (flow.assignedUs > 0)
        this.#assigned[flow.flow] = (1e6 * flow.assignedBits) / flow.assignedUs
    }
    this.#live = this.#live.filter((flow) => !isOver(flow))
    if (this.#options.rhoUs === 0) this.#compute()
  }

  /** A computation of a period: flows that are old enough are in it from now on. */
  #takeIn(): void {
    for (const flow of this.#live) {
      if (flow.handle >= 0 || this.#nowUs - flow.startUs < this.#options.rhoUs) continue
      flow.handle = this.#filling.add(flow.links)
    }
    this.#compute()
  }

  #compute(): void {
    this.#filling.settle()
    for (const flow of this.#live) {
      if (flow.handle >= 0) flow.rateBps = this.#filling.rateBps(flow.handle)
    }
  }
}

/** The same for every rho. */
function arrivalsOf({ flows, seed, tauUs }: FluidOptions, nodes: number): Arrival[] {
  const random = new Random(seed, 'r2c2.fluid')
  const least = (MEAN_BYTES * (SHAPE - 1)) / SHAPE
  let atUs = 0
  return Array.from({ length: flows }, () => {
    atUs += random.exponential(tauUs)
    const source = random.below(nodes)
    const target = (source + 1 + random.below(nodes - 1)) % nodes
    return { atUs, bytes: least / pow(1 - random.uniform(), 1 / SHAPE), source, target }
  })
}
