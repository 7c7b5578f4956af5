/**
 * Credit-based flow control, per link and virtual lane (InfiniBand Architecture Specification
 * 1.2.1, section 7.9, not verified; Trivedi 2019, "Credit-based Flow Control").
 *
 * A port may send a packet only if the far input has room for all of it. Room that is freed comes
 * back after the link's delay. Credits due in the future are kept in a short sorted list a port,
 * and are collected when the port wants to send; only a port that waits costs an event.
 *
 * Departs from the specification: credits come back when the buffer is freed, not in periodic flow
 * control packets, and take no bandwidth.
 */
import type { Watcher } from '../contract/watcher.ts'
import { CLASSES, CLASS_BITS, CLASS_MASK } from '../ports.ts'

export class Credits {
  /** Bytes that the port may still send, by port and class. */
  readonly available: Int32Array
  /** The port found no credits for something it wanted to send. */
  readonly starved: Uint8Array
  /** Since when, and for how long before that. */
  readonly starvedSincePs: Float64Array
  readonly starvedPs: Float64Array
  /** When the next event for its credits is due; Infinity: there is none. */
  readonly awaitedPs: Float64Array
  /** That event. */
  readonly handle: Int32Array
  /** The credit that `isEnough` has found due. */
  readonly enough: { bytes: number; duePs: number } = { bytes: 0, duePs: 0 }
  readonly #due: Float64Array<ArrayBuffer>[]
  readonly #what: Int32Array<ArrayBuffer>[]
  readonly #count: Int32Array
  /** Bytes that are free at the far end and not yet worth a credit, by port and class. */
  readonly #kept: Int32Array
  /** When the last of them will be known at the port's own end. */
  readonly #keptPs: Float64Array
  /** Bytes of each far input and class. */
  readonly bufferBytes: number
  /** A credit is sent once so many bytes are free; 1: for each packet at once. */
  readonly creditBytes: number
  /** Somebody who wants to see them come back; undefined: nobody. */
  watcher: Watcher | undefined = undefined

  constructor(ports: number, bytes: number, creditBytes: number = 1) {
    this.#kept = new Int32Array(ports * CLASSES)
    this.#keptPs = new Float64Array(ports * CLASSES)
    this.bufferBytes = bytes
    this.creditBytes = creditBytes
    this.available = new Int32Array(ports * CLASSES).fill(bytes)
    this.starved = new Uint8Array(ports)
    this.starvedSincePs = new Float64Array(ports)
    this.starvedPs = new Float64Array(ports)
    this.awaitedPs = new Float64Array(ports).fill(Infinity)
    this.handle = new Int32Array(ports)
    this.#due = Array.from({ length: ports }, () => new Float64Array(8))
    this.#what = Array.from({ length: ports }, () => new Int32Array(8))
    this.#count = new Int32Array(ports)
  }

  /**
   * Room for `freed` bytes of a class will be known at the port's own end at `freedPs`: is it worth
   * a credit, with what was kept? If so `enough` says which. Until then the far end keeps it.
   */
  isEnough(port: number, trafficClass: number, freed: number, freedPs: number): boolean {
    let bytes = freed
    let duePs = freedPs
    if (this.creditBytes > 1) {
      const i = port * CLASSES + trafficClass
      bytes += this.#kept[i]
      if (this.#keptPs[i] > duePs) duePs = this.#keptPs[i]
      const isEnough = bytes >= this.creditBytes
      this.#kept[i] = isEnough ? 0 : bytes
      this.#keptPs[i] = isEnough ? 0 : duePs
      if (!isEnough) return false
    }
    this.enough.bytes = bytes
    this.enough.duePs = duePs
    return true
  }

  /** Room for these bytes will be known at the port's own end at `duePs`. */
  giveBack(port: number, trafficClass: number, bytes: number, duePs: number): void {
    this.watcher?.onCredit(port, bytes, duePs)
    let due = this.#due[port] as Float64Array<ArrayBuffer>
    let what = this.#what[port] as Int32Array<ArrayBuffer>
    const count = this.#count[port]
    if (count === due.length) {
      const largerDue = new Float64Array(count * 2)
      largerDue.set(due)
      this.#due[port] = due = largerDue
      const largerWhat = new Int32Array(count * 2)
      largerWhat.set(what)
      this.#what[port] = what = largerWhat
    }
    // Sorted, latest first: what is due next is taken off the end.
    let i = count
    while (i > 0 && due[i - 1] < duePs) {
      due[i] = due[i - 1]
      what[i] = what[i - 1]
      i--
    }
    due[i] = duePs
    what[i] = bytes * CLASSES + trafficClass
    this.#count[port] = count + 1
  }

  /** Takes in what is due by now. */
  collect(port: number, nowPs: number): void {
    const due = this.#due[port] as Float64Array
    const what = this.#what[port] as Int32Array
    let count = this.#count[port]
    while (count > 0 && due[count - 1] <= nowPs) {
      count--
      const bytes = what[count] >>> CLASS_BITS
      const trafficClass = what[count] & CLASS_MASK
      const i = port * CLASSES + trafficClass
      this.available[i] = this.available[i] + bytes
    }
    this.#count[port] = count
  }

  /** When the next credits are due; Infinity if none are on their way. */
  nextPs(port: number): number {
    const count = this.#count[port]
    return count > 0 ? (this.#due[port] as Float64Array)[count - 1] : Infinity
  }

  /**
   * Bytes that the port may send in the end, if of what it has sent these bytes stayed at the far
   * end and all others left it.
   */
  availableAfter(port: number, trafficClass: number, stuckBytes: number): number {
    const kept = this.keptBytes(port, trafficClass)
    const pending = this.pendingBytes(port, trafficClass)
    const available = this.available[port * CLASSES + trafficClass]
    return this.after(available + pending, kept, stuckBytes)
  }

  /** The same, of what the port may send or will be able to, and what its far end keeps of that. */
  after(promised: number, kept: number, stuckBytes: number): number {
    const freed = this.bufferBytes - promised - stuckBytes
    const isWorthACredit = kept + freed >= this.creditBytes
    return this.bufferBytes - stuckBytes - (isWorthACredit ? 0 : kept + freed)
  }

  /** Bytes that are free at the far end and not yet worth a credit. */
  keptBytes(port: number, trafficClass: number): number {
    return this.#kept[port * CLASSES + trafficClass]
  }

  /** Bytes on their way back, or kept for a credit. */
  pendingBytes(port: number, trafficClass: number): number {
    let bytes = this.#kept[port * CLASSES + trafficClass]
    const what = this.#what[port] as Int32Array
    for (let i = 0; i < this.#count[port]; i++) {
      if ((what[i] & CLASS_MASK) === trafficClass) bytes += what[i] >>> CLASS_BITS
    }
    return bytes
  }
}
