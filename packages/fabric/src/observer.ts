/**
 * What those who look from outside see of a port at a time: everything before it, and nothing at
 * it, whatever the port has counted in advance. Looking changes no trajectory.
 */
import type { Account } from '@weir/engine'
import type { Watcher } from './contract/watcher.ts'
import type { Fabric } from './fabric.ts'
import { departedBytes, departedControlBytes } from './port-counts.ts'
import { BYTES, DATA, FLOW, KIND } from './packets.ts'
import { CLASSES, CONTROL_BYTES, HELD, HELD_MAX, QUEUES, SENT_BYTES } from './ports.ts'

export class Observer {
  readonly #fabric: Fabric

  constructor(fabric: Fabric) {
    this.#fabric = fabric
  }

  /** Tells somebody of packets that are no flow's, from here on. */
  watch(watcher: Watcher): void {
    const { agents, credits } = this.#fabric
    agents.watcher = watcher
    if (credits !== undefined) credits.watcher = watcher
  }

  /** Bytes of a class that are held for an output. */
  queueBytes(port: number, trafficClass: number, atPs: number): number {
    this.#fabric.settle(port, justBefore(atPs))
    const { ports } = this.#fabric
    return ports.queuedBytes(port, trafficClass)
  }

  /** Bytes of all classes that are held for an output. */
  heldBytes(port: number, atPs: number): number {
    this.#fabric.settle(port, justBefore(atPs))
    return this.#fabric.ports.int[(port << 5) + HELD]
  }

  /** The most that an output has ever held. */
  heldBytesMax(port: number): number {
    return this.#fabric.ports.int[(port << 5) + HELD_MAX]
  }

  /** Calls back for each packet that is committed to a port and has not left, or waits at it. */
  eachHeld(port: number, atPs: number, visit: (packet: number) => void): void {
    const { inventory } = this.#fabric
    this.#fabric.settle(port, justBefore(atPs))
    // Of a packet whose head has gone ahead only bytes are left here: whose it is, is not known.
    for (const { packet } of inventory.committed(port)) if (packet >= 0) visit(packet)
    for (let queue = 0; queue < QUEUES; queue++) inventory.waiting(port, queue).forEach(visit)
  }

  /** The flow of a data packet, by its slot; -1 if it is no data. And its bytes on the wire. */
  flowOf(packet: number): number {
    const { int } = this.#fabric.packets
    return int[packet + KIND] === DATA ? int[packet + FLOW] : -1
  }

  bytesOf(packet: number): number {
    return this.#fabric.packets.int[packet + BYTES]
  }

  /** Is a class of a port kept from sending so many bytes by its far end? */
  isShut(port: number, trafficClass: number, bytes: number, atPs: number): boolean {
    return this.#fabric.gate.isShut(port, trafficClass, bytes, justBefore(atPs))
  }

  /** Time for which a port has wanted to send and had no credits. */
  starvedPs(port: number, atPs: number): number {
    const { credits } = this.#fabric
    if (credits === undefined) return 0
    const sincePs = credits.starved[port] === 1 ? credits.starvedSincePs[port] : atPs
    return credits.starvedPs[port] + atPs - sincePs
  }

  /** Does a port hold something and send nothing? Only what waits there keeps it from that. */
  isHeldBack(port: number, atPs: number): boolean {
    const beforePs = justBefore(atPs)
    if (this.#fabric.inventory.freePs(port) > beforePs) return false
    return this.heldBytes(port, atPs) > 0
  }

  /** Wire bytes that have left a port. */
  departedBytes(port: number, atPs: number): number {
    return departedBytes(this.#fabric, port, justBefore(atPs))
  }

  /** Of those, what is no payload of a flow. */
  departedControlBytes(port: number, atPs: number): number {
    return departedControlBytes(this.#fabric, port, justBefore(atPs))
  }

  /** Time that a class of a port has been paused. */
  pausedPs(port: number, trafficClass: number, atPs: number): number {
    return this.#fabric.ports.pausedForPs(port, trafficClass, atPs)
  }

  /** What ports have done, for the thread that puts it together; others' ports did nothing. */
  account(atPs: number): Account {
    const { ports } = this.#fabric
    const width = 3 + CLASSES
    return {
      read: () => {
        const words: number[] = []
        for (let port = 0; port < ports.count; port++) {
          words.push(this.departedBytes(port, atPs), this.departedControlBytes(port, atPs))
          words.push(this.heldBytesMax(port))
          for (let c = 0; c < CLASSES; c++) words.push(this.pausedPs(port, c, atPs))
        }
        return words
      },
      add: (words) => {
        ports.countPauses()
        for (let port = 0; port < ports.count; port++) {
          const at = port * width
          ports.float[(port << 4) + SENT_BYTES] += words[at]
          ports.float[(port << 4) + CONTROL_BYTES] += words[at + 1]
          ports.int[(port << 5) + HELD_MAX] += words[at + 2]
          for (let c = 0; c < CLASSES; c++) ports.pausedPs[port * CLASSES + c] += words[at + 3 + c]
        }
      },
    }
  }

  /** The same for all classes together. */
  pausedPsAll(port: number, atPs: number): number {
    let pausedPs = 0
    for (let c = 0; c < CLASSES; c++) pausedPs += this.pausedPs(port, c, atPs)
    return pausedPs
  }
}

/** The latest time before `atPs`: not a whole picosecond, for times need not be whole. */
function justBefore(atPs: number): number {
  return atPs * (1 - Number.EPSILON / 2)
}
