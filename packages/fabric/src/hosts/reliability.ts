/**
 * Reliability: which packet goes next and what an acknowledgement means. Apart from congestion
 * control: it tells the reaction point of ACKs and losses and never sets a rate.
 *
 * Members: `none` (nothing is repeated), `go-back-n` (RoCE), `selective-repeat` (IRN-like),
 * `unordered` (trimmed packets, timeouts), `tcp` (with SACK, or NewReno without).
 */
import type { RecoveryStep } from '../contract/reaction-point.ts'
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'

/** What a sender learns from an ACK or NACK. Reused: do not keep it. */
export interface AckOutcome {
  /** Payload bytes newly acknowledged. */
  bytes: number
  /** What was lost, if this says so. */
  loss: 'none' | 'fast-retransmit'
  // The caller sets these to 0, 'none' and true; only a protocol that counts duplicates changes
  // them.
  /** See `Ack`. */
  duplicates: number
  recovery: RecoveryStep
  /** An ACK of new data starts the timer anew, unless the protocol says no. */
  restartsTimer: boolean
}

/** What a receiver answers to a data packet. Reused. */
export interface Answer {
  /** Payload bytes of this packet that were new here. */
  newBytes: number
  /** Send an acknowledgement now, whatever the ACK policy: a gap, a duplicate. */
  mustAnswer: boolean
  isNack: boolean
}

export interface Reliability {
  readonly name: string
  /** Sending starts the timer only if it does not run (TCP), or starts it anew (the default). */
  readonly timerStarts?: 'once'
  /** May set `flow.rtoPs`, as may `onAck` and `onTimeout`. */
  onStart(flow: Flow): void
  /** At the receiver. */
  onReceiverStart?(flow: ReceiverFlow): void
  /** The number of the packet to send next; -1 if there is nothing to send. */
  nextToSend(flow: Flow): number
  /** Packet `seq` has been handed to the link. */
  onSent(flow: Flow, seq: number): void
  /** The receiver expects `seq` next; a NACK says that it has not come. `rttPs`: NaN if unknown. */
  onAck(
    flow: Flow,
    seq: number,
    isNack: boolean,
    info: number,
    outcome: AckOutcome,
    rttPs: number,
  ): void
  /** A switch has cut off the payload of packet `seq`. Undefined: nothing comes of it. */
  onTrimmed?(flow: Flow, seq: number): void
  /** Nothing was heard for a timeout: the sender starts over. */
  onTimeout(flow: Flow): void
  /** At the receiver: data packet `seq` has come. */
  onData(flow: ReceiverFlow, seq: number, payload: number, answer: Answer): void
  /** What an ACK carries besides `flow.expected`: read back as `info`. */
  ackInfo(flow: ReceiverFlow, seq: number): number
}
