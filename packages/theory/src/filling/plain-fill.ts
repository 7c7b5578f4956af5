/**
 * Water-filling of all flows of a layer from nothing, with the load of every link and the water
 * that stands at those that hold flows: where a layer begins that keeps rates within a tolerance.
 */
import { IN_RISE, OUTSIDE } from './flow-columns.ts'
import type { FlowColumns } from './flow-columns.ts'
import { NO_LINK } from './filling-flow.ts'
import type { Incidence } from './incidence.ts'
import { CAPACITY, HELD, HELD_WEIGHT, LEFT, LOAD } from './link-record.ts'
import { RECORD, RISING, WATER, WEIGHT } from './link-record.ts'
import { Rise } from './rise.ts'
import type { Freezing } from './rise.ts'

export class PlainFill implements Freezing {
  readonly #links: number
  readonly #records: Float64Array
  readonly #incidence: Incidence
  readonly #columns: FlowColumns
  readonly #rise: Rise
  /** Links that flows cross. */
  readonly #crossed: number[] = []

  constructor(records: Float64Array, incidence: Incidence, columns: FlowColumns) {
    this.#records = records
    this.#links = records.length / RECORD
    this.#incidence = incidence
    this.#columns = columns
    this.#rise = new Rise(records, incidence, columns, this)
  }

  /** Links that no flow crosses must be as they were at first but for their capacity. */
  fill(): void {
    const { demands, flows, states, weights } = this.#columns
    const { heap } = this.#rise
    heap.clear()
    this.#empty()
    let rising = 0
    for (let slot = 0; slot < flows.length; slot++) {
      if (flows[slot] === undefined) continue
      states[slot] = IN_RISE
      this.#count(slot)
      heap.add(demands[slot]! / weights[slot]!, this.#links + slot)
      rising++
    }
    for (const link of this.#crossed) {
      const at = RECORD * link
      heap.add(this.#records[at + LEFT]! / this.#records[at + WEIGHT]!, link)
    }
    this.#rise.run(rising)
  }

  /** Takes all flows off their links. */
  #empty(): void {
    const records = this.#records
    const { bottlenecks, flows } = this.#columns
    this.#crossed.length = 0
    for (let slot = 0; slot < flows.length; slot++) {
      if (flows[slot] === undefined) continue
      const { links } = flows[slot]!
      bottlenecks[slot] = NO_LINK
      for (let k = 0; k < links.length; k++) {
        const at = RECORD * links[k]!
        records[at + LEFT] = records[at + CAPACITY]!
        records[at + LOAD] = records[at + WEIGHT] = records[at + RISING] = 0
        records[at + HELD] = records[at + HELD_WEIGHT] = 0
        records[at + WATER] = Infinity
      }
    }
  }

  #count(slot: number): void {
    const records = this.#records
    const { flows, runs } = this.#columns
    const { shares } = this.#incidence
    const { links } = flows[slot]!
    const run = runs[slot]!
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      if (records[at + RISING] === 0) this.#crossed.push(links[k]!)
      records[at + WEIGHT]! += shares[run + k]!
      records[at + RISING]!++
    }
  }

  /** A flow has its level: its links carry it from here on. */
  freeze(slot: number, level: number, bottleneck: number): void {
    const { bottlenecks, demands, flows, heldShares, levels, rates, runs, states, weights } =
      this.#columns
    const { links } = flows[slot]!
    const { shares } = this.#incidence
    const run = runs[slot]!
    states[slot] = OUTSIDE
    levels[slot] = level
    bottlenecks[slot] = bottleneck
    // A demand is met to the last bit, which level * weight might miss.
    rates[slot] = bottleneck === NO_LINK ? demands[slot]! : level * weights[slot]!
    if (level === Infinity) return
    const records = this.#records
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      const share = shares[run + k]!
      records[at + LOAD]! += level * share
      const left = records[at + LEFT]! - level * share
      // What rounding leaves of a full link is nothing.
      records[at + LEFT] = left < records[at + CAPACITY]! * 1e-12 ? 0 : left
      records[at + WEIGHT]! -= share
      records[at + RISING]!--
      if (links[k] !== bottleneck) continue
      records[at + WATER] = level
      records[at + HELD]!++
      records[at + HELD_WEIGHT]! += share
      heldShares[slot] = share
    }
  }
}
