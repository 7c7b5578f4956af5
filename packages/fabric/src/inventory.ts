/**
 * What is where, for those who look from outside: audits, the watch for deadlocks, tests. Looks at
 * queues and wires as they are at this moment; settles nothing and changes nothing.
 */
import type { Fabric } from './fabric.ts'
import {
  FIELD_A,
  BYTES,
  CLASS,
  CODE,
  DATA,
  FLOW,
  INGRESS,
  KIND,
  NEXT,
  OUT,
  PAUSE,
} from './packets.ts'
import { FAST, FRAMES, FREE_PS, HELD, MARK_ABOVE, MODE, QUEUES, SETTLED } from './ports.ts'
import { RING, TAIL, TAKEN } from './wires.ts'
import { DEPARTS, PACKET, WIRE_BYTES, WIRE_CLASS, WIRE_INGRESS, entryOf } from './wires.ts'

/** What a port has committed and not yet accounted for as gone. */
export interface Committed {
  /** -1: the packet itself is at the far end, its tail still here (cut-through). */
  readonly packet: number
  readonly bytes: number
  readonly trafficClass: number
  readonly isFrame: boolean
  /** The ingress, link and class, by which it came; -1: none. */
  readonly ingress: number
  readonly departPs: number
}

/** Of what both ends know of a wire: is this lane the receiver's, and not the sender's? */
export function isReceivers(lane: number): boolean {
  return lane === TAKEN
}

export class Inventory {
  readonly #fabric: Fabric

  constructor(fabric: Fabric) {
    this.#fabric = fabric
  }

  /** Packets that have left a port and are not yet at its far end, the first to arrive first. */
  inFlight(port: number): number[] {
    const { ports, wires } = this.#fabric
    const taken = wires.ends[(port << 2) + TAKEN]
    return this.#packets(port, taken, ports.int[(port << 5) + SETTLED])
  }

  /** The packet in service, and those committed behind it. */
  committed(port: number): Committed[] {
    const { ports, wires } = this.#fabric
    const e = port << 2
    const committed: Committed[] = []
    const settled = ports.int[(port << 5) + SETTLED]
    for (let n = settled; n !== wires.ends[e + TAIL]; n = (n + 1) | 0) {
      const entry = entryOf(wires.ends[e + RING], n)
      const trafficClass = wires.int[(entry << 3) + WIRE_CLASS] & 31
      const isTaken = ((n - wires.ends[e + TAKEN]) | 0) < 0
      committed.push({
        packet: isTaken ? -1 : wires.int[(entry << 3) + PACKET],
        bytes: wires.int[(entry << 3) + WIRE_BYTES],
        trafficClass,
        isFrame: trafficClass === FRAMES,
        ingress: wires.int[(entry << 3) + WIRE_INGRESS],
        departPs: wires.float[(entry << 2) + DEPARTS],
      })
    }
    return committed
  }

  /** Packets that wait at a port, in order: of a class, or PAUSE frames (`FRAMES`). */
  waiting(port: number, queue: number): number[] {
    return this.chain(this.#fabric.ports.waitHead[port * QUEUES + queue])
  }

  /** A packet and those queued behind it; none if it is -1. */
  chain(first: number): number[] {
    const { int } = this.#fabric.packets
    const packets: number[] = []
    for (let p = first; p >= 0; p = int[p + NEXT]) packets.push(p)
    return packets
  }

  /** Bytes that a port says it holds; and of one class. */
  heldBytes(port: number): number {
    return this.#fabric.ports.int[(port << 5) + HELD]
  }

  isFast(port: number): boolean {
    return this.#fabric.ports.int[(port << 5) + MODE] === FAST
  }

  queuedBytes(port: number, trafficClass: number): number {
    const { ports } = this.#fabric
    return ports.queuedBytes(port, trafficClass)
  }

  /** Has the far end paused this class, and is no XON on its way? */
  isPaused(port: number, trafficClass: number): boolean {
    if (!this.#fabric.ports.isPaused(port, trafficClass)) return false
    return !this.isXonOnItsWay(port, trafficClass)
  }

  /** The far end has sent, or is about to send, an XON for this class. */
  isXonOnItsWay(port: number, trafficClass: number): boolean {
    const { wires } = this.#fabric
    const back = port ^ 1
    const e = back << 2
    const onWire = this.#packets(back, wires.ends[e + TAKEN], wires.ends[e + TAIL])
    const frames = [...onWire, ...this.waiting(back, FRAMES)]
    return frames.some((p) => this.#isXon(p, trafficClass))
  }

  bytes(p: number): number {
    return this.#fabric.packets.int[p + BYTES]
  }

  trafficClass(p: number): number {
    return this.#fabric.packets.int[p + CLASS]
  }

  flow(p: number): number {
    return this.#fabric.packets.int[p + FLOW]
  }

  isFrame(p: number): boolean {
    return this.#fabric.packets.int[p + KIND] === PAUSE
  }

  isData(p: number): boolean {
    return this.#fabric.packets.int[p + KIND] === DATA
  }

  /** When a port has sent all that it has committed. */
  freePs(port: number): number {
    return this.#fabric.ports.float[(port << 4) + FREE_PS]
  }

  /** Bytes above which a port considers arrivals for marking. */
  marksAbove(port: number): number {
    return this.#fabric.ports.int[(port << 5) + MARK_ABOVE]
  }

  /** The ingress, link and class, by which a packet came to the node that holds it; -1: none. */
  ingress(p: number): number {
    return this.#fabric.packets.int[p + INGRESS]
  }

  /** Of a packet at an input: the port it wants to leave by. */
  output(p: number): number {
    return this.#fabric.packets.cold[(p >> 1) + OUT]
  }

  #isXon(p: number, trafficClass: number): boolean {
    const { cold } = this.#fabric.packets
    if (!this.isFrame(p) || cold[(p >> 1) + CODE] !== trafficClass) return false
    return cold[(p >> 1) + FIELD_A] === 0
  }

  #packets(port: number, from: number, to: number): number[] {
    const { wires } = this.#fabric
    const ring = wires.ends[(port << 2) + RING]
    const packets: number[] = []
    for (let n = from; ((to - n) | 0) > 0; n = (n + 1) | 0) {
      packets.push(wires.int[(entryOf(ring, n) << 3) + PACKET])
    }
    return packets
  }
}
