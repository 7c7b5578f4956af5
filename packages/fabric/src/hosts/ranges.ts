/**
 * A set of packet numbers as disjoint ranges in order, for what is out of order at either end of a
 * flow: as many ranges as there are holes, however long the window. Costs a step per range.
 */
export class Ranges {
  /** Firsts and ends by turns: [first, end) of the lowest range, of the next, and so on. */
  readonly #bounds: number[] = []
  /** How many numbers there are in all. */
  count: number = 0

  get isEmpty(): boolean {
    return this.count === 0
  }

  /** The highest number; -1 if there is none. */
  get last(): number {
    return (this.#bounds.at(-1) ?? 0) - 1
  }

  /** The first bound above `n`: odd, if `n` is in the set. */
  #above(n: number): number {
    const bounds = this.#bounds
    let i = bounds.length
    while (i > 0 && bounds[i - 1] > n) i--
    return i
  }

  has(n: number): boolean {
    return this.#above(n) % 2 === 1
  }

  /** Adds [first, end); returns how many of them are new. */
  add(first: number, end: number): number {
    const bounds = this.#bounds
    const before = this.count
    // Ranges that touch become one: bounds at `first` and at `end` are inside.
    let i = this.#above(first - 1)
    let j = this.#above(end)
    const from = i % 2 === 1 ? bounds[--i] : first
    const to = j % 2 === 1 ? bounds[j++] : end
    let held = 0
    for (let k = i; k < j; k += 2) held += bounds[k + 1] - bounds[k]
    bounds.splice(i, j - i, from, to)
    this.count += to - from - held
    return this.count - before
  }

  /** Forgets everything below `n`. */
  dropBelow(n: number): void {
    const bounds = this.#bounds
    while (bounds.length > 0 && bounds[0] < n) {
      this.count -= Math.min(n, bounds[1]) - bounds[0]
      if (bounds[1] > n) bounds[0] = n
      else bounds.splice(0, 2)
    }
  }

  /** The end of the range that `n` is in; `n`, if it is in none. */
  endOf(n: number): number {
    const i = this.#above(n)
    return i % 2 === 1 ? this.#bounds[i] : n
  }

  /** The first of the range that `n` is in; `n`, if it is in none. */
  firstOf(n: number): number {
    const i = this.#above(n)
    return i % 2 === 1 ? this.#bounds[i - 1] : n
  }

  /** How many numbers are below `n`. */
  countBelow(n: number): number {
    const bounds = this.#bounds
    let count = 0
    for (let i = 0; i < bounds.length && bounds[i] < n; i += 2) {
      count += Math.min(n, bounds[i + 1]) - bounds[i]
    }
    return count
  }

  /** The number that has `above` numbers of the set above it, and is of it; -1 if too few are. */
  fromLast(above: number): number {
    const bounds = this.#bounds
    let left = above
    for (let i = bounds.length - 2; i >= 0; i -= 2) {
      const length = bounds[i + 1] - bounds[i]
      if (left < length) return bounds[i + 1] - 1 - left
      left -= length
    }
    return -1
  }
}
