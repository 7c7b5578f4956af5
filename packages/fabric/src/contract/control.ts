/**
 * What a scheme plugs into the fabric: the three points, and what it asks of packets and ports. The
 * `Scheme` of the schemes package makes one of these from parameters.
 */
import type { ContentionPoint, PortContext } from './contention-point.ts'
import type { NotificationPoint, ReceiverContext } from './notification-point.ts'
import type { FlowContext, ReactionPoint } from './reaction-point.ts'

/** Marking that a scheme recommends for a link rate. */
export interface Marking {
  /** Bytes; at or above kmax every packet is marked. A threshold has kmin = kmax. */
  readonly kminBytes: number
  readonly kmaxBytes: number
  readonly pmax: number
  readonly at: 'enqueue' | 'dequeue'
}

export interface Control {
  /** Header bytes that each data packet carries for the scheme, besides the fabric's own. */
  readonly dataHeaderBytes: number
  readonly ackHeaderBytes: number
  /** Data packets are ECN-capable. */
  readonly ecnCapable: boolean
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
}
