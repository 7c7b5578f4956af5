/**
 * A team: members, each in a thread of its own, that run one thing together. Each puts down words
 * for the others, numbers that is, and has theirs when all have met. Nobody reads what another one
 * is still writing, so what a member knows does not depend on who was quicker.
 */

/** Numbers, one after the other: in an array that is lent, and in a larger one if that is full. */
export class Words {
  array: Float64Array
  /** The same memory, two integers for each number. */
  int: Int32Array
  length: number = 0

  constructor(array: Float64Array = new Float64Array(256)) {
    this.array = array
    this.int = intsOf(array)
  }

  /** They are in this array from here on, the first `length` of it. */
  lend(array: Float64Array, int: Int32Array, length: number): void {
    this.array = array
    this.int = int
    this.length = length
  }

  /** Makes room for so many more; the place of the first. */
  extend(count: number): number {
    const at = this.length
    this.length += count
    if (this.length > this.array.length) {
      const larger = new Float64Array(Math.max(this.length, 2 * this.array.length))
      larger.set(this.array.subarray(0, at))
      this.array = larger
      this.int = intsOf(larger)
    }
    return at
  }

  put(...words: number[]): void {
    this.putAll(words)
  }

  putAll(words: ArrayLike<number>): void {
    const at = this.extend(words.length)
    this.array.set(words, at)
  }
}

export interface Team {
  readonly me: number
  readonly size: number
  /** By member: what it gets when all meet next. */
  readonly out: readonly Words[]
  /** By member: what came from it when all met last. */
  readonly in: readonly Words[]
  /** All that is put down is handed over. Waits for all others. */
  meet(): void
}

/** What one member has counted, and others add to what they have. */
export interface Account {
  read(): ArrayLike<number>
  add(words: Float64Array): void
}

/** Empty words, one for each member. */
export function wordsForAll(size: number): Words[] {
  return Array.from({ length: size }, () => new Words())
}

export function intsOf(array: Float64Array): Int32Array {
  return new Int32Array(array.buffer, array.byteOffset, 2 * array.length)
}
