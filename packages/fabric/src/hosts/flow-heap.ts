/**
 * A NIC that serves the flow with the least next service time (ACCurate, section IV-B).
 *
 * A binary heap of flows by (nst, order of start), in each flow its place. No allocation but the
 * heap's growth.
 */
import type { Flow } from './flow.ts'
import type { Nic } from './nic.ts'

export class FlowHeap implements Nic {
  readonly #heap: Flow[] = []

  get count(): number {
    return this.#heap.length
  }

  get duePs(): number {
    return this.#heap.length === 0 ? Infinity : (this.#heap[0] as Flow).nstPs
  }

  next(_nowPs: number): Flow | undefined {
    return this.#heap[0]
  }

  add(flow: Flow): void {
    if (flow.place >= 0) return
    this.#heap.push(flow)
    this.#up(flow, this.#heap.length - 1)
  }

  remove(flow: Flow): void {
    const place = flow.place
    if (place < 0) return
    flow.place = -1
    const last = this.#heap.pop() as Flow
    if (last === flow) return
    this.#down(last, place)
    this.#up(last, last.place)
  }

  served(_flow: Flow): void {}

  moved(flow: Flow): void {
    if (flow.place < 0) return
    this.#down(flow, flow.place)
    this.#up(flow, flow.place)
  }

  #up(flow: Flow, from: number): void {
    const heap = this.#heap
    let i = from
    while (i > 0) {
      const above = (i - 1) >> 1
      const parent = heap[above] as Flow
      if (!isBefore(flow, parent)) break
      heap[i] = parent
      parent.place = i
      i = above
    }
    heap[i] = flow
    flow.place = i
  }

  #down(flow: Flow, from: number): void {
    const heap = this.#heap
    const count = heap.length
    let i = from
    for (;;) {
      let below = 2 * i + 1
      if (below >= count) break
      let child = heap[below] as Flow
      if (below + 1 < count && isBefore(heap[below + 1] as Flow, child)) {
        below++
        child = heap[below] as Flow
      }
      if (!isBefore(child, flow)) break
      heap[i] = child
      child.place = i
      i = below
    }
    heap[i] = flow
    flow.place = i
  }
}

function isBefore(a: Flow, b: Flow): boolean {
  return a.nstPs < b.nstPs || (a.nstPs === b.nstPs && a.turn < b.turn)
}
