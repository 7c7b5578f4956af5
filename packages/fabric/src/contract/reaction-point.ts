/**
 * The reaction point (RP): what a sender does about congestion. One object per flow.
 *
 * The NIC reads `rateBps` and `windowBytes` before each packet and calls the rest as things happen.
 * An RP has no I/O: `now` comes in, two numbers and calls on its `FlowContext` go out. Everything
 * but the two numbers defaults to nothing, so that the null member is a few lines.
 *
 * Fields of points that will hold fractions, or numbers above 2^31, begin as NaN and have their
 * value from the constructor on: V8 keeps them as doubles then. Where a small whole number comes
 * first and a double later, all objects of the class are of an outdated kind, and V8 throws away
 * what it compiles for flows that hold one (bench/README.md). What control packets bring, as
 * doubles, and a field keeps as a whole number is made one by `| 0`.
 */
import type { Random } from '@weir/engine'
import type { NodeAgent } from './node-agent.ts'

/** What the transport tells its RP about one arriving acknowledgement. Reused: do not keep it. */
export interface Ack {
  /** Payload bytes newly acknowledged; 0 for a duplicate. */
  bytes: number
  /** Highest packet number acknowledged, and the next one to be sent: an RTT is a span of them. */
  acked: number
  next: number
  /** The receiver saw congestion experienced on what this acknowledges. */
  marked: boolean
  /** From the end of the data packet's transmission to now; NaN if unknown (a retransmission). */
  rttPs: number
  /** Part of `rttPs` that the two hosts took the packet and its ACK in for, waiting included. */
  hostDelayPs: number
  /** Payload bytes that are unacknowledged after this ACK. */
  inflightBytes: number
  /** Row in the telemetry pool, -1 if none. */
  telemetry: number
  /**
   * What the acknowledged packet's sender had written into it (`ReactionPoint.header`), or what its
   * receiver wrote in that place (`Received.header`).
   */
  header?: number
  /**
   * How many ACKs in a row have said the same as this one; 0 if it says something new, and until
   * all that had been sent when the retransmission timer fired is acknowledged.
   */
  duplicates: number
  /** Where TCP's fast recovery stands; always `none` with other transports. */
  recovery: RecoveryStep
}

/**
 * Fast recovery (RFC 6582) begins with `onLoss('fast-retransmit')`. `goes-on`: a duplicate has
 * come; `partial`: an ACK of some, but not all, of what was sent before the loss was found; `ends`:
 * all of it is acknowledged. `sack`: in place of the first two where the sender knows what is in
 * the network (RFC 6675), and from the ACK on that finds the loss: the window is not inflated.
 */
export type RecoveryStep = 'none' | 'goes-on' | 'partial' | 'sack' | 'ends'

/** `fast-retransmit`: reported by duplicate ACKs or a NACK; `timeout`: by silence. */
export type LossCause = 'fast-retransmit' | 'timeout'

/** The world as one flow's RP sees it. */
export interface FlowContext {
  readonly flow: number
  /** Host numbers of its ends, and the class (service level) that the flow travels in. */
  readonly source: number
  readonly target: number
  readonly class: number
  /** Rate of the host's link. */
  readonly lineRateBps: number
  /** Round trip of a full packet and its ACK on the empty fabric. */
  readonly baseRttPs: number
  /** The longest of those between any two hosts, by their paths. */
  readonly longestRttPs: number
  /** Switches on the path; with routing packet by packet, on one of its paths. */
  readonly hops: number
  readonly mtuBytes: number
  /** Wire bytes of a full data packet. */
  readonly packetBytes: number
  /** Payload bytes of the whole flow; Infinity if it has no end. */
  readonly sizeBytes: number
  readonly weight: number
  /** Of a routing that is a choice, the member that its packets take at first; 0 of others. */
  readonly member?: number
  /** The agent of the sending host, if the scheme has one. */
  readonly agent?: NodeAgent | undefined
  /** A stream of this flow's own: what others draw never changes it. */
  readonly random: Random
  /** Payload bytes that are sent and not acknowledged; with SACK, those in the network. */
  readonly inflightBytes: number
  /** Payload bytes that are sent and not cumulatively acknowledged (FlightSize of RFC 5681). */
  readonly flightBytes: number
  /** Payload bytes not yet sent for the first time. */
  readonly unsentBytes: number
  /** (Re)arms timer `which` (0..3) of this flow. */
  setTimer(which: number, atPs: number): void
  cancelTimer(which: number): void
  /**
   * Sends a control packet by the data's path; its fields reach contention points and the receiver.
   */
  sendControl(code: number, bytes: number, a: number, b: number): void
  /**
   * From now on the flow's packets take another path, if routing has one; those sent go on by
   * theirs.
   */
  reroute?(): void
  /** Says that `rateBps` or `windowBytes` has changed outside a callback of this RP. */
  wake(): void
}

export abstract class ReactionPoint {
  /** Wire bits per second that the NIC may send; Infinity is not limited. */
  rateBps: number = Infinity
  /** Payload bytes that may be unacknowledged. */
  windowBytes: number = Infinity
  /**
   * The next new packet tells the receiver that the window was reduced (CWR, RFC 3168); then false.
   */
  hasReduced: boolean = false
  /** Packets that it may still send, first ones and repeated ones: the sender counts down. */
  quota: number = Infinity
  /** Class of the packets that leave from now on; -1: the flow's own. */
  packetClass: number = -1
  /** Of a routing that is a choice, the member that packets take from now on; -1: the first. */
  routing: number = -1
  /**
   * A number that each data packet takes along: its receiver sees it, and its ACK echoes it.
   * `headerFields` keeps several fields in it.
   */
  header: number = 0

  /** The flow's first packet may leave from now on. */
  onStart(_nowPs: number): void {}
  /** A packet of `bytes` on the wire has been handed to the link. */
  onSent(_bytes: number, _nowPs: number): void {}
  onAck(_ack: Readonly<Ack>, _nowPs: number): void {}
  /** A control packet for this flow's source has arrived: a CNP, a QCN message, an FRP response. */
  onControl(_code: number, _a: number, _b: number, _nowPs: number): void {}
  /** Something was lost; `inflightBytes` of the context still counts what was on its way. */
  onLoss(_cause: LossCause, _nowPs: number): void {}
  onTimer(_which: number, _nowPs: number): void {}
  /** The last byte has been sent for the first time, or the flow was stopped. */
  onFinished(_nowPs: number): void {}
  /** What a connection keeps of a flow that has ended, for the next one on it. */
  keep(): readonly number[] {
    return []
  }
  /**
   * Before `onStart`: the flow is the next one of a connection that kept this. `hasRested`: it has
   * not sent for longer than its RTO (RFC 5681, section 4.1).
   */
  resume(_kept: readonly number[], _hasRested: boolean): void {}
  /** Current values of the scheme's `internals`, by position. */
  observe(_index: number): number {
    return NaN
  }
}
