/**
 * A binary heap of (level, item) in two columns, lowest level first. Items are added in any order
 * and put in order once; afterwards the first is looked at, dropped, or given a higher level.
 * J. W. J. Williams, "Algorithm 232: Heapsort", 1964; R. W. Floyd's way of building it.
 */
export class LevelHeap {
  #keys = new Float64Array(64)
  #items = new Int32Array(64)
  size = 0

  clear(): void {
    this.size = 0
  }

  add(key: number, item: number): void {
    if (this.size === this.#keys.length) this.#grow()
    this.#keys[this.size] = key
    this.#items[this.size++] = item
  }

  /** After the last `add`, and before any question. */
  order(): void {
    for (let i = (this.size >> 1) - 1; i >= 0; i--) this.#sink(i)
  }

  get key(): number {
    return this.#keys[0]!
  }

  get item(): number {
    return this.#items[0]!
  }

  drop(): void {
    const last = --this.size
    this.#keys[0] = this.#keys[last]!
    this.#items[0] = this.#items[last]!
    this.#sink(0)
  }

  /** Gives the first item a higher level. */
  raise(key: number): void {
    this.#keys[0] = key
    this.#sink(0)
  }

  #sink(hole: number): void {
    const keys = this.#keys
    const items = this.#items
    const key = keys[hole]!
    const item = items[hole]!
    let i = hole
    for (let child = 2 * i + 1; child < this.size; child = 2 * i + 1) {
      if (child + 1 < this.size && keys[child + 1]! < keys[child]!) child++
      if (!(keys[child]! < key)) break
      keys[i] = keys[child]!
      items[i] = items[child]!
      i = child
    }
    keys[i] = key
    items[i] = item
  }

  #grow(): void {
    const keys = new Float64Array(2 * this.#keys.length)
    const items = new Int32Array(2 * this.#items.length)
    keys.set(this.#keys)
    items.set(this.#items)
    this.#keys = keys
    this.#items = items
  }
}
