/**
 * An inbox: what reaches a cell from others within a window, in order of time; what comes at one
 * time stays in the order in which it was added.
 *
 * Records stay where they were added, and an order of them is made: they are spread over as many
 * buckets of time as there are records, and those of a bucket are put right by insertion: O(n)
 * where times are spread, as they are on links. Where many fall together they are merged,
 * O(n log n). Allocates only when something must grow.
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
  /** Records in order; and where they go while they are merged. */
  #order: Int32Array
  #otherOrder: Int32Array
  /** First record of each bucket, -1 between two uses; and the next of the same bucket. */
  #bucket: Int32Array
  #behind: Int32Array
  #capacity: number
  #lastPs: number = -Infinity
  #isSorted: boolean = true

  constructor(capacity: number = 64) {
    this.#capacity = capacity
    this.#float = new Float64Array(capacity * FLOATS)
    this.#int = new Int32Array(this.#float.buffer)
    this.#order = new Int32Array(capacity)
    this.#otherOrder = new Int32Array(capacity)
    this.#bucket = new Int32Array(capacity + 1).fill(-1)
    this.#behind = new Int32Array(capacity)
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
    this.#order[i] = i
    if (timePs < this.#lastPs) this.#isSorted = false
    this.#lastPs = timePs
  }

  /** The record at a place of the order. */
  at(place: number): number {
    return this.#order[place]
  }

  timePs(record: number): number {
    return this.#float[record * FLOATS]
  }

  target(record: number): number {
    return this.#int[record * INTS + TARGET]
  }

  item(record: number): number {
    return this.#int[record * INTS + ITEM]
  }

  /** Puts records in order, whose times are from `fromPs` up to `toPs`. */
  sort(fromPs: number, toPs: number): void {
    if (this.#isSorted) return
    this.#isSorted = true
    if (this.count <= FEW) this.#insert(0, this.count)
    else this.#spread(fromPs, this.count / (toPs - fromPs))
  }

  #spread(fromPs: number, perPs: number): void {
    const { count } = this
    const float = this.#float
    const bucket = this.#bucket
    const behind = this.#behind
    // The last one first: in a bucket they then are in the order in which they were added.
    for (let i = count - 1; i >= 0; i--) {
      const b = ((float[i * FLOATS] - fromPs) * perPs) | 0
      behind[i] = bucket[b]
      bucket[b] = i
    }
    const order = this.#order
    let end = 0
    for (let b = 0; end < count; b++) {
      let i = bucket[b]
      if (i < 0) continue
      bucket[b] = -1
      const start = end
      for (; i >= 0; i = behind[i]) order[end++] = i
      if (end - start > CROWD) this.#merge(start, end)
      else if (end - start > 1) this.#insert(start, end)
    }
  }

  #insert(start: number, end: number): void {
    const float = this.#float
    const order = this.#order
    for (let k = start + 1; k < end; k++) {
      const i = order[k]
      const timePs = float[i * FLOATS]
      let at = k
      while (at > start && float[order[at - 1] * FLOATS] > timePs) {
        order[at] = order[at - 1]
        at--
      }
      order[at] = i
    }
  }

  /** Runs that are in order are merged, two by two. */
  #merge(start: number, end: number): void {
    const float = this.#float
    for (let width = 1; width < end - start; width *= 2) {
      const order = this.#order
      const other = this.#otherOrder
      for (let from = start; from < end; from += 2 * width) {
        const middle = Math.min(from + width, end)
        const to = Math.min(from + 2 * width, end)
        let a = from
        let b = middle
        for (let at = from; at < to; at++) {
          const isFirst =
            b === to || (a < middle && float[order[a] * FLOATS] <= float[order[b] * FLOATS])
          other[at] = order[isFirst ? a++ : b++]
        }
      }
      order.set(other.subarray(start, end), start)
    }
  }

  #grow(): void {
    this.#capacity *= 2
    const float = new Float64Array(this.#capacity * FLOATS)
    float.set(this.#float)
    this.#float = float
    this.#int = new Int32Array(float.buffer)
    const order = new Int32Array(this.#capacity)
    order.set(this.#order)
    this.#order = order
    this.#otherOrder = new Int32Array(this.#capacity)
    this.#bucket = new Int32Array(this.#capacity + 1).fill(-1)
    this.#behind = new Int32Array(this.#capacity)
  }
}
