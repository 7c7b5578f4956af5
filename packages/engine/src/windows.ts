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
 * once, put in order (`inbox.ts`), and merged with the cell's own events, a binary heap
 * (`heaps.ts`): O(log n) of the cell's own, in the cache while it runs. Allocates only to grow.
 */
import { Handles } from './handles.ts'
import { Heaps } from './heaps.ts'
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

const KINDS_BITS = 5
/** Of an event that nobody will cancel. */
const NO_HANDLE = -1
/** Somebody has cut a window (`endBy`) in which inputs are due later than that. */
const LEFT_BEHIND = 'a window ended before what had been taken for it'
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
  readonly #heaps: Heaps
  readonly #handles: Handles = new Handles()
  #pending: number = 0

  /** The cell that runs, -1: none does; and its place in the order in which cells run. */
  #cell: number = -1
  #place: number = -1
  /** Undefined: by number. */
  #order: Int32Array | undefined = undefined
  /** The first entry of that cell has been popped, and nothing is in its place yet. */
  #hasHole: boolean = false
  /** Time of the first event of that cell's own; Infinity: it has none. */
  #ownPs: number = Infinity
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
    this.#heaps = new Heaps(cells)
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
    if (cell === this.#cell) {
      if (this.#hasHole) {
        this.#hasHole = false
        this.#heaps.replaceFirst(cell, timePs, order, target, handle)
        this.#ownPs = this.#heaps.firstPs(cell)
        return
      }
      // Its first event of all is known when it has run.
      if (timePs < this.#ownPs) this.#ownPs = timePs
    } else if (timePs < this.#first[cell]) {
      this.#first[cell] = timePs
      if (timePs < this.#firstOfAll) this.#firstOfAll = timePs
    }
    this.#heaps.add(cell, timePs, order, target, handle)
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
    this.#inbox.clear()
    this.#next = 0
  }

  /** Cells run in this order from here on: the result is the same in any. */
  runInOrder(order: Int32Array): void {
    this.#order = order
  }

  /** The window ends no later than this: not before inputs that a cell has taken for it. */
  endBy(endPs: number): void {
    if (endPs < this.#endPs) this.#endPs = endPs
  }

  /**
   * The next cell that has something to do in this window runs from here on. False: none has, and
   * the window is over.
   */
  enter(): boolean {
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
      this.#ownPs = this.#heaps.firstPs(cell)
      this.#takeInputs(cell, endPs)
      return true
    }
    this.#cell = -1
    this.#isOpen = false
    return false
  }

  /**
   * Takes that cell's next event into `nowPs`, `kind` and `target`. False: there is none before the
   * window's end.
   */
  next(): boolean {
    for (;;) {
      if (this.#hasHole) this.#closeHole(this.#cell)
      if (this.#next < this.#inbox.count && this.#takeInput()) return true
      const timePs = this.#ownPs
      if (timePs >= this.#endPs) break
      if (this.#take(timePs)) return true
    }
    this.#leave(this.#cell)
    return false
  }

  /** Takes the next event of any cell. False: there is none, and the window is over. */
  pop(): boolean {
    for (;;) {
      if (this.#cell >= 0 && this.next()) return true
      if (!this.enter()) return false
    }
  }

  /** Takes the next input, unless an event of the cell's own is before it. */
  #takeInput(): boolean {
    const inbox = this.#inbox
    const record = inbox.at(this.#next)
    const timePs = inbox.timePs(record)
    const target = inbox.target(record)
    if (timePs >= this.#ownPs && (timePs > this.#ownPs || this.#isBeforeInput(target))) return false
    this.#next++
    this.#round = 0
    this.nowPs = timePs
    this.kind = this.#inputs!.kind
    this.target = target
    this.item = inbox.item(record)
    this.popped++
    return true
  }

  /** At one time: does the cell's first event come before an input with this target? */
  #isBeforeInput(target: number): boolean {
    const { kind } = this.#inputs!
    const order = this.#heaps.firstOrder(this.#cell)
    return order < kind || (order === kind && this.#heaps.firstTarget(this.#cell) < target)
  }

  /** Takes the cell's first event; false if it was cancelled. */
  #take(timePs: number): boolean {
    const heaps = this.#heaps
    const cell = this.#cell
    const handle = heaps.firstHandle(cell)
    this.#hasHole = true
    if (handle !== NO_HANDLE && !this.#handles.giveBack(handle)) return false
    const order = heaps.firstOrder(cell)
    this.#round = order >> KINDS_BITS
    this.nowPs = timePs
    this.kind = order & ((1 << KINDS_BITS) - 1)
    this.target = heaps.firstTarget(cell)
    this.item = -1
    this.#pending--
    this.popped++
    return true
  }

  /** A cell has run up to the window's end. */
  #leave(cell: number): void {
    if (this.#next < this.#inbox.count) throw new Error(LEFT_BEHIND)
    const firstPs = this.#ownPs < this.#laterPs ? this.#ownPs : this.#laterPs
    this.#first[cell] = firstPs
    if (firstPs < this.#firstOfAll) this.#firstOfAll = firstPs
    if (this.nowPs > this.latestPs) this.latestPs = this.nowPs
  }

  #takeInputs(cell: number, endPs: number): void {
    if (this.#inputs === undefined) return
    const inbox = this.#inbox
    inbox.clear()
    this.#next = 0
    this.#laterPs = this.#inputs.take(cell, endPs, inbox)
    if (inbox.count > 1) inbox.sort(this.#first[cell], endPs)
  }

  #closeHole(cell: number): void {
    this.#hasHole = false
    this.#heaps.removeFirst(cell)
    this.#ownPs = this.#heaps.firstPs(cell)
  }
}
