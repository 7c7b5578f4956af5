/**
 * A shared injection FIFO: flows' packets queue in front of the host's link in one line, whatever
 * their class or target, so that a packet that may not go keeps back all behind it. This is what
 * makes a victim at the host itself.
 */
import { NEXT } from '../packets.ts'
import type { Packets } from '../packets.ts'

export class InjectionFifo {
  readonly #head: Int32Array
  readonly #tail: Int32Array
  readonly #count: Int32Array
  readonly #countMax: number

  constructor(hosts: number, packetsMax: number) {
    this.#head = new Int32Array(hosts).fill(-1)
    this.#tail = new Int32Array(hosts).fill(-1)
    this.#count = new Int32Array(hosts)
    this.#countMax = packetsMax
  }

  isFull(host: number): boolean {
    return this.#count[host] >= this.#countMax
  }

  /** The packet in front; -1 if empty. */
  first(host: number): number {
    return this.#head[host]
  }

  push(host: number, p: number, packets: Packets): void {
    packets.int[p + NEXT] = -1
    if (this.#head[host] < 0) this.#head[host] = p
    else packets.int[this.#tail[host] + NEXT] = p
    this.#tail[host] = p
    this.#count[host]++
  }

  shift(host: number, packets: Packets): void {
    this.#head[host] = packets.int[this.#head[host] + NEXT]
    this.#count[host]--
  }
}
