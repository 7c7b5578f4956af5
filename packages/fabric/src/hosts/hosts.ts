/**
 * Hosts: RDMA NICs with one channel a flow, the transport's two ends, and the sending of control
 * packets. Congestion control sits in each flow's reaction and notification points; what is
 * repeated is the reliability's business.
 *
 * A NIC costs one event a data packet. ACKs reuse the packet that they acknowledge.
 */
import type { Calendar, Random } from '@weir/engine'
import type { Control } from '../contract/control.ts'
import type { Ack, LossCause } from '../contract/reaction-point.ts'
import type { Fabric, HostsSide } from '../fabric.ts'
import { DELAYED_ACK, FLOW_TIMER, NIC, TAKE_IN, TIMEOUT } from '../kinds.ts'
import {
  A,
  ACK,
  AGAIN,
  ARRIVE,
  B,
  BACKWARD,
  BYTES,
  CAPABLE,
  CLASS,
  CODE,
  CONTROL,
  CWR,
  DATA,
  FLAGS,
  FLOW,
  HOP,
  INGRESS,
  KIND,
  LAST,
  MARKED,
  NACK,
  NEXT,
  PATH,
  PAYLOAD,
  SENT,
  SEQ,
  TARGET,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { Paths } from '../paths.ts'
import { CLASSES, FAST } from '../ports.ts'
import { Flow, PACKETS_MAX, receiverOf, TIMERS } from './flow.ts'
import { crossAllPs } from './ideal.ts'
import { InjectionFifo } from './injection-fifo.ts'
import { Nic } from './nic.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'

export interface HostsParams {
  readonly mtuBytes: number
  readonly headerBytes: number
  readonly ackEvery: number
  readonly ackBytes: number
  /** -1: the data's own class. */
  readonly ackClass: number
  readonly controlClass: number
  readonly reliability: Reliability
  readonly rtoPs: number
  /** An ACK that waits for more packets waits no longer than this; 0: as long as it takes. */
  readonly delayedAckPs: number
  /** Packets of the shared injection FIFO; 0: one queue a flow. */
  readonly fifoPackets: number
  readonly rateCapBps: number
  /** A capped host pauses its link when so many bytes of a class wait to be taken in. */
  readonly takeInXoffBytes: number
  readonly pauseFrameBytes: number
}

export interface FlowStart {
  readonly row: number
  /** Host numbers. */
  readonly source: number
  readonly target: number
  /** 0: without end. */
  readonly sizeBytes: number
  readonly class: number
  readonly weight: number
  /** Ports from source to target; undefined: routed packet by packet. */
  readonly path: readonly number[] | undefined
  readonly pathBack: readonly number[] | undefined
  /** For timing: the path a packet would take. */
  readonly timingPath: readonly number[]
}

/** Who wants to know that a flow has ended. */
export interface FlowSink {
  /** Another path for a flow, and the way back; undefined: there is none, or it must not change. */
  anotherPath?(flow: Flow): readonly number[] | undefined
  onFlowEnd(flow: Flow, nowPs: number): void
  /** All bytes of a flow that `tellsDelivery` have arrived. Must not touch the fabric. */
  onDelivered?(flow: Flow, nowPs: number): void
}

export class Hosts implements HostsSide {
  readonly params: HostsParams
  readonly flows: (Flow | undefined)[] = []
  readonly flowRandom: Random
  readonly hostPort: Int32Array
  retransmitted: number = 0
  dataPackets: number = 0
  deliveredBytes: number = 0
  controlPackets: number = 0
  readonly #fabric: Fabric
  readonly #packets: Packets
  readonly #calendar: Calendar
  readonly #paths: Paths
  readonly #control: Control
  readonly #sink: FlowSink
  readonly #freeSlots: number[] = []
  /** By host * 8 + class. */
  readonly #nics: (Nic | undefined)[]
  /** Bit c: class c of this host has a flow with something to send. */
  readonly #active: Uint8Array
  readonly #nicHandle: Int32Array
  readonly #nicPs: Float64Array
  /** A capped host's own next start. */
  readonly #capFreePs: Float64Array
  readonly #capPsPerByte: number
  readonly #fifo: InjectionFifo | undefined
  // What a capped host has received and not yet taken in.
  readonly #takeHead: Int32Array
  readonly #takeTail: Int32Array
  readonly #takeFreePs: Float64Array
  readonly #takeBytes: Int32Array
  readonly #takeOff: Uint8Array
  readonly #ack: Ack = {
    bytes: 0,
    acked: 0,
    next: 0,
    marked: false,
    rttPs: NaN,
    inflightBytes: 0,
    telemetry: -1,
    duplicates: 0,
    recovery: 'none',
  }
  readonly #outcome: AckOutcome = {
    bytes: 0,
    loss: 'none',
    duplicates: 0,
    recovery: 'none',
    restartsTimer: true,
  }
  readonly #startsTimerOnce: boolean
  readonly #echo: Control['echo']
  readonly #answer: Answer = { newBytes: 0, mustAnswer: false, isNack: false }

  constructor(
    fabric: Fabric,
    params: HostsParams,
    paths: Paths,
    control: Control,
    random: Random,
    sink: FlowSink,
  ) {
    this.#fabric = fabric
    this.#packets = fabric.packets
    this.#calendar = fabric.calendar
    this.params = params
    this.#startsTimerOnce = params.reliability.timerStarts === 'once'
    this.#paths = paths
    this.#control = control
    this.#echo = control.echo
    this.flowRandom = random
    this.#sink = sink
    const count = fabric.hostNodes.length
    this.hostPort = Int32Array.from(fabric.hostNodes, (node) => fabric.portsOf[node][0])
    this.#nics = new Array<Nic | undefined>(count * CLASSES).fill(undefined)
    this.#active = new Uint8Array(count)
    this.#nicHandle = new Int32Array(count).fill(-1)
    this.#nicPs = new Float64Array(count).fill(Infinity)
    this.#capFreePs = new Float64Array(count)
    this.#capPsPerByte = params.rateCapBps > 0 ? 8e12 / params.rateCapBps : 0
    this.#fifo = params.fifoPackets > 0 ? new InjectionFifo(count, params.fifoPackets) : undefined
    this.#takeHead = new Int32Array(count).fill(-1)
    this.#takeTail = new Int32Array(count).fill(-1)
    this.#takeFreePs = new Float64Array(count)
    this.#takeBytes = new Int32Array(count * CLASSES)
    this.#takeOff = new Uint8Array(count * CLASSES)
  }

  // Flows begin and end.

  startFlow(start: FlowStart, nowPs: number): Flow {
    const flow = new Flow(this)
    const slot = this.#freeSlots.pop() ?? this.flows.length
    const { mtuBytes, headerBytes, ackBytes } = this.params
    const fabric = this.#fabric
    flow.flow = slot
    flow.row = start.row
    flow.source = start.source
    flow.target = start.target
    flow.class = start.class
    flow.weight = start.weight
    flow.sizeBytes = start.sizeBytes
    flow.mtuBytes = mtuBytes
    flow.packetCount = start.sizeBytes > 0 ? Math.ceil(start.sizeBytes / mtuBytes) : PACKETS_MAX
    const rest = start.sizeBytes % mtuBytes
    flow.lastPayload = rest === 0 ? mtuBytes : rest
    flow.packetBytes = mtuBytes + headerBytes + this.#control.dataHeaderBytes
    flow.lineRateBps = fabric.ports.rateBps[this.hostPort[start.source]]
    if (start.path !== undefined && start.pathBack !== undefined) {
      flow.path = this.#paths.add(start.path)
      flow.pathBack = this.#paths.add(start.pathBack)
      flow.pathLength = start.path.length
    }
    const back = start.timingPath.map((port) => port ^ 1).reverse()
    const cut = fabric.cutThroughBytes
    flow.baseRttPs =
      crossAllPs(fabric.ports, start.timingPath, flow.packetBytes, cut) +
      crossAllPs(fabric.ports, back, ackBytes + this.#control.ackHeaderBytes, cut)
    flow.nstPs = nowPs
    flow.servedPs = nowPs
    flow.rtoPs = this.params.rtoPs
    this.flows[slot] = flow
    this.params.reliability.onStart(flow)
    flow.reaction = this.#control.reaction(flow)
    flow.notification = this.#control.notification(receiverOf(flow, this))
    flow.pacedBps = flow.reaction.rateBps
    flow.reaction.onStart(nowPs)
    this.#afterReaction(flow, nowPs)
    return flow
  }

  /** A flow is told to stop: what it has sent is still delivered. */
  stopFlow(flow: Flow, nowPs: number): void {
    if (flow.isStopped || flow.isDone) return
    flow.isStopped = true
    flow.reaction.onFinished(nowPs)
    if (this.params.reliability.nextToSend(flow) < 0) this.#rest(flow)
    this.#endIfComplete(flow, nowPs)
  }

  #endIfComplete(flow: Flow, nowPs: number): void {
    if (flow.isDone) return
    const end = flow.isStopped ? Math.min(flow.fresh, flow.packetCount) : flow.packetCount
    // Of a flow that was stopped, no packet may be left that draws an ACK for the last ones.
    const isSilent = flow.isStopped && flow.alive === 0
    const reached = this.params.ackEvery > 0 && !isSilent ? flow.unacked : flow.expected
    if (reached < end) return
    flow.isDone = true
    this.#rest(flow)
    this.#sink.onFlowEnd(flow, nowPs)
    for (let which = 0; which < TIMERS; which++) {
      if (flow.timerHandle[which] >= 0) this.#calendar.cancel(flow.timerHandle[which])
      flow.timerHandle[which] = -1
    }
    if (flow.timeoutHandle >= 0) this.#calendar.cancel(flow.timeoutHandle)
    flow.timeoutHandle = -1
    if (flow.delayedAckHandle >= 0) this.#calendar.cancel(flow.delayedAckHandle)
    flow.delayedAckHandle = -1
    if (flow.alive === 0) this.#forget(flow)
  }

  /** A flow that has ended and has no packets anywhere gives its slot and paths back. */
  #forget(flow: Flow): void {
    this.flows[flow.flow] = undefined
    this.#freeSlots.push(flow.flow)
    if (flow.path < 0) return
    this.#paths.release(flow.path, flow.pathLength)
    this.#paths.release(flow.pathBack, flow.pathLength)
    for (const former of flow.formerPaths ?? []) this.#paths.release(former.offset, former.length)
  }

  /** The next packets take another path; those on their way keep theirs until the flow is forgotten. */
  reroute(flow: Flow): void {
    const path = flow.path < 0 ? undefined : this.#sink.anotherPath?.(flow)
    if (path === undefined) return
    const { path: offset, pathBack, pathLength: length } = flow
    ;(flow.formerPaths ??= []).push({ offset, length }, { offset: pathBack, length })
    flow.path = this.#paths.add(path)
    flow.pathBack = this.#paths.add(path.map((port) => port ^ 1).reverse())
    flow.pathLength = path.length
  }

  // Sending.

  /** NIC: the host may send its next packet. */
  onNic(host: number, nowPs: number): void {
    this.#nicHandle[host] = -1
    this.#nicPs[host] = Infinity
    this.#serve(host, nowPs)
  }

  onUnblocked(host: number, nowPs: number): void {
    this.#serve(host, nowPs)
  }

  #serve(host: number, nowPs: number): void {
    if (this.#fifo !== undefined) {
      this.#serveByFifo(this.#fifo, host, nowPs)
      return
    }
    const port = this.hostPort[host]
    const freePs = Math.max(this.#fabric.ports.freePs[port], this.#capFreePs[host])
    if (freePs > nowPs) {
      if (this.#active[host] !== 0) this.#armNic(host, freePs)
      return
    }
    const flow = this.#nextFlow(host, nowPs, true)
    if (flow === undefined) return
    const { ports, scheduler } = this.#fabric
    // A SLOW port charges when the packet leaves.
    if (ports.mode[port] === FAST) scheduler.charge(ports, port, flow.class, flow.packetBytes)
    this.#send(flow, nowPs)
    this.#armAfterSend(host)
  }

  /** After a packet: the next may leave when the link is free and some flow's time has come. */
  #armAfterSend(host: number): void {
    let active = this.#active[host]
    if (active === 0) return
    let duePs = Infinity
    for (; active !== 0; active &= active - 1) {
      const c = 31 - Math.clz32(active & -active)
      const first = this.#nics[host * CLASSES + c]?.first
      if (first !== undefined && first.nstPs < duePs) duePs = first.nstPs
    }
    const freePs = this.#fabric.ports.freePs[this.hostPort[host]]
    this.#armNic(host, Math.max(duePs, freePs, this.#capFreePs[host]))
  }

  /** The flow to serve now; none: if one's time lies ahead, the NIC is armed for it. */
  #nextFlow(host: number, nowPs: number, mustBeOpen: boolean): Flow | undefined {
    const port = this.hostPort[host]
    let ready = 0
    let duePs = Infinity
    for (let active = this.#active[host]; active !== 0; active &= active - 1) {
      const c = 31 - Math.clz32(active & -active)
      const first = this.#nics[host * CLASSES + c]?.first
      if (first === undefined) continue
      if (mustBeOpen && this.#fabric.isBlocked(port, c, first.packetBytes, nowPs)) continue
      if (first.nstPs <= nowPs) ready |= 1 << c
      else if (first.nstPs < duePs) duePs = first.nstPs
    }
    if (ready === 0) {
      if (duePs < Infinity) this.#armNic(host, duePs)
      return undefined
    }
    const trafficClass = this.#fabric.scheduler.choose(this.#fabric.ports, port, ready)
    return this.#nics[host * CLASSES + trafficClass]?.first
  }

  /** A shared FIFO in front of the link: filled by next service time, emptied in order. */
  #serveByFifo(fifo: InjectionFifo, host: number, nowPs: number): void {
    const fabric = this.#fabric
    const port = this.hostPort[host]
    for (;;) {
      while (!fifo.isFull(host)) {
        const flow = this.#nextFlow(host, nowPs, false)
        if (flow === undefined) break
        fabric.scheduler.charge(fabric.ports, port, flow.class, flow.packetBytes)
        fifo.push(host, this.#makeData(flow, nowPs), this.#packets)
      }
      const head = fifo.first(host)
      if (head < 0) return
      const freePs = Math.max(fabric.ports.freePs[port], this.#capFreePs[host])
      if (freePs > nowPs) {
        this.#armNic(host, freePs)
        return
      }
      const trafficClass = this.#packets.int[head + CLASS]
      if (fabric.isBlocked(port, trafficClass, this.#packets.int[head + BYTES], nowPs)) return
      fifo.shift(host, this.#packets)
      this.#inject(host, head, nowPs)
    }
  }

  #send(flow: Flow, nowPs: number): void {
    this.#inject(flow.source, this.#makeData(flow, nowPs), nowPs)
  }

  #makeData(flow: Flow, nowPs: number): number {
    const packets = this.#packets
    const { reliability } = this.params
    const seq = reliability.nextToSend(flow)
    const payload = flow.payloadOf(seq)
    const bytes = flow.packetBytes - flow.mtuBytes + payload
    const p = packets.allocate()
    packets.int[p + KIND] = DATA
    packets.int[p + CLASS] = flow.class
    let flags = this.#control.ecnCapable ? CAPABLE : 0
    if (seq === flow.packetCount - 1) flags |= LAST
    const isAgain = seq < flow.fresh
    if (isAgain) {
      flags |= AGAIN
      flow.retransmitted++
      this.retransmitted++
    } else {
      flow.fresh = seq + 1
      if (flow.reaction.hasReduced) {
        flow.reaction.hasReduced = false
        flags |= CWR
      }
    }
    packets.int[p + FLAGS] = flags
    packets.int[p + BYTES] = bytes
    packets.int[p + PAYLOAD] = payload
    packets.int[p + FLOW] = flow.flow
    packets.int[p + SEQ] = seq
    packets.int[p + PATH] = flow.path
    packets.int[p + HOP] = 0
    packets.cold[(p >> 1) + TARGET] = this.#fabric.hostNodes[flow.target]
    packets.int[p + INGRESS] = -1
    packets.cold[(p >> 1) + TELEMETRY] = this.#control.telemetry
      ? this.#fabric.telemetry.allocate()
      : -1
    flow.alive++
    this.dataPackets++
    reliability.onSent(flow, seq)
    const { reaction } = flow
    flow.servedPs = nowPs
    flow.servedBytes = bytes
    flow.pacedBps = reaction.rateBps
    flow.nstPs = nowPs + (reaction.rateBps < Infinity ? paceFor(bytes, reaction.rateBps) : 0)
    reaction.onSent(bytes, nowPs)
    if (!isAgain && flow.fresh === flow.packetCount) reaction.onFinished(nowPs)
    const nic = this.#nics[flow.source * CLASSES + flow.class] as Nic
    if (this.#canSend(flow)) nic.moved(flow)
    else this.#rest(flow)
    if (flow.rtoPs > 0 && !(this.#startsTimerOnce && flow.timeoutPs < Infinity)) {
      this.#armTimeout(flow, nowPs + flow.rtoPs)
    }
    return p
  }

  #inject(host: number, p: number, nowPs: number): void {
    const fabric = this.#fabric
    const port = this.hostPort[host]
    if (this.#capPsPerByte > 0) {
      this.#capFreePs[host] = nowPs + Math.ceil(this.#packets.int[p + BYTES] * this.#capPsPerByte)
    }
    const contention = fabric.contention[port]
    if (contention !== undefined && contention.sees !== 'departures') {
      fabric.settle(port, nowPs)
      const held = fabric.ports.queueBytes[port * CLASSES + this.#packets.int[p + CLASS]]
      contention.onArrival(p, held, nowPs)
    }
    fabric.join(port, p, nowPs)
  }

  #canSend(flow: Flow): boolean {
    if (flow.isDone) return false
    if (flow.inflightBytes >= flow.reaction.windowBytes && !flow.isUrgent) return false
    return this.params.reliability.nextToSend(flow) >= 0
  }

  #offer(flow: Flow): void {
    if (flow.place >= 0) return
    const i = flow.source * CLASSES + flow.class
    const nic = (this.#nics[i] ??= new Nic())
    nic.add(flow)
    this.#active[flow.source] |= 1 << flow.class
  }

  #rest(flow: Flow): void {
    if (flow.place < 0) return
    const nic = this.#nics[flow.source * CLASSES + flow.class] as Nic
    nic.remove(flow)
    if (nic.count === 0) this.#active[flow.source] &= ~(1 << flow.class)
  }

  #armNic(host: number, atPs: number): void {
    if (this.#nicPs[host] <= atPs) return
    if (this.#nicHandle[host] >= 0) this.#calendar.cancel(this.#nicHandle[host])
    this.#nicPs[host] = atPs
    this.#nicHandle[host] = this.#calendar.schedule(atPs, NIC, host)
  }

  /** The reaction point has spoken: its rate may be another, its window open. */
  #afterReaction(flow: Flow, nowPs: number): void {
    const rateBps = flow.reaction.rateBps
    let isDue = false
    if (rateBps !== flow.pacedBps) {
      flow.pacedBps = rateBps
      const gapPs = rateBps < Infinity ? paceFor(flow.servedBytes, rateBps) : 0
      flow.nstPs = flow.servedPs + gapPs
      this.#nics[flow.source * CLASSES + flow.class]?.moved(flow)
      isDue = flow.place >= 0
    }
    if (flow.place < 0) {
      if (!this.#canSend(flow)) return
      this.#offer(flow)
      isDue = true
    } else if (!this.#canSend(flow)) {
      this.#rest(flow)
      return
    }
    if (isDue) this.#serve(flow.source, nowPs)
  }

  wake(flow: Flow): void {
    this.#afterReaction(flow, this.#calendar.nowPs)
  }

  /** Sends a scheme's packet, forward by the data's path or backward to the source. */
  sendControl(
    flow: Flow,
    isBackward: boolean,
    code: number,
    bytes: number,
    a: number,
    b: number,
  ): void {
    const fabric = this.#fabric
    const nowPs = this.#calendar.nowPs
    const from = isBackward ? flow.target : flow.source
    const to = isBackward ? flow.source : flow.target
    const path = isBackward ? flow.pathBack : flow.path
    const p = this.makeControl(flow, isBackward, code, bytes, a, b)
    this.#packets.int[p + PATH] = path
    this.#packets.int[p + HOP] = 0
    this.#packets.cold[(p >> 1) + TARGET] = fabric.hostNodes[to]
    const port = this.hostPort[from]
    fabric.settle(port, nowPs)
    if (!isBackward) fabric.contention[port]?.onControl(p, nowPs)
    fabric.join(port, p, nowPs)
  }

  /** A control packet of a flow, without a way yet. */
  makeControl(
    flow: Flow,
    isBackward: boolean,
    code: number,
    bytes: number,
    a: number,
    b: number,
  ): number {
    const packets = this.#packets
    const p = packets.allocate()
    packets.int[p + KIND] = CONTROL
    const { controlClass } = this.params
    packets.int[p + CLASS] = this.#control.isControlInDataClass === true ? flow.class : controlClass
    packets.int[p + FLAGS] = isBackward ? BACKWARD : 0
    packets.cold[(p >> 1) + CODE] = code
    packets.int[p + BYTES] = bytes
    packets.int[p + PAYLOAD] = 0
    packets.int[p + FLOW] = flow.flow
    packets.int[p + SEQ] = 0
    packets.int[p + INGRESS] = -1
    packets.cold[(p >> 1) + TELEMETRY] = -1
    packets.cold[(p >> 1) + A] = a
    packets.cold[(p >> 1) + B] = b
    flow.alive++
    this.controlPackets++
    return p
  }

  // Receiving.

  receive(host: number, link: number, p: number, nowPs: number): void {
    if (this.#capPsPerByte > 0) {
      this.#queueToTakeIn(host, link, p, nowPs)
      return
    }
    if (this.#fabric.credits !== undefined) this.#returnCredits(link, p, nowPs)
    this.#takeIn(host, p, nowPs)
  }

  #returnCredits(link: number, p: number, nowPs: number): void {
    const { packets, ports } = this.#fabric
    const duePs = nowPs + ports.delayPs[link ^ 1]
    this.#fabric.returnCredits(link, packets.int[p + CLASS], packets.int[p + BYTES], duePs)
  }

  #queueToTakeIn(host: number, link: number, p: number, nowPs: number): void {
    const packets = this.#packets
    packets.int[p + INGRESS] = link
    packets.int[p + NEXT] = -1
    const bytes = packets.int[p + BYTES]
    const donePs = Math.max(nowPs, this.#takeFreePs[host]) + Math.ceil(bytes * this.#capPsPerByte)
    this.#takeFreePs[host] = donePs
    packets.float[(p >> 1) + ARRIVE] = donePs
    if (this.#takeHead[host] < 0) {
      this.#takeHead[host] = p
      this.#calendar.schedule(donePs, TAKE_IN, host)
    } else packets.int[this.#takeTail[host] + NEXT] = p
    this.#takeTail[host] = p
    const i = host * CLASSES + packets.int[p + CLASS]
    this.#takeBytes[i] += bytes
    if (this.params.takeInXoffBytes === 0 || this.#takeOff[i] === 1) return
    if (this.#takeBytes[i] <= this.params.takeInXoffBytes) return
    this.#takeOff[i] = 1
    this.#fabric.sendPause(link, packets.int[p + CLASS], true, this.params.pauseFrameBytes, nowPs)
  }

  /** TAKE_IN: a capped host has taken in the first packet that waits. */
  onTakeIn(host: number, nowPs: number): void {
    const packets = this.#packets
    const p = this.#takeHead[host]
    const next = packets.int[p + NEXT]
    this.#takeHead[host] = next
    if (next >= 0) this.#calendar.schedule(packets.float[(next >> 1) + ARRIVE], TAKE_IN, host)
    const link = packets.int[p + INGRESS]
    const i = host * CLASSES + packets.int[p + CLASS]
    this.#takeBytes[i] -= packets.int[p + BYTES]
    if (this.#fabric.credits !== undefined) this.#returnCredits(link, p, nowPs)
    if (this.#takeOff[i] === 1 && this.#takeBytes[i] <= this.params.takeInXoffBytes / 2) {
      this.#takeOff[i] = 0
      this.#fabric.sendPause(link, i & 7, false, this.params.pauseFrameBytes, nowPs)
    }
    this.#takeIn(host, p, nowPs)
  }

  #takeIn(host: number, p: number, nowPs: number): void {
    const packets = this.#packets
    const flow = this.flows[packets.int[p + FLOW]]
    if (flow === undefined) throw new Error('a packet has come whose flow is forgotten')
    switch (packets.int[p + KIND]) {
      case DATA:
        this.#onData(flow, host, p, nowPs)
        return
      case ACK:
        this.#onAck(flow, p, false, nowPs)
        break
      case NACK:
        this.#onAck(flow, p, true, nowPs)
        break
      default:
        this.#onControl(flow, p, nowPs)
    }
    this.discard(p)
  }

  /** Frees a packet that has done its work, or that a switch threw away. */
  discard(p: number): void {
    const packets = this.#packets
    const row = packets.cold[(p >> 1) + TELEMETRY]
    if (row >= 0) this.#fabric.telemetry.release(row)
    const flow = this.flows[packets.int[p + FLOW]] as Flow
    packets.free(p)
    if (--flow.alive > 0) return
    if (flow.isDone) this.#forget(flow)
    else if (flow.isStopped) this.#endIfComplete(flow, this.#calendar.nowPs)
  }

  #onData(flow: Flow, host: number, p: number, nowPs: number): void {
    const packets = this.#packets
    const { params } = this
    const answer = this.#answer
    const isMarked = (packets.int[p + FLAGS] & MARKED) !== 0
    const seq = packets.int[p + SEQ]
    // RFC 8257, section 3.2: an ACK that waits covers packets of one kind, marked or not.
    if (flow.sinceAck > 0 && isMarked !== flow.hasMark && this.#echo === 'exact') {
      this.#acknowledge(flow, nowPs)
    }
    params.reliability.onData(flow, seq, packets.int[p + PAYLOAD], answer)
    flow.deliveredBytes += answer.newBytes
    this.deliveredBytes += answer.newBytes
    if (flow.tellsDelivery && flow.expected >= flow.packetCount) {
      flow.tellsDelivery = false
      this.#sink.onDelivered?.(flow, nowPs)
    }
    if ((packets.int[p + FLAGS] & CWR) !== 0) flow.hasMark = isMarked
    else if (isMarked) flow.hasMark = true
    flow.notification?.onData(isMarked, packets.int[p + BYTES], nowPs)
    flow.sinceAck++
    const isDue = flow.sinceAck >= params.ackEvery || (packets.int[p + FLAGS] & LAST) !== 0
    if (params.ackEvery === 0) {
      if (flow.isStopped || flow.expected >= flow.packetCount) this.#endIfComplete(flow, nowPs)
      this.discard(p)
    } else if (isDue || answer.mustAnswer)
      this.#answerWith(flow, host, p, seq, answer.isNack, nowPs)
    else {
      this.discard(p)
      if (params.delayedAckPs > 0) this.#armDelayedAck(flow, nowPs + params.delayedAckPs)
    }
  }

  /** The data packet goes back as its own acknowledgement. */
  #answerWith(
    flow: Flow,
    host: number,
    p: number,
    seq: number,
    isNack: boolean,
    nowPs: number,
  ): void {
    const packets = this.#packets
    const { params } = this
    const fabric = this.#fabric
    packets.int[p + KIND] = isNack ? NACK : ACK
    if ((packets.int[p + FLAGS] & AGAIN) !== 0) packets.cold[(p >> 1) + SENT] = NaN
    packets.int[p + FLAGS] = BACKWARD | (flow.hasMark ? MARKED : 0)
    packets.int[p + BYTES] = params.ackBytes + this.#control.ackHeaderBytes
    packets.int[p + PAYLOAD] = 0
    if (params.ackClass >= 0) packets.int[p + CLASS] = params.ackClass
    packets.int[p + SEQ] = flow.expected
    packets.cold[(p >> 1) + A] = params.reliability.ackInfo(flow, seq)
    packets.int[p + PATH] = flow.pathBack
    packets.int[p + HOP] = 0
    packets.cold[(p >> 1) + TARGET] = fabric.hostNodes[flow.source]
    packets.int[p + INGRESS] = -1
    flow.sinceAck = 0
    if (this.#echo !== 'until-cwr') flow.hasMark = false
    const port = this.hostPort[host]
    fabric.settle(port, nowPs)
    fabric.join(port, p, nowPs)
  }

  /** An ACK of its own, where no data packet can go back as one. It measures no round trip. */
  #acknowledge(flow: Flow, nowPs: number): void {
    const packets = this.#packets
    const p = packets.allocate()
    packets.int[p + CLASS] = flow.class
    packets.int[p + FLAGS] = AGAIN
    packets.int[p + FLOW] = flow.flow
    packets.cold[(p >> 1) + TELEMETRY] = -1
    flow.alive++
    this.#answerWith(flow, flow.target, p, flow.expected - 1, false, nowPs)
  }

  #armDelayedAck(flow: Flow, atPs: number): void {
    if (flow.sinceAck === 1) flow.delayedAckPs = atPs
    if (flow.delayedAckHandle >= 0) return
    flow.delayedAckHandle = this.#calendar.schedule(flow.delayedAckPs, DELAYED_ACK, flow.flow)
  }

  /** DELAYED_ACK */
  onDelayedAck(slot: number, nowPs: number): void {
    const flow = this.flows[slot] as Flow
    flow.delayedAckHandle = -1
    if (flow.sinceAck === 0) return
    if (flow.delayedAckPs > nowPs) this.#armDelayedAck(flow, flow.delayedAckPs)
    else this.#acknowledge(flow, nowPs)
  }

  #onAck(flow: Flow, p: number, isNack: boolean, nowPs: number): void {
    if (flow.isDone) return
    const packets = this.#packets
    const outcome = this.#outcome
    outcome.duplicates = 0
    outcome.recovery = 'none'
    outcome.restartsTimer = true
    const rttPs = nowPs - packets.cold[(p >> 1) + SENT]
    this.params.reliability.onAck(
      flow,
      packets.int[p + SEQ],
      isNack,
      packets.cold[(p >> 1) + A],
      outcome,
      rttPs,
    )
    const ack = this.#ack
    ack.bytes = outcome.bytes
    ack.acked = flow.unacked
    ack.next = flow.next
    ack.marked = (packets.int[p + FLAGS] & MARKED) !== 0
    ack.rttPs = rttPs
    ack.inflightBytes = flow.inflightBytes
    ack.telemetry = packets.cold[(p >> 1) + TELEMETRY]
    ack.duplicates = outcome.duplicates
    ack.recovery = outcome.recovery
    flow.reaction.onAck(ack, nowPs)
    if (outcome.loss !== 'none') flow.reaction.onLoss(outcome.loss satisfies LossCause, nowPs)
    this.#endIfComplete(flow, nowPs)
    if (flow.isDone) return
    if (outcome.bytes > 0 && flow.rtoPs > 0 && outcome.restartsTimer) {
      this.#armTimeout(flow, flow.inflightBytes > 0 ? nowPs + flow.rtoPs : Infinity)
    }
    this.#afterReaction(flow, nowPs)
  }

  #onControl(flow: Flow, p: number, nowPs: number): void {
    const packets = this.#packets
    const code = packets.cold[(p >> 1) + CODE]
    const a = packets.cold[(p >> 1) + A]
    const b = packets.cold[(p >> 1) + B]
    if (!(packets.int[p + FLAGS] & BACKWARD)) {
      flow.notification?.onControl(code, a, b, nowPs)
      return
    }
    this.tellReaction(flow, code, a, b, nowPs)
  }

  /** Hands a control packet's contents to the flow's reaction point. */
  tellReaction(flow: Flow, code: number, a: number, b: number, nowPs: number): void {
    if (flow.isDone) return
    flow.reaction.onControl(code, a, b, nowPs)
    this.#afterReaction(flow, nowPs)
  }

  /** Calls back for each packet in a host: in its injection FIFO, or to be taken in. For audits. */
  eachHeld(visit: (packet: number, host: number, isOutgoing: boolean) => void): void {
    const { int } = this.#packets
    for (let host = 0; host < this.hostPort.length; host++) {
      for (let p = this.#fifo?.first(host) ?? -1; p >= 0; p = int[p + NEXT]) visit(p, host, true)
      for (let p = this.#takeHead[host]; p >= 0; p = int[p + NEXT]) visit(p, host, false)
    }
  }

  // Timers. A deadline that moves back leaves its event where it is, and is looked at when it fires.

  setFlowTimer(flow: Flow, which: number, atPs: number): void {
    flow.timerPs[which] = atPs
    const handle = flow.timerHandle[which]
    if (handle >= 0) {
      if (this.#calendar.timeOf(handle) <= atPs) return
      this.#calendar.cancel(handle)
    }
    const target = flow.flow * TIMERS + which
    flow.timerHandle[which] = this.#calendar.schedule(atPs, FLOW_TIMER, target)
  }

  /** FLOW_TIMER */
  onFlowTimer(target: number, nowPs: number): void {
    const which = target & (TIMERS - 1)
    const flow = this.flows[target >> 2] as Flow
    flow.timerHandle[which] = -1
    const duePs = flow.timerPs[which]
    if (duePs > nowPs) {
      if (duePs < Infinity) this.setFlowTimer(flow, which, duePs)
      return
    }
    flow.timerPs[which] = Infinity
    flow.reaction.onTimer(which, nowPs)
    if (!flow.isDone) this.#afterReaction(flow, nowPs)
  }

  #armTimeout(flow: Flow, atPs: number): void {
    flow.timeoutPs = atPs
    if (atPs === Infinity) return
    if (flow.timeoutHandle >= 0) {
      if (this.#calendar.timeOf(flow.timeoutHandle) <= atPs) return
      this.#calendar.cancel(flow.timeoutHandle)
    }
    flow.timeoutHandle = this.#calendar.schedule(atPs, TIMEOUT, flow.flow)
  }

  /** TIMEOUT */
  onTimeout(slot: number, nowPs: number): void {
    const flow = this.flows[slot] as Flow
    flow.timeoutHandle = -1
    if (flow.timeoutPs > nowPs) {
      this.#armTimeout(flow, flow.timeoutPs)
      return
    }
    flow.timeoutPs = Infinity
    // The reaction point first: it wants to know how much was in flight.
    flow.reaction.onLoss('timeout', nowPs)
    this.params.reliability.onTimeout(flow)
    this.#afterReaction(flow, nowPs)
    if (flow.timeoutHandle < 0) this.#armTimeout(flow, nowPs + flow.rtoPs)
  }
}

/** Time that a packet takes at a flow's own rate, in whole ps. */
function paceFor(bytes: number, rateBps: number): number {
  return Math.ceil((bytes * 8e12) / rateBps)
}
