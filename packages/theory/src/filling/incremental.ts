/**
 * The rates of all flows of a rack, kept up to date flow by flow: weights, demands, priorities and
 * headroom as in P. Costa et al., "R2C2", SIGCOMM 2015, section 3.3. Priorities are served in
 * rounds, each with what the rounds before leave; a layer holds each round, and hands on what has
 * changed.
 *
 * Events are taken note of (`add`, `remove`) and settled together when rates are due (`settle`), as
 * R2C2's periodic computation does; `refill` computes everything from nothing instead. Both give
 * what `waterFill` gives, to rounding; with a tolerance, `refill` does.
 */
import { ExactLayer } from './exact-layer.ts'
import type { FillingFlow } from './filling-flow.ts'
import type { Layer } from './layer.ts'
import { ResumedLayer } from './resumed-layer.ts'
import { TolerantLayer } from './tolerant-layer.ts'

export interface PrioritizedFlow extends FillingFlow {
  /** Higher ones are served first; 0 if left out. */
  readonly priority?: number
}

interface Round {
  readonly priority: number
  readonly layer: Layer
}

/** Whose rates are worked out: all flows' at once, or when they are asked for. */
export type Wanted = 'all' | 'asked'

export class IncrementalFilling {
  readonly #capacities: Float64Array
  readonly #makeLayer: (capacities: Float64Array) => Layer
  /** By priority, the highest first. */
  readonly #rounds: Round[] = []
  readonly #layerOf: (Layer | undefined)[] = []
  readonly #slotOf: number[] = []
  readonly #free: number[] = []

  /**
   * `headroom` is the fraction of each capacity to leave unused. With a `tolerance` above 0 what is
   * settled is within it, for a small part of the work (`tolerant-layer.ts`). For flows that are
   * `asked` for, rates are exact, and the work is done when they are (`resumed-layer.ts`).
   */
  constructor(
    capacitiesBps: ArrayLike<number>,
    headroom = 0,
    tolerance = 0,
    wanted: Wanted = 'all',
  ) {
    if (!(headroom >= 0 && headroom < 1)) {
      throw new RangeError(`A headroom of ${headroom} leaves no capacity; give a fraction below 1.`)
    }
    if (!(tolerance >= 0 && tolerance < 1)) {
      throw new RangeError(`A tolerance of ${tolerance} is none; give a fraction below 1.`)
    }
    if (tolerance > 0 && wanted === 'asked') {
      throw new RangeError(`Rates that are asked for are exact; leave out the tolerance.`)
    }
    this.#makeLayer = (capacities) => {
      if (wanted === 'asked') return new ResumedLayer(capacities)
      return tolerance > 0 ? new TolerantLayer(capacities, tolerance) : new ExactLayer(capacities)
    }
    this.#capacities = Float64Array.from(capacitiesBps, (capacity, link) => {
      if (!(capacity >= 0 && capacity < Infinity)) {
        throw new RangeError(`Link ${link} has a capacity of ${capacity}; give a number from 0 on.`)
      }
      return capacity * (1 - headroom)
    })
  }

  /** Returns the flow's handle. */
  add(flow: PrioritizedFlow): number {
    checkFlow(flow, this.#capacities.length)
    const layer = this.#layer(flow.priority ?? 0)
    const handle = this.#free.pop() ?? this.#layerOf.length
    this.#layerOf[handle] = layer
    this.#slotOf[handle] = layer.add(flow)
    return handle
  }

  remove(handle: number): void {
    this.#known(handle).remove(this.#slotOf[handle]!)
    this.#layerOf[handle] = undefined
    this.#free.push(handle)
  }

  /** Of the last computation; 0 for a flow that came after it. */
  rateBps(handle: number): number {
    return this.#known(handle).rate(this.#slotOf[handle]!)
  }

  /** The full link that holds a flow at its rate; DEMAND (-1) if none does. */
  bottleneck(handle: number): number {
    return this.#known(handle).bottleneck(this.#slotOf[handle]!)
  }

  /** Flows that the last computation filled, each as often as it did: what it cost. */
  get filled(): number {
    return this.#rounds.reduce((sum, { layer }) => sum + layer.filled, 0)
  }

  /** Links of these flows, and flows of links, that it looked at, each as often as it did. */
  get touched(): number {
    return this.#rounds.reduce((sum, { layer }) => sum + layer.touched, 0)
  }

  get flows(): number {
    return this.#rounds.reduce((sum, { layer }) => sum + layer.count, 0)
  }

  settle(): void {
    this.#compute((layer) => layer.settle())
  }

  refill(): void {
    this.#compute((layer) => layer.refill())
  }

  #compute(compute: (layer: Layer) => void): void {
    this.#rounds.forEach(({ layer }, i) => {
      compute(layer)
      const next = this.#rounds[i + 1]?.layer
      for (const link of next === undefined ? [] : layer.changed.links) {
        next!.setCapacity(link, layer.leftover(link))
      }
      layer.changed.forget()
    })
  }

  #layer(priority: number): Layer {
    const at = this.#rounds.findIndex((round) => round.priority <= priority)
    if (at >= 0 && this.#rounds[at]!.priority === priority) return this.#rounds[at]!.layer
    const place = at < 0 ? this.#rounds.length : at
    const above = this.#rounds[place - 1]?.layer
    const capacities =
      above === undefined
        ? this.#capacities.slice()
        : this.#capacities.map((_, link) => above.leftover(link))
    const layer = this.#makeLayer(capacities)
    this.#rounds.splice(place, 0, { priority, layer })
    this.#rounds.forEach(
      (round, i) => (round.layer.changed.isWatched = i + 1 < this.#rounds.length),
    )
    // What has changed above is in its capacities already: the next priority hears of it from here.
    for (let link = 0; link < capacities.length; link++) layer.changed.note(link)
    return layer
  }

  #known(handle: number): Layer {
    const layer = this.#layerOf[handle]
    if (layer === undefined) throw new RangeError(`There is no flow ${handle}: it was removed.`)
    return layer
  }
}

function checkFlow(flow: PrioritizedFlow, links: number): void {
  const { weight = 1, demandBps = Infinity } = flow
  if (!(weight > 0 && weight < Infinity)) {
    throw new RangeError(`A flow has weight ${weight}; give one above 0.`)
  }
  if (!(demandBps >= 0)) {
    throw new RangeError(`A flow has a demand of ${demandBps} bit/s; give 0 or more.`)
  }
  for (let k = 0; k < flow.links.length; k++) {
    const link = flow.links[k]!
    if (!(link >= 0 && link < links)) {
      throw new RangeError(`A flow crosses link ${link}; the links are 0 to ${links - 1}.`)
    }
    if (!(flow.fractions[k]! > 0 && flow.fractions[k]! < Infinity)) {
      throw new RangeError(`A flow has no fraction on link ${link}; give one above 0.`)
    }
  }
}
