/**
 * The contention point (CP): what a switch output does to packets, or on a timer. One object per
 * port of a switch (and of a host's own link, if the scheme asks for it).
 *
 * `sees` tells the fabric which calls to make: a port whose CP sees departures is driven by an
 * event per departure, others are not. No per-flow state is assumed, and none forbidden.
 */
import type { Random } from '@weir/engine'
import type { NodeAgent } from './node-agent.ts'

export interface PortContext {
  readonly port: number
  readonly name: string
  readonly rateBps: number
  readonly delayPs: number
  /** The port belongs to a host, not to a switch. */
  readonly atHost: boolean
  /** The link's other end is a host. */
  readonly toHost: boolean
  /** Links that come into the port's node, besides its own: all that can feed this output. */
  readonly inputs: number
  /** The agent of the port's node, if the scheme has one. */
  readonly agent?: NodeAgent | undefined
  /** A stream of this port's own. */
  readonly random: Random
  /** Bytes held for this output, one class or all of them. */
  queueBytes(trafficClass: number): number
  queueBytesAll(): number
  /** Is this output kept from sending `bytes` by its link partner: paused, or out of credits? */
  isBlocked(trafficClass: number, bytes: number): boolean
  /** Wire bytes sent so far. */
  sentBytes(): number
  packetBytes(packet: number): number
  packetFlow(packet: number): number
  packetClass(packet: number): number
  packetSource(packet: number): number
  packetTarget(packet: number): number
  isData(packet: number): boolean
  /** Sets congestion experienced. */
  mark(packet: number): void
  /** Code and fields of a control packet; setting them changes the packet that travels on. */
  controlCode(packet: number): number
  controlA(packet: number): number
  controlB(packet: number): number
  setControl(packet: number, a: number, b: number): void
  /** Sends a control packet from here to the source of `packet`, in the control class. */
  notifySource(packet: number, code: number, bytes: number, a: number, b: number): void
  /** Keeps the way back of this packet's flow, for `notifyFlow`: that of its latest packet. */
  remember(packet: number): void
  /**
   * Sends one to the source of a flow that was remembered here, by its number; false if it was not,
   * or if 4,096 others were since. Its source ignores what comes when the flow is over.
   */
  notifyFlow(flow: number, code: number, bytes: number, a: number, b: number): boolean
  /** (Re)arms timer `which` (0 or 1) of this port. */
  setTimer(which: number, atPs: number): void
}

/** What becomes of a data packet at a queue. */
export const KEEP = 0
/** Its payload is cut off: the header goes on, in the class of control packets. */
export const TRIM = 1
export const DROP = 2
/** It is kept, and says that it met congestion, as by `PortContext.mark`. */
export const MARK = 3
export type Verdict = typeof KEEP | typeof TRIM | typeof DROP | typeof MARK

export abstract class ContentionPoint {
  /**
   * `admit` is asked for every data packet that comes to a switch, before it is known whether there
   * is room for it. Its scheme needs `verdicts`: with credits every packet sent has its room.
   */
  readonly admits: boolean = false
  /** Which data-packet calls the fabric makes. */
  abstract readonly sees: 'nothing' | 'arrivals' | 'departures' | 'both'

  onStart(_nowPs: number): void {}
  /** A data packet wants to join this output; `queueBytes` of its class are held for it already. */
  admit(_packet: number, _queueBytes: number, _nowPs: number): Verdict {
    return KEEP
  }
  /** A data packet is about to join this output; `queueBytes` of its class are held already. */
  onArrival(_packet: number, _queueBytes: number, _nowPs: number): void {}
  /** A data packet starts to leave; `queueBytes` of its class remain without it. */
  onDeparture(_packet: number, _queueBytes: number, _nowPs: number): void {}
  /** A control packet on its way from source to target passes. */
  onControl(_packet: number, _nowPs: number): void {}
  onTimer(_which: number, _nowPs: number): void {}
  observe(_index: number): number {
    return NaN
  }
}
