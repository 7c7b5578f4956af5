/**
 * Weighted water-filling: raise the rates of all flows at the same pace, in proportion to their
 * weights, until a link is full; freeze the flows that cross it there, and go on with the rest.
 *
 * D. Bertsekas and R. Gallager, "Data Networks", §6.5.2; the version for flows that spread over
 * several paths is P. Costa et al., "R2C2", SIGCOMM 2015, §3.3.1: routing fixes the fraction of a
 * flow that each link carries, a flow's rate over a link is its rate times that fraction, and the
 * result is max-min fair among all rates that keep these fractions. §3.3.2 takes a headroom off
 * every capacity; §3.3.3 serves priorities in rounds, each with what the one before has left, and
 * limits a flow to its demand.
 *
 * Costs O(links) for each level of the water, of which there are at most as many as links, and
 * O(path) for each flow: 5,000 flows over 12 of 3,000 links take some ten million steps, no heap.
 */

export interface FilledFlow {
  /** Indices of the links that it crosses. */
  readonly links: readonly number[]
  /** The fraction of its rate that each of those links carries; 1 each if left out. */
  readonly fractions?: readonly number[]
  /** Its share relative to other flows; 1 if left out. */
  readonly weight?: number
  /** It never gets more; no limit if left out. */
  readonly demandBps?: number
  /** Higher ones are served first; 0 if left out. */
  readonly priority?: number
}

export interface Allocation {
  /** Rate of each flow. Infinity for a flow that no link and no demand limits. */
  readonly ratesBps: Float64Array
  /** The full link that holds each flow at its rate; -1 if its own demand does. */
  readonly bottlenecks: Int32Array
  /** How high the water stood when the flow was frozen: the rate of a flow of weight 1. */
  readonly levelsBps: Float64Array
}

/** Bottleneck of a flow that gets all it asks for. */
export const DEMAND = -1

/** `headroom` is the fraction of each capacity to leave unused. */
export function waterFill(
  capacitiesBps: ArrayLike<number>,
  flows: readonly FilledFlow[],
  headroom = 0,
): Allocation {
  if (!(headroom >= 0 && headroom < 1)) {
    throw new RangeError(`A headroom of ${headroom} leaves no capacity; give a fraction below 1.`)
  }
  for (let link = 0; link < capacitiesBps.length; link++) {
    if (!(capacitiesBps[link]! >= 0)) {
      throw new RangeError(`Link ${link} has a capacity of ${capacitiesBps[link]}; give 0 or more.`)
    }
  }
  flows.forEach(checkFlow)
  const filling = new Filling(capacitiesBps, flows, 1 - headroom)
  const priorities = [...new Set(flows.map((flow) => flow.priority ?? 0))].sort((a, b) => b - a)
  for (const priority of priorities) filling.round(priority)
  return filling
}

class Filling implements Allocation {
  readonly ratesBps: Float64Array
  readonly bottlenecks: Int32Array
  readonly levelsBps: Float64Array
  readonly #flows: readonly FilledFlow[]
  readonly #capacities: Float64Array
  /** Of each link: capacity not frozen yet, weight of the flows that still rise, number of them. */
  readonly #left: Float64Array
  readonly #weight: Float64Array
  readonly #rising: Int32Array
  /** What #weight was when it was last summed up rather than subtracted from. */
  readonly #summed: Float64Array
  /** The flows of link l are #members[#first[l]] up to #members[#first[l + 1]]; their weights. */
  readonly #first: Int32Array
  readonly #members: Int32Array
  readonly #shares: Float64Array
  readonly #frozen: Uint8Array

  constructor(capacities: ArrayLike<number>, flows: readonly FilledFlow[], usable: number) {
    const links = capacities.length
    this.ratesBps = new Float64Array(flows.length)
    this.bottlenecks = new Int32Array(flows.length).fill(DEMAND)
    this.levelsBps = new Float64Array(flows.length)
    this.#flows = flows
    this.#capacities = Float64Array.from(capacities, (capacity) => capacity * usable)
    this.#left = this.#capacities.slice()
    this.#weight = new Float64Array(links)
    this.#rising = new Int32Array(links)
    this.#summed = new Float64Array(links)
    this.#frozen = new Uint8Array(flows.length)
    this.#first = new Int32Array(links + 1)
    for (const flow of flows) {
      flow.links.forEach((link, k) => {
        if (!(link >= 0 && link < links)) {
          throw new RangeError(`A flow crosses link ${link}; the links are 0 to ${links - 1}.`)
        }
        if (fractionOf(flow, k) > 0) this.#first[link + 1]!++
      })
    }
    for (let link = 0; link < links; link++) this.#first[link + 1]! += this.#first[link]!
    this.#members = new Int32Array(this.#first[links]!)
    this.#shares = new Float64Array(this.#first[links]!)
    const next = this.#first.slice()
    flows.forEach((flow, i) =>
      flow.links.forEach((link, k) => {
        if (fractionOf(flow, k) === 0) return
        const m = next[link]!++
        this.#members[m] = i
        this.#shares[m] = (flow.weight ?? 1) * fractionOf(flow, k)
      }),
    )
  }

  /** Freezes every flow of this priority. */
  round(priority: number): void {
    const limited = this.#limited(priority)
    const active: number[] = []
    for (let link = 0; link < this.#rising.length; link++) {
      this.#sumUp(link, priority)
      if (this.#rising[link]! > 0) active.push(link)
    }
    let asked = 0
    for (;;) {
      const { bottleneck, level } = this.#lowest(active)
      // Flows that want no more than this level drop out below it. Taking one out only raises the
      // level of its links, so all of them can go before the next look at the links.
      const askedBefore = asked
      for (; asked < limited.length; asked++) {
        const flow = limited[asked]!
        if (this.#demandLevel(flow) > level) break
        if (this.#rises(flow, priority)) this.#freeze(flow, this.#demandLevel(flow), DEMAND)
      }
      if (asked > askedBefore && bottleneck >= 0) continue
      if (bottleneck < 0) break
      for (let m = this.#first[bottleneck]!; m < this.#first[bottleneck + 1]!; m++) {
        const flow = this.#members[m]!
        if (this.#rises(flow, priority)) this.#freeze(flow, level, bottleneck)
      }
      this.#left[bottleneck] = 0
      this.#rising[bottleneck] = 0
    }
    this.#freezeUnlimited(priority)
  }

  /** The flows of a round that have a demand, lowest level first. */
  #limited(priority: number): number[] {
    const limited: number[] = []
    this.#flows.forEach((flow, i) => {
      if ((flow.demandBps ?? Infinity) < Infinity && this.#rises(i, priority)) limited.push(i)
    })
    return limited.sort((a, b) => this.#demandLevel(a) - this.#demandLevel(b) || a - b)
  }

  /** Counts the flows of a link that rise, and their weight. */
  #sumUp(link: number, priority: number): void {
    let weight = 0
    let rising = 0
    for (let m = this.#first[link]!; m < this.#first[link + 1]!; m++) {
      if (!this.#rises(this.#members[m]!, priority)) continue
      weight += this.#shares[m]!
      rising++
    }
    this.#weight[link] = this.#summed[link] = weight
    this.#rising[link] = rising
  }

  /** The link that fills first, and the level at which it does; links that are done are dropped. */
  #lowest(active: number[]): { bottleneck: number; level: number } {
    let bottleneck = -1
    let level = Infinity
    let kept = 0
    for (const link of active) {
      if (this.#rising[link] === 0) continue
      active[kept++] = link
      const share = this.#left[link]! / this.#weight[link]!
      if (share < level) {
        level = share
        bottleneck = link
      }
    }
    active.length = kept
    return { bottleneck, level }
  }

  #freeze(index: number, level: number, bottleneck: number): void {
    const flow = this.#flows[index]!
    const weight = flow.weight ?? 1
    // A demand is met to the last bit, which level * weight might miss.
    const rate = bottleneck === DEMAND ? (flow.demandBps ?? Infinity) : level * weight
    this.#frozen[index] = 1
    this.ratesBps[index] = rate
    this.levelsBps[index] = level
    this.bottlenecks[index] = bottleneck
    for (let k = 0; k < flow.links.length; k++) {
      const link = flow.links[k]!
      const fraction = fractionOf(flow, k)
      if (fraction === 0) continue
      const left = this.#left[link]! - rate * fraction
      // What rounding leaves of a full link is nothing, also for the rounds to come.
      this.#left[link] = left < this.#capacities[link]! * 1e-12 ? 0 : left
      this.#weight[link]! -= weight * fraction
      this.#rising[link]!--
    }
    // Subtraction keeps the rounding errors of the weights that are gone; where these were by far
    // the larger part, sum up anew what is left.
    for (const link of flow.links) {
      if (this.#weight[link]! < this.#summed[link]! * 1e-3) this.#sumUp(link, flow.priority ?? 0)
    }
  }

  /** What crosses no link with a bound rises for ever. */
  #freezeUnlimited(priority: number): void {
    this.#flows.forEach((_, i) => {
      if (!this.#rises(i, priority)) return
      this.#frozen[i] = 1
      this.ratesBps[i] = Infinity
      this.levelsBps[i] = Infinity
    })
  }

  #rises(index: number, priority: number): boolean {
    return this.#frozen[index] === 0 && (this.#flows[index]!.priority ?? 0) === priority
  }

  #demandLevel(index: number): number {
    const { demandBps = Infinity, weight = 1 } = this.#flows[index]!
    return demandBps / weight
  }
}

function fractionOf(flow: FilledFlow, k: number): number {
  return flow.fractions?.[k] ?? 1
}

function checkFlow(flow: FilledFlow, i: number): void {
  const { links, fractions, weight = 1, demandBps = Infinity } = flow
  if (!(weight > 0 && weight < Infinity)) {
    throw new RangeError(`Flow ${i} has weight ${weight}; give one above 0.`)
  }
  if (!(demandBps >= 0)) {
    throw new RangeError(`Flow ${i} has a demand of ${demandBps} bit/s; give 0 or more.`)
  }
  if (fractions !== undefined && fractions.length !== links.length) {
    throw new RangeError(
      `Flow ${i} has ${fractions.length} fractions for ${links.length} links; give one for each.`,
    )
  }
  if (fractions?.some((fraction) => !(fraction >= 0 && fraction < Infinity)) === true) {
    throw new RangeError(`Flow ${i} has a fraction below 0 on a link; give 0 or more.`)
  }
}
