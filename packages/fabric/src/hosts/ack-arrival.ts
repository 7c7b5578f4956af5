/**
 * ACKs and NACKs that have come home: the reliability learns what has arrived, the reaction point
 * what it was like, and the flow ends or goes on.
 */
import type { Ack, LossCause } from '../contract/reaction-point.ts'
import {
  FIELD_A,
  FIELD_B,
  CODE,
  ECHO,
  ENTROPY,
  FLAGS,
  KIND,
  MARKED,
  NACK,
  SENT,
  SEQ,
  TELEMETRY,
  TRIMMED,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { FlowTimers } from './flow-timers.ts'
import type { Flow } from './flow.ts'
import type { AckEcn } from './receiver.ts'
import type { AckOutcome, Reliability } from './reliability.ts'
import type { Sender } from './sender.ts'

export interface AckArrivalParams {
  readonly reliability: Reliability
  readonly ackEcn: AckEcn
}

/** Who ends a flow of which all is acknowledged. */
export interface FlowEnder {
  endIfComplete(flow: Flow, nowPs: number): void
}

export class AckArrival {
  readonly #packets: Packets
  readonly #reliability: Reliability
  readonly #timers: FlowTimers
  readonly #sender: Sender
  readonly #ender: FlowEnder
  /** Flags of an ACK that tell its sender of congestion. */
  readonly #heardFlags: number
  readonly #ack: Ack = {
    bytes: 0,
    acked: 0,
    next: 0,
    marked: false,
    rttPs: NaN,
    hostDelayPs: 0,
    inflightBytes: 0,
    telemetry: -1,
    header: 0,
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
    packets: Packets,
    params: AckArrivalParams,
    timers: FlowTimers,
    sender: Sender,
    ender: FlowEnder,
  ) {
    this.#packets = packets
    this.#reliability = params.reliability
    this.#timers = timers
    this.#sender = sender
    this.#ender = ender
    this.#heardFlags = params.ackEcn === 'heard' ? ECHO | MARKED : ECHO
  }

  /** Of a flow that has not ended. */
  onAck(flow: Flow, p: number, nowPs: number): void {
    const { cold, int } = this.#packets
    const outcome = this.#outcome
    outcome.duplicates = 0
    outcome.recovery = 'none'
    outcome.restartsTimer = true
    const rttPs = nowPs - cold[(p >> 1) + SENT]
    const isTrimmed = (int[p + FLAGS] & TRIMMED) !== 0
    const isNack = int[p + KIND] === NACK && !isTrimmed
    const info = cold[(p >> 1) + FIELD_A]
    // A header without payload says what is expected next, and nothing of itself but that it came.
    this.#reliability.onAck(flow, int[p + SEQ], isNack, isTrimmed ? -1 : info, outcome, rttPs)
    if (isTrimmed) this.#reliability.onTrimmed?.(flow, info)
    const ack = this.#ack
    ack.bytes = outcome.bytes
    ack.acked = flow.unacked
    ack.next = flow.next
    ack.marked = (int[p + FLAGS] & this.#heardFlags) !== 0
    ack.rttPs = rttPs
    ack.hostDelayPs = cold[(p >> 1) + FIELD_B]
    ack.inflightBytes = flow.inflightBytes
    ack.telemetry = cold[(p >> 1) + TELEMETRY]
    ack.header = cold[(p >> 1) + CODE]
    ack.duplicates = outcome.duplicates
    ack.recovery = outcome.recovery
    flow.ways?.onAck?.(int[p + ENTROPY], ack.marked || isTrimmed, nowPs)
    flow.reaction.onAck(ack, nowPs)
    if (outcome.loss !== 'none') flow.reaction.onLoss(outcome.loss satisfies LossCause, nowPs)
    this.#ender.endIfComplete(flow, nowPs)
    if (flow.isDone) return
    if (outcome.bytes > 0 && flow.rtoPs > 0 && outcome.restartsTimer) {
      this.#timers.armTimeout(flow, flow.inflightBytes > 0 ? nowPs + flow.rtoPs : Infinity)
    }
    this.#sender.afterReaction(flow, nowPs)
  }
}
