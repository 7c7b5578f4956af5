/**
 * Switches with one shared memory and output queues, as in RoCE fabrics; lossy, or lossless by PFC.
 *
 * Lossy: an arriving packet is dropped if its output queue (or its input's share) is at its
 * threshold, static or dynamic (A. Choudhury and E. Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998), or the memory is full.
 *
 * Lossless: each ingress port and class counts what it holds. What fits under its XOFF threshold is
 * in the shared part; the packet that does not fit sends XOFF and goes to the headroom, as do the
 * next ones; a packet that finds the headroom full is lost. Departures free the headroom first. XON
 * follows when the headroom is empty and the shared part has fallen `xonGapBytes` below the
 * threshold. This is what the public RDMA simulators and the switch ASICs that they imitate do.
 *
 * Counts may be late by departures that nobody has settled. They then err on the side of 'full',
 * and before anything is decided on them every output of the switch is settled.
 */
import type { Switches } from '../contract/nodes.ts'
import type { Fabric } from '../fabric.ts'
import { IngressPause } from '../flow-control/ingress-pause.ts'
import type { Marker } from '../marking/marker.ts'
import { BYTES, CLASS, DATA, INGRESS, KIND } from '../packets.ts'
import { CLASSES, CLASS_BITS, CLASS_MASK, MARK_ABOVE } from '../ports.ts'
import { mostHeld } from '../port-counts.ts'
import { consult } from './admission.ts'
import type { Trimmed } from './admission.ts'
import type { Forwarding } from './forwarding.ts'
import { LateDepartures, MANY_PORTS } from './late-departures.ts'

export type Threshold =
  | { readonly kind: 'static'; readonly bytes: number }
  | { readonly kind: 'dynamic'; readonly alpha: number }

export interface SharedMemoryParams {
  readonly bufferBytes: number
  readonly threshold: Threshold
  readonly dropAt: 'outputs' | 'inputs'
  readonly trimmed: Trimmed
  /** undefined: lossy. */
  readonly pfc:
    | {
        readonly xoff: Threshold
        /** By link: of a dynamic threshold. */
        readonly alphas: Float64Array
        /** What each link and class has for itself: only what is beyond counts against XOFF. */
        readonly reserveBytes: number
        readonly xonGapBytes: number
        /** By link (the far port's number). */
        readonly headroomBytes: Float64Array
        readonly frameBytes: number
        /** Classes for which headroom is set aside, as bits. */
        readonly losslessClasses: number
      }
    | undefined
}

export class SharedMemory implements Switches {
  readonly #fabric: Fabric
  readonly #params: SharedMemoryParams
  readonly #forwarding: Forwarding
  readonly #markers: readonly (Marker | undefined)[]
  /** By link and class. */
  readonly sharedBytes: Int32Array
  readonly headroomBytes: Int32Array
  readonly pauses: IngressPause
  /** By node. */
  readonly usedBytes: Int32Array
  readonly usedBytesMax: Int32Array
  /** Bytes that may still arrive before the maximum can be a new one. */
  readonly #roomToMax: Float64Array
  /** The last look found a new maximum: 1, else 0. */
  readonly #grows: Uint8Array
  readonly #sharedUsed: Int32Array
  readonly #sharedPool: Float64Array
  readonly #offCount: Int32Array
  /** By node; undefined: a switch with few ports, which are all looked at. */
  readonly #late: readonly (LateDepartures | undefined)[]

  constructor(
    fabric: Fabric,
    params: SharedMemoryParams,
    forwarding: Forwarding,
    markers: readonly (Marker | undefined)[],
  ) {
    this.#fabric = fabric
    this.#params = params
    this.#forwarding = forwarding
    this.#markers = markers
    const { ports, graph } = fabric
    this.sharedBytes = new Int32Array(ports.count * CLASSES)
    this.headroomBytes = new Int32Array(ports.count * CLASSES)
    this.pauses = new IngressPause(fabric, params.pfc?.frameBytes ?? 0, (i) => this.#mayGoOn(i))
    this.usedBytes = new Int32Array(graph.nodes.length)
    this.usedBytesMax = new Int32Array(graph.nodes.length)
    this.#roomToMax = new Float64Array(graph.nodes.length)
    this.#grows = new Uint8Array(graph.nodes.length)
    this.#sharedUsed = new Int32Array(graph.nodes.length)
    this.#offCount = new Int32Array(graph.nodes.length)
    this.#sharedPool = new Float64Array(graph.nodes.length).fill(params.bufferBytes)
    const isListed = new Uint8Array(ports.count)
    this.#late = graph.nodes.map(({ kind }, node) =>
      kind === 'switch' && fabric.portsOf[node].length >= MANY_PORTS
        ? new LateDepartures(fabric, node, isListed)
        : undefined,
    )
    if (params.pfc !== undefined) this.#reserveHeadroom(params.pfc)
  }

  #reserveHeadroom(pfc: NonNullable<SharedMemoryParams['pfc']>): void {
    const { ports, graph } = this.#fabric
    let classes = 0
    for (let c = 0; c < CLASSES; c++) classes += (pfc.losslessClasses >> c) & 1
    for (let link = 0; link < ports.count; link++) {
      if (ports.toHost[link] === 1) continue
      this.#sharedPool[ports.to[link]] -= (pfc.headroomBytes[link] + pfc.reserveBytes) * classes
    }
    graph.nodes.forEach((node, i) => {
      if (node.kind !== 'switch' || this.#sharedPool[i] > 0) return
      throw new Error(
        `fabric.buffer: ${this.#params.bufferBytes} bytes are less than what PFC sets aside for ` +
          `${node.name}'s ports; give the switch more buffer or set flowControl.headroom`,
      )
    })
  }

  receive(node: number, link: number, p: number, nowPs: number): void {
    const fabric = this.#fabric
    const { packets, ports } = fabric
    const out = this.#forwarding.outputOf(node, link, p)
    const kind = packets.int[p + KIND]
    const contention = fabric.isContended ? fabric.contention[out] : undefined
    if (contention !== undefined || this.#offCount[node] > 0) fabric.settle(out, nowPs)
    const { trimmed } = this.#params
    if (contention !== undefined && !consult(fabric, trimmed, contention, out, p, nowPs)) {
      this.#drop(out, p)
      return
    }
    const trafficClass = packets.int[p + CLASS]
    const ingress = packets.int[p + INGRESS]
    const bytes = packets.int[p + BYTES]
    const isIn = this.#isLossy(ingress)
      ? this.#admitLossy(node, out, p, nowPs)
      : this.#admitLossless(node, ingress, bytes, nowPs)
    if (!isIn) {
      this.#drop(out, p)
      return
    }
    this.usedBytes[node] += bytes
    this.#roomToMax[node] -= bytes
    if (this.#roomToMax[node] < 0) this.#lookAtMax(node, bytes, nowPs)

    let queueBytes = ports.queuedBytes(out, trafficClass)
    if (queueBytes > ports.int[(out << 5) + MARK_ABOVE]) {
      fabric.settle(out, nowPs)
      queueBytes = ports.queuedBytes(out, trafficClass)
      this.#markers[out]?.consider(out, p, queueBytes)
    }
    if (kind === DATA && contention !== undefined && contention.sees !== 'departures') {
      contention.onArrival(p, queueBytes, nowPs)
    }
    fabric.join(out, p, nowPs)
    this.#late[node]?.joined(out, nowPs)
    if (this.pauses.isAnyDue) this.afterSettle(nowPs)
  }

  #drop(out: number, p: number): void {
    this.#fabric.ports.drops[out]++
    this.#fabric.hosts.discard(p)
  }

  /**
   * A new maximum needs at least as many arrivals as it was away from the last one. While one
   * follows another, ports are settled at once: a bound on what they hold would not be low enough.
   */
  #lookAtMax(node: number, arriving: number, nowPs: number): void {
    const fabric = this.#fabric
    const most = this.usedBytesMax[node]
    if (this.#grows[node] === 0 && this.#late[node] === undefined) {
      let held = arriving
      for (const port of fabric.portsOf[node]) held += mostHeld(fabric, port, nowPs)
      this.#roomToMax[node] = most - held
      if (held <= most) return
    }
    this.#settleAll(node, nowPs)
    const used = this.usedBytes[node]
    this.#grows[node] = used > most ? 1 : 0
    if (used > most) this.usedBytesMax[node] = used
    this.#roomToMax[node] = this.usedBytesMax[node] - used
  }

  /** Without flow control, or in a class that it leaves out. */
  #isLossy(ingress: number): boolean {
    const { pfc } = this.#params
    return pfc === undefined || ((pfc.losslessClasses >> (ingress & CLASS_MASK)) & 1) === 0
  }

  #admitLossy(node: number, out: number, p: number, nowPs: number): boolean {
    const { int } = this.#fabric.packets
    if (!this.#fitsLossy(node, out, p)) {
      this.#settleAll(node, nowPs)
      this.#fabric.settle(out, nowPs)
      if (!this.#fitsLossy(node, out, p)) return false
    }
    this.sharedBytes[int[p + INGRESS]] += int[p + BYTES]
    this.#sharedUsed[node] += int[p + BYTES]
    return true
  }

  #fitsLossy(node: number, out: number, p: number): boolean {
    const { packets, ports } = this.#fabric
    const bytes = packets.int[p + BYTES]
    const { threshold, dropAt } = this.#params
    const free = this.#sharedPool[node] - this.#sharedUsed[node]
    if (bytes > free) return false
    const held =
      dropAt === 'outputs'
        ? ports.queuedBytes(out, packets.int[p + CLASS])
        : this.sharedBytes[packets.int[p + INGRESS]]
    const limit = threshold.kind === 'static' ? threshold.bytes : threshold.alpha * free
    return held + bytes <= limit
  }

  #admitLossless(node: number, i: number, bytes: number, nowPs: number): boolean {
    if (!this.#fitsShared(node, i, bytes)) {
      this.#settleAll(node, nowPs)
      if (!this.#fitsShared(node, i, bytes)) return this.#admitToHeadroom(node, i, bytes, nowPs)
    }
    const held = this.sharedBytes[i]
    this.sharedBytes[i] = held + bytes
    this.#sharedUsed[node] += this.#beyond(held + bytes) - this.#beyond(held)
    return true
  }

  /** Of what a link and class holds, that which its own reserve does not cover. */
  #beyond(held: number): number {
    const { reserveBytes } = this.#params.pfc as NonNullable<SharedMemoryParams['pfc']>
    return held > reserveBytes ? held - reserveBytes : 0
  }

  /** In its reserve, or under its XOFF threshold and in what is not set aside for others? */
  #fitsShared(node: number, i: number, bytes: number): boolean {
    const beyond = this.#beyond(this.sharedBytes[i] + bytes)
    if (beyond === 0) return true
    const more = beyond - this.#beyond(this.sharedBytes[i])
    if (this.#sharedUsed[node] + more > this.#sharedPool[node]) return false
    return beyond <= this.#xoffLevel(node, i >> CLASS_BITS)
  }

  #admitToHeadroom(node: number, i: number, bytes: number, nowPs: number): boolean {
    const pfc = this.#params.pfc as NonNullable<SharedMemoryParams['pfc']>
    if (this.headroomBytes[i] + bytes > pfc.headroomBytes[i >> CLASS_BITS]) return false
    this.headroomBytes[i] += bytes
    // XON must be sent on time: from here on this switch's departures are events.
    if (this.pauses.stop(i, nowPs) && this.#offCount[node]++ === 0) {
      for (const port of this.#fabric.portsOf[node]) this.#fabric.arm(port)
    }
    return true
  }

  #xoffLevel(node: number, link: number, sharedUsed: number = this.#sharedUsed[node]): number {
    const { alphas, xoff } = this.#params.pfc as NonNullable<SharedMemoryParams['pfc']>
    if (xoff.kind === 'static') return xoff.bytes
    return alphas[link] * (this.#sharedPool[node] - sharedUsed)
  }

  #settleAll(node: number, nowPs: number): void {
    const late = this.#late[node]
    if (late !== undefined) late.settle(nowPs)
    else for (const port of this.#fabric.portsOf[node]) this.#fabric.settle(port, nowPs)
  }

  release(node: number, i: number, bytes: number): void {
    this.usedBytes[node] -= bytes
    const held = this.sharedBytes[i]
    if (this.#isLossy(i)) {
      this.sharedBytes[i] = held - bytes
      this.#sharedUsed[node] -= bytes
      return
    }
    // Headroom is in use only at an ingress that is off.
    const headroom = this.#offCount[node] === 0 ? 0 : this.headroomBytes[i]
    const fromHeadroom = headroom < bytes ? headroom : bytes
    if (fromHeadroom > 0) this.headroomBytes[i] = headroom - fromHeadroom
    const left = held - (bytes - fromHeadroom)
    this.sharedBytes[i] = left
    this.#sharedUsed[node] -= this.#beyond(held) - this.#beyond(left)
    this.pauses.hasLeft(i)
  }

  afterSettle(nowPs: number): void {
    this.pauses.goOn(nowPs)
  }

  #mayGoOn(i: number): boolean {
    const pfc = this.#params.pfc as NonNullable<SharedMemoryParams['pfc']>
    if (this.headroomBytes[i] > 0) return false
    const link = i >> CLASS_BITS
    const node = this.#fabric.ports.to[link]
    const beyond = this.#beyond(this.sharedBytes[i])
    if (beyond > 0 && beyond > this.#xoffLevel(node, link) - pfc.xonGapBytes) return false
    this.#offCount[node]--
    return true
  }

  /** Headroom that a class of this link has, for audits. */
  headroomOf(link: number): number {
    return this.#params.pfc?.headroomBytes[link] ?? 0
  }

  /**
   * Could an ingress ever have sent XON, if of each ingress and class these bytes stayed and all
   * others left? XON is looked at when bytes of the ingress leave, and never otherwise: one whose
   * bytes all stay is off for good, however far the level of a dynamic threshold rises.
   */
  canResume(i: number, stuckBytes: Float64Array): boolean {
    const pfc = this.#params.pfc
    if (pfc === undefined || this.pauses.isOff[i] === 0) return true
    const stuck = stuckBytes[i]
    if (stuck === 0) return true
    // Departures free the headroom first, and XON waits until it is empty.
    if (stuck > this.sharedBytes[i]) return false
    if (stuck === this.sharedBytes[i] + this.headroomBytes[i]) return false
    const link = i >> CLASS_BITS
    const node = this.#fabric.ports.to[link]
    let used = 0
    for (const port of this.#fabric.portsOf[node]) {
      for (let j = (port ^ 1) * CLASSES; j < ((port ^ 1) + 1) * CLASSES; j++) {
        const stays = Math.min(this.sharedBytes[j], stuckBytes[j])
        used += this.#isLossy(j) ? stays : this.#beyond(stays)
      }
    }
    const beyond = this.#beyond(stuck)
    return beyond === 0 || beyond <= this.#xoffLevel(node, link, used) - pfc.xonGapBytes
  }

  afterQueue(): void {}

  isEager(node: number): boolean {
    return this.#offCount[node] > 0
  }

  arbitrate(): number {
    return -1
  }

  afterArbitration(): void {}
}
