/**
 * Water-filling for the flows of one priority that remembers its result, so that after an event
 * only the flows that the event concerns are filled again.
 *
 * What makes rates the max-min fair ones, and the only ones, is local: no link is above its
 * capacity, and each flow either has its demand or crosses a full link on which no flow stands
 * higher (D. Bertsekas and R. Gallager, "Data Networks", section 6.5.2). So an event is settled by
 * filling a small set of flows, with all others held as they are, and then looking at the links of
 * that set: flows there for which the condition no longer holds join the set, and it is filled
 * again, until there are none. What comes out fulfils the condition everywhere and is therefore
 * what filling from nothing would give.
 *
 * A link of one flow of the set is no more than a bound of that flow.
 */
import { NO_LINK } from './filling-flow.ts'
import { FROZEN, IN_RISE, OUTSIDE } from './flow-columns.ts'
import { Layer } from './layer.ts'
import { CAPACITY, HELD, LAST, LEFT, LOAD, RECORD, RISING, STAMP, WEIGHT } from './link-record.ts'
import { Rise } from './rise.ts'
import type { Freezing } from './rise.ts'
import { sharedLevel } from './shared-level.ts'
import { WholeFill } from './whole-fill.ts'

/** Levels and loads closer than this, relatively, are equal. */
const CLOSE = 1e-9

/** Flows per link from which on most links are contended, and looking for them does not pay. */
const CROWDED = 4
/** Filling all is quicker, by measurement, if it is not this many times what must be filled. */
const MUCH = 10

export class ExactLayer extends Layer implements Freezing {
  readonly #whole: WholeFill
  /** A capacity is another one than when flows came. */
  #isAloneStale = false

  /** The set that is being filled, and its links. */
  #set: number[] = []
  readonly #dirty: number[] = []
  readonly #touched: Int32Array
  #epoch = 0
  readonly #rise: Rise

  constructor(capacities: ArrayLike<number>) {
    super(capacities)
    this.#whole = new WholeFill(this.records, this.incidence, this.columns)
    this.#rise = new Rise(this.records, this.incidence, this.columns, this)
    this.#touched = new Int32Array(this.links)
  }

  override leftover(link: number): number {
    this.#whole.settleLoad(link)
    return super.leftover(link)
  }

  protected override onCome(slot: number): void {
    this.#whole.bound(slot)
    this.#set.push(slot)
  }

  protected override onGo(slot: number): void {
    const { flows, owed, rates, runs, states, weights } = this.columns
    const { links, fractions } = flows[slot]!
    const rate = rates[slot]!
    // Of what a link is owed nothing need be known: only this flow's part goes.
    const alone = rate + owed[slot]! * weights[slot]!
    const { stamp } = this.#whole
    this.incidence.remove(runs[slot]!, links)
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!
      const at = RECORD * link + LOAD
      // Nothing is left of rounding errors where nobody is left.
      if (this.incidence.heads[link] === -1) this.records[at] = 0
      else if (rate < Infinity) {
        const isOwed = this.records[RECORD * link + STAMP] === stamp
        this.records[at]! -= (isOwed ? alone : rate) * fractions[k]!
      }
      if (this.records[RECORD * link + HELD]! > 0 || this.changed.isWatched) this.#dirty.push(link)
    }
    this.#letGo(slot)
    if (states[slot] !== OUTSIDE) this.#set = this.#set.filter((other) => other !== slot)
  }

  protected override onCapacity(link: number): void {
    this.#dirty.push(link)
    this.#isAloneStale = true
  }

  /** Fills anew the flows that the events since the last time concern. */
  override settle(): void {
    this.filled = 0
    const concerned = this.#entriesOf(this.#set) + this.#dirty.length
    if (MUCH * concerned > this.entries) return this.refill()
    for (const slot of this.#set.slice()) this.#makeRoom(slot)
    this.#inspect(this.#dirty, this.#dirty.length)
    for (const link of this.#dirty) this.changed.note(link)
    this.#dirty.length = 0
    for (let before = 0; before < this.#set.length;) {
      before = this.#set.length
      if (MUCH * this.#entriesOf(this.#set) > this.entries) return this.refill()
      for (const slot of this.#set) this.#letGo(slot)
      const touched = this.#fill()
      this.#inspect(this.#touched, touched)
    }
    this.#rest()
  }

  /** Fills all flows from nothing. */
  override refill(): void {
    const { flows } = this.columns
    this.#set.length = 0
    this.#dirty.length = 0
    for (let slot = 0; slot < flows.length; slot++) {
      if (flows[slot] === undefined) continue
      this.#letGo(slot)
      if (this.#isAloneStale) this.#whole.bound(slot)
      this.#set.push(slot)
    }
    this.#isAloneStale = false
    this.filled = 0
    if (this.entries > CROWDED * this.links) this.#fillAnew()
    else this.filled = this.#whole.fill(this.#set)
    for (let link = 0; this.changed.isWatched && link < this.links; link++) this.changed.note(link)
    this.#rest()
  }

  /** From no rate and no load. */
  #fillAnew(): void {
    for (const slot of this.#set) this.columns.rates[slot] = 0
    const records = this.records
    for (let at = 0; at < records.length; at += RECORD) records[at + LOAD] = records[at + STAMP] = 0
    this.#fill()
  }

  #rest(): void {
    for (const slot of this.#set) this.columns.states[slot] = OUTSIDE
    this.#set.length = 0
  }

  #join(slot: number): void {
    if (this.columns.states[slot] !== OUTSIDE) return
    this.columns.states[slot] = IN_RISE
    this.#set.push(slot)
  }

  #entriesOf(slots: readonly number[]): number {
    let entries = 0
    for (const slot of slots) entries += this.columns.flows[slot]!.links.length
    return entries
  }

  /**
   * Guesses whom a new flow will push aside, so that they are in the set from the first: where the
   * links of the flow would overflow at the level that it can hope for, those that stand higher.
   */
  #makeRoom(slot: number): void {
    const { links, fractions } = this.columns.flows[slot]!
    const weight = this.columns.weights[slot]!
    let level = this.columns.demands[slot]! / weight
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!
      const share = weight * fractions[k]!
      if (this.#roomOf(link) >= share * level) continue
      const capacity = this.records[RECORD * link + CAPACITY]!
      level = Math.min(
        level,
        sharedLevel(this.incidence, this.columns.levels, link, capacity, share, slot),
      )
    }
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!
      if (this.#roomOf(link) >= weight * fractions[k]! * level) continue
      const { heads, next, owners } = this.incidence
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        if (this.columns.levels[owners[entry]!]! > level) this.#join(owners[entry]!)
      }
    }
  }

  #roomOf(link: number): number {
    if (this.records[RECORD * link + STAMP]! < 0) this.#whole.settleLoad(link)
    return this.records[RECORD * link + CAPACITY]! - this.records[RECORD * link + LOAD]!
  }

  /** A flow no longer has its bottleneck. */
  #letGo(slot: number): void {
    const bottleneck = this.columns.bottlenecks[slot]!
    if (bottleneck !== NO_LINK) this.records[RECORD * bottleneck + HELD]!--
    this.columns.bottlenecks[slot] = NO_LINK
  }

  /** Fills the set into what all others leave; says how many links it has touched. */
  #fill(): number {
    const set = this.#set
    const records = this.records
    const { heap } = this.#rise
    this.filled += set.length
    const touched = this.#sumUp()
    heap.clear()
    // Until they are frozen, the levels of the set are the bounds that are each flow's alone.
    const { demands, levels: bounds, weights } = this.columns
    for (const slot of set) bounds[slot] = demands[slot]! / weights[slot]!
    for (let t = 0; t < touched; t++) {
      const link = this.#touched[t]!
      const at = RECORD * link
      const capacity = records[at + CAPACITY]!
      const left = capacity - records[at + LOAD]!
      records[at + LEFT] = left > capacity * 1e-12 ? left : 0
      const level = records[at + LEFT]! / records[at + WEIGHT]!
      if (records[at + RISING]! > 1) heap.add(level, link)
      else if (level < bounds[records[at + LAST]!]!) {
        bounds[records[at + LAST]!] = level
        this.columns.bottlenecks[records[at + LAST]!] = link
      }
    }
    for (const slot of set) heap.add(bounds[slot]!, this.links + slot)
    this.#rise.run(set.length)
    return touched
  }

  /**
   * Takes back what the set sends; counts its flows on each of their links, their weight, and what
   * is left for them.
   */
  #sumUp(): number {
    const epoch = ++this.#epoch
    const records = this.records
    const touchedLinks = this.#touched
    const { shares } = this.incidence
    let touched = 0
    for (const slot of this.#set) {
      const { links, fractions } = this.columns.flows[slot]!
      const run = this.columns.runs[slot]!
      const rate = this.columns.rates[slot] === Infinity ? 0 : this.columns.rates[slot]!
      this.columns.states[slot] = IN_RISE
      for (let k = 0; k < links.length; k++) {
        const at = RECORD * links[k]!
        records[at + LAST] = slot
        if (records[at + STAMP] === epoch) {
          records[at + WEIGHT]! += shares[run + k]!
          records[at + RISING]!++
        } else {
          if (records[at + STAMP]! < 0) this.#whole.settleLoad(links[k]!)
          records[at + STAMP] = epoch
          records[at + WEIGHT] = shares[run + k]!
          records[at + RISING] = 1
          touchedLinks[touched++] = links[k]!
        }
        records[at + LOAD]! -= rate * fractions[k]!
      }
    }
    for (let t = 0; this.changed.isWatched && t < touched; t++) this.changed.note(touchedLinks[t]!)
    return touched
  }

  /** A flow of the set has its level: its links carry it from here on. */
  freeze(slot: number, level: number, bottleneck: number): void {
    const { bottlenecks, demands, flows, levels, rates, states, weights } = this.columns
    const { links, fractions } = flows[slot]!
    const weight = weights[slot]!
    // A demand is met to the last bit, which level * weight might miss.
    const rate = bottleneck === NO_LINK ? demands[slot]! : level * weight
    states[slot] = FROZEN
    rates[slot] = rate
    levels[slot] = level
    bottlenecks[slot] = bottleneck
    if (bottleneck !== NO_LINK) this.records[RECORD * bottleneck + HELD]!++
    if (rate === Infinity) return
    const records = this.records
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      const part = rate * fractions[k]!
      records[at + LOAD]! += part
      const left = records[at + LEFT]! - part
      // What rounding leaves of a full link is nothing.
      records[at + LEFT] = left < records[at + CAPACITY]! * 1e-12 ? 0 : left
      records[at + WEIGHT]! -= weight * fractions[k]!
      records[at + RISING]!--
    }
  }

  /** Adds to the set the flows outside for which the condition does not hold at these links. */
  #inspect(links: ArrayLike<number>, count: number): void {
    const records = this.records
    const { bottlenecks, levels, states } = this.columns
    for (let i = 0; i < count; i++) {
      const link = links[i]!
      if (records[RECORD * link + STAMP]! < 0) this.#whole.settleLoad(link)
      const capacity = records[RECORD * link + CAPACITY]!
      const load = records[RECORD * link + LOAD]!
      const isOver = load > capacity * (1 + CLOSE) && load > 0
      if (records[RECORD * link + HELD] === 0 && !isOver) continue
      const isFull = load >= capacity * (1 - CLOSE)
      const { heads, next, owners } = this.incidence
      // How high the flows of the set stand here, and those of them that this link holds back.
      let highest = 0
      let holding = Infinity
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        const slot = owners[entry]!
        if (states[slot] === OUTSIDE) continue
        highest = Math.max(highest, levels[slot]!)
        if (bottlenecks[slot] === link) holding = Math.min(holding, levels[slot]!)
      }
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        const slot = owners[entry]!
        if (states[slot] !== OUTSIDE) continue
        const level = levels[slot]!
        const isHeld = bottlenecks[slot] === link
        if (
          (isOver && level > 0) ||
          level > holding * (1 + CLOSE) ||
          (isHeld && (!isFull || highest > level * (1 + CLOSE)))
        ) {
          this.#join(slot)
        }
      }
    }
  }
}
