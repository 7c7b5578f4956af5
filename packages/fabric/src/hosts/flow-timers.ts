/**
 * Timers of flows: four of the reaction point's, the transport's timeout, one of the notification
 * point's, and the receiver's delayed ACK.
 */
import { Deadline } from '../deadline.ts'
import type { Fabric } from '../fabric.ts'
import { DELAYED_ACK, FLOW_TIMER, RECEIVER_TIMER, TIMEOUT } from '../kinds.ts'
import { TIMERS } from './flow.ts'
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'

export class FlowTimers {
  readonly #fabric: Pick<Fabric, 'windows' | 'cellOfHost'>

  constructor(fabric: Pick<Fabric, 'windows' | 'cellOfHost'>) {
    this.#fabric = fabric
  }

  set(flow: Flow, which: number, atPs: number): void {
    const timer = (flow.timers[which] ??= new Deadline())
    if (!timer.move(this.#fabric.windows, atPs)) return
    timer.handle = this.#at(flow.source, atPs, FLOW_TIMER, flow.flow * TIMERS + which)
  }

  /** FLOW_TIMER: true if the timer is due, and not only its event. */
  isDue(flow: Flow, which: number, nowPs: number): boolean {
    const timer = flow.timers[which] as Deadline
    if (timer.isDue(nowPs)) return true
    this.set(flow, which, timer.duePs)
    return false
  }

  armTimeout(flow: Flow, atPs: number): void {
    if (!flow.timeout.move(this.#fabric.windows, atPs)) return
    flow.timeout.handle = this.#at(flow.source, atPs, TIMEOUT, flow.flow)
  }

  /** TIMEOUT: true if the timeout is due, and not only its event. */
  isTimeoutDue(flow: Flow, nowPs: number): boolean {
    if (flow.timeout.isDue(nowPs)) return true
    this.armTimeout(flow, flow.timeout.duePs)
    return false
  }

  /** An ACK that waits for a second packet, or for `delayedAckPs`. */
  armDelayedAck(flow: ReceiverFlow, atPs: number): void {
    if (flow.sinceAck === 1) flow.delayedAckPs = atPs
    if (flow.delayedAckHandle >= 0) return
    flow.delayedAckHandle = this.#at(flow.target, flow.delayedAckPs, DELAYED_ACK, flow.flow)
  }

  /** Of the notification point; Infinity: it does not fire. */
  setReceiver(flow: ReceiverFlow, atPs: number): void {
    const timer = (flow.timer ??= new Deadline())
    if (!timer.move(this.#fabric.windows, atPs)) return
    timer.handle = this.#at(flow.target, atPs, RECEIVER_TIMER, flow.flow)
  }

  /** RECEIVER_TIMER: true if the timer is due, and not only its event. */
  isReceiverDue(flow: ReceiverFlow, nowPs: number): boolean {
    const timer = flow.timer as Deadline
    if (timer.isDue(nowPs)) return true
    this.setReceiver(flow, timer.duePs)
    return false
  }

  #at(host: number, atPs: number, kind: number, target: number): number {
    return this.#fabric.windows.schedule(atPs, kind, target, this.#fabric.cellOfHost(host))
  }

  /** Nothing of a flow that has ended at its source fires there any more. */
  cancelAll(flow: Flow): void {
    for (const timer of flow.timers) timer?.cancel(this.#fabric.windows)
    flow.timeout.cancel(this.#fabric.windows)
  }
}
