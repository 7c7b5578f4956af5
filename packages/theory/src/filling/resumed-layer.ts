/**
 * Water-filling for the flows of one priority that is taken up again where an event first shows,
 * and that rises no further than to the flows that somebody asks for.
 *
 * Water rises from nothing, and flows are frozen one after the other as links fill (`rise.ts`). A
 * flow that comes or goes changes nothing below the level at which it is frozen itself: until then
 * none of its links is full, or it would have been frozen there. So the order in which flows were
 * frozen is kept, and an event takes back the last of it: down to the flow that goes, with those
 * that its links held; or, for one that comes, down to where all its links still have room for it.
 * From there water rises again, which is what it would do from nothing. And since a flow depends on
 * no flow above it, water stops when those that are asked for have their rates: a node wants those
 * of its own flows. An event above them costs it nothing.
 */
import { NO_LINK, type FillingFlow } from './filling-flow.ts'
import { FROZEN, IN_RISE } from './flow-columns.ts'
import { Layer } from './layer.ts'
import { CAPACITY, HELD, LEFT, RECORD, RISING, STAMP, WEIGHT } from './link-record.ts'
import { Rise } from './rise.ts'
import type { Freezing } from './rise.ts'

/** What rounding leaves of a link is nothing. */
const NOTHING = 1e-12
/** So often the prefix is taken up; then all begins anew, so that rounding does not add up. */
const EVENTS_MAX = 1000

export class ResumedLayer extends Layer implements Freezing {
  readonly #rise: Rise
  /** Flows in the order in which they were frozen. */
  readonly #order: number[] = []
  /** The others, in any order, and the place of each among them. */
  readonly #rising: number[] = []
  readonly #places: number[] = []
  /** Every link that rising flows cross, and some that none does any more; STAMP says who is in. */
  readonly #crossed: number[] = []
  /** What is left of each link, as was last said to the next priority. */
  readonly #told: Float64Array
  #isHeapStale = true
  #events = 0

  constructor(capacities: ArrayLike<number>) {
    super(capacities)
    const { links, records } = this
    for (let link = 0; link < links; link++) records[RECORD * link + LEFT] = capacities[link]!
    this.#told = Float64Array.from(capacities)
    this.#rise = new Rise(records, this.incidence, this.columns, this)
  }

  /** What this layer leaves of a link, if all its flows have their rates. */
  override leftover(link: number): number {
    return (this.#told[link] = this.#leftOf(link))
  }

  override rate(slot: number): number {
    this.#riseTo(slot)
    return super.rate(slot)
  }

  override bottleneck(slot: number): number {
    this.#riseTo(slot)
    return super.bottleneck(slot)
  }

  override add(flow: FillingFlow): number {
    this.#begin()
    return super.add(flow)
  }

  protected override onCome(slot: number): void {
    const { demands, flows, weights } = this.columns
    const { links } = flows[slot]!
    this.#putOn(slot)
    const bound = demands[slot]! / weights[slot]!
    while (this.#level > bound) this.#takeBack()
    for (let k = 0; k < links.length; k++) this.#makeRoom(links[k]!)
  }

  protected override onGo(slot: number): void {
    const { flows, runs, states } = this.columns
    const records = this.records
    this.#begin()
    while (states[slot] === FROZEN) this.#takeBack()
    const { links } = flows[slot]!
    // Of links that are full at the same level one holds a flow, and all are full because of it.
    for (let k = 0; k < links.length; k++) {
      while (records[RECORD * links[k]! + HELD]! > 0) this.#takeBack()
    }
    this.#takeOff(slot)
    this.incidence.remove(runs[slot]!, links)
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      // Nothing is left of rounding errors where nobody is left.
      if (this.incidence.heads[links[k]!] === -1) records[at + LEFT] = records[at + CAPACITY]!
    }
  }

  protected override onCapacity(link: number): void {
    const at = RECORD * link
    this.#begin()
    const before = this.records[at + LEFT]!
    this.#sumUp(link)
    const more = this.records[at + LEFT]! - before
    while (more > 0 && this.records[at + HELD]! > 0) this.#takeBack()
    this.#makeRoom(link)
    this.#sumUp(link)
  }

  /** All flows get their rates if another priority is to have what they leave. */
  override settle(): void {
    this.filled = this.touched = 0
    if (this.changed.isWatched) this.#finish()
  }

  /** Fills all flows from nothing. */
  override refill(): void {
    this.filled = this.touched = 0
    this.#forget()
    this.#finish()
  }

  /** A flow of the rise has its level. */
  freeze(slot: number, level: number, bottleneck: number): void {
    const { bottlenecks, demands, flows, levels, rates, runs, states, weights } = this.columns
    const records = this.records
    this.filled++
    states[slot] = FROZEN
    levels[slot] = level
    bottlenecks[slot] = bottleneck
    // A demand is met to the last bit, which level * weight might miss.
    rates[slot] = bottleneck === NO_LINK ? demands[slot]! : level * weights[slot]!
    if (bottleneck !== NO_LINK) records[RECORD * bottleneck + HELD]!++
    this.#takeOff(slot)
    this.#order.push(slot)
    const { links } = flows[slot]!
    const { shares } = this.incidence
    const run = runs[slot]!
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      const left = records[at + LEFT]! - level * shares[run + k]!
      records[at + LEFT] = left < records[at + CAPACITY]! * NOTHING ? 0 : left
    }
  }

  #leftOf(link: number): number {
    const left = this.records[RECORD * link + LEFT]!
    return left > this.records[RECORD * link + CAPACITY]! * NOTHING ? left : 0
  }

  /** The level up to which water has risen. */
  get #level(): number {
    const { length } = this.#order
    return length === 0 ? 0 : this.columns.levels[this.#order[length - 1]!]!
  }

  #begin(): void {
    this.#isHeapStale = true
    if (++this.#events > EVENTS_MAX) this.#forget()
  }

  /** The last flow that was frozen rises again. */
  #takeBack(): void {
    const slot = this.#order.pop()!
    const { bottlenecks, flows, levels, runs, states } = this.columns
    const records = this.records
    const { links } = flows[slot]!
    const { shares } = this.incidence
    const run = runs[slot]!
    const level = levels[slot]!
    for (let k = 0; k < links.length; k++) {
      records[RECORD * links[k]! + LEFT]! += level * shares[run + k]!
    }
    if (bottlenecks[slot] !== NO_LINK) records[RECORD * bottlenecks[slot]! + HELD]!--
    bottlenecks[slot] = NO_LINK
    states[slot] = IN_RISE
    this.#putOn(slot)
  }

  /** Takes back until what rises fits a link as high as the water stands. */
  #makeRoom(link: number): void {
    const at = RECORD * link
    const records = this.records
    while (
      this.#order.length > 0 &&
      (records[at + LEFT]! < 0 || records[at + LEFT]! < records[at + WEIGHT]! * this.#level)
    ) {
      this.#takeBack()
    }
  }

  /** What is left of a link to the last bit, which may be all that there is. */
  #sumUp(link: number): void {
    const { heads, next, owners, shares } = this.incidence
    const { levels, states } = this.columns
    let left = this.records[RECORD * link + CAPACITY]!
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
      if (states[owners[entry]!] === FROZEN) left -= levels[owners[entry]!]! * shares[entry]!
    }
    this.records[RECORD * link + LEFT] = left
  }

  /** A flow is among those that rise, and counts on its links. */
  #putOn(slot: number): void {
    this.#places[slot] = this.#rising.push(slot) - 1
    const records = this.records
    const { links } = this.columns.flows[slot]!
    const { shares } = this.incidence
    const run = this.columns.runs[slot]!
    this.touched += links.length
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      records[at + WEIGHT]! += shares[run + k]!
      records[at + RISING]!++
      if (records[at + STAMP] === 1) continue
      records[at + STAMP] = 1
      this.#crossed.push(links[k]!)
    }
  }

  #takeOff(slot: number): void {
    const last = this.#rising.pop()!
    if (last !== slot) {
      this.#rising[this.#places[slot]!] = last
      this.#places[last] = this.#places[slot]!
    }
    const records = this.records
    const { links } = this.columns.flows[slot]!
    const { shares } = this.incidence
    const run = this.columns.runs[slot]!
    this.touched += links.length
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      const rising = --records[at + RISING]!
      // Nothing is left of rounding errors where nobody is left.
      records[at + WEIGHT] = rising === 0 ? 0 : records[at + WEIGHT]! - shares[run + k]!
    }
  }

  /** All flows rise from nothing. */
  #forget(): void {
    const records = this.records
    const { bottlenecks, flows, states } = this.columns
    this.#events = 0
    this.#isHeapStale = true
    this.#order.length = this.#rising.length = this.#crossed.length = 0
    for (let at = 0; at < records.length; at += RECORD) {
      records[at + LEFT] = records[at + CAPACITY]!
      records[at + WEIGHT] = records[at + RISING] = records[at + HELD] = records[at + STAMP] = 0
    }
    for (let slot = 0; slot < flows.length; slot++) {
      if (flows[slot] === undefined) continue
      bottlenecks[slot] = NO_LINK
      states[slot] = IN_RISE
      this.#putOn(slot)
    }
  }

  #riseTo(slot: number): void {
    if (this.columns.states[slot] === FROZEN) return
    this.#orderHeap()
    while (this.columns.states[slot] !== FROZEN) this.#rise.freezeLowest()
  }

  #finish(): void {
    if (this.#rising.length > 0) this.#orderHeap()
    while (this.#rising.length > 0) this.#rise.freezeLowest()
    for (let link = 0; this.changed.isWatched && link < this.links; link++) {
      const capacity = this.records[RECORD * link + CAPACITY]!
      const moved = Math.abs(this.#leftOf(link) - this.#told[link]!)
      if (moved > capacity * NOTHING) this.changed.note(link)
    }
  }

  #orderHeap(): void {
    if (!this.#isHeapStale) return
    this.#isHeapStale = false
    const { heap } = this.#rise
    const records = this.records
    const { demands, flows, weights } = this.columns
    heap.clear()
    let kept = 0
    for (const link of this.#crossed) {
      const at = RECORD * link
      if (records[at + RISING] === 0) {
        records[at + STAMP] = 0
        continue
      }
      this.#crossed[kept++] = link
      if (records[at + LEFT]! < 0) records[at + LEFT] = 0
      heap.add(records[at + LEFT]! / records[at + WEIGHT]!, link)
    }
    this.#crossed.length = kept
    for (const slot of this.#rising) {
      const bound = demands[slot]! / weights[slot]!
      // A flow without a bound is held by a link, if it crosses any.
      if (bound < Infinity || flows[slot]!.links.length === 0) heap.add(bound, this.links + slot)
    }
    this.touched += heap.size
    heap.order()
  }
}
