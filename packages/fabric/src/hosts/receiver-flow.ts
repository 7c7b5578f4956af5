/**
 * The receiver's half of a flow: what the target host knows of it. The two halves know each other
 * by packets alone; whoever hands flows out tells both that the flow begins, and that it stops.
 */
import type { Random } from '@weir/engine'
import type { NodeAgent } from '../contract/node-agent.ts'
import type { NotificationPoint, ReceiverContext } from '../contract/notification-point.ts'
import type { Deadline } from '../deadline.ts'
import type { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import type { ReorderDepth } from './reorder-depth.ts'

export class ReceiverFlow implements ReceiverContext {
  readonly flow: number
  /** Host numbers. */
  readonly source: number
  readonly target: number
  readonly class: number
  readonly sizeBytes: number
  readonly baseRttPs: number
  readonly mtuBytes: number
  /** Packets that are to come: all, and of a flow that was stopped those that were sent. */
  end: number
  isStopped: boolean = false
  /** It has all packets, and says so to nobody: ACKs are switched off. */
  isDone: boolean = false
  expected: number = 0
  deliveredBytes: number = 0
  /** Whoever began the flow wants to know when its last byte has arrived. */
  tellsDelivery: boolean = false
  sinceAck: number = 0
  hasMark: boolean = false
  nackedFor: number = -1
  /** When an ACK that waits must leave. */
  delayedAckPs: number = Infinity
  delayedAckHandle: number = -1
  /** The notification point's own timer; undefined: it was never set. */
  timer: Deadline | undefined = undefined
  /** The path by which the latest packet came; -1: hop by hop, or none has come. */
  cameBy: number = -1
  /** The path of its ACKs, where they have one of their own; -1: back by which they came. */
  ownPath: number = -1
  /** State of the reliability protocol, if it has more. */
  reliable: unknown = undefined
  notification: NotificationPoint | undefined = undefined
  /** Where packets may overtake each other. */
  reorder: ReorderDepth | undefined = undefined
  readonly #hosts: Hosts
  readonly #key: string
  #random: Random | undefined = undefined

  constructor(flow: Flow, hosts: Hosts) {
    this.flow = flow.flow
    this.source = flow.source
    this.target = flow.target
    this.class = flow.class
    this.sizeBytes = flow.sizeBytes
    this.baseRttPs = flow.baseRttPs
    this.mtuBytes = flow.mtuBytes
    this.end = flow.packetCount
    this.#key = flow.key
    this.#hosts = hosts
  }

  get random(): Random {
    return (this.#random ??= this.#hosts.stream(`receiver.${this.#key}`))
  }

  get agent(): NodeAgent | undefined {
    return this.#hosts.agentAt(this.target)
  }

  get lineRateBps(): number {
    return this.#hosts.lineRateBps(this.target)
  }

  setTimer(atPs: number): void {
    this.#hosts.setReceiverTimer(this, atPs)
  }

  sendControl(code: number, bytes: number, a: number, b: number): void {
    this.#hosts.sendBackward(this, code, bytes, a, b)
  }
}
