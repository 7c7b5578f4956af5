/**
 * A map from two whole numbers to a third that is not negative, for what is looked up with every
 * packet: open addressing with linear probing in one typed column, which allocates only as it
 * grows. What is removed leaves no mark behind: those after it move up (D. Knuth, "The Art of
 * Computer Programming", volume 3, section 6.4, algorithm R).
 */

/** Words of a place: the two keys, and one more than the value; 0 there: it is empty. */
const A = 0
const B = 1
const VALUE = 2
const PLACE_BITS = 2

export class PairMap {
  #int: Int32Array
  #mask: number
  #size: number = 0

  constructor(placesBits: number = 6) {
    this.#int = new Int32Array(1 << (placesBits + PLACE_BITS))
    this.#mask = (1 << placesBits) - 1
  }

  get size(): number {
    return this.#size
  }

  /** What stands at a pair; -1: nothing. */
  find(a: number, b: number): number {
    const int = this.#int
    const mask = this.#mask
    let place = hash(a, b) & mask
    for (;;) {
      const i = place << PLACE_BITS
      const value = int[i + VALUE]
      if (value === 0 || (int[i + A] === a && int[i + B] === b)) return value - 1
      place = (place + 1) & mask
    }
  }

  /** Of a pair at which nothing stands. */
  add(a: number, b: number, value: number): void {
    if (++this.#size * 2 > this.#mask + 1) this.#grow()
    this.#put(a, b, value + 1)
  }

  /** Of a pair at which something stands. */
  remove(a: number, b: number): void {
    const int = this.#int
    const mask = this.#mask
    let gap = hash(a, b) & mask
    while (int[(gap << PLACE_BITS) + A] !== a || int[(gap << PLACE_BITS) + B] !== b) {
      gap = (gap + 1) & mask
    }
    this.#size--
    for (let place = (gap + 1) & mask; ; place = (place + 1) & mask) {
      const i = place << PLACE_BITS
      if (int[i + VALUE] === 0) break
      // It may move up to the gap unless its own place lies behind that.
      const home = hash(int[i + A], int[i + B]) & mask
      if (((place - home) & mask) < ((place - gap) & mask)) continue
      const to = gap << PLACE_BITS
      int[to + A] = int[i + A]
      int[to + B] = int[i + B]
      int[to + VALUE] = int[i + VALUE]
      gap = place
    }
    int[(gap << PLACE_BITS) + VALUE] = 0
  }

  /** For those who look from outside, in no order. */
  each(visit: (value: number) => void): void {
    for (let i = 0; i < this.#int.length; i += 1 << PLACE_BITS) {
      if (this.#int[i + VALUE] > 0) visit(this.#int[i + VALUE] - 1)
    }
  }

  #put(a: number, b: number, stored: number): void {
    const int = this.#int
    let place = hash(a, b) & this.#mask
    while (int[(place << PLACE_BITS) + VALUE] !== 0) place = (place + 1) & this.#mask
    const i = place << PLACE_BITS
    int[i + A] = a
    int[i + B] = b
    int[i + VALUE] = stored
  }

  #grow(): void {
    const before = this.#int
    this.#int = new Int32Array(before.length * 2)
    this.#mask = this.#mask * 2 + 1
    for (let i = 0; i < before.length; i += 1 << PLACE_BITS) {
      if (before[i + VALUE] > 0) this.#put(before[i + A], before[i + B], before[i + VALUE])
    }
  }
}

/** Odd numbers near 2^32 over the golden ratio, and a shift that brings the high bits down. */
function hash(a: number, b: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
