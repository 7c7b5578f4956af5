/**
 * Water-filling of all flows of a layer from nothing.
 *
 * No flow stands higher than it would alone in the fabric, which is known once it has come. A link
 * that all its flows together do not fill even so never holds anybody back: one look at each link
 * of each flow finds the few that may, and water rises in these only. What flows then have less
 * than alone is still on the loads of their links; a link is owed it until somebody asks for its
 * load, and until then nothing about its flows changes.
 */
import { FROZEN, IN_RISE } from './flow-columns.ts'
import type { FlowColumns } from './flow-columns.ts'
import { NO_LINK } from './filling-flow.ts'
import type { Incidence } from './incidence.ts'
import { CAPACITY, HELD, LEFT, LOAD, RECORD, RISING, STAMP, WEIGHT } from './link-record.ts'
import { Rise } from './rise.ts'
import type { Freezing } from './rise.ts'

/** Loads and levels closer than this, relatively, are equal. */
const CLOSE = 1e-9

export class WholeFill implements Freezing {
  readonly #links: number
  readonly #records: Float64Array
  readonly #incidence: Incidence
  readonly #flows: FlowColumns
  /** Links that may hold flows back, and the flows that cross one. */
  readonly #contended: number[] = []
  readonly #rising: number[] = []
  /** The contended links of each of these: a chain, and where it begins, by slot. */
  readonly #first: number[] = []
  readonly #next: number[] = []
  readonly #crossed: number[] = []
  readonly #shares: number[] = []
  readonly #rise: Rise
  /** Stamps are below 0, unlike those of a layer's own computations; no link has the first. */
  #epoch = -1

  constructor(records: Float64Array, incidence: Incidence, flows: FlowColumns) {
    this.#records = records
    this.#links = records.length / RECORD
    this.#incidence = incidence
    this.#flows = flows
    this.#rise = new Rise(records, incidence, flows, this)
  }

  /** The stamp of links that are owed something. */
  get stamp(): number {
    return this.#epoch
  }

  /** How high a flow can stand with the fabric to itself. */
  bound(slot: number): void {
    const { aloneLevels, aloneLinks, demands, flows, runs, weights } = this.#flows
    const { links } = flows[slot]!
    const { shares } = this.#incidence
    const run = runs[slot]!
    let level = demands[slot]! / weights[slot]!
    let bound = NO_LINK
    for (let k = 0; k < links.length; k++) {
      const full = this.#records[RECORD * links[k]! + CAPACITY]! / shares[run + k]!
      if (!(full < level)) continue
      level = full
      bound = links[k]!
    }
    aloneLevels[slot] = level
    aloneLinks[slot] = bound
  }

  /** Gives these flows, all that there are, levels, rates and bottlenecks; returns their number. */
  fill(slots: readonly number[]): number {
    this.#epoch--
    this.#contended.length = 0
    this.#load(slots)
    this.#gather()
    const { states } = this.#flows
    for (const slot of slots) if (states[slot] !== IN_RISE) this.#settleAlone(slot)
    if (this.#contended.length > 0) this.#riseTogether()
    return slots.length
  }

  /** Each flow alone, one above the other; finds the links that cannot carry this. */
  #load(slots: readonly number[]): void {
    const epoch = this.#epoch
    const records = this.#records
    const contended = this.#contended
    const { flows, states, runs, aloneLevels, owed } = this.#flows
    const { shares } = this.#incidence
    for (const slot of slots) {
      const { links } = flows[slot]!
      const run = runs[slot]!
      const level = aloneLevels[slot]!
      states[slot] = FROZEN
      owed[slot] = 0
      if (level === Infinity) continue
      for (let k = 0; k < links.length; k++) {
        const at = RECORD * links[k]!
        const before = records[at + STAMP] === epoch ? records[at + LOAD]! : 0
        const load = before + shares[run + k]! * level
        records[at + STAMP] = epoch
        records[at + LOAD] = load
        const most = records[at + CAPACITY]! * (1 + CLOSE)
        if (load > most && before <= most) contended.push(links[k]!)
      }
    }
  }

  /** Finds the flows that cross contended links. */
  #gather(): void {
    const records = this.#records
    const [rising, crossed, first] = [this.#rising, this.#crossed, this.#first]
    const { states } = this.#flows
    const { heads, next, owners, shares } = this.#incidence
    rising.length = 0
    crossed.length = 0
    for (const link of this.#contended) {
      const at = RECORD * link
      let weight = 0
      let count = 0
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        const slot = owners[entry]!
        weight += shares[entry]!
        count++
        if (states[slot] !== IN_RISE) {
          states[slot] = IN_RISE
          first[slot] = -1
          rising.push(slot)
        }
        this.#next[crossed.length] = first[slot]!
        this.#shares[crossed.length] = shares[entry]!
        first[slot] = crossed.length
        crossed.push(link)
      }
      records[at + LEFT] = records[at + CAPACITY]!
      records[at + WEIGHT] = weight
      records[at + RISING] = count
    }
  }

  /** Nobody holds this flow back. */
  #settleAlone(slot: number): void {
    const { aloneLevels, aloneLinks, bottlenecks, demands, levels, rates, weights } = this.#flows
    const level = aloneLevels[slot]!
    const link = aloneLinks[slot]!
    levels[slot] = level
    bottlenecks[slot] = link
    // A demand is met to the last bit, which level * weight might miss.
    rates[slot] = link === NO_LINK ? demands[slot]! : level * weights[slot]!
    if (link !== NO_LINK) this.#records[RECORD * link + HELD]!++
  }

  #riseTogether(): void {
    const { heap } = this.#rise
    const records = this.#records
    const { aloneLevels, aloneLinks, bottlenecks } = this.#flows
    heap.clear()
    for (const link of this.#contended) {
      const at = RECORD * link
      heap.add(records[at + LEFT]! / records[at + WEIGHT]!, link)
    }
    for (const slot of this.#rising) {
      bottlenecks[slot] = aloneLinks[slot]!
      heap.add(aloneLevels[slot]!, this.#links + slot)
    }
    this.#rise.run(this.#rising.length)
  }

  /** A flow has its level; what it leaves of contended links is for others. */
  freeze(slot: number, level: number, bottleneck: number): void {
    const { aloneLevels, bottlenecks, demands, levels, owed, rates, states, weights } = this.#flows
    const records = this.#records
    states[slot] = FROZEN
    levels[slot] = level
    owed[slot] = aloneLevels[slot]! - level
    bottlenecks[slot] = bottleneck
    rates[slot] = bottleneck === NO_LINK ? demands[slot]! : level * weights[slot]!
    if (bottleneck !== NO_LINK) records[RECORD * bottleneck + HELD]!++
    for (let i = this.#first[slot]!; i >= 0; i = this.#next[i]!) {
      const at = RECORD * this.#crossed[i]!
      const share = this.#shares[i]!
      const left = records[at + LEFT]! - level * share
      // What rounding leaves of a full link is nothing.
      records[at + LEFT] = left < records[at + CAPACITY]! * 1e-12 ? 0 : left
      records[at + WEIGHT]! -= share
      records[at + RISING]!--
    }
  }

  /** Makes the load of a link what it is: takes off what its flows would have had alone. */
  settleLoad(link: number): void {
    const records = this.#records
    const at = RECORD * link
    if (records[at + STAMP] !== this.#epoch) return
    records[at + STAMP] = 0
    const { owed } = this.#flows
    const { heads, next, owners, shares } = this.#incidence
    let less = 0
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
      less += owed[owners[entry]!]! * shares[entry]!
    }
    records[at + LOAD]! -= less
  }
}
