/**
 * A NIC that serves the flows that are due in turn, in the order of their start: behind the one
 * served last comes the next that is due, however long another has waited. The queue pairs of the
 * packet simulators that DCQCN, TIMELY and HPCC were published with are served so.
 *
 * Flows that wait for their time are in a heap, those that are due in a list by row.
 */
import { FlowHeap } from './flow-heap.ts'
import type { Flow } from './flow.ts'
import type { Nic } from './nic.ts'

/** Place of a flow that is in the list: no heap is so large. */
const DUE = 2 ** 30

export class RoundRobinNic implements Nic {
  readonly #waiting: FlowHeap = new FlowHeap()
  readonly #due: Flow[] = []
  #lastTurn: number = -1

  get count(): number {
    return this.#waiting.count + this.#due.length
  }

  get duePs(): number {
    let leastPs = this.#waiting.duePs
    // Any of the list will do: all are due.
    if (this.#due.length > 0) leastPs = Math.min(leastPs, (this.#due[0] as Flow).nstPs)
    return leastPs
  }

  next(nowPs: number): Flow | undefined {
    const waiting = this.#waiting
    while (waiting.duePs <= nowPs) {
      const flow = waiting.next(nowPs) as Flow
      waiting.remove(flow)
      this.#due.splice(this.#after(flow.turn), 0, flow)
      flow.place = DUE
    }
    if (this.#due.length === 0) return waiting.next(nowPs)
    return this.#due[this.#after(this.#lastTurn)] ?? this.#due[0]
  }

  add(flow: Flow): void {
    this.#waiting.add(flow)
  }

  remove(flow: Flow): void {
    if (flow.place !== DUE) {
      this.#waiting.remove(flow)
      return
    }
    this.#due.splice(this.#after(flow.turn) - 1, 1)
    flow.place = -1
  }

  served(flow: Flow): void {
    this.#lastTurn = flow.turn
  }

  moved(flow: Flow): void {
    if (flow.place !== DUE) {
      this.#waiting.moved(flow)
      return
    }
    this.remove(flow)
    this.#waiting.add(flow)
  }

  /** How many of the list have a turn up to this one. */
  #after(turn: number): number {
    let low = 0
    let high = this.#due.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#due[middle] as Flow).turn <= turn) low = middle + 1
      else high = middle
    }
    return low
  }
}
