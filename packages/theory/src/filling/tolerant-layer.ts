/**
 * Water-filling for the flows of one priority that is kept within a tolerance, flow by flow, for a
 * small part of what filling costs.
 *
 * An event moves very many exact rates of sprayed flows, and nearly all of them by next to nothing.
 * Here a link that holds flows remembers how high they stand, its water; a flow stands as high as
 * the lowest water on its way, or has its demand; so nobody stands higher than those that a link
 * holds. What is let be is that such a link is not quite full, or more than full: only if its water
 * would move by more than the tolerance is it found anew, from the true load, and the flows move
 * that it holds or held. Their other links are then looked at in the same way, those with the
 * lowest water first, since higher ones depend on them. That is D. Bertsekas and R. Gallager's
 * condition ("Data Networks", section 6.5.2) within the tolerance: no link carries more than its
 * capacity and the tolerance, each flow has its demand or a link that is full to the tolerance and
 * where nobody stands higher. It is held against loads as they are, so that errors do not add up
 * over events, however many.
 *
 * Rates can be further from the exact ones than the tolerance: a link that others nearly fill
 * passes a small error of theirs on to the few that it holds. How far is measured in
 * `experiments/r2c2/fig8.ts`. They also depend on what happened before, unlike exact ones.
 *
 * If links do not come to rest for less than it costs, all is filled from nothing.
 */
import { NO_LINK } from './filling-flow.ts'
import { IN_RISE, OUTSIDE } from './flow-columns.ts'
import { Layer } from './layer.ts'
import { CAPACITY, HELD, HELD_WEIGHT, LOAD, RECORD, WATER } from './link-record.ts'
import { PlainFill } from './plain-fill.ts'
import { waterLevel } from './water-level.ts'

/** Loads closer than this, relatively, are equal. */
const CLOSE = 1e-9

/** Of a link: it is at rest, waits to be looked at, or must be found anew, off or not. */
const RESTS = 0
const WAITS = 1
const MUST = 2

export class TolerantLayer extends Layer {
  readonly #tolerance: number
  readonly #plain: PlainFill
  /** Links of flows that went since the last computation: they were looked at. */
  #left = 0
  readonly #newcomers: number[] = []
  /** Links that may be off, and which of them are in the list. */
  #waiting: number[] = []
  readonly #marks: Uint8Array
  /** Of the flows of the link that is found anew: their bounds elsewhere, and whose these are. */
  readonly #bounds: number[] = []
  readonly #holders: number[] = []
  #holder = NO_LINK

  constructor(capacities: ArrayLike<number>, tolerance: number) {
    super(capacities)
    this.#tolerance = tolerance
    for (let link = 0; link < this.links; link++) this.records[RECORD * link + WATER] = Infinity
    this.#plain = new PlainFill(this.records, this.incidence, this.columns)
    this.#marks = new Uint8Array(this.links)
  }

  protected override onCome(slot: number): void {
    this.#newcomers.push(slot)
  }

  /** Gives back at once what the flow had: its links may be too empty now. */
  protected override onGo(slot: number): void {
    const { flows, runs, states } = this.columns
    const { links } = flows[slot]!
    if (states[slot] === IN_RISE) this.#newcomers.splice(this.#newcomers.indexOf(slot), 1)
    else this.#stand(slot, 0, NO_LINK)
    this.incidence.remove(runs[slot]!, links)
    for (let k = 0; k < links.length; k++) {
      if (this.incidence.heads[links[k]!] !== -1) continue
      // Nothing is left of rounding errors where nobody is left.
      this.records[RECORD * links[k]! + LOAD] = 0
      this.records[RECORD * links[k]! + WATER] = Infinity
    }
    this.#left += links.length
  }

  protected override onCapacity(link: number): void {
    this.changed.note(link)
    this.#look(link)
  }

  /** Seats newcomers, and brings the links to rest that the events since the last time moved. */
  override settle(): void {
    this.filled = 0
    this.touched = this.#left
    this.#left = 0
    if (2 * this.#newcomers.length > this.count) return this.#fillAll()
    for (const slot of this.#newcomers) this.#seat(slot)
    this.#newcomers.length = 0
    const records = this.records
    while (this.#waiting.length > 0) {
      const links = this.#waiting
      this.#waiting = []
      links.sort((a, b) => ascending(records[RECORD * a + WATER]!, records[RECORD * b + WATER]!))
      for (const link of links) {
        const must = this.#marks[link] === MUST
        this.#marks[link] = RESTS
        if (must || this.#isOff(link)) this.#findWater(link, must)
        if (this.touched > this.entries) return this.#fillAll()
      }
    }
  }

  override refill(): void {
    this.filled = 0
    this.touched = 0
    this.#left = 0
    this.#fillAll()
  }

  /** Fills all flows from nothing, exactly. */
  #fillAll(): void {
    this.#marks.fill(RESTS)
    this.#waiting.length = 0
    this.#newcomers.length = 0
    this.#plain.fill()
    this.filled += this.count
    this.touched += this.entries
    for (let link = 0; this.changed.isWatched && link < this.links; link++) this.changed.note(link)
  }

  /** Found anew, the link's water would move by more than the tolerance. */
  #isOff(link: number): boolean {
    const at = RECORD * link
    const records = this.records
    const capacity = records[at + CAPACITY]!
    const over = records[at + LOAD]! - capacity
    const water = records[at + WATER]!
    if (water === Infinity) return over > CLOSE * capacity
    const held = Math.min(capacity, water * records[at + HELD_WEIGHT]!)
    return Math.abs(over) > this.#tolerance * held + CLOSE * capacity
  }

  #look(link: number): void {
    if (this.#marks[link] !== RESTS || !this.#isOff(link)) return
    this.#marks[link] = WAITS
    this.#waiting.push(link)
  }

  /**
   * Guesses where a newcomer will stand: on each of its links as high as what is left and what
   * those have whom the link holds, shared, but no higher than these. The link that leaves it least
   * is found anew, whatever its load.
   */
  #seat(slot: number): void {
    const { demands, flows, runs, states, weights } = this.columns
    const { links } = flows[slot]!
    const { shares } = this.incidence
    const run = runs[slot]!
    const records = this.records
    let level = demands[slot]! / weights[slot]!
    let bottleneck = NO_LINK
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      const water = records[at + WATER]!
      const held = water < Infinity ? records[at + HELD_WEIGHT]! : 0
      const room = records[at + CAPACITY]! - records[at + LOAD]! + (held > 0 ? held * water : 0)
      const share = Math.max(0, room) / (held + shares[run + k]!)
      if (Math.min(water, share) >= level) continue
      level = Math.min(water, share)
      bottleneck = links[k]!
    }
    this.touched += links.length
    states[slot] = OUTSIDE
    this.#stand(slot, level, bottleneck)
    if (bottleneck === NO_LINK) return
    const at = RECORD * bottleneck + WATER
    if (records[at] === Infinity) records[at] = level
    if (this.#marks[bottleneck] === RESTS) this.#waiting.push(bottleneck)
    this.#marks[bottleneck] = MUST
  }

  /** The flow stands at this level, held by this link: its links carry that, and are looked at. */
  #stand(slot: number, level: number, bottleneck: number): void {
    const { bottlenecks, demands, flows, heldShares, levels, rates, runs, weights } = this.columns
    const { links } = flows[slot]!
    const { shares } = this.incidence
    const run = runs[slot]!
    const records = this.records
    const before = bottlenecks[slot]!
    const change = finite(level) - finite(levels[slot]!)
    levels[slot] = level
    // A demand is met to the last bit, which level * weight might miss.
    rates[slot] = bottleneck === NO_LINK ? demands[slot]! : level * weights[slot]!
    bottlenecks[slot] = bottleneck
    if (before !== bottleneck && before !== NO_LINK) {
      const at = RECORD * before
      // Nothing is left of rounding errors where nobody is held.
      if (--records[at + HELD]! === 0) records[at + HELD_WEIGHT] = 0
      else records[at + HELD_WEIGHT]! -= heldShares[slot]!
    }
    for (let k = 0; k < links.length; k++) {
      const at = RECORD * links[k]!
      const share = shares[run + k]!
      records[at + LOAD]! += share * change
      if (links[k] === bottleneck && before !== bottleneck) {
        records[at + HELD]!++
        records[at + HELD_WEIGHT]! += share
        heldShares[slot] = share
      }
      this.changed.note(links[k]!)
      this.#look(links[k]!)
    }
    this.filled++
    this.touched += links.length
  }

  /** Sets the water of a link so that it is full, and moves the flows that this concerns. */
  #findWater(link: number, hasNewcomer: boolean): void {
    const at = RECORD * link
    const records = this.records
    const { heads, next, owners, shares } = this.incidence
    const { bottlenecks, levels } = this.columns
    // Sums up anew, which also takes off the rounding errors of all changes since the last time.
    let load = 0
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
      load += shares[entry]! * finite(levels[owners[entry]!]!)
    }
    records[at + LOAD] = load
    const mayRise = hasNewcomer || load <= records[at + CAPACITY]!
    let flows = 0
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!, flows++) {
      const slot = owners[entry]!
      this.#holder = bottlenecks[slot]!
      // Who is held elsewhere stands as high as it may; who is held here, if water falls, too.
      const isBelow = this.#holder === link && mayRise
      this.#bounds[flows] = isBelow ? this.#boundBut(slot, link) : levels[slot]!
      this.#holders[flows] = this.#holder
    }
    this.touched += flows
    const water = records[at + WATER]!
    const level = waterLevel(this.incidence, link, this.#bounds, records[at + CAPACITY]!, water)
    records[at + WATER] = level
    let i = 0
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!, i++) {
      const slot = owners[entry]!
      const to = Math.min(this.#bounds[i]!, level)
      const holder = this.#bounds[i]! < level ? this.#holders[i]! : link
      if (to !== levels[slot] || holder !== bottlenecks[slot]) this.#stand(slot, to, holder)
    }
  }

  /** How high a flow may stand but for this link; notes which one would hold it there. */
  #boundBut(slot: number, link: number): number {
    const { demands, flows, weights } = this.columns
    const { links } = flows[slot]!
    const records = this.records
    let level = demands[slot]! / weights[slot]!
    this.#holder = NO_LINK
    for (let k = 0; k < links.length; k++) {
      const water = records[RECORD * links[k]! + WATER]!
      if (water >= level || links[k] === link) continue
      level = water
      this.#holder = links[k]!
    }
    this.touched += links.length
    return level
  }
}

/** A flow that nothing bounds is on no link's load. */
function finite(level: number): number {
  return level === Infinity ? 0 : level
}

/** Two infinities are alike, whose difference is no number. */
function ascending(a: number, b: number): number {
  return a < b ? -1 : Number(a > b)
}
