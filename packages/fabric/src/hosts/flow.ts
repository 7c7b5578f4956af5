/**
 * A flow: one message from one host to another, and the sender's half of what is known of it, which
 * is its reaction point's view of the world. Objects live at the edges; what is per packet is in
 * columns. The receiver's half is `ReceiverFlow`.
 */
import type { Random } from '@weir/engine'
import type { NodeAgent } from '../contract/node-agent.ts'
import type { FlowContext, ReactionPoint } from '../contract/reaction-point.ts'
import { Deadline } from '../deadline.ts'
import type { Hosts } from './hosts.ts'
import type { PacketWays } from './packet-ways.ts'
import type { ReceiverFlow } from './receiver-flow.ts'

/** Packet numbers of a flow without end stay below this. */
export const PACKETS_MAX = 0x7fffffff
export const TIMERS = 4

export class Flow implements FlowContext {
  /** Its number, which no other flow ever has. */
  flow: number = -1
  /** Its row in the result, which it has when the run has heard of it. */
  row: number = -1
  /** How many flows its host had begun before it: who is served first of those that are due. */
  turn: number = 0
  /** What its chance and its path are drawn by; no other flow has it. */
  key: string = ''
  /** Host numbers. */
  source: number = -1
  target: number = -1
  class: number = 0
  weight: number = 1
  sizeBytes: number = Infinity
  mtuBytes: number = 0
  packetBytes: number = 0
  lineRateBps: number = 0
  baseRttPs: number = 0
  hops: number = 0
  /** The host's own window at full rate, and whether it follows the rate. */
  ownWindowBytes: number = Infinity
  followsRate: boolean = false
  packetCount: number = 0
  lastPayload: number = 0
  /** Path of its packets; -1: they have ways of their own. */
  path: number = -1
  isPathGiven: boolean = false
  /** What its path was asked for by: how many it has left for another. */
  entropy: number = 0
  ways: PacketWays | undefined = undefined
  member: number = 0
  /** The other half, for those who look from outside: hosts never reach through. */
  receiver!: ReceiverFlow

  next: number = 0
  unacked: number = 0
  /** First packet number never sent before. */
  fresh: number = 0
  inflightBytes: number = 0
  /** Next service time (ACCurate, IV-B). */
  nstPs: number = 0
  /** When its last packet was served, its bytes, and the rate that its NST was set by. */
  servedPs: number = 0
  servedBytes: number = 0
  pacedBps: number = Infinity
  /** Place in its NIC's heap, -1 if it has nothing to send or may not. */
  place: number = -1
  /** Of its classes, those that its host's switch takes no more of, as bits. */
  heldClasses: number = 0
  isStopped: boolean = false
  isDone: boolean = false
  retransmitted: number = 0
  /** Control packets that its reaction point heard. */
  notifications: number = 0
  /** What the next timeout will be; 0: none. */
  rtoPs: number = 0
  /** Its next packet may leave whatever the window says: a fast retransmission. */
  isUrgent: boolean = false
  readonly timeout: Deadline = new Deadline()

  /** State of the reliability protocol, if it has more. */
  reliable: unknown = undefined

  reaction!: ReactionPoint
  /** The reaction point's; undefined: it was never set. */
  readonly timers: (Deadline | undefined)[] = new Array<undefined>(TIMERS).fill(undefined)
  readonly #hosts: Hosts
  #random: Random | undefined = undefined

  constructor(hosts: Hosts) {
    this.#hosts = hosts
  }

  get longestRttPs(): number {
    return this.#hosts.params.longestRttPs()
  }

  get random(): Random {
    return (this.#random ??= this.#hosts.stream(`flow.${this.key}`))
  }

  get agent(): NodeAgent | undefined {
    return this.#hosts.agentAt(this.source)
  }

  get unsentBytes(): number {
    if (this.isStopped) return 0
    return Math.max(0, this.sizeBytes - this.fresh * this.mtuBytes)
  }

  get flightBytes(): number {
    const bytes = (this.next - this.unacked) * this.mtuBytes
    const hasLast = bytes > 0 && this.next === this.packetCount
    return hasLast ? bytes - this.mtuBytes + this.lastPayload : bytes
  }

  /** A control packet has come back to it. */
  hear(code: number, a: number, b: number, nowPs: number): void {
    this.notifications++
    this.reaction.onControl(code, a, b, nowPs)
  }

  setTimer(which: number, atPs: number): void {
    this.#hosts.setFlowTimer(this, which, atPs)
  }

  cancelTimer(which: number): void {
    const timer = this.timers[which]
    if (timer !== undefined) timer.duePs = Infinity
  }

  sendControl(code: number, bytes: number, a: number, b: number): void {
    this.#hosts.control.forward(this, code, bytes, a, b)
  }

  reroute(): void {
    this.#hosts.reroute(this)
  }

  wake(): void {
    this.#hosts.wake(this)
  }

  /** Payload that may be unacknowledged: by the scheme's window and by the host's own. */
  get windowBytes(): number {
    const { windowBytes, rateBps } = this.reaction
    if (this.ownWindowBytes === Infinity) return windowBytes
    const share = this.followsRate ? Math.min(1, rateBps / this.lineRateBps) : 1
    return Math.min(windowBytes, Math.max(1, this.ownWindowBytes * share))
  }

  payloadOf(seq: number): number {
    return seq === this.packetCount - 1 ? this.lastPayload : this.mtuBytes
  }
}
