/**
 * How deep a buffer must be that puts the packets of a flow in order again: the most packets that
 * ever waited for one that was overtaken, or lost. Measured where routing lets packets overtake
 * each other; whether anybody waits is the transport's own business.
 */
import { Ranges } from './ranges.ts'

export class ReorderDepth {
  /** Most packets that ever waited. */
  most: number = 0
  #next: number = 0
  readonly #waiting: Ranges = new Ranges()

  /** Packet number `seq` has come. */
  take(seq: number): void {
    if (seq < this.#next) return
    if (seq > this.#next) {
      this.#waiting.add(seq, seq + 1)
      if (this.#waiting.count > this.most) this.most = this.#waiting.count
      return
    }
    this.#next = this.#waiting.endOf(seq + 1)
    this.#waiting.dropBelow(this.#next)
  }
}
