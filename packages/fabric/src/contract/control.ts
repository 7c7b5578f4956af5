/**
 * What a scheme plugs into the fabric: the three points, and what it asks of packets and ports. The
 * `Scheme` of the schemes package makes one of these from parameters.
 */
import type { ContentionPoint, PortContext } from './contention-point.ts'
import type { NotificationPoint, ReceiverContext } from './notification-point.ts'
import type { NodeAgent, NodeContext } from './node-agent.ts'
import type { FlowContext } from './reaction-point.ts'
import { ReactionPoint } from './reaction-point.ts'

/** Marking that a scheme recommends for a link rate. */
export interface Marking {
  /** Bytes; at or above kmax every packet is marked. A threshold has kmin = kmax. */
  readonly kminBytes: number
  readonly kmaxBytes: number
  readonly pmax: number
  readonly at: 'enqueue' | 'dequeue'
}

/** Values for parameters of a scheme at some places of a fabric. */
export interface ControlChange {
  /** Names of nodes (`S2`) and of ports (`S2->H5`); empty: the whole fabric. */
  readonly where: readonly string[]
  /** In base units; parameters that are not named keep their values. */
  readonly params: Readonly<Record<string, number | boolean | string>>
}

/**
 * State that spans nodes: `words` numbers of each node, which its agent writes (`publish`). All
 * agents read them as they were published last, at a multiple of `everyPs`; 0 before the first.
 */
export interface Shared {
  readonly words: number
  readonly everyPs: number
}

export interface Control {
  /** Header bytes that each data packet carries for the scheme, besides the fabric's own. */
  readonly dataHeaderBytes: number
  readonly ackHeaderBytes: number
  /**
   * Wire bytes of the longest control packet that its points send; undefined: they send none. PFC's
   * headroom is reckoned with it, so a longer packet is refused when it is made.
   */
  readonly controlBytesMax?: number
  /** Data packets are ECN-capable. */
  readonly ecnCapable: boolean
  /**
   * How ACKs echo marks. Undefined: an ACK is marked if any packet was since the ACK before.
   * `exact` (DCTCP, RFC 8257 section 3.2): an ACK covers marked packets or unmarked ones, never
   * both. `until-cwr` (RFC 3168): from a mark on every ACK is marked, until the sender says CWR.
   */
  readonly echo?: 'exact' | 'until-cwr'
  /**
   * Its control packets travel in their flow's own class, as if in data headers; else the highest.
   */
  readonly isControlInDataClass?: boolean
  /** Data packets collect telemetry, and ACKs bring it back. */
  readonly telemetry: boolean
  /** Names of the RP's and the CP's internals, by position of `observe`. */
  readonly flowInternals: readonly string[]
  readonly portInternals: readonly string[]
  /** What `ecn: auto` means at a port of this rate; undefined: no marking. */
  marking(rateBps: number): Marking | undefined
  reaction(flow: FlowContext): ReactionPoint
  /** undefined: the receiver does nothing but acknowledge. */
  notification(receiver: ReceiverContext): NotificationPoint | undefined
  /** undefined: the port only forwards. Asked for every switch output, and for host outputs. */
  contention(port: PortContext): ContentionPoint | undefined
  /** undefined: the node only forwards, or sends and receives. Asked for every node. */
  agent?(node: NodeContext): NodeAgent | undefined
  /**
   * What its nodes know of each other besides packets; undefined: nothing. State that spans nodes
   * in any other way makes results depend on the order in which nodes run. Tables of which every
   * entry follows from its key alone are no such state, whoever fills them.
   */
  readonly shared?: Shared
  /** Bytes on the wire that are left of a packet whose payload a switch cuts off. */
  readonly trimmedBytes?: number
  /** Classes that its data packets travel in besides their flows' own (`packetClass`). */
  readonly classes?: readonly number[]
  /** Share of each link that it leaves free of flows' packets: ACKs and its own have to fit in. */
  readonly headroom?: number
  /** What a reader of the result should know: what the scheme lacks in this scenario. */
  readonly warnings?: readonly string[]
  /** Sets parameters of some places anew, before or during a run; only managed schemes have it. */
  manage?(change: ControlChange, nowPs: number): void
}

/** Sends as fast as its link takes packets. */
class Unlimited extends ReactionPoint {}

/**
 * The null member: nothing added, nothing marked, nobody told, senders not limited. A scheme starts
 * from it and says what it does otherwise: `{ ...inertControl, reaction: (flow) => ... }`.
 */
export const inertControl: Control = {
  dataHeaderBytes: 0,
  ackHeaderBytes: 0,
  ecnCapable: false,
  telemetry: false,
  flowInternals: [],
  portInternals: [],
  marking: () => undefined,
  reaction: () => new Unlimited(),
  notification: () => undefined,
  contention: () => undefined,
}
