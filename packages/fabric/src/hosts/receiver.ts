/**
 * The receiving side of all hosts: data packets are taken by the reliability, shown to the
 * notification point, and go back as their own acknowledgements.
 */
import type { Control } from '../contract/control.ts'
import type { NotificationPoint, Received } from '../contract/notification-point.ts'
import type { Fabric } from '../fabric.ts'
import {
  FIELD_A,
  ACK,
  AGAIN,
  FIELD_B,
  BACKWARD,
  BYTES,
  CAPABLE,
  CLASS,
  CODE,
  CWR,
  ECHO,
  ENTROPY,
  FLAGS,
  FLOW,
  HOP,
  INGRESS,
  KIND,
  LAST,
  MARKED,
  NACK,
  PATH,
  PAYLOAD,
  SENT,
  SEQ,
  SOURCE,
  TARGET,
  TELEMETRY,
  TRIMMED,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { FlowTimers } from './flow-timers.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import type { Answer, Reliability } from './reliability.ts'

/**
 * Switches leave ACKs alone (RFC 3168, section 6.1.4), or mark them as they do data; and a sender
 * takes such a mark for congestion, or does not look at it.
 */
export type AckEcn = 'none' | 'ignored' | 'heard'

export interface ReceiverParams {
  readonly reliability: Reliability
  readonly ackEvery: number
  readonly ackBytes: number
  /** -1: the data's own class; the flow's, where packets change theirs on the way. */
  readonly ackClass: number
  readonly ackEcn: AckEcn
  /** ACKs wait in the shared injection FIFO, behind data. */
  readonly acksInFifo: boolean
  readonly delayedAckPs: number
}

/** Who owns flows: told when a packet has done its work, and when all have come. */
export interface FlowOwner {
  discard(packet: number): void
  /** All bytes of a flow that `tellsDelivery` have come. */
  onDelivered(flow: ReceiverFlow, nowPs: number): void
  /** All packets of a flow have come, and no ACK will tell its sender. */
  onAllReceived(flow: ReceiverFlow, nowPs: number): void
}

/** Where ACKs wait behind data, in the host's one FIFO. */
export interface AckQueue {
  queue(host: number, packet: number, nowPs: number): void
}

export class Receiver {
  deliveredBytes: number = 0
  /** ACKs that no further packet brought about, but `delayedAckPs`. */
  timedAcks: number = 0
  readonly #fabric: Fabric
  readonly #packets: Packets
  readonly #hostPort: Int32Array
  readonly #params: ReceiverParams
  readonly #ackHeaderBytes: number
  readonly #ackFlags: number
  readonly #echo: Control['echo']
  readonly #timers: FlowTimers
  readonly #owner: FlowOwner
  readonly #behindData: AckQueue | undefined
  readonly #answer: Answer = { newBytes: 0, mustAnswer: false, isNack: false }
  readonly #received: Received = {
    seq: 0,
    payloadBytes: 0,
    newBytes: 0,
    isTrimmed: false,
    class: 0,
    header: 0,
  }

  constructor(
    fabric: Fabric,
    hostPort: Int32Array,
    params: ReceiverParams,
    control: Control,
    timers: FlowTimers,
    owner: FlowOwner,
    queue: AckQueue,
  ) {
    this.#fabric = fabric
    this.#packets = fabric.packets
    this.#hostPort = hostPort
    this.#params = params
    this.#ackHeaderBytes = control.ackHeaderBytes
    this.#ackFlags = params.ackEcn === 'none' ? BACKWARD : BACKWARD | CAPABLE
    this.#echo = control.echo
    this.#timers = timers
    this.#owner = owner
    this.#behindData = params.acksInFifo ? queue : undefined
  }

  onData(flow: ReceiverFlow, host: number, p: number, nowPs: number): void {
    const packets = this.#packets
    const params = this.#params
    const answer = this.#answer
    const isMarked = (packets.int[p + FLAGS] & MARKED) !== 0
    const seq = packets.int[p + SEQ]
    // RFC 8257, section 3.2: an ACK that waits covers packets of one kind, marked or not.
    if (flow.sinceAck > 0 && isMarked !== flow.hasMark && this.#echo === 'exact') {
      this.#acknowledge(flow, nowPs)
    }
    if ((packets.int[p + FLAGS] & TRIMMED) !== 0) {
      this.#onTrimmed(flow, host, p, nowPs)
      return
    }
    params.reliability.onData(flow, seq, packets.int[p + PAYLOAD], answer)
    flow.reorder?.take(seq)
    flow.deliveredBytes += answer.newBytes
    this.deliveredBytes += answer.newBytes
    if (flow.tellsDelivery && flow.expected >= flow.end) {
      flow.tellsDelivery = false
      this.#owner.onDelivered(flow, nowPs)
    }
    if ((packets.int[p + FLAGS] & CWR) !== 0) flow.hasMark = isMarked
    else if (isMarked) flow.hasMark = true
    const { notification } = flow
    if (notification !== undefined) {
      notification.onData(isMarked, packets.int[p + BYTES], nowPs)
      this.#show(notification, p, answer.newBytes, nowPs)
    }
    flow.sinceAck++
    const isLast = (packets.int[p + FLAGS] & LAST) !== 0 || this.#hasAllSent(flow)
    const isDue = flow.sinceAck >= params.ackEvery || isLast
    if (params.ackEvery === 0) {
      this.#endIfComplete(flow, nowPs)
      this.#owner.discard(p)
    } else if (isDue || answer.mustAnswer)
      this.#answerWith(flow, host, p, seq, answer.isNack, nowPs)
    else {
      if (params.delayedAckPs > 0) this.#timers.armDelayedAck(flow, nowPs + params.delayedAckPs)
      this.#owner.discard(p)
    }
  }

  /** A header without its payload: its sender is told at once. */
  #onTrimmed(flow: ReceiverFlow, host: number, p: number, nowPs: number): void {
    const { int } = this.#packets
    const { notification } = flow
    if (notification !== undefined) this.#show(notification, p, 0, nowPs)
    if (this.#params.ackEvery > 0) this.#answerWith(flow, host, p, int[p + SEQ], true, nowPs)
    else this.#owner.discard(p)
  }

  /** The notification point sees a packet. */
  #show(notification: NotificationPoint, p: number, newBytes: number, nowPs: number): void {
    const { cold, int } = this.#packets
    const received = this.#received
    received.seq = int[p + SEQ]
    received.payloadBytes = int[p + PAYLOAD]
    received.newBytes = newBytes
    received.isTrimmed = (int[p + FLAGS] & TRIMMED) !== 0
    received.class = int[p + CLASS]
    received.header = cold[(p >> 1) + CODE]
    notification.onReceived(received, nowPs)
    cold[(p >> 1) + CODE] = received.header
  }

  /** The flow was told to stop, and all that it had sent by then is here. */
  #hasAllSent(flow: ReceiverFlow): boolean {
    return flow.isStopped && flow.expected >= flow.end
  }

  /** Without ACKs a flow ends where its last packet comes. */
  #endIfComplete(flow: ReceiverFlow, nowPs: number): void {
    if (flow.isDone || flow.expected < flow.end) return
    flow.isDone = true
    this.#owner.onAllReceived(flow, nowPs)
  }

  /** Nothing comes but what is on its way: of that, the last packet is acknowledged at once. */
  stop(flow: ReceiverFlow, sent: number, nowPs: number): void {
    if (flow.isStopped) return
    flow.isStopped = true
    if (sent < flow.end) flow.end = sent
    if (!this.#hasAllSent(flow)) return
    if (this.#params.ackEvery === 0) this.#endIfComplete(flow, nowPs)
    else if (flow.sinceAck > 0) this.#acknowledge(flow, nowPs)
  }

  /** Back by the way that the latest packet came, unless ACKs have a path of their own. */
  pathBack(flow: ReceiverFlow): number {
    return flow.ownPath >= 0 ? flow.ownPath : this.#fabric.paths.reverseOf(flow.cameBy)
  }

  /** The data packet goes back as its own acknowledgement. */
  #answerWith(
    flow: ReceiverFlow,
    host: number,
    p: number,
    seq: number,
    isNack: boolean,
    nowPs: number,
  ): void {
    const packets = this.#packets
    const params = this.#params
    const fabric = this.#fabric
    const isEcho = flow.hasMark && (flow.notification?.mayEcho() ?? true)
    packets.int[p + KIND] = isNack ? NACK : ACK
    if ((packets.int[p + FLAGS] & AGAIN) !== 0) packets.cold[(p >> 1) + SENT] = NaN
    const trimmed = packets.int[p + FLAGS] & TRIMMED
    packets.int[p + FLAGS] = this.#ackFlags | (isEcho ? ECHO : 0) | trimmed
    packets.int[p + BYTES] = params.ackBytes + this.#ackHeaderBytes
    packets.int[p + PAYLOAD] = 0
    if (params.ackClass >= 0) packets.int[p + CLASS] = params.ackClass
    else if (fabric.lanes !== undefined) packets.int[p + CLASS] = flow.class
    packets.int[p + SEQ] = flow.expected
    packets.cold[(p >> 1) + FIELD_A] = params.reliability.ackInfo(flow, seq)
    packets.int[p + PATH] = this.pathBack(flow)
    packets.int[p + HOP] = 0
    packets.cold[(p >> 1) + SOURCE] = flow.target
    packets.cold[(p >> 1) + TARGET] = fabric.hostNodes[flow.source]
    packets.int[p + INGRESS] = -1
    flow.sinceAck = 0
    if (isEcho && this.#echo !== 'until-cwr') flow.hasMark = false
    if (this.#behindData === undefined) fabric.join(this.#hostPort[host], p, nowPs)
    else this.#behindData.queue(host, p, nowPs)
  }

  /** An ACK of its own, where no data packet can go back as one. It measures no round trip. */
  #acknowledge(flow: ReceiverFlow, nowPs: number): void {
    const packets = this.#packets
    const p = packets.allocate()
    packets.int[p + CLASS] = flow.class
    packets.int[p + FLAGS] = AGAIN
    packets.int[p + FLOW] = flow.flow
    packets.int[p + ENTROPY] = -1
    packets.cold[(p >> 1) + FIELD_B] = 0
    packets.cold[(p >> 1) + CODE] = 0
    packets.cold[(p >> 1) + TELEMETRY] = -1
    this.#answerWith(flow, flow.target, p, flow.expected - 1, false, nowPs)
  }

  /** DELAYED_ACK */
  onDelayedAck(flow: ReceiverFlow, nowPs: number): void {
    flow.delayedAckHandle = -1
    if (flow.sinceAck === 0) return
    if (flow.delayedAckPs > nowPs) this.#timers.armDelayedAck(flow, flow.delayedAckPs)
    else {
      this.timedAcks++
      this.#acknowledge(flow, nowPs)
    }
  }
}
