/**
 * The receiving side of all hosts: data packets are taken by the reliability, shown to the
 * notification point, and go back as their own acknowledgements.
 */
import type { Control } from '../contract/control.ts'
import type { Fabric } from '../fabric.ts'
import {
  A,
  ACK,
  AGAIN,
  B,
  BACKWARD,
  BYTES,
  CAPABLE,
  CLASS,
  CWR,
  ECHO,
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
  TARGET,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { FlowTimers } from './flow-timers.ts'
import type { Flow } from './flow.ts'
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
  /** -1: the data's own class. */
  readonly ackClass: number
  readonly ackEcn: AckEcn
  readonly delayedAckPs: number
}

/** Who owns flows: told when one may have ended, and when a packet has done its work. */
export interface FlowOwner {
  endIfComplete(flow: Flow, nowPs: number): void
  discard(packet: number): void
  onDelivered(flow: Flow, nowPs: number): void
}

export class Receiver {
  deliveredBytes: number = 0
  readonly #fabric: Fabric
  readonly #packets: Packets
  readonly #hostPort: Int32Array
  readonly #params: ReceiverParams
  readonly #ackHeaderBytes: number
  readonly #ackFlags: number
  readonly #echo: Control['echo']
  readonly #timers: FlowTimers
  readonly #owner: FlowOwner
  readonly #answer: Answer = { newBytes: 0, mustAnswer: false, isNack: false }

  constructor(
    fabric: Fabric,
    hostPort: Int32Array,
    params: ReceiverParams,
    control: Control,
    timers: FlowTimers,
    owner: FlowOwner,
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
  }

  onData(flow: Flow, host: number, p: number, nowPs: number): void {
    const packets = this.#packets
    const params = this.#params
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
      this.#owner.onDelivered(flow, nowPs)
    }
    if ((packets.int[p + FLAGS] & CWR) !== 0) flow.hasMark = isMarked
    else if (isMarked) flow.hasMark = true
    flow.notification?.onData(isMarked, packets.int[p + BYTES], nowPs)
    flow.sinceAck++
    const isDue = flow.sinceAck >= params.ackEvery || (packets.int[p + FLAGS] & LAST) !== 0
    if (params.ackEvery === 0) {
      if (flow.isStopped || flow.expected >= flow.packetCount)
        this.#owner.endIfComplete(flow, nowPs)
      this.#owner.discard(p)
    } else if (isDue || answer.mustAnswer)
      this.#answerWith(flow, host, p, seq, answer.isNack, nowPs)
    else {
      // Before the packet is gone: with its last one a flow that was stopped ends, and its timers.
      if (params.delayedAckPs > 0) this.#timers.armDelayedAck(flow, nowPs + params.delayedAckPs)
      this.#owner.discard(p)
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
    const params = this.#params
    const fabric = this.#fabric
    const isEcho = flow.hasMark && (flow.notification?.mayEcho() ?? true)
    packets.int[p + KIND] = isNack ? NACK : ACK
    if ((packets.int[p + FLAGS] & AGAIN) !== 0) packets.cold[(p >> 1) + SENT] = NaN
    packets.int[p + FLAGS] = this.#ackFlags | (isEcho ? ECHO : 0)
    packets.int[p + BYTES] = params.ackBytes + this.#ackHeaderBytes
    packets.int[p + PAYLOAD] = 0
    if (params.ackClass >= 0) packets.int[p + CLASS] = params.ackClass
    packets.int[p + SEQ] = flow.expected
    packets.cold[(p >> 1) + A] = params.reliability.ackInfo(flow, seq)
    packets.int[p + PATH] = flow.pathBack
    packets.int[p + HOP] = 0
    packets.cold[(p >> 1) + TARGET] = fabric.hostNodes[flow.source]
    packets.int[p + INGRESS] = -1
    flow.sinceAck = 0
    if (isEcho && this.#echo !== 'until-cwr') flow.hasMark = false
    fabric.join(this.#hostPort[host], p, nowPs)
  }

  /** An ACK of its own, where no data packet can go back as one. It measures no round trip. */
  #acknowledge(flow: Flow, nowPs: number): void {
    const packets = this.#packets
    const p = packets.allocate()
    packets.int[p + CLASS] = flow.class
    packets.int[p + FLAGS] = AGAIN
    packets.int[p + FLOW] = flow.flow
    packets.cold[(p >> 1) + B] = 0
    packets.cold[(p >> 1) + TELEMETRY] = -1
    flow.alive++
    this.#answerWith(flow, flow.target, p, flow.expected - 1, false, nowPs)
  }

  /** DELAYED_ACK */
  onDelayedAck(flow: Flow, nowPs: number): void {
    flow.delayedAckHandle = -1
    if (flow.sinceAck === 0) return
    if (flow.delayedAckPs > nowPs) this.#timers.armDelayedAck(flow, flow.delayedAckPs)
    else this.#acknowledge(flow, nowPs)
  }
}
