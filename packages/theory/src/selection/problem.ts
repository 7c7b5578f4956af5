/**
 * Which routing each flow should have, so that a utility of the whole rack is the highest: P. Costa
 * et al., "R2C2", SIGCOMM 2015, section 3.4. An assignment gives each flow the number of one of its
 * protocols; its worth is worked out from the rates that water-filling then gives.
 *
 * Rates are filled in plain arithmetic over rows, since flows by VLB cross most links of the rack
 * and a search asks thousands of times: a link is full when its share is the least, and all flows
 * that cross it stop there.
 */
import type { LinkFractions } from '../routes/oblivious.ts'

/** The sum of all rates, or the lowest of them. */
export type Utility = 'aggregate' | 'tail'

export interface RoutableFlow {
  /** One for each protocol that it may have, in the same order for all flows. */
  readonly routes: readonly LinkFractions[]
  readonly weight?: number
}

/** The protocol of each flow. */
export type Assignment = Uint8Array

export class RouteProblem {
  readonly flows: readonly RoutableFlow[]
  readonly protocols: number
  readonly utility: Utility
  /** Assignments that have been worked out. */
  evaluations = 0
  readonly #capacities: Float64Array
  readonly #left: Float64Array
  readonly #weight: Float64Array
  readonly #rates: Float64Array
  /** What each link carries of a flow by each protocol, for the question who crosses a link. */
  readonly #rows: readonly (readonly Float32Array[])[]

  constructor(
    capacitiesBps: ArrayLike<number>,
    flows: readonly RoutableFlow[],
    utility: Utility = 'aggregate',
    headroom = 0,
  ) {
    this.flows = flows
    this.protocols = flows[0]?.routes.length ?? 1
    if (flows.some(({ routes }) => routes.length !== this.protocols || routes.length === 0)) {
      throw new RangeError('Every flow needs a route for each protocol; give as many to each flow.')
    }
    this.utility = utility
    this.#capacities = Float64Array.from(capacitiesBps, (capacity) => capacity * (1 - headroom))
    this.#left = new Float64Array(capacitiesBps.length)
    this.#weight = new Float64Array(capacitiesBps.length)
    this.#rates = new Float64Array(flows.length)
    this.#rows = flows.map(({ routes }) =>
      routes.map(({ links, fractions }) => {
        const row = new Float32Array(capacitiesBps.length)
        links.forEach((link, k) => (row[link] = fractions[k]!))
        return row
      }),
    )
  }

  /** The worth of an assignment, in bit/s. */
  utilityOf(assignment: Assignment): number {
    const rates = this.ratesOf(assignment)
    let [sum, least] = [0, Infinity]
    for (const rate of rates) {
      sum += rate
      if (rate < least) least = rate
    }
    return this.utility === 'aggregate' ? sum : rates.length === 0 ? 0 : least
  }

  /** The rate of each flow; the column is overwritten by the next question. */
  ratesOf(assignment: Assignment): Float64Array {
    this.evaluations++
    this.#left.set(this.#capacities)
    this.#weight.fill(0)
    for (let f = 0; f < this.flows.length; f++) this.#weigh(f, assignment[f]!, 1)
    const rising = Array.from({ length: this.flows.length }, (_, f) => f)
    while (rising.length > 0) {
      const bottleneck = this.#lowest()
      if (bottleneck < 0) throw new RangeError('A flow crosses no link; give each flow a route.')
      const level = this.#left[bottleneck]! / this.#weight[bottleneck]!
      let kept = 0
      for (const f of rising) {
        if (this.#rows[f]![assignment[f]!]![bottleneck]! > 0) this.#stop(f, assignment[f]!, level)
        else rising[kept++] = f
      }
      rising.length = kept
      // Rounding may leave a trace of weight on a link that nobody crosses any more.
      this.#weight[bottleneck] = 0
    }
    return this.#rates
  }

  #weigh(f: number, protocol: number, sign: 1 | -1): void {
    const { routes, weight = 1 } = this.flows[f]!
    const { links, fractions } = routes[protocol]!
    const sums = this.#weight
    for (let k = 0; k < links.length; k++) sums[links[k]!]! += sign * weight * fractions[k]!
  }

  #stop(f: number, protocol: number, level: number): void {
    const { routes, weight = 1 } = this.flows[f]!
    const { links, fractions } = routes[protocol]!
    this.#rates[f] = level * weight
    for (let k = 0; k < links.length; k++) {
      this.#left[links[k]!]! -= level * weight * fractions[k]!
    }
    this.#weigh(f, protocol, -1)
  }

  #lowest(): number {
    let level = Infinity
    let bottleneck = -1
    for (let link = 0; link < this.#weight.length; link++) {
      const weight = this.#weight[link]!
      if (weight < 1e-9) continue
      const share = this.#left[link]! / weight
      if (share < level) ((level = share), (bottleneck = link))
    }
    return bottleneck
  }
}
