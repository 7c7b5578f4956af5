/**
 * Timers of flows: four of the reaction point's, the transport's timeout, and the receiver's
 * delayed ACK. A deadline that moves back leaves its event where it is, and is looked at when that
 * fires: a timeout that every ACK renews costs no event per ACK.
 */
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
    flow.timerPs[which] = atPs
    const handle = flow.timerHandle[which]
    if (handle >= 0) {
      if (this.#fabric.windows.timeOf(handle) <= atPs) return
      this.#fabric.windows.cancel(handle)
    }
    const target = flow.flow * TIMERS + which
    flow.timerHandle[which] = this.#at(flow.source, atPs, FLOW_TIMER, target)
  }

  /** FLOW_TIMER: true if the timer is due, and not only its event. */
  isDue(flow: Flow, which: number, nowPs: number): boolean {
    flow.timerHandle[which] = -1
    const duePs = flow.timerPs[which]
    if (duePs > nowPs) {
      if (duePs < Infinity) this.set(flow, which, duePs)
      return false
    }
    flow.timerPs[which] = Infinity
    return true
  }

  armTimeout(flow: Flow, atPs: number): void {
    flow.timeoutPs = atPs
    if (atPs === Infinity) return
    if (flow.timeoutHandle >= 0) {
      if (this.#fabric.windows.timeOf(flow.timeoutHandle) <= atPs) return
      this.#fabric.windows.cancel(flow.timeoutHandle)
    }
    flow.timeoutHandle = this.#at(flow.source, atPs, TIMEOUT, flow.flow)
  }

  /** TIMEOUT: true if the timeout is due, and not only its event. */
  isTimeoutDue(flow: Flow, nowPs: number): boolean {
    flow.timeoutHandle = -1
    if (flow.timeoutPs > nowPs) {
      this.armTimeout(flow, flow.timeoutPs)
      return false
    }
    flow.timeoutPs = Infinity
    return true
  }

  /** An ACK that waits for a second packet, or for `delayedAckPs`. */
  armDelayedAck(flow: ReceiverFlow, atPs: number): void {
    if (flow.sinceAck === 1) flow.delayedAckPs = atPs
    if (flow.delayedAckHandle >= 0) return
    flow.delayedAckHandle = this.#at(flow.target, flow.delayedAckPs, DELAYED_ACK, flow.flow)
  }

  /** Of the notification point; Infinity: it does not fire. */
  setReceiver(flow: ReceiverFlow, atPs: number): void {
    flow.timerPs = atPs
    if (atPs === Infinity) return
    if (flow.timerHandle >= 0) {
      if (this.#fabric.windows.timeOf(flow.timerHandle) <= atPs) return
      this.#fabric.windows.cancel(flow.timerHandle)
    }
    flow.timerHandle = this.#at(flow.target, atPs, RECEIVER_TIMER, flow.flow)
  }

  /** RECEIVER_TIMER: true if the timer is due, and not only its event. */
  isReceiverDue(flow: ReceiverFlow, nowPs: number): boolean {
    flow.timerHandle = -1
    if (flow.timerPs > nowPs) {
      this.setReceiver(flow, flow.timerPs)
      return false
    }
    flow.timerPs = Infinity
    return true
  }

  #at(host: number, atPs: number, kind: number, target: number): number {
    return this.#fabric.windows.schedule(atPs, kind, target, this.#fabric.cellOfHost(host))
  }

  /** Nothing of a flow that has ended at its source fires there any more. */
  cancelAll(flow: Flow): void {
    for (let which = 0; which < TIMERS; which++) {
      if (flow.timerHandle[which] >= 0) this.#fabric.windows.cancel(flow.timerHandle[which])
      flow.timerHandle[which] = -1
    }
    if (flow.timeoutHandle >= 0) this.#fabric.windows.cancel(flow.timeoutHandle)
    flow.timeoutHandle = -1
  }
}
