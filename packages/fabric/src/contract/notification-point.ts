/**
 * The notification point (NP): what a receiver sends back. One object per flow, at its target.
 */
import type { Random } from '@weir/engine'

export interface ReceiverContext {
  readonly flow: number
  /** Number of the host that receives. */
  readonly target: number
  /** A stream of this end's own. */
  readonly random: Random
  /** Sends a control packet to the flow's source. */
  sendControl(code: number, bytes: number, a: number, b: number): void
}

export abstract class NotificationPoint {
  /** A data packet has arrived. */
  onData(_marked: boolean, _bytes: number, _nowPs: number): void {}
  /** An ACK leaves that could echo a mark; false: the mark waits for a later ACK. */
  mayEcho(): boolean {
    return true
  }
  /** A control packet from the flow's source has arrived (a heartbeat). */
  onControl(_code: number, _a: number, _b: number, _nowPs: number): void {}
}
