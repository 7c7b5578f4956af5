/**
 * Windows: events of nodes that affect each other no sooner than a window's length. Each cell, a
 * node or a few, has events of its own, and runs alone up to the end of the window; then the next
 * one does. What a cell sends another is due after the window, so the order of cells never matters
 * (K. M. Chandy, J. Misra, CACM 1981; bulk-synchronous, with the links' delays as look-ahead).
 *
 * Within a cell events run in the total order (time, round, kind, target): at one time by kind, in
 * the order of the kinds' numbers, then by target. What is scheduled for the present picosecond
 * runs after everything that was there before it: in the next round of that time.
 *
 * What other cells send is known when a cell's window begins: it is taken from its `Inputs` all at
 * once, put in order (`inbox.ts`), and merged with the cell's own events, a binary heap in an arena
 * of all cells: O(log n) of the cell's own, in the cache while it runs. Allocates only to grow.
 */
import { Handles } from './handles.ts'
import { Inbox } from './inbox.ts'

/** What cells send each other: events of one kind, which nobody cancels within a window. */
export interface Inputs {
  readonly kind: number
  /**
   * Moves what reaches a cell before `endPs` into `inbox`, target by target, the lowest first.
   * Returns when the first of the rest is there; Infinity: there is none.
   */
  take(cell: number, endPs: number, inbox: Inbox): number
}

/** An entry of the arena: its time, and behind it, as integers: order, target, handle. */
const ENTRY = 3
const FIRST_CAPACITY = 8
const KINDS_BITS = 5
/** Of an event that nobody will cancel. */
const NO_HANDLE = -1
/** Later rounds of one picosecond are as one. */
const ROUNDS = 2 ** 20

export class Windows {
  /** Time of the event last popped, and of the latest one of any cell, in ps. */
  nowPs: number = 0
  latestPs: number = 0
  /** Kind and target of the event last popped. */
  kind: number = 0
  target: number = 0
  /** What it brings, if it is an input; else -1. */
  item: number = -1
  /** Events popped so far, cancelled ones not counted. */
  popped: number = 0
  readonly cells: number
  /** Time of the first event of each cell, or before it; Infinity: it has none. */
  readonly #first: Float64Array
  /** The least of them; while a window is open, of those that have run or have been passed. */
  #firstOfAll: number = Infinity
  readonly #base: Int32Array
  readonly #count: Int32Array
  readonly #capacity: Int32Array
  #float: Float64Array<ArrayBuffer>
  #int: Int32Array<ArrayBuffer>
  #used: number
  readonly #spare: number[][] = []

  readonly #handles: Handles = new Handles()
  #pending: number = 0

  /** The cell that runs, -1: none does; and its place in the order in which cells run. */
  #cell: number = -1
  #place: number = -1
  /** Undefined: by number. */
  #order: Int32Array | undefined = undefined
  /** The first entry of that cell has been popped, and nothing is in its place yet. */
  #hasHole: boolean = false
  #endPs: number = 0
  #isOpen: boolean = false
  /** Round of the event last popped; -1: nothing has run at this time. */
  #round: number = -1

  #inputs: Inputs | undefined = undefined
  /** Of the cell that runs: what reaches it in this window, the next of it, and what follows. */
  readonly #inbox: Inbox = new Inbox()
  #next: number = 0
  #laterPs: number = Infinity

  constructor(cells: number) {
    this.cells = cells
    this.#first = new Float64Array(cells).fill(Infinity)
    this.#base = Int32Array.from({ length: cells }, (_, cell) => cell * FIRST_CAPACITY)
    this.#count = new Int32Array(cells)
    this.#capacity = new Int32Array(cells).fill(FIRST_CAPACITY)
    this.#used = cells * FIRST_CAPACITY
    this.#float = new Float64Array(this.#used * ENTRY)
    this.#int = new Int32Array(this.#float.buffer)
  }

  /** Events that are to come; of what is under way on one input, one. */
  get pending(): number {
    return this.#pending
  }

  /** Where cells' inputs come from. */
  takeFrom(inputs: Inputs): void {
    this.#inputs = inputs
  }

  /** An input of a cell, which had nothing under way, has something: when the first is there. */
  expect(cell: number, timePs: number): void {
    this.#pending++
    if (timePs >= this.#first[cell]) return
    this.#first[cell] = timePs
    if (timePs < this.#firstOfAll) this.#firstOfAll = timePs
  }

  /** It has nothing under way any more. */
  expectNone(): void {
    this.#pending--
  }

  /** Between `open` and the last event before the window's end. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * Between windows: time of the first event of any cell, or before it; Infinity if there is none.
   */
  get firstPs(): number {
    return this.#firstOfAll
  }

  /** Something happens outside the cells, at a time that they have reached: `act`. */
  outside(nowPs: number, act: () => void): void {
    this.nowPs = nowPs
    if (nowPs > this.latestPs) this.latestPs = nowPs
    this.#round = 0
    act()
    this.#round = -1
  }

  /**
   * Schedules (kind, target), kind below 32, for a cell, at `timePs`: not before now, and for a
   * cell other than the one that runs not before the window's end. Returns a handle for `cancel`.
   */
  schedule(timePs: number, kind: number, target: number, cell: number): number {
    const handle = this.#handles.take(timePs)
    this.#add(timePs, kind, target, cell, handle)
    return handle
  }

  /** The same for an event that nobody will cancel. */
  post(timePs: number, kind: number, target: number, cell: number): void {
    this.#add(timePs, kind, target, cell, NO_HANDLE)
  }

  #add(timePs: number, kind: number, target: number, cell: number, handle: number): void {
    this.#pending++
    let order = kind
    if (timePs === this.nowPs) order += Math.min(this.#round + 1, ROUNDS) << KINDS_BITS
    if (this.#hasHole && cell === this.#cell) {
      this.#hasHole = false
      this.#sink(cell, timePs, order, target, handle)
      return
    }
    // Of the cell that runs this is known when it has run.
    if (cell !== this.#cell && timePs < this.#first[cell]) {
      this.#first[cell] = timePs
      if (timePs < this.#firstOfAll) this.#firstOfAll = timePs
    }
    this.#rise(cell, timePs, order, target, handle)
  }

  /** Cancels a pending event: its handle is dead from here on, as it is once the event fired. */
  cancel(handle: number): void {
    this.#handles.cancel(handle)
    this.#pending--
  }

  /** Time of a pending event. */
  timeOf(handle: number): number {
    return this.#handles.duePs(handle)
  }

  /** From here on cells run up to `endPs`, one after the other. */
  open(endPs: number): void {
    this.#endPs = endPs
    this.#isOpen = true
    this.#cell = -1
    this.#place = -1
    this.#firstOfAll = Infinity
  }

  /** Cells run in this order from here on: the result is the same in any. */
  runInOrder(order: Int32Array): void {
    this.#order = order
  }

  /** The window ends no later than this. */
  endBy(endPs: number): void {
    if (endPs < this.#endPs) this.#endPs = endPs
  }

  /**
   * Takes the next event of the window into `nowPs`, `kind` and `target`. False: there is none, and
   * the window is over.
   */
  pop(): boolean {
    for (;;) {
      const cell = this.#cell
      if (cell >= 0) {
        if (this.#hasHole) this.#closeHole(cell)
        const entry = this.#base[cell] * ENTRY
        const timePs = this.#count[cell] > 0 ? this.#float[entry] : Infinity
        if (this.#next < this.#inbox.count && this.#takeInput(entry, timePs)) return true
        if (timePs < this.#endPs) {
          if (this.#take(entry, timePs)) return true
          continue
        }
        const firstPs = timePs < this.#laterPs ? timePs : this.#laterPs
        this.#first[cell] = firstPs
        if (firstPs < this.#firstOfAll) this.#firstOfAll = firstPs
      }
      if (!this.#toNextCell()) return false
    }
  }

  /** Takes the next input, unless the cell's first event (`entry`, `timePs`) is before it. */
  #takeInput(entry: number, timePs: number): boolean {
    const inbox = this.#inbox
    const next = this.#next
    const inputPs = inbox.timePs(next)
    const target = inbox.target(next)
    if (inputPs >= timePs && (inputPs > timePs || this.#isBeforeInput(entry, target))) return false
    this.#next = next + 1
    this.#round = 0
    this.nowPs = inputPs
    if (inputPs > this.latestPs) this.latestPs = inputPs
    this.kind = this.#inputs!.kind
    this.target = target
    this.item = inbox.item(next)
    this.popped++
    return true
  }

  /** At one time: does an event come before an input with this target? */
  #isBeforeInput(entry: number, target: number): boolean {
    const order = this.#int[2 * entry + 2]
    const { kind } = this.#inputs!
    return order < kind || (order === kind && this.#int[2 * entry + 3] < target)
  }

  /** Takes a cell's first event; false if it was cancelled. */
  #take(entry: number, timePs: number): boolean {
    const i = 2 * entry + 2
    const handle = this.#int[i + 2]
    this.#hasHole = true
    if (handle !== NO_HANDLE && !this.#handles.giveBack(handle)) return false
    const order = this.#int[i]
    this.#round = order >> KINDS_BITS
    this.nowPs = timePs
    if (timePs > this.latestPs) this.latestPs = timePs
    this.kind = order & ((1 << KINDS_BITS) - 1)
    this.target = this.#int[i + 1]
    this.item = -1
    this.#pending--
    this.popped++
    return true
  }

  #toNextCell(): boolean {
    const first = this.#first
    const order = this.#order
    const endPs = this.#endPs
    for (let place = this.#place + 1; place < first.length; place++) {
      const cell = order === undefined ? place : order[place]
      if (first[cell] >= endPs) {
        if (first[cell] < this.#firstOfAll) this.#firstOfAll = first[cell]
        continue
      }
      this.#cell = cell
      this.#place = place
      this.#takeInputs(cell, endPs)
      return true
    }
    this.#cell = -1
    this.#isOpen = false
    return false
  }

  #takeInputs(cell: number, endPs: number): void {
    if (this.#inputs === undefined) return
    const inbox = this.#inbox
    inbox.clear()
    this.#next = 0
    this.#laterPs = this.#inputs.take(cell, endPs, inbox)
    if (inbox.count > 1) inbox.sort()
  }

  #closeHole(cell: number): void {
    this.#hasHole = false
    const last = --this.#count[cell]
    if (last === 0) return
    const f = (this.#base[cell] + last) * ENTRY
    const i = 2 * f + 2
    this.#sink(cell, this.#float[f], this.#int[i], this.#int[i + 1], this.#int[i + 2])
  }

  /** An event takes the first place, and sinks to its own. */
  #sink(cell: number, timePs: number, order: number, target: number, handle: number): void {
    const float = this.#float
    const int = this.#int
    const base = this.#base[cell]
    const count = this.#count[cell]
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      let c = (base + child) * ENTRY
      if (child + 1 < count) {
        const other = c + ENTRY
        if (float[other] < float[c] || (float[other] === float[c] && this.#isAhead(other, c))) {
          child++
          c = other
        }
      }
      const childPs = float[c]
      if (timePs < childPs) break
      if (timePs === childPs) {
        const childOrder = int[2 * c + 2]
        if (order < childOrder || (order === childOrder && target <= int[2 * c + 3])) break
      }
      const f = (base + at) * ENTRY
      float[f] = childPs
      int[2 * f + 2] = int[2 * c + 2]
      int[2 * f + 3] = int[2 * c + 3]
      int[2 * f + 4] = int[2 * c + 4]
      at = child
    }
    this.#write((base + at) * ENTRY, timePs, order, target, handle)
  }

  /** An event takes the last place, and rises to its own. */
  #rise(cell: number, timePs: number, order: number, target: number, handle: number): void {
    let at = this.#count[cell]++
    if (at === this.#capacity[cell]) this.#grow(cell)
    const float = this.#float
    const int = this.#int
    const base = this.#base[cell]
    while (at > 0) {
      const parent = (at - 1) >> 1
      const p = (base + parent) * ENTRY
      const parentPs = float[p]
      if (parentPs < timePs) break
      if (parentPs === timePs) {
        const parentOrder = int[2 * p + 2]
        if (parentOrder < order || (parentOrder === order && int[2 * p + 3] <= target)) break
      }
      const f = (base + at) * ENTRY
      float[f] = parentPs
      int[2 * f + 2] = int[2 * p + 2]
      int[2 * f + 3] = int[2 * p + 3]
      int[2 * f + 4] = int[2 * p + 4]
      at = parent
    }
    this.#write((base + at) * ENTRY, timePs, order, target, handle)
  }

  #isAhead(a: number, b: number): boolean {
    const int = this.#int
    const byOrder = int[2 * a + 2] - int[2 * b + 2]
    return byOrder < 0 || (byOrder === 0 && int[2 * a + 3] < int[2 * b + 3])
  }

  #write(f: number, timePs: number, order: number, target: number, handle: number): void {
    this.#float[f] = timePs
    this.#int[2 * f + 2] = order
    this.#int[2 * f + 3] = target
    this.#int[2 * f + 4] = handle
  }

  /** A cell's heap moves to a place of twice the size. */
  #grow(cell: number): void {
    const capacity = this.#capacity[cell]
    const bits = 31 - Math.clz32(capacity)
    const base = this.#spare[bits + 1]?.pop() ?? this.#extend(2 * capacity)
    const from = this.#base[cell] * ENTRY
    this.#float.copyWithin(base * ENTRY, from, from + capacity * ENTRY)
    ;(this.#spare[bits] ??= []).push(this.#base[cell])
    this.#base[cell] = base
    this.#capacity[cell] = 2 * capacity
  }

  #extend(entries: number): number {
    const base = this.#used
    this.#used += entries
    if (this.#used * ENTRY > this.#float.length) {
      const float = new Float64Array(Math.max(this.#used * ENTRY, this.#float.length * 2))
      float.set(this.#float)
      this.#float = float
      this.#int = new Int32Array(float.buffer)
    }
    return base
  }
}
