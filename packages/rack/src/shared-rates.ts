/**
 * Rates of a set of flows, worked out once for all nodes that know the same set. Every node of a
 * rack computes the same rates from the same view; a simulator that runs 512 of them need not do
 * it 512 times. Two views are the same if they hold the same flows with the same fields, which is
 * looked up flow by flow, not inferred from a hash.
 *
 * What comes out is a function of the set alone: flows are filled in the order of their keys, from
 * nothing, so that neither who asks first nor what was asked before shows in the last digit.
 */
import type { LinkFractions } from '@weir/theory'
import { IncrementalFilling } from '@weir/theory/filling'
import { FlowColumns } from './flow-columns.ts'
import { wordFields } from './flow-words.ts'
import type { TrafficMatrix } from './traffic-matrix.ts'
import { weightOf } from './wire/announcement.ts'

/** Which links a flow uses, as the topology stands; undefined if no way leads there. */
export type FractionsOf = (
  protocol: number,
  source: number,
  target: number,
) => LinkFractions | undefined

/** Rates by key of the flow. */
export type Allocation = ReadonlyMap<number, number>

interface Known {
  readonly topology: object
  readonly hash: number
  readonly words: Float64Array
  readonly demandsKbps: Float64Array
  readonly places: ReadonlyMap<number, number>
  readonly rates: Allocation
}

/** Views differ by what is under way: a few at a time. */
const KEPT = 8

export class SharedRates {
  /** How often rates were asked for, and worked out. */
  asked = 0
  computed = 0
  readonly #capacitiesBps: Float64Array
  readonly #headroom: number
  readonly #columns = new FlowColumns()
  readonly #known: Known[] = []

  constructor(capacitiesBps: Float64Array, headroom: number) {
    this.#capacitiesBps = capacitiesBps
    this.#headroom = headroom
  }

  /** Of the flows that a node heard of by `sincePs`; `topology` is what `fractionsOf` is of. */
  of(
    matrix: TrafficMatrix,
    sincePs: number,
    topology: object,
    fractionsOf: FractionsOf,
  ): Allocation {
    this.asked++
    const columns = this.#columns
    matrix.collect(sincePs, columns)
    const same = this.#known.find((known) => isSame(known, columns, topology))
    if (same !== undefined) return same.rates
    this.computed++
    const known = this.#compute(topology, fractionsOf)
    this.#known.unshift(known)
    if (this.#known.length > KEPT) this.#known.pop()
    return known.rates
  }

  #compute(topology: object, fractionsOf: FractionsOf): Known {
    const { count, keys, words, demandsKbps, hash } = this.#columns
    const order = Array.from({ length: count }, (_, i) => i)
    order.sort((i, j) => keys[i]! - keys[j]!)
    const filling = new IncrementalFilling(this.#capacitiesBps, this.#headroom)
    const handles = new Map<number, number>()
    for (const i of order) {
      const { target, weightCode, priority, protocol } = wordFields(words[i]!)
      const fractions = fractionsOf(protocol, Math.floor(keys[i]! / 65536), target)
      if (fractions === undefined) continue
      const demandBps = demandsKbps[i]! * 1e3
      const flow = { ...fractions, weight: weightOf(weightCode), priority, demandBps }
      handles.set(keys[i]!, filling.add(flow))
    }
    filling.refill()
    const rates = new Map<number, number>()
    for (const [key, handle] of handles) rates.set(key, filling.rateBps(handle))
    return {
      topology,
      hash,
      words: words.slice(0, count),
      demandsKbps: demandsKbps.slice(0, count),
      places: new Map(order.map((i) => [keys[i]!, i])),
      rates,
    }
  }
}

function isSame(known: Known, columns: FlowColumns, topology: object): boolean {
  const { count, keys, words, demandsKbps, hash } = columns
  if (known.topology !== topology || known.hash !== hash || known.places.size !== count) {
    return false
  }
  for (let i = 0; i < count; i++) {
    const place = known.places.get(keys[i]!)
    if (place === undefined) return false
    if (known.words[place] !== words[i] || known.demandsKbps[place] !== demandsKbps[i]) return false
  }
  return true
}
