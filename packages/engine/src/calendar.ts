/**
 * The calendar: pending events in the total order (time, round, kind, target).
 *
 * At one time, events go by kind, in the order of the kinds' numbers, and then by target: the order
 * in which they were scheduled never matters. What is scheduled for the present picosecond runs
 * after everything that was there before it: in the next round of that time.
 *
 * A wheel of buckets holds the near future, a 4-ary heap what lies beyond it, and a short sorted
 * run the bucket that is being emptied (R. Brown, "Calendar Queues", CACM 1988; the split into near
 * and far is Varghese and Lauck's, SOSP 1987). The order of events does not depend on the buckets.
 *
 * An event is (kind, target), two integers that the owner gives meaning to. Cost: O(1) a
 * schedule and a pop, whatever is pending. Allocates only when a column must grow.
 */

/** Buckets of the wheel: at least so many, and more (a power of two) while more events pend. */
const BUCKETS_MIN = 4096
const BUCKETS_MAX = 1 << 18
/** Events between looks at whether the wheel fits the traffic: few at first, then more. */
const RETUNE_FIRST = 1 << 10
const RETUNE_EVERY = 1 << 16
const WIDTH_PS_MIN = 2
const WIDTH_PS_MAX = 2 ** 40
/** A bucket is about as wide as so many events are apart. */
const EVENTS_A_BUCKET = 2

/** The kind of a cancelled event; owners number theirs from 1. */
const CANCELLED = 0
/** An order is (round * 32 + kind) * 2^32 + target; later rounds of one picosecond are as one. */
const TARGETS = 2 ** 32
const A_ROUND = 32 * TARGETS
const ROUNDS = 2 ** 15

export class Calendar {
  /** Time of the event last popped, in ps. */
  nowPs: number = 0
  /** Kind and target of the event last popped. */
  kind: number = 0
  target: number = 0
  /** Events popped so far, cancelled ones not counted. */
  popped: number = 0

  // Columns of pending events. `next` chains a bucket's events, and the free slots.
  #time: Float64Array<ArrayBuffer> = new Float64Array(1024)
  #order: Float64Array<ArrayBuffer> = new Float64Array(1024)
  #kind: Uint8Array<ArrayBuffer> = new Uint8Array(1024)
  #target: Int32Array<ArrayBuffer> = new Int32Array(1024)
  #next: Int32Array<ArrayBuffer> = new Int32Array(1024)
  #free: number = -1
  #used: number = 0
  /** Round of the event last popped; -1: nothing has run at this time. */
  #round: number = -1
  #pending: number = 0

  // The wheel. Bucket number = floor(time / width); the current one is at #index.
  #widthInverse: number = 1 / 65536
  #bucket: number = 0
  #index: number = 0
  #mask: number = BUCKETS_MIN - 1
  #heads: Int32Array<ArrayBuffer> = new Int32Array(BUCKETS_MIN).fill(-1)
  /** One bit a bucket: is anything in it? */
  #bits: Int32Array<ArrayBuffer> = new Int32Array(BUCKETS_MIN / 32)
  #inWheel: number = 0

  // The current bucket's events, sorted, from #runHead up to #runTail.
  #run: Int32Array<ArrayBuffer> = new Int32Array(256)
  #runHead: number = 0
  #runTail: number = 0

  // What lies beyond the wheel.
  #heap: Int32Array<ArrayBuffer> = new Int32Array(256)
  #heapCount: number = 0

  // Since the last retuning: steps that sorting took, events that went to the heap.
  #moves: number = 0
  #far: number = 0
  #retunedPs: number = 0
  #retuneEvery: number = RETUNE_FIRST
  #retuneAt: number = RETUNE_FIRST
  /** Halvings of the width because events come in bunches. */
  #halvings: number = 0

  get pending(): number {
    return this.#pending
  }

  /**
   * Schedules (kind, target), kind below 32 and target below 2^32, at `timePs`, not before now.
   * Returns a handle for `cancel`.
   */
  schedule(timePs: number, kind: number, target: number): number {
    let slot = this.#free
    if (slot >= 0) this.#free = this.#next[slot]
    else {
      slot = this.#used++
      if (slot === this.#time.length) this.#grow()
    }
    this.#time[slot] = timePs
    let order = kind * TARGETS + target
    if (timePs === this.nowPs) order += Math.min(this.#round + 1, ROUNDS) * A_ROUND
    this.#order[slot] = order
    this.#kind[slot] = kind
    this.#target[slot] = target
    this.#pending++
    this.#place(slot, timePs)
    return slot
  }

  /** Cancels a pending event: its handle is dead from here on, as it is once the event fired. */
  cancel(handle: number): void {
    this.#kind[handle] = CANCELLED
    this.#pending--
  }

  /** Time of a pending event. */
  timeOf(handle: number): number {
    return this.#time[handle]
  }

  /** Time of the next event; Infinity if there is none. */
  peekPs(): number {
    for (;;) {
      if (this.#runHead === this.#runTail && !this.#openNext()) return Infinity
      const slot = this.#run[this.#runHead]
      if (this.#kind[slot] !== CANCELLED) return this.#time[slot]
      this.#runHead++
      this.#release(slot)
    }
  }

  /** Takes the next event into `nowPs`, `kind` and `target`; false if there is none. */
  pop(): boolean {
    return this.popBefore(Infinity)
  }

  /** The same for an event before `limitPs`; one at that time or later stays where it is. */
  popBefore(limitPs: number): boolean {
    for (;;) {
      if (this.#runHead === this.#runTail && !this.#openNext()) return false
      const slot = this.#run[this.#runHead]
      const kind = this.#kind[slot]
      if (kind === CANCELLED) {
        this.#runHead++
        this.#release(slot)
        continue
      }
      const timePs = this.#time[slot]
      if (timePs >= limitPs) return false
      this.#runHead++
      const order = this.#order[slot]
      this.#round = order < A_ROUND ? 0 : Math.floor(order / A_ROUND)
      this.nowPs = timePs
      this.kind = kind
      this.target = this.#target[slot]
      this.#release(slot)
      this.#pending--
      this.popped++
      return true
    }
  }

  #release(slot: number): void {
    this.#next[slot] = this.#free
    this.#free = slot
  }

  #place(slot: number, timePs: number): void {
    const ahead = Math.floor(timePs * this.#widthInverse) - this.#bucket
    if (ahead <= 0) this.#insertInRun(slot, timePs)
    else if (ahead <= this.#mask) {
      const index = (this.#index + ahead) & this.#mask
      this.#next[slot] = this.#heads[index]
      this.#heads[index] = slot
      this.#bits[index >> 5] |= 1 << (index & 31)
      this.#inWheel++
    } else {
      this.#far++
      this.#pushFar(slot)
    }
  }

  /** Keeps the run sorted; a new event goes after its equals. */
  #insertInRun(slot: number, timePs: number): void {
    if (this.#runTail === this.#run.length) this.#makeRoomInRun()
    const run = this.#run
    const time = this.#time
    const orders = this.#order
    const order = orders[slot]
    let i = this.#runTail++
    while (i > this.#runHead) {
      const before = run[i - 1]
      const beforePs = time[before]
      if (beforePs < timePs || (beforePs === timePs && orders[before] <= order)) break
      run[i--] = before
    }
    run[i] = slot
  }

  #makeRoomInRun(): void {
    if (this.#runHead > this.#run.length >> 1) {
      this.#run.copyWithin(0, this.#runHead, this.#runTail)
    } else {
      const larger = new Int32Array(this.#run.length * 2)
      larger.set(this.#run.subarray(this.#runHead, this.#runTail))
      this.#run = larger
    }
    this.#runTail -= this.#runHead
    this.#runHead = 0
  }

  /** Opens the next bucket that has events, as a sorted run. False if nothing is pending at all. */
  #openNext(): boolean {
    this.#runHead = 0
    this.#runTail = 0
    if (this.popped >= this.#retuneAt) this.#retune()
    if (this.#runTail > 0) return true
    for (;;) {
      const ahead = this.#inWheel > 0 ? this.#firstOccupied() : 0
      if (ahead > 0) this.#turn(ahead)
      else if (this.#heapCount > 0) {
        const bucket = Math.floor(this.#time[this.#heap[0]] * this.#widthInverse)
        this.#turn(bucket - this.#bucket)
      } else return false
      this.#emptyBucketIntoRun()
      if (this.#runTail > 0) return true
    }
  }

  /** Moves the window on and lets in what the heap holds for its new end. */
  #turn(ahead: number): void {
    this.#bucket += ahead
    const mask = this.#mask
    this.#index = (this.#index + (ahead <= mask ? ahead : ahead % (mask + 1))) & mask
    const end = this.#bucket + mask + 1
    while (this.#heapCount > 0) {
      const slot = this.#heap[0]
      const timePs = this.#time[slot]
      if (Math.floor(timePs * this.#widthInverse) >= end) break
      this.#popFar()
      this.#place(slot, timePs)
    }
  }

  /** How many buckets ahead of the current one the first occupied one is; 0 if none is. */
  #firstOccupied(): number {
    const bits = this.#bits
    const start = (this.#index + 1) & this.#mask
    let word = start >> 5
    let found = bits[word] & (-1 << (start & 31))
    for (let i = 0; i <= bits.length; i++) {
      if (found !== 0) {
        const index = (word << 5) + 31 - Math.clz32(found & -found)
        return (index - this.#index) & this.#mask
      }
      if (++word === bits.length) word = 0
      found = bits[word]
    }
    return 0
  }

  #emptyBucketIntoRun(): void {
    const index = this.#index
    let slot = this.#heads[index]
    if (slot < 0) return
    this.#heads[index] = -1
    this.#bits[index >> 5] &= ~(1 << (index & 31))
    // The chain is last in, first out: written backwards it is nearly sorted already.
    let count = 0
    for (let s = slot; s >= 0; s = this.#next[s]) count++
    this.#inWheel -= count
    const already = this.#runTail
    while (already + count > this.#run.length) this.#makeRoomInRun()
    const run = this.#run
    for (let i = already + count - 1; i >= already; i--) {
      run[i] = slot
      slot = this.#next[slot]
    }
    this.#runTail = already + count
    this.#sortRun()
  }

  #sortRun(): void {
    const run = this.#run
    const time = this.#time
    const orders = this.#order
    for (let i = this.#runHead + 1; i < this.#runTail; i++) {
      const slot = run[i]
      const timePs = time[slot]
      const order = orders[slot]
      let j = i
      while (j > this.#runHead) {
        const before = run[j - 1]
        const beforePs = time[before]
        if (beforePs < timePs || (beforePs === timePs && orders[before] <= order)) break
        run[j--] = before
      }
      run[j] = slot
      this.#moves += i - j
    }
  }

  /**
   * A bucket is as wide as two events are apart on average, narrower if events come in bunches so
   * that sorting a bucket costs, and there are as many buckets as keep all but a few events on the
   * wheel. Widths are powers of two.
   */
  #retune(): void {
    const events = this.#retuneEvery
    const apartPs = (this.nowPs - this.#retunedPs) / events
    if (this.#moves > 4 * events) this.#halvings++
    else if (this.#moves < events && this.#halvings > 0) this.#halvings--
    let buckets = this.#mask + 1
    while (buckets < this.#pending * 2 && buckets < BUCKETS_MAX) buckets *= 2
    if (this.#far > 0.05 * events && buckets < BUCKETS_MAX) buckets *= 2
    let width = WIDTH_PS_MIN
    while (width < EVENTS_A_BUCKET * apartPs && width < WIDTH_PS_MAX) width *= 2
    for (let i = 0; i < this.#halvings && width > WIDTH_PS_MIN; i++) width /= 2
    this.#moves = 0
    this.#far = 0
    this.#retunedPs = this.nowPs
    if (this.#retuneEvery < RETUNE_EVERY) this.#retuneEvery *= 2
    this.#retuneAt = this.popped + this.#retuneEvery
    // Twice as wide or half as wide is no reason to begin anew.
    const ratio = width * this.#widthInverse
    if (ratio > 2 || ratio < 0.5 || buckets > this.#mask + 1) this.#rebuild(width, buckets)
  }

  /** Puts every pending event in its place on another wheel. Called with an empty run. */
  #rebuild(widthPs: number, buckets: number): void {
    const slots: number[] = []
    for (let index = 0; index <= this.#mask; index++) {
      for (let s = this.#heads[index]; s >= 0; s = this.#next[s]) slots.push(s)
    }
    for (let i = 0; i < this.#heapCount; i++) slots.push(this.#heap[i])
    this.#mask = buckets - 1
    this.#heads = new Int32Array(buckets).fill(-1)
    this.#bits = new Int32Array(buckets / 32)
    this.#inWheel = 0
    this.#heapCount = 0
    this.#widthInverse = 1 / widthPs
    this.#bucket = Math.floor(this.nowPs * this.#widthInverse)
    this.#index = 0
    for (const slot of slots) this.#place(slot, this.#time[slot])
    this.#far = 0
  }

  #isBefore(a: number, b: number): boolean {
    const aPs = this.#time[a]
    const bPs = this.#time[b]
    return aPs < bPs || (aPs === bPs && this.#order[a] < this.#order[b])
  }

  #pushFar(slot: number): void {
    if (this.#heapCount === this.#heap.length) {
      const larger = new Int32Array(this.#heap.length * 2)
      larger.set(this.#heap)
      this.#heap = larger
    }
    const heap = this.#heap
    let i = this.#heapCount++
    while (i > 0) {
      const parent = (i - 1) >> 2
      if (!this.#isBefore(slot, heap[parent])) break
      heap[i] = heap[parent]
      i = parent
    }
    heap[i] = slot
  }

  #popFar(): void {
    const heap = this.#heap
    const count = --this.#heapCount
    const slot = heap[count]
    let i = 0
    for (;;) {
      const first = 4 * i + 1
      if (first >= count) break
      let least = first
      const last = Math.min(first + 4, count)
      for (let c = first + 1; c < last; c++) if (this.#isBefore(heap[c], heap[least])) least = c
      if (!this.#isBefore(heap[least], slot)) break
      heap[i] = heap[least]
      i = least
    }
    heap[i] = slot
  }

  #grow(): void {
    const size = this.#time.length * 2
    const larger = <T extends Float64Array | Uint8Array | Int32Array>(column: T, into: T): T => {
      into.set(column)
      return into
    }
    this.#time = larger(this.#time, new Float64Array(size))
    this.#order = larger(this.#order, new Float64Array(size))
    this.#kind = larger(this.#kind, new Uint8Array(size))
    this.#target = larger(this.#target, new Int32Array(size))
    this.#next = larger(this.#next, new Int32Array(size))
  }
}
