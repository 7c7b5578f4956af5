/**
 * A team: members, each in a thread of its own, that run one thing together. Each puts down words
 * for the others, numbers that is, and has theirs when all have met. Nobody reads what another one
 * is still writing, so what a member knows does not depend on who was quicker.
 */

/** Numbers, one after the other, in an array that grows. */
export class Words {
  array: Float64Array<ArrayBuffer> = new Float64Array(256)
  length: number = 0

  /** Makes room for so many more; the place of the first. */
  extend(count: number): number {
    const at = this.length
    this.length += count
    if (this.length > this.array.length) {
      const larger = new Float64Array(Math.max(this.length, 2 * this.array.length))
      larger.set(this.array.subarray(0, at))
      this.array = larger
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

/** Empty words, one for each member. */
export function wordsForAll(size: number): Words[] {
  return Array.from({ length: size }, () => new Words())
}
