/**
 * The notification point (NP): what a receiver sends back. One object per flow, at its target.
 */
import type { Random } from '@weir/engine'
import type { NodeAgent } from './node-agent.ts'

export interface ReceiverContext {
  readonly flow: number
  /** Numbers of the hosts that send and receive. */
  readonly source: number
  readonly target: number
  /** Payload bytes of the whole flow, as its first packet says; Infinity if it has no end. */
  readonly sizeBytes: number
  /** Payload bytes that have come, each counted once. */
  readonly deliveredBytes: number
  /** Round trip of a full packet and its ACK on the empty fabric, and the rate of the own link. */
  readonly baseRttPs: number
  readonly lineRateBps: number
  readonly mtuBytes: number
  /** A stream of this end's own. */
  readonly random: Random
  /** The agent of the host that receives, if the scheme has one. */
  readonly agent?: NodeAgent | undefined
  /** Sends a control packet to the flow's source. */
  sendControl(code: number, bytes: number, a: number, b: number): void
  /** (Re)arms the timer of this end; Infinity: it does not fire. */
  setTimer(atPs: number): void
}

/** A data packet that has come. Reused: do not keep it. */
export interface Received {
  /** Packet number within the flow. */
  seq: number
  /** Payload bytes, and those of them that had not come before; both 0 of a trimmed packet. */
  payloadBytes: number
  newBytes: number
  /** A switch has cut its payload off. */
  isTrimmed: boolean
  /** The class that it came in. */
  class: number
  /**
   * What its sender wrote into it (`ReactionPoint.header`). What `onReceived` leaves here is what
   * the packet's own acknowledgement takes back (`Ack.header`): an answer, or else an echo. An ACK
   * that covers packets before it speaks of this one alone, and one that a timer sends says 0.
   */
  header: number
}

export abstract class NotificationPoint {
  /** A data packet has arrived, `bytes` long on the wire. */
  onData(_marked: boolean, _bytes: number, _nowPs: number): void {}
  /** After that, with all that it says; of a trimmed packet, which `onData` does not see, this. */
  onReceived(_packet: Received, _nowPs: number): void {}
  /** An ACK leaves that could echo a mark; false: the mark waits for a later ACK. */
  mayEcho(): boolean {
    return true
  }
  /** A control packet from the flow's source has arrived (a heartbeat). */
  onControl(_code: number, _a: number, _b: number, _nowPs: number): void {}
  onTimer(_nowPs: number): void {}
}
