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
import type { HostsSide } from '../contract/nodes.ts'
import type { Fabric } from '../fabric.ts'
import {
  A,
  ACK,
  B,
  BACKWARD,
  CODE,
  DATA,
  ECHO,
  FLAGS,
  FLOW,
  HOP,
  KIND,
  MARKED,
  NACK,
  PATH,
  SENT,
  SEQ,
  TARGET,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { Paths } from '../paths.ts'
import { Connections } from './connections.ts'
import type { ConnectionParams } from './connections.ts'
import { controlPacket } from './control-packet.ts'
import { FlowTimers } from './flow-timers.ts'
import { changePath, givePaths, releasePaths, reversed } from './flow-paths.ts'
import { Flow, receiverOf, TIMERS } from './flow.ts'
import { setStart } from './flow-start.ts'
import type { FlowSink, FlowStart } from './flow-start.ts'
import { baseRttPs } from './ideal.ts'
import { Intake } from './intake.ts'
import { Receiver } from './receiver.ts'
import type { AckEcn, FlowOwner } from './receiver.ts'
import type { AckOutcome } from './reliability.ts'
import { Sender } from './sender.ts'
import type { SenderParams } from './sender.ts'
import { windowOfPath } from './window.ts'
import type { WindowParams } from './window.ts'

export interface HostsParams extends SenderParams {
  readonly mtuBytes: number
  readonly headerBytes: number
  readonly ackEvery: number
  readonly ackBytes: number
  /** -1: the data's own class. */
  readonly ackClass: number
  readonly ackEcn: AckEcn
  readonly controlClass: number
  readonly rtoPs: number
  /** A bound on what any flow has in flight. */
  readonly window?: WindowParams | undefined
  /** Connections that outlive a flow; undefined: each flow is one. With TCP's reliability only. */
  readonly connections?: ConnectionParams | undefined
  /** An ACK that waits for more packets waits no longer than this; 0: as long as it takes. */
  readonly delayedAckPs: number
  readonly takeCapBps: number
  /** A capped host pauses its link when so many bytes of a class wait to be taken in. */
  readonly takeInXoffBytes: number
  readonly pauseFrameBytes: number
}

export class Hosts implements HostsSide, FlowOwner {
  readonly params: HostsParams
  readonly flows: (Flow | undefined)[] = []
  /** The random stream of a name. */
  readonly stream: (name: string) => Random
  readonly hostPort: Int32Array
  controlPackets: number = 0
  readonly #fabric: Fabric
  readonly #packets: Packets
  readonly #calendar: Calendar
  readonly #paths: Paths
  readonly #control: Control
  readonly #sink: FlowSink
  readonly #freeSlots: number[] = []
  readonly #timers: FlowTimers
  readonly #sender: Sender
  readonly #receiver: Receiver
  readonly #connections: Connections | undefined
  /** Flags of an ACK that tell its sender of congestion. */
  readonly #heardFlags: number
  /** Hosts with a rate cap only. */
  readonly #intake: Intake | undefined
  readonly #ack: Ack = {
    bytes: 0,
    acked: 0,
    next: 0,
    marked: false,
    rttPs: NaN,
    hostDelayPs: 0,
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

  constructor(
    fabric: Fabric,
    params: HostsParams,
    paths: Paths,
    control: Control,
    stream: (name: string) => Random,
    sink: FlowSink,
  ) {
    this.#fabric = fabric
    this.#packets = fabric.packets
    this.#calendar = fabric.calendar
    this.params = params
    this.#paths = paths
    this.#control = control
    this.stream = stream
    this.#sink = sink
    this.hostPort = Int32Array.from(fabric.hostNodes, (node) => fabric.portsOf[node][0])
    this.#timers = new FlowTimers(fabric.calendar)
    this.#sender = new Sender(fabric, this.hostPort, params, control, this.#timers)
    this.#receiver = new Receiver(fabric, this.hostPort, params, control, this.#timers, this)
    const { connections } = params
    this.#connections = connections && new Connections(connections, this.hostPort.length)
    this.#heardFlags = params.ackEcn === 'heard' ? ECHO | MARKED : ECHO
    this.#intake = params.takeCapBps > 0 ? new Intake(fabric, params) : undefined
  }

  get retransmitted(): number {
    return this.#sender.retransmitted
  }

  get dataPackets(): number {
    return this.#sender.dataPackets
  }

  get deliveredBytes(): number {
    return this.#receiver.deliveredBytes
  }

  onDelivered(flow: Flow, nowPs: number): void {
    this.#sink.onDelivered?.(flow, nowPs)
  }

  // Flows begin and end.

  startFlow(start: FlowStart, nowPs: number): Flow {
    const flow = new Flow(this)
    const slot = this.#freeSlots.pop() ?? this.flows.length
    const { mtuBytes, headerBytes, ackBytes } = this.params
    const fabric = this.#fabric
    flow.flow = slot
    setStart(flow, start, mtuBytes)
    flow.packetBytes = mtuBytes + headerBytes + this.#control.dataHeaderBytes
    flow.lineRateBps = fabric.ports.rateBps[this.hostPort[start.source]]
    if (start.path !== undefined) givePaths(flow, this.#paths, start.path, start.pathBack)
    const { ports, cutThroughBytes } = fabric
    const path = start.timingPath
    const back = start.pathBack ?? reversed(path)
    const answerBytes = ackBytes + this.#control.ackHeaderBytes
    flow.hops = path.length - 1
    flow.baseRttPs = baseRttPs(ports, path, back, flow.packetBytes, answerBytes, cutThroughBytes)
    flow.ownWindowBytes = windowOfPath(this.params.window, ports, path, flow.baseRttPs)
    flow.followsRate = this.params.window?.followsRate === true
    flow.nstPs = nowPs
    flow.servedPs = nowPs
    flow.rtoPs = this.params.rtoPs
    this.flows[slot] = flow
    this.params.reliability.onStart(flow)
    flow.reaction = this.#control.reaction(flow)
    flow.notification = this.#control.notification(receiverOf(flow, this))
    this.#connections?.resume(flow, nowPs)
    flow.pacedBps = flow.reaction.rateBps
    flow.reaction.onStart(nowPs)
    this.#sender.afterReaction(flow, nowPs)
    return flow
  }

  /** A flow is told to stop: what it has sent is still delivered. */
  stopFlow(flow: Flow, nowPs: number): void {
    if (flow.isStopped || flow.isDone) return
    flow.isStopped = true
    flow.reaction.onFinished(nowPs)
    if (this.params.reliability.nextToSend(flow) < 0) this.#sender.rest(flow)
    this.endIfComplete(flow, nowPs)
  }

  endIfComplete(flow: Flow, nowPs: number): void {
    if (flow.isDone) return
    const end = flow.isStopped ? Math.min(flow.fresh, flow.packetCount) : flow.packetCount
    // Of a flow that was stopped, no packet may be left that draws an ACK for the last ones.
    const isSilent = flow.isStopped && flow.alive === 0
    const reached = this.params.ackEvery > 0 && !isSilent ? flow.unacked : flow.expected
    if (reached < end) return
    flow.isDone = true
    this.#sender.rest(flow)
    this.#connections?.release(flow)
    this.#sink.onFlowEnd(flow, nowPs)
    this.#timers.cancelAll(flow)
    if (flow.alive === 0) this.#forget(flow)
  }

  /** A flow that has ended and has no packets anywhere gives its slot and paths back. */
  #forget(flow: Flow): void {
    this.flows[flow.flow] = undefined
    this.#freeSlots.push(flow.flow)
    releasePaths(flow, this.#paths)
  }

  /** The flow's next packets take another path, if there is one. */
  reroute(flow: Flow): void {
    const path = flow.path < 0 ? undefined : this.#sink.anotherPath?.(flow)
    if (path === undefined) return
    changePath(flow, this.#paths, path)
    flow.hops = path.length - 1
  }

  // Sending.

  /** NIC */
  onNic(host: number, nowPs: number): void {
    this.#sender.onNic(host, nowPs)
  }

  onUnblocked(host: number, nowPs: number): void {
    this.#sender.onUnblocked(host, nowPs)
  }

  wake(flow: Flow): void {
    this.#sender.afterReaction(flow, this.#calendar.nowPs)
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
    flow.alive++
    this.controlPackets++
    const { controlClass } = this.params
    const control = this.#control
    return controlPacket(packets, control, flow, controlClass, isBackward, code, bytes, a, b)
  }

  // Receiving.

  receive(host: number, link: number, p: number, nowPs: number): void {
    if (this.#intake !== undefined) {
      this.#intake.add(host, link, p, nowPs)
      return
    }
    this.#fabric.gate.returnCreditsFor(link, p, nowPs)
    this.#takeIn(host, p, nowPs)
  }

  /** TAKE_IN */
  onTakeIn(host: number, nowPs: number): void {
    const intake = this.#intake as Intake
    this.#takeIn(host, intake.take(host, nowPs), nowPs)
  }

  #takeIn(host: number, p: number, nowPs: number): void {
    const packets = this.#packets
    const flow = this.flows[packets.int[p + FLOW]]
    if (flow === undefined) throw new Error('a packet has come whose flow is forgotten')
    switch (packets.int[p + KIND]) {
      case DATA:
        this.#receiver.onData(flow, host, p, nowPs)
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
    else if (flow.isStopped) this.endIfComplete(flow, this.#calendar.nowPs)
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
    ack.marked = (packets.int[p + FLAGS] & this.#heardFlags) !== 0
    ack.rttPs = rttPs
    ack.hostDelayPs = packets.cold[(p >> 1) + B]
    ack.inflightBytes = flow.inflightBytes
    ack.telemetry = packets.cold[(p >> 1) + TELEMETRY]
    ack.duplicates = outcome.duplicates
    ack.recovery = outcome.recovery
    flow.reaction.onAck(ack, nowPs)
    if (outcome.loss !== 'none') flow.reaction.onLoss(outcome.loss satisfies LossCause, nowPs)
    this.endIfComplete(flow, nowPs)
    if (flow.isDone) return
    if (outcome.bytes > 0 && flow.rtoPs > 0 && outcome.restartsTimer) {
      this.#timers.armTimeout(flow, flow.inflightBytes > 0 ? nowPs + flow.rtoPs : Infinity)
    }
    this.#sender.afterReaction(flow, nowPs)
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
    this.#sender.afterReaction(flow, nowPs)
  }

  /** Calls back for each packet in a host: in its injection FIFO, or to be taken in. For audits. */
  eachHeld(visit: (packet: number, host: number, isOutgoing: boolean) => void): void {
    this.#sender.eachHeld((packet, host) => visit(packet, host, true))
    this.#intake?.eachHeld((packet, host) => visit(packet, host, false))
  }

  // Timers.

  setFlowTimer(flow: Flow, which: number, atPs: number): void {
    this.#timers.set(flow, which, atPs)
  }

  /** FLOW_TIMER */
  onFlowTimer(target: number, nowPs: number): void {
    const which = target & (TIMERS - 1)
    const flow = this.flows[target >> 2] as Flow
    if (!this.#timers.isDue(flow, which, nowPs)) return
    flow.reaction.onTimer(which, nowPs)
    if (!flow.isDone) this.#sender.afterReaction(flow, nowPs)
  }

  /** TIMEOUT */
  onTimeout(slot: number, nowPs: number): void {
    const flow = this.flows[slot] as Flow
    if (!this.#timers.isTimeoutDue(flow, nowPs)) return
    // The reaction point first: it wants to know how much was in flight.
    flow.reaction.onLoss('timeout', nowPs)
    this.params.reliability.onTimeout(flow)
    this.#sender.afterReaction(flow, nowPs)
    if (flow.timeoutHandle < 0) this.#timers.armTimeout(flow, nowPs + flow.rtoPs)
  }

  /** DELAYED_ACK */
  onDelayedAck(slot: number, nowPs: number): void {
    this.#receiver.onDelayedAck(this.flows[slot] as Flow, nowPs)
  }
}
