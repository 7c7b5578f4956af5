/**
 * Departures that nobody has settled, at switches with many ports. To know what such a switch holds
 * is to settle those ports that have sent since, and only those: a heap of its ports by the time
 * at which their next packet leaves. A port is in it while it holds anything.
 *
 * Costs O(log ports) a departure, where looking at every port costs O(ports) each time; for a few
 * ports that is less.
 */
import type { Fabric } from '../fabric.ts'
import { HELD, LEAVES } from '../ports.ts'

/** From so many ports on a heap pays. */
export const MANY_PORTS = 128

export class LateDepartures {
  readonly #fabric: Fabric
  /** Ports of the heap, and when they are to be looked at. */
  readonly #ports: Int32Array
  readonly #duePs: Float64Array
  #count: number = 0
  readonly #isListed: Uint8Array

  /** `isListed`: by port, that it is in the heap of its node. */
  constructor(fabric: Fabric, node: number, isListed: Uint8Array) {
    this.#fabric = fabric
    const count = fabric.portsOf[node].length
    this.#ports = new Int32Array(count)
    this.#duePs = new Float64Array(count)
    this.#isListed = isListed
  }

  /** A packet has joined a port. */
  joined(port: number, nowPs: number): void {
    if (this.#isListed[port] === 1) return
    this.#isListed[port] = 1
    this.#push(port, this.#dueOf(port, nowPs))
  }

  /** Accounts for every departure of the node up to now. */
  settle(nowPs: number): void {
    while (this.#count > 0 && this.#duePs[0]! <= nowPs) {
      const port = this.#ports[0]!
      this.#fabric.settle(port, nowPs)
      if (this.#fabric.ports.int[(port << 5) + HELD] === 0) {
        this.#isListed[port] = 0
        this.#pop()
      } else this.#down(0, port, this.#dueOf(port, nowPs))
    }
  }

  /** A port that holds something and sends nothing is looked at again each time. */
  #dueOf(port: number, nowPs: number): number {
    const leavesPs = this.#fabric.ports.float[(port << 4) + LEAVES]
    return leavesPs === Infinity ? nowPs + 1 : leavesPs
  }

  #push(port: number, duePs: number): void {
    const ports = this.#ports
    const due = this.#duePs
    let at = this.#count++
    while (at > 0) {
      const above = (at - 1) >> 1
      if (due[above]! <= duePs) break
      ports[at] = ports[above]!
      due[at] = due[above]!
      at = above
    }
    ports[at] = port
    due[at] = duePs
  }

  #pop(): void {
    const last = --this.#count
    if (last > 0) this.#down(0, this.#ports[last]!, this.#duePs[last]!)
  }

  /** Puts a port at or below a place. */
  #down(from: number, port: number, duePs: number): void {
    const ports = this.#ports
    const due = this.#duePs
    const count = this.#count
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= count) break
      if (below + 1 < count && due[below + 1]! < due[below]!) below++
      if (due[below]! >= duePs) break
      ports[at] = ports[below]!
      due[at] = due[below]!
      at = below
    }
    ports[at] = port
    due[at] = duePs
  }
}
