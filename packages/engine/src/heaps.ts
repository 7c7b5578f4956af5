/**
 * Heaps: the events of each cell, the first of them at the top, in one arena for all cells. The
 * first is by time, then by order, then by target. A heap that is full moves to a place of twice
 * the size. Allocates only to grow.
 */

/** An entry of the arena: its time, and behind it, as integers: order, target, handle. */
const ENTRY = 3
const FIRST_CAPACITY = 8

export class Heaps {
  readonly #base: Int32Array
  readonly #count: Int32Array
  readonly #capacity: Int32Array
  #float: Float64Array<ArrayBuffer>
  #int: Int32Array<ArrayBuffer>
  #used: number
  readonly #spare: number[][] = []

  constructor(cells: number) {
    this.#base = Int32Array.from({ length: cells }, (_, cell) => cell * FIRST_CAPACITY)
    this.#count = new Int32Array(cells)
    this.#capacity = new Int32Array(cells).fill(FIRST_CAPACITY)
    this.#used = cells * FIRST_CAPACITY
    this.#float = new Float64Array(this.#used * ENTRY)
    this.#int = new Int32Array(this.#float.buffer)
  }

  /** Time of a cell's first event; Infinity: it has none. */
  firstPs(cell: number): number {
    return this.#count[cell] > 0 ? this.#float[this.#base[cell] * ENTRY] : Infinity
  }

  /** Of the first event of a cell that has one. */
  firstOrder(cell: number): number {
    return this.#int[2 * this.#base[cell] * ENTRY + 2]
  }

  firstTarget(cell: number): number {
    return this.#int[2 * this.#base[cell] * ENTRY + 3]
  }

  firstHandle(cell: number): number {
    return this.#int[2 * this.#base[cell] * ENTRY + 4]
  }

  /** The first event goes, and the last one sinks from its place. */
  removeFirst(cell: number): void {
    const last = --this.#count[cell]
    if (last === 0) return
    const f = (this.#base[cell] + last) * ENTRY
    const i = 2 * f + 2
    this.replaceFirst(cell, this.#float[f], this.#int[i], this.#int[i + 1], this.#int[i + 2])
  }

  /** An event takes the place of the first, and sinks to its own. */
  replaceFirst(cell: number, timePs: number, order: number, target: number, handle: number): void {
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
  add(cell: number, timePs: number, order: number, target: number, handle: number): void {
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
