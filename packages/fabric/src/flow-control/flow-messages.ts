/**
 * What a node tells its neighbours of single flows, on its way: take it that I take no more of this
 * one, or again. A message takes the link's delay and none of its bytes, waits for no packet and is
 * never lost, as credits are: what per-flow queues are compared with is the best that back-pressure
 * can do, and 64 B for each would be what a frame costs and not what the queues do.
 *
 * The far end of a port writes what is due there, in order, and the port's own node reads it when
 * it is due: one event per port, for the first.
 */
import type { Fabric } from '../fabric.ts'
import { FLOW_PAUSE } from '../kinds.ts'

/** Lanes of a message: the flow (`keyOf`), 1 for off and 0 for on, and the one behind it. */
const KEY = 0
const IS_OFF = 1
const NEXT = 2
const WORD_BITS = 2

/** Who hears what the far end of a port says of a flow. */
export interface FlowListener {
  onFlow(port: number, key: number, isOff: boolean, nowPs: number): void
}

export class FlowMessages {
  readonly #fabric: Fabric
  readonly #listener: FlowListener
  #int: Int32Array = new Int32Array(64 << WORD_BITS)
  #duePs: Float64Array = new Float64Array(64)
  #used: number = 0
  #free: number = -1
  /** By port. */
  readonly #first: Int32Array
  readonly #last: Int32Array

  constructor(fabric: Fabric, listener: FlowListener) {
    this.#fabric = fabric
    this.#listener = listener
    this.#first = new Int32Array(fabric.ports.count).fill(-1)
    this.#last = new Int32Array(fabric.ports.count).fill(-1)
  }

  /** The node at the end of `link` tells whoever sends by it. */
  say(link: number, key: number, isOff: boolean, nowPs: number): void {
    const fabric = this.#fabric
    const duePs = nowPs + fabric.ports.delayPs[link ^ 1]
    if (isOff) fabric.ports.pauseFrames[link]++
    if (fabric.gate.border?.sayOfFlow(link, key, isOff, duePs) === true) return
    this.lay(link, key, isOff, duePs)
  }

  /** A message will be at the node that sends by `port`. */
  lay(port: number, key: number, isOff: boolean, duePs: number): void {
    const m = this.#take()
    this.#int[(m << WORD_BITS) + KEY] = key
    this.#int[(m << WORD_BITS) + IS_OFF] = isOff ? 1 : 0
    this.#int[(m << WORD_BITS) + NEXT] = -1
    this.#duePs[m] = duePs
    if (this.#first[port] < 0) {
      this.#first[port] = m
      this.#await(port, duePs)
    } else this.#int[(this.#last[port] << WORD_BITS) + NEXT] = m
    this.#last[port] = m
  }

  #await(port: number, duePs: number): void {
    this.#fabric.windows.post(duePs, FLOW_PAUSE, port, this.#fabric.fromCell[port])
  }

  /** FLOW_PAUSE: what is due is heard. */
  onDue(port: number, nowPs: number): void {
    let m = this.#first[port]
    while (m >= 0 && this.#duePs[m] <= nowPs) {
      const i = m << WORD_BITS
      const key = this.#int[i + KEY]
      const isOff = this.#int[i + IS_OFF] === 1
      const next = this.#int[i + NEXT]
      this.#int[i + NEXT] = this.#free
      this.#free = m
      this.#first[port] = next
      m = next
      this.#listener.onFlow(port, key, isOff, nowPs)
    }
    if (m >= 0) this.#await(port, this.#duePs[m])
  }

  /** Calls back for what is on its way to the node that sends by `port`, the first one first. */
  each(port: number, visit: (key: number, isOff: boolean) => void): void {
    for (let m = this.#first[port]; m >= 0; m = this.#int[(m << WORD_BITS) + NEXT]) {
      visit(this.#int[(m << WORD_BITS) + KEY], this.#int[(m << WORD_BITS) + IS_OFF] === 1)
    }
  }

  #take(): number {
    if (this.#free >= 0) {
      const m = this.#free
      this.#free = this.#int[(m << WORD_BITS) + NEXT]
      return m
    }
    const m = this.#used++
    if (m === this.#duePs.length) {
      const int = new Int32Array(this.#int.length * 2)
      int.set(this.#int)
      this.#int = int
      const duePs = new Float64Array(m * 2)
      duePs.set(this.#duePs)
      this.#duePs = duePs
    }
    return m
  }
}
