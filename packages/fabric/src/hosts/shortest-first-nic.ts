/**
 * A NIC that serves, of the flows that are due, the one with the fewest bytes left to send, and of
 * equals the one that began first: shortest remaining processing time, as Homa's senders do.
 */
import { FlowHeap } from './flow-heap.ts'
import type { Flow } from './flow.ts'
import type { Nic } from './nic.ts'

/** Place of a flow that is in the list: no heap is so large. */
const DUE = 2 ** 30

export class ShortestFirstNic implements Nic {
  readonly #waiting: FlowHeap = new FlowHeap()
  /** Flows that are due, in no order: a host has few that may send. */
  readonly #due: Flow[] = []

  get count(): number {
    return this.#waiting.count + this.#due.length
  }

  get duePs(): number {
    const first = this.#due[0]
    return first === undefined ? this.#waiting.duePs : first.nstPs
  }

  next(nowPs: number): Flow | undefined {
    const waiting = this.#waiting
    while (waiting.duePs <= nowPs) {
      const flow = waiting.next(nowPs) as Flow
      waiting.remove(flow)
      this.#due.push(flow)
      flow.place = DUE
    }
    let shortest = this.#due[0]
    if (shortest === undefined) return waiting.next(nowPs)
    for (const flow of this.#due) if (isBefore(flow, shortest)) shortest = flow
    return shortest
  }

  add(flow: Flow): void {
    this.#waiting.add(flow)
  }

  remove(flow: Flow): void {
    if (flow.place !== DUE) {
      this.#waiting.remove(flow)
      return
    }
    this.#due[this.#due.indexOf(flow)] = this.#due[this.#due.length - 1] as Flow
    this.#due.pop()
    flow.place = -1
  }

  served(_flow: Flow): void {}

  moved(flow: Flow): void {
    if (flow.place === DUE) {
      this.remove(flow)
      this.#waiting.add(flow)
    } else this.#waiting.moved(flow)
  }
}

/** Unacknowledged bytes count as left: a flow that repeats its last packet is a short one. */
function isBefore(a: Flow, b: Flow): boolean {
  const difference = leftBytes(a) - leftBytes(b)
  return difference < 0 || (difference === 0 && a.turn < b.turn)
}

function leftBytes(flow: Flow): number {
  return flow.sizeBytes === Infinity ? Number.MAX_VALUE : flow.unsentBytes
}
