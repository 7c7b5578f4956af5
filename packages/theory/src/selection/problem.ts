/**
 * Which routing each flow should have, so that a utility of the whole rack is the highest: P. Costa
 * et al., "R2C2", SIGCOMM 2015, section 3.4. An assignment gives each flow the number of one of its
 * protocols; its worth is worked out from the rates that water-filling then gives, 'using the rate
 * computation mechanism described in Section 3.3': by weight, priority after priority, and to no
 * flow more than its demand.
 *
 * Rates are filled in plain arithmetic over rows, since flows by VLB cross most links of the rack
 * and a search asks thousands of times: a link is full when its share is the least, and all flows
 * that cross it stop there.
 */
import type { LinkFractions } from '../routes/oblivious.ts'

/**
 * The sum of all rates, or the lowest of them: of the flows that do not get all that they ask for,
 * since no route gives the others more. If there are none, the highest rate, which no flow that
 * wants more can have had.
 */
export type Utility = 'aggregate' | 'tail'

export interface RoutableFlow {
  /** One for each protocol that it may have, in the same order for all flows. */
  readonly routes: readonly LinkFractions[]
  readonly weight?: number
  /** It never gets more; no limit if left out. */
  readonly demandBps?: number
  /** Higher ones are served first; 0 if left out. */
  readonly priority?: number
}

/** Flows of one priority, and those of them that have a demand, the lowest level first. */
interface Round {
  readonly flows: readonly number[]
  readonly limited: readonly number[]
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
  /** By flow: it rises no more. */
  readonly #stopped: Uint8Array
  /** How high the water stands when a flow has all that it asks for. */
  readonly #demandLevels: Float64Array
  readonly #rounds: readonly Round[]
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
    this.#stopped = new Uint8Array(flows.length)
    this.#demandLevels = Float64Array.from(
      flows,
      ({ demandBps = Infinity, weight = 1 }) => demandBps / weight,
    )
    this.#rounds = this.#roundsOf(flows)
    this.#rows = flows.map(({ routes }) =>
      routes.map(({ links, fractions }) => {
        const row = new Float32Array(capacitiesBps.length)
        links.forEach((link, k) => (row[link] = fractions[k]!))
        return row
      }),
    )
  }

  #roundsOf(flows: readonly RoutableFlow[]): Round[] {
    const levels = this.#demandLevels
    const priorities = [...new Set(flows.map(({ priority = 0 }) => priority))]
    return priorities
      .sort((a, b) => b - a)
      .map((which) => {
        const own = flows.flatMap(({ priority = 0 }, f) => (priority === which ? f : []))
        const limited = own.filter((f) => levels[f]! < Infinity)
        return { flows: own, limited: limited.sort((f, g) => levels[f]! - levels[g]! || f - g) }
      })
  }

  /** The worth of an assignment, in bit/s. */
  utilityOf(assignment: Assignment): number {
    const rates = this.ratesOf(assignment)
    let [sum, least, most] = [0, Infinity, 0]
    for (let f = 0; f < rates.length; f++) {
      const rate = rates[f]!
      sum += rate
      if (rate > most) most = rate
      if (rate < least && rate < (this.flows[f]!.demandBps ?? Infinity)) least = rate
    }
    if (this.utility === 'aggregate') return sum
    return least === Infinity ? most : least
  }

  /** The rate of each flow; the column is overwritten by the next question. */
  ratesOf(assignment: Assignment): Float64Array {
    this.evaluations++
    this.#left.set(this.#capacities)
    this.#stopped.fill(0)
    this.#rounds.forEach((round, i) => {
      if (i > 0) this.#roundOff()
      this.#fill(round, assignment)
    })
    return this.#rates
  }

  #fill({ flows, limited }: Round, assignment: Assignment): void {
    this.#weight.fill(0)
    for (const f of flows) this.#weigh(f, assignment[f]!, 1)
    const rising = [...flows]
    let asked = 0
    while (rising.length > 0) {
      const bottleneck = this.#lowest()
      const level = bottleneck < 0 ? Infinity : this.#left[bottleneck]! / this.#weight[bottleneck]!
      // Flows that want no more than this level drop out below it. Each raises the level of its
      // links, so that all of them can go before the next look at the links.
      const askedBefore = asked
      for (; asked < limited.length; asked++) {
        const f = limited[asked]!
        if (this.#demandLevels[f]! > level) break
        if (this.#stopped[f] === 0) this.#stop(f, assignment[f]!, this.flows[f]!.demandBps!)
      }
      if (asked > askedBefore) {
        keepRising(rising, this.#stopped)
        continue
      }
      if (bottleneck < 0) throw new RangeError('A flow crosses no link; give each flow a route.')
      for (const f of rising) {
        const { weight = 1 } = this.flows[f]!
        const isHeld = this.#rows[f]![assignment[f]!]![bottleneck]! > 0
        if (isHeld) this.#stop(f, assignment[f]!, level * weight)
      }
      keepRising(rising, this.#stopped)
      // Rounding may leave a trace of weight on a link that nobody crosses any more.
      this.#weight[bottleneck] = 0
    }
  }

  /** What rounding has left of a full link is nothing to the flows of lower priority. */
  #roundOff(): void {
    const left = this.#left
    for (let link = 0; link < left.length; link++) {
      if (left[link]! < this.#capacities[link]! * 1e-9) left[link] = 0
    }
  }

  #weigh(f: number, protocol: number, sign: 1 | -1): void {
    const { routes, weight = 1 } = this.flows[f]!
    const { links, fractions } = routes[protocol]!
    const sums = this.#weight
    for (let k = 0; k < links.length; k++) sums[links[k]!]! += sign * weight * fractions[k]!
  }

  #stop(f: number, protocol: number, rateBps: number): void {
    const { links, fractions } = this.flows[f]!.routes[protocol]!
    this.#rates[f] = rateBps
    this.#stopped[f] = 1
    for (let k = 0; k < links.length; k++) {
      this.#left[links[k]!]! -= rateBps * fractions[k]!
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

function keepRising(rising: number[], stopped: Uint8Array): void {
  let kept = 0
  for (const f of rising) if (stopped[f] === 0) rising[kept++] = f
  rising.length = kept
}
