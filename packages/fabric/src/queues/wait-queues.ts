/**
 * Wait queues: what waits at a SLOW port, one chain a class and one for PAUSE frames, which go
 * ahead of everything.
 */
import { FIELD_A, CODE, NEXT, SEQ } from '../packets.ts'
import type { Packets } from '../packets.ts'
import { FRAMES, QUEUES } from '../ports.ts'
import type { Ports } from '../ports.ts'

export class WaitQueues {
  readonly #ports: Ports
  readonly #packets: Packets

  constructor(ports: Ports, packets: Packets) {
    this.#ports = ports
    this.#packets = packets
  }

  add(port: number, queue: number, p: number): void {
    const packets = this.#packets
    const ports = this.#ports
    const i = port * QUEUES + queue
    packets.int[p + NEXT] = -1
    if (ports.waitHead[i] < 0) ports.waitHead[i] = p
    else packets.int[ports.waitTail[i] + NEXT] = p
    ports.waitTail[i] = p
    ports.waiting[port] |= 1 << queue
  }

  take(port: number, queue: number): number {
    const packets = this.#packets
    const ports = this.#ports
    const i = port * QUEUES + queue
    const p = ports.waitHead[i]
    const next = packets.int[p + NEXT]
    ports.waitHead[i] = next
    if (next < 0) ports.waiting[port] &= ~(1 << queue)
    return p
  }

  /** A frame for this class that still waits says what holds now: no second one goes after it. */
  renewFrame(back: number, trafficClass: number, isOff: boolean): boolean {
    const packets = this.#packets
    const ports = this.#ports
    for (let p = ports.waitHead[back * QUEUES + FRAMES]; p >= 0; p = packets.int[p + NEXT]) {
      if (packets.cold[(p >> 1) + CODE] !== trafficClass) continue
      packets.cold[(p >> 1) + FIELD_A] = isOff ? 1 : 0
      packets.int[p + SEQ] = ((back ^ 1) << 1) | (isOff ? 1 : 0)
      return true
    }
    return false
  }
}
