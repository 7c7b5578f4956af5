/**
 * An inbox: what reaches a cell from others within a window, in order of time; what comes at one
 * time stays in the order in which it was added.
 *
 * Records are spread over as many buckets of time as there are records, and put right by
 * insertion: O(n) where times are spread, as they are on links. Where too many fall together they
 * are merged, O(n log n). Allocates only when something must grow.
 */

/** A record: its time, and behind it, as integers: target and item. */
const FLOATS = 2
const INTS = 4
const TARGET = 2
const ITEM = 3
/** So few are put right by insertion alone; so many in a bucket are not. */
const FEW = 12
const CROWD = 48

export class Inbox {
  count: number = 0
  #float: Float64Array<ArrayBuffer>
  #int: Int32Array<ArrayBuffer>
  /** Where records go that are put in order. */
  #otherFloat: Float64Array<ArrayBuffer>
  #otherInt: Int32Array<ArrayBuffer>
  #inBucket: Int32Array
  #capacity: number
  #lastPs: number = -Infinity
  #isSorted: boolean = true

  constructor(capacity: number = 64) {
    this.#capacity = capacity
    this.#float = new Float64Array(capacity * FLOATS)
    this.#int = new Int32Array(this.#float.buffer)
    this.#otherFloat = new Float64Array(capacity * FLOATS)
    this.#otherInt = new Int32Array(this.#otherFloat.buffer)
    this.#inBucket = new Int32Array(capacity)
  }

  clear(): void {
    this.count = 0
    this.#lastPs = -Infinity
    this.#isSorted = true
  }

  add(timePs: number, target: number, item: number): void {
    const i = this.count++
    if (i === this.#capacity) this.#grow()
    this.#float[i * FLOATS] = timePs
    this.#int[i * INTS + TARGET] = target
    this.#int[i * INTS + ITEM] = item
    if (timePs < this.#lastPs) this.#isSorted = false
    this.#lastPs = timePs
  }

  timePs(i: number): number {
    return this.#float[i * FLOATS]
  }

  target(i: number): number {
    return this.#int[i * INTS + TARGET]
  }

  item(i: number): number {
    return this.#int[i * INTS + ITEM]
  }

  sort(): void {
    if (this.#isSorted) return
    this.#isSorted = true
    if (this.count > FEW) this.#spread()
    this.#insert()
  }

  /** By time, into buckets; within one of them in any order but for equals. */
  #spread(): void {
    const { count } = this
    const float = this.#float
    let firstPs = Infinity
    let lastPs = -Infinity
    for (let i = 0; i < count; i++) {
      const timePs = float[i * FLOATS]
      if (timePs < firstPs) firstPs = timePs
      if (timePs > lastPs) lastPs = timePs
    }
    const perPs = (count - 1) / (lastPs - firstPs)
    const inBucket = this.#inBucket
    inBucket.fill(0, 0, count)
    let most = 0
    for (let i = 0; i < count; i++) {
      const n = ++inBucket[((float[i * FLOATS] - firstPs) * perPs) | 0]
      if (n > most) most = n
    }
    if (most > CROWD) {
      this.#merge()
      return
    }
    let end = 0
    for (let bucket = 0; bucket < count; bucket++) {
      const n = inBucket[bucket]
      inBucket[bucket] = end
      end += n
    }
    for (let i = 0; i < count; i++) {
      this.#put(inBucket[((float[i * FLOATS] - firstPs) * perPs) | 0]++, i)
    }
    this.#exchange()
  }

  /** Runs of records that are in order are merged, two by two. */
  #merge(): void {
    const { count } = this
    for (let width = 1; width < count; width *= 2) {
      for (let from = 0; from < count; from += 2 * width) this.#mergeTwo(from, width)
      this.#exchange()
    }
  }

  #mergeTwo(from: number, width: number): void {
    const float = this.#float
    const middle = Math.min(from + width, this.count)
    const end = Math.min(from + 2 * width, this.count)
    let a = from
    let b = middle
    for (let at = from; at < end; at++) {
      const isFirst = b === end || (a < middle && float[a * FLOATS] <= float[b * FLOATS])
      this.#put(at, isFirst ? a++ : b++)
    }
  }

  #insert(): void {
    const { count } = this
    const float = this.#float
    const int = this.#int
    for (let i = 1; i < count; i++) {
      const timePs = float[i * FLOATS]
      if (float[(i - 1) * FLOATS] <= timePs) continue
      const target = int[i * INTS + TARGET]
      const item = int[i * INTS + ITEM]
      let at = i
      do {
        float[at * FLOATS] = float[(at - 1) * FLOATS]
        int[at * INTS + TARGET] = int[(at - 1) * INTS + TARGET]
        int[at * INTS + ITEM] = int[(at - 1) * INTS + ITEM]
        at--
      } while (at > 0 && float[(at - 1) * FLOATS] > timePs)
      float[at * FLOATS] = timePs
      int[at * INTS + TARGET] = target
      int[at * INTS + ITEM] = item
    }
  }

  /** Record `from` is number `to` of the order that is being made. */
  #put(to: number, from: number): void {
    this.#otherFloat[to * FLOATS] = this.#float[from * FLOATS]
    this.#otherInt[to * INTS + TARGET] = this.#int[from * INTS + TARGET]
    this.#otherInt[to * INTS + ITEM] = this.#int[from * INTS + ITEM]
  }

  #exchange(): void {
    const [float, int] = [this.#float, this.#int]
    this.#float = this.#otherFloat
    this.#int = this.#otherInt
    this.#otherFloat = float
    this.#otherInt = int
  }

  #grow(): void {
    this.#capacity *= 2
    const float = new Float64Array(this.#capacity * FLOATS)
    float.set(this.#float)
    this.#float = float
    this.#int = new Int32Array(float.buffer)
    this.#otherFloat = new Float64Array(this.#capacity * FLOATS)
    this.#otherInt = new Int32Array(this.#otherFloat.buffer)
    this.#inBucket = new Int32Array(this.#capacity)
  }
}
