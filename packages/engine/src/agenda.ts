/**
 * The agenda: the few events that are no node's own, in the total order (time, round, kind, target)
 * that windows have within a cell. At one time, events go by kind and then by target, however they
 * were scheduled; what is scheduled for the present picosecond runs after everything that was there
 * before it: in the next round of that time.
 *
 * A binary heap over two columns; an event is (kind, target), two integers that the owner gives
 * meaning to. Cost: O(log n) per event. Allocates only when the columns must grow.
 */

/** An order is (round * 32 + kind) * 2^32 + target; later rounds of one picosecond are as one. */
const TARGETS = 2 ** 32
const KINDS = 32
const A_ROUND = KINDS * TARGETS
const ROUNDS = 2 ** 15

export class Agenda {
  /** Time of the event last popped, in ps. */
  nowPs: number = 0
  /** Kind and target of the event last popped. */
  kind: number = 0
  target: number = 0
  /** Events popped so far. */
  popped: number = 0
  pending: number = 0

  #time: Float64Array<ArrayBuffer> = new Float64Array(64)
  #order: Float64Array<ArrayBuffer> = new Float64Array(64)
  /** Round of the event last popped; -1: nothing has run at this time. */
  #round: number = -1

  /** Schedules (kind, target), kind below 32 and target below 2^32, at `timePs`, not before now. */
  schedule(timePs: number, kind: number, target: number): void {
    let order = kind * TARGETS + target
    if (timePs === this.nowPs) order += Math.min(this.#round + 1, ROUNDS) * A_ROUND
    if (this.pending === this.#time.length) this.#grow()
    const [time, orders] = [this.#time, this.#order]
    let i = this.pending++
    while (i > 0) {
      const above = (i - 1) >> 1
      if (!isBefore(timePs, order, time[above], orders[above])) break
      time[i] = time[above]
      orders[i] = orders[above]
      i = above
    }
    time[i] = timePs
    orders[i] = order
  }

  /** Time of the next event; Infinity if there is none. */
  peekPs(): number {
    return this.pending === 0 ? Infinity : this.#time[0]
  }

  /** Takes the next event into `nowPs`, `kind` and `target`; false if there is none. */
  pop(): boolean {
    if (this.pending === 0) return false
    const order = this.#order[0]
    this.nowPs = this.#time[0]
    this.#round = Math.floor(order / A_ROUND)
    this.kind = Math.floor(order / TARGETS) % KINDS
    this.target = order % TARGETS
    this.popped++
    this.pending--
    this.#sink(this.#time[this.pending], this.#order[this.pending])
    return true
  }

  /** From the top, which is free, to where it belongs. */
  #sink(timePs: number, order: number): void {
    const [time, orders, count] = [this.#time, this.#order, this.pending]
    let i = 0
    for (;;) {
      let below = 2 * i + 1
      if (below >= count) break
      const next = below + 1
      if (next < count && isBefore(time[next], orders[next], time[below], orders[below])) {
        below = next
      }
      if (!isBefore(time[below], orders[below], timePs, order)) break
      time[i] = time[below]
      orders[i] = orders[below]
      i = below
    }
    time[i] = timePs
    orders[i] = order
  }

  #grow(): void {
    const [time, order] = [this.#time, this.#order]
    this.#time = new Float64Array(2 * time.length)
    this.#order = new Float64Array(2 * time.length)
    this.#time.set(time)
    this.#order.set(order)
  }
}

function isBefore(timePs: number, order: number, otherPs: number, otherOrder: number): boolean {
  return timePs < otherPs || (timePs === otherPs && order < otherOrder)
}
