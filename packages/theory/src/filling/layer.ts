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
 * Links come up in order of the level at which they fill, from a heap with keys that may be too
 * low, since freezing a flow raises the level of its links. A link of one flow is its bound.
 */
import { NO_LINK } from './filling-flow.ts'
import type { FillingFlow } from './filling-flow.ts'
import { Incidence } from './incidence.ts'
import { LevelHeap } from './level-heap.ts'
import { CAPACITY, HELD, LAST, LEFT, LOAD, RECORD, RISING, STAMP, WEIGHT } from './link-record.ts'
import { sharedLevel } from './shared-level.ts'

/** Levels and loads closer than this, relatively, are equal. */
const CLOSE = 1e-9

/** Of a flow: held as it is, or of the set that is filled and rising, or frozen. */
const OUTSIDE = 0
const IN_RISE = 1
const FROZEN = 2

export class FillingLayer {
  /** Links whose load may have changed since `forgetChanges`, if anybody wants to know. */
  readonly changed: number[] = []
  isWatched = false
  /** Flows that the last `settle` or `refill` filled, each as often as it did. */
  filled = 0
  count = 0
  readonly #links: number
  readonly #records: Float64Array
  readonly #flows: (FillingFlow | undefined)[] = []
  readonly #free: number[] = []
  readonly #weights: number[] = []
  readonly #demands: number[] = []
  readonly #rates: number[] = []
  readonly #levels: number[] = []
  readonly #bottlenecks: number[] = []
  readonly #states: number[] = []
  /** The first of a flow's entries. */
  readonly #runs: number[] = []
  readonly #incidence: Incidence
  readonly #isChanged: Uint8Array

  /** The set that is being filled, its links, and how many of its flows still rise. */
  #set: number[] = []
  readonly #dirty: number[] = []
  readonly #touched: Int32Array
  #toFreeze = 0
  #epoch = 0
  /** Links of all flows, counted as often as they have flows. */
  #entries = 0
  readonly #heap = new LevelHeap()

  constructor(capacities: ArrayLike<number>) {
    const links = capacities.length
    this.#links = links
    this.#records = new Float64Array(RECORD * links)
    for (let link = 0; link < links; link++) {
      this.#records[RECORD * link + CAPACITY] = capacities[link]!
    }
    this.#incidence = new Incidence(links)
    this.#touched = new Int32Array(links)
    this.#isChanged = new Uint8Array(links)
  }

  /** What this layer leaves of a link; what rounding leaves of a full one is nothing. */
  leftover(link: number): number {
    const capacity = this.#records[RECORD * link + CAPACITY]!
    const left = capacity - this.#records[RECORD * link + LOAD]!
    return left > capacity * 1e-12 ? left : 0
  }

  rate(slot: number): number {
    return this.#rates[slot]!
  }

  bottleneck(slot: number): number {
    return this.#bottlenecks[slot]!
  }

  /** Takes a flow in, without a rate until the next `settle`. */
  add(flow: FillingFlow): number {
    const slot = this.#free.pop() ?? this.#flows.length
    const { links, fractions, weight = 1, demandBps = Infinity } = flow
    this.#flows[slot] = flow
    this.#weights[slot] = weight
    this.#demands[slot] = demandBps
    this.#rates[slot] = 0
    this.#levels[slot] = 0
    this.#bottlenecks[slot] = NO_LINK
    this.#runs[slot] = this.#incidence.add(slot, links, fractions, weight)
    this.#entries += links.length
    this.count++
    this.#states[slot] = IN_RISE
    this.#set.push(slot)
    return slot
  }

  remove(slot: number): void {
    const { links, fractions } = this.#flows[slot]!
    const rate = this.#rates[slot]!
    this.#incidence.remove(this.#runs[slot]!, links)
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!
      const at = RECORD * link + LOAD
      // Nothing is left of rounding errors where nobody is left.
      if (this.#incidence.heads[link] === -1) this.#records[at] = 0
      else if (rate < Infinity) this.#records[at]! -= rate * fractions[k]!
      if (this.#records[RECORD * link + HELD]! > 0 || this.isWatched) this.#dirty.push(link)
    }
    this.#letGo(slot)
    if (this.#states[slot] !== OUTSIDE) this.#set = this.#set.filter((other) => other !== slot)
    this.#states[slot] = OUTSIDE
    this.#entries -= links.length
    this.count--
    this.#flows[slot] = undefined
    this.#free.push(slot)
  }

  setCapacity(link: number, capacity: number): void {
    if (this.#records[RECORD * link + CAPACITY] === capacity) return
    this.#records[RECORD * link + CAPACITY] = capacity
    this.#dirty.push(link)
  }

  /** Fills anew the flows that the events since the last time concern. */
  settle(): void {
    this.filled = 0
    for (const slot of this.#set.slice()) this.#makeRoom(slot)
    this.#inspect(this.#dirty, this.#dirty.length)
    for (const link of this.#dirty) this.#note(link)
    this.#dirty.length = 0
    for (let before = 0; before < this.#set.length;) {
      before = this.#set.length
      if (3 * this.#entriesOf(this.#set) > this.#entries) return this.refill()
      for (const slot of this.#set) this.#letGo(slot)
      const touched = this.#fill(false)
      this.#inspect(this.#touched, touched)
    }
    this.#rest()
  }

  /** Fills all flows from nothing. */
  refill(): void {
    this.#set.length = 0
    this.#dirty.length = 0
    for (let slot = 0; slot < this.#flows.length; slot++) {
      if (this.#flows[slot] === undefined) continue
      this.#letGo(slot)
      this.#states[slot] = IN_RISE
      this.#set.push(slot)
    }
    this.filled = 0
    this.#fill(true)
    for (let link = 0; this.isWatched && link < this.#links; link++) this.#note(link)
    this.#rest()
  }

  #rest(): void {
    for (const slot of this.#set) this.#states[slot] = OUTSIDE
    this.#set.length = 0
  }

  #join(slot: number): void {
    if (this.#states[slot] !== OUTSIDE) return
    this.#states[slot] = IN_RISE
    this.#set.push(slot)
  }

  /** A lower layer is told of it. */
  #note(link: number): void {
    if (!this.isWatched || this.#isChanged[link] === 1) return
    this.#isChanged[link] = 1
    this.changed.push(link)
  }

  /** Empties the list of links whose load may have changed. */
  forgetChanges(): void {
    for (const link of this.changed) this.#isChanged[link] = 0
    this.changed.length = 0
  }

  #entriesOf(slots: readonly number[]): number {
    let entries = 0
    for (const slot of slots) entries += this.#flows[slot]!.links.length
    return entries
  }

  /**
   * Guesses whom a new flow will push aside, so that they are in the set from the first: where the
   * links of the flow would overflow at the level that it can hope for, those that stand higher.
   */
  #makeRoom(slot: number): void {
    const { links, fractions } = this.#flows[slot]!
    const weight = this.#weights[slot]!
    let level = this.#demands[slot]! / weight
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!
      const share = weight * fractions[k]!
      if (this.#roomOf(link) >= share * level) continue
      const capacity = this.#records[RECORD * link + CAPACITY]!
      level = Math.min(
        level,
        sharedLevel(this.#incidence, this.#levels, link, capacity, share, slot),
      )
    }
    for (let k = 0; k < links.length; k++) {
      const link = links[k]!
      const wanted = weight * fractions[k]! * level
      if (this.#roomOf(link) >= wanted) continue
      const { heads, next, owners } = this.#incidence
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        if (this.#levels[owners[entry]!]! > level) this.#join(owners[entry]!)
      }
    }
  }

  #roomOf(link: number): number {
    return this.#records[RECORD * link + CAPACITY]! - this.#records[RECORD * link + LOAD]!
  }

  /** A flow no longer has its bottleneck. */
  #letGo(slot: number): void {
    const bottleneck = this.#bottlenecks[slot]!
    if (bottleneck !== NO_LINK) this.#records[RECORD * bottleneck + HELD]!--
    this.#bottlenecks[slot] = NO_LINK
  }

  /** Fills the set into what all others leave; says how many links it has touched. */
  #fill(isWhole: boolean): number {
    const set = this.#set
    const records = this.#records
    const heap = this.#heap
    this.filled += set.length
    const touched = this.#sumUp(isWhole)
    heap.clear()
    // Until they are frozen, the levels of the set are the bounds that are each flow's alone.
    const bounds = this.#levels
    for (const slot of set) bounds[slot] = this.#demands[slot]! / this.#weights[slot]!
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
        this.#bottlenecks[records[at + LAST]!] = link
      }
    }
    for (const slot of set) heap.add(bounds[slot]!, this.#links + slot)
    heap.order()
    for (this.#toFreeze = set.length; this.#toFreeze > 0;) this.#freezeLowest()
    return touched
  }

  /** Takes the first off the heap: a flow's own bound, or a link with the flows that it holds. */
  #freezeLowest(): void {
    const heap = this.#heap
    const key = heap.key
    const item = heap.item
    if (item >= this.#links) {
      heap.drop()
      const slot = item - this.#links
      if (this.#states[slot] === IN_RISE) this.#freeze(slot, key, this.#bottlenecks[slot]!)
      return
    }
    const at = RECORD * item
    const records = this.#records
    if (records[at + RISING] === 0) return heap.drop()
    if (records[at + LEFT]! / records[at + WEIGHT]! > key) {
      return heap.raise(records[at + LEFT]! / records[at + WEIGHT]!)
    }
    const level = records[at + LEFT]! / this.#sumAgain(item)
    if (level > key * (1 + CLOSE)) return heap.raise(level)
    heap.drop()
    const { heads, next, owners } = this.#incidence
    for (let entry = heads[item]!; entry >= 0; entry = next[entry]!) {
      if (this.#states[owners[entry]!] === IN_RISE) this.#freeze(owners[entry]!, level, item)
    }
  }

  /**
   * Takes back what the set sends; counts its flows on each of their links, their weight, and what
   * is left for them. Of the whole, nothing need be taken back: loads begin at 0.
   */
  #sumUp(isWhole: boolean): number {
    const epoch = ++this.#epoch
    const records = this.#records
    const touchedLinks = this.#touched
    const { shares } = this.#incidence
    let touched = 0
    for (const slot of this.#set) {
      const { links, fractions } = this.#flows[slot]!
      const run = this.#runs[slot]!
      const rate = isWhole || this.#rates[slot] === Infinity ? 0 : this.#rates[slot]!
      this.#states[slot] = IN_RISE
      for (let k = 0; k < links.length; k++) {
        const at = RECORD * links[k]!
        records[at + LAST] = slot
        if (records[at + STAMP] === epoch) {
          records[at + WEIGHT]! += shares[run + k]!
          records[at + RISING]!++
        } else {
          records[at + STAMP] = epoch
          records[at + WEIGHT] = shares[run + k]!
          records[at + RISING] = 1
          if (isWhole) records[at + LOAD] = 0
          touchedLinks[touched++] = links[k]!
        }
        records[at + LOAD]! -= rate * fractions[k]!
      }
    }
    for (let t = 0; this.isWatched && t < touched; t++) this.#note(touchedLinks[t]!)
    return touched
  }

  /** Subtraction keeps the rounding errors of weights that are gone: sums up anew what is left. */
  #sumAgain(link: number): number {
    let weight = 0
    const { heads, next, owners, shares } = this.#incidence
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
      if (this.#states[owners[entry]!] === IN_RISE) weight += shares[entry]!
    }
    this.#records[RECORD * link + WEIGHT] = weight
    return weight
  }

  #freeze(slot: number, level: number, bottleneck: number): void {
    const { links, fractions } = this.#flows[slot]!
    const weight = this.#weights[slot]!
    // A demand is met to the last bit, which level * weight might miss.
    const rate = bottleneck === NO_LINK ? this.#demands[slot]! : level * weight
    this.#toFreeze--
    this.#states[slot] = FROZEN
    this.#rates[slot] = rate
    this.#levels[slot] = level
    this.#bottlenecks[slot] = bottleneck
    if (bottleneck !== NO_LINK) this.#records[RECORD * bottleneck + HELD]!++
    if (rate === Infinity) return
    const records = this.#records
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
    for (let i = 0; i < count; i++) {
      const link = links[i]!
      const capacity = this.#records[RECORD * link + CAPACITY]!
      const load = this.#records[RECORD * link + LOAD]!
      const isOver = load > capacity * (1 + CLOSE) && load > 0
      if (this.#records[RECORD * link + HELD] === 0 && !isOver) continue
      const isFull = load >= capacity * (1 - CLOSE)
      const { heads, next, owners } = this.#incidence
      // How high the flows of the set stand here, and those of them that this link holds back.
      let highest = 0
      let holding = Infinity
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        const slot = owners[entry]!
        if (this.#states[slot] === OUTSIDE) continue
        highest = Math.max(highest, this.#levels[slot]!)
        if (this.#bottlenecks[slot] === link) holding = Math.min(holding, this.#levels[slot]!)
      }
      for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
        const slot = owners[entry]!
        if (this.#states[slot] !== OUTSIDE) continue
        const level = this.#levels[slot]!
        const isHeld = this.#bottlenecks[slot] === link
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
