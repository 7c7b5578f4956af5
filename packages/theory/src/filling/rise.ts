/**
 * Water rises: flows get their levels, the lowest first. Links come up in order of the level at
 * which they fill, from a heap with keys that may be too low, since freezing a flow raises the
 * level of its links. A flow that nothing holds back below its own bound stops there.
 */
import { IN_RISE } from './flow-columns.ts'
import type { FlowColumns } from './flow-columns.ts'
import type { Incidence } from './incidence.ts'
import { LevelHeap } from './level-heap.ts'
import { LEFT, RECORD, RISING, WEIGHT } from './link-record.ts'

/** Levels closer than this, relatively, are equal. */
const CLOSE = 1e-9

export interface Freezing {
  /** A flow has its level: its state is another one, and its links know what is left of them. */
  freeze(slot: number, level: number, bottleneck: number): void
}

export class Rise {
  /** Links by their numbers, and flows by their slots behind the last link. */
  readonly heap: LevelHeap = new LevelHeap()
  readonly #links: number
  readonly #records: Float64Array
  readonly #incidence: Incidence
  readonly #flows: FlowColumns
  readonly #freezing: Freezing
  #rising = 0

  constructor(records: Float64Array, incidence: Incidence, flows: FlowColumns, freezing: Freezing) {
    this.#records = records
    this.#links = records.length / RECORD
    this.#incidence = incidence
    this.#flows = flows
    this.#freezing = freezing
  }

  /** So many flows rise, whose bounds are on the heap, with the links that may stop them. */
  run(rising: number): void {
    this.heap.order()
    for (this.#rising = rising; this.#rising > 0;) this.freezeLowest()
  }

  /** Takes the first off the heap: a flow's own bound, or a link with the flows that it holds. */
  freezeLowest(): void {
    const heap = this.heap
    const { key, item } = heap
    const { bottlenecks, states } = this.#flows
    if (item >= this.#links) {
      heap.drop()
      const slot = item - this.#links
      if (states[slot] === IN_RISE) this.#freeze(slot, key, bottlenecks[slot]!)
      return
    }
    const records = this.#records
    const at = RECORD * item
    if (records[at + RISING] === 0) return heap.drop()
    if (records[at + LEFT]! / records[at + WEIGHT]! > key) {
      return heap.raise(records[at + LEFT]! / records[at + WEIGHT]!)
    }
    const { heads, next, owners, shares } = this.#incidence
    // Subtraction keeps the rounding errors of weights that are gone: sums up anew what is left.
    let weight = 0
    for (let entry = heads[item]!; entry >= 0; entry = next[entry]!) {
      if (states[owners[entry]!] === IN_RISE) weight += shares[entry]!
    }
    records[at + WEIGHT] = weight
    const level = records[at + LEFT]! / weight
    if (level > key * (1 + CLOSE)) return heap.raise(level)
    heap.drop()
    for (let entry = heads[item]!; entry >= 0; entry = next[entry]!) {
      if (states[owners[entry]!] === IN_RISE) this.#freeze(owners[entry]!, level, item)
    }
  }

  #freeze(slot: number, level: number, bottleneck: number): void {
    this.#rising--
    this.#freezing.freeze(slot, level, bottleneck)
  }
}
