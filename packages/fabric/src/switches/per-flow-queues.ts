/**
 * Switches with one queue for each flow at each output, and back-pressure for each flow alone: the
 * best that rate control can hope for, and what R2C2 is compared with (Costa et al., SIGCOMM 2015,
 * section 5.2: PFQ, 'an idealized baseline ... that uses back-pressure and per-flow queues at each
 * node').
 *
 * An output serves the flows that have something for it in turn (`queues/flow-queues.ts`). A flow
 * whose queue rises above its threshold is stopped, and it alone, at the outputs that send it here:
 * each hears of it when a packet has come by it (`flow-control/flow-stops.ts`), the link's delay
 * later (`flow-messages.ts`). It goes on when none of its queues here is above the threshold. A
 * host is stopped as a switch is: its NIC serves others. What is no data of a flow (ACKs, control,
 * agents' packets, headers whose payload was cut off) has queues beside those of the data, takes
 * its turn, and is never stopped.
 *
 * Nothing waits for another flow, so nothing can lock up but a flow by itself, and that needs a
 * cycle in the flow's own routes: minimal ones have none.
 *
 * There is as much memory as is asked for, up to what can be counted; what it took is the result.
 */
import type { Switches } from '../contract/nodes.ts'
import type { Fabric } from '../fabric.ts'
import { FlowMessages } from '../flow-control/flow-messages.ts'
import type { FlowListener } from '../flow-control/flow-messages.ts'
import { FlowStops } from '../flow-control/flow-stops.ts'
import type { Marker } from '../marking/marker.ts'
import { BYTES, CLASS, DATA, KIND } from '../packets.ts'
import { ARBITRATED, CLASSES, FREE_PS, HELD, HELD_MAX, MODE } from '../ports.ts'
import { FlowQueues, classOf, flowOf, isStoppable, keyOf } from '../queues/flow-queues.ts'
import { consult } from './admission.ts'
import type { Trimmed } from './admission.ts'
import type { Forwarding } from './forwarding.ts'

export interface PerFlowQueuesParams {
  readonly bufferBytes: number
  readonly trimmed: Trimmed
  /** By output: bytes that may wait of a flow; one more stops it. */
  readonly xoffBytes: Float64Array
  /** What a flow may send in its turn: the longest packet. */
  readonly quantumBytes: number
}

export class PerFlowQueues implements Switches, FlowListener {
  readonly #fabric: Fabric
  readonly #params: PerFlowQueuesParams
  readonly #forwarding: Forwarding
  readonly #markers: readonly (Marker | undefined)[]
  readonly queues: FlowQueues
  readonly stops: FlowStops
  readonly messages: FlowMessages
  /** A packet that finds nobody before it: it goes without having been in a queue; -1: none. */
  #straight: number = -1
  /** By node. */
  readonly usedBytes: Int32Array
  readonly usedBytesMax: Int32Array

  constructor(
    fabric: Fabric,
    params: PerFlowQueuesParams,
    forwarding: Forwarding,
    markers: readonly (Marker | undefined)[],
  ) {
    const { graph, packets, ports } = fabric
    this.#fabric = fabric
    this.#params = params
    this.#forwarding = forwarding
    this.#markers = markers
    this.queues = new FlowQueues(packets, ports.count, params.quantumBytes)
    this.messages = new FlowMessages(fabric, this)
    this.stops = new FlowStops(graph.nodes.length, this.messages)
    this.usedBytes = new Int32Array(graph.nodes.length)
    this.usedBytesMax = new Int32Array(graph.nodes.length)
    fabric.gate.flowMessages = this.messages
    for (let port = 0; port < ports.count; port++) {
      if (ports.fromHost[port] === 0) ports.int[(port << 5) + MODE] = ARBITRATED
    }
  }

  receive(node: number, link: number, p: number, nowPs: number): void {
    const fabric = this.#fabric
    const { packets, ports } = fabric
    const kind = packets.int[p + KIND]
    const out = this.#forwarding.outputOf(node, link, p)
    const i = out << 5
    fabric.settle(out, nowPs)
    const contention = fabric.contention[out]
    const isKept =
      contention === undefined || consult(fabric, this.#params.trimmed, contention, out, p, nowPs)
    const trafficClass = packets.int[p + CLASS]
    const bytes = packets.int[p + BYTES]
    if (!isKept || this.usedBytes[node] + bytes > this.#params.bufferBytes) {
      ports.drops[out]++
      fabric.hosts.discard(p)
      return
    }
    this.usedBytes[node] += bytes
    if (this.usedBytes[node] > this.usedBytesMax[node]) this.#lookAtMax(node, nowPs)
    const queueBytes = ports.queued[out * CLASSES + trafficClass]
    this.#markers[out]?.consider(out, p, queueBytes)
    if (kind === DATA && contention !== undefined && contention.sees !== 'departures') {
      contention.onArrival(p, queueBytes, nowPs)
    }
    ports.queued[out * CLASSES + trafficClass] += bytes
    const held = (ports.int[i + HELD] += bytes)
    if (held > ports.int[i + HELD_MAX]) ports.int[i + HELD_MAX] = held

    const key = keyOf(packets, p)
    const isFree = ports.float[(out << 4) + FREE_PS] <= nowPs && ports.waiting[out] === 0
    if (isFree && this.queues.isClear(out, key)) {
      // Nobody waits for its departure: it is settled when somebody looks, and needs no event.
      this.#straight = p
      fabric.sendNext(out, nowPs)
    } else this.#enqueue(node, out, key, p, nowPs)
    if (isStoppable(key)) this.stops.onArrival(node, key, link, nowPs)
  }

  /** A memory may hold more than ever before: what has left it is settled, and then it is known. */
  #lookAtMax(node: number, nowPs: number): void {
    for (const port of this.#fabric.portsOf[node]) this.#fabric.settle(port, nowPs)
    const used = this.usedBytes[node]
    if (used > this.usedBytesMax[node]) this.usedBytesMax[node] = used
  }

  #enqueue(node: number, out: number, key: number, p: number, nowPs: number): void {
    const { queues } = this
    const q = queues.add(out, key, p)
    this.#start(out, nowPs)
    // A queue that has run empty since is closed, and holds nothing.
    if (!isStoppable(key) || queues.waitingBytes(q) <= this.#params.xoffBytes[out]) return
    if (queues.isFull(q)) return
    queues.setFull(q, true)
    this.stops.onFull(node, key)
  }

  #start(out: number, nowPs: number): void {
    const fabric = this.#fabric
    if (fabric.ports.float[(out << 4) + FREE_PS] <= nowPs) {
      fabric.settle(out, nowPs)
      fabric.sendNext(out, nowPs)
    }
    fabric.arm(out)
  }

  arbitrate(port: number, nowPs: number): number {
    const fabric = this.#fabric
    const { queues } = this
    const straight = this.#straight
    if (straight >= 0) {
      this.#straight = -1
      const alone = fabric.packets.int[straight + CLASS]
      fabric.scheduler.choose(fabric.ports, port, 1 << alone)
      fabric.scheduler.charge(fabric.ports, port, alone, fabric.packets.int[straight + BYTES])
      return straight
    }
    const ready = queues.ready(port)
    if (ready === 0) return -1
    const trafficClass = fabric.scheduler.choose(fabric.ports, port, ready)
    const q = queues.choose(port, trafficClass)
    const p = queues.take(q)
    fabric.scheduler.charge(fabric.ports, port, trafficClass, fabric.packets.int[p + BYTES])
    if (queues.isFull(q) && queues.waitingBytes(q) <= this.#params.xoffBytes[port]) {
      queues.setFull(q, false)
      this.stops.onRoom(fabric.ports.from[port], queues.keyOf(q), nowPs)
    }
    queues.close(q)
    return p
  }

  /** The far end of a port takes no more of a flow, or takes it again. */
  onFlow(port: number, key: number, isOff: boolean, nowPs: number): void {
    const fabric = this.#fabric
    if (fabric.ports.fromHost[port] === 1) {
      fabric.hosts.onFlowPaused(flowOf(key), classOf(key), isOff, nowPs)
    } else if (isOff) this.queues.stop(port, key)
    else if (this.queues.goOn(port, key)) this.#start(port, nowPs)
  }

  release(node: number, _ingress: number, bytes: number): void {
    this.usedBytes[node] -= bytes
  }

  /** Bytes that may wait of a flow at an output. */
  xoffBytes(port: number): number {
    return this.#params.xoffBytes[port]
  }

  /** Calls back for each packet that waits, for those who look from outside. */
  eachQueued(visit: (packet: number, out: number) => void): void {
    this.queues.each(({ first, port }) => {
      for (const p of this.#fabric.inventory.chain(first)) visit(p, port)
    })
  }

  afterSettle(): void {}

  afterArbitration(): void {}

  afterQueue(): void {}

  isEager(): boolean {
    return false
  }
}
