/** What happens at one node: the events that a network handles without its run. */
import {
  CREDIT,
  DELAYED_ACK,
  FLOW_PAUSE,
  FLOW_TIMER,
  LINK,
  NIC,
  NODE_TIMER,
  onCredits,
  PAUSE_AGAIN,
  PAUSE_ENDS,
  PORT,
  PORT_TIMER,
  PORT_TIMERS,
  RECEIVER_TIMER,
  TAKE_IN,
  TIMEOUT,
} from '@weir/fabric'
import type { Network } from './network.ts'

export function onNodeEvent(network: Network, kind: number, target: number, nowPs: number): void {
  const { fabric, hosts } = network
  switch (kind) {
    case LINK:
      fabric.onLink(target, nowPs)
      return
    case PORT:
      fabric.onPort(target, nowPs)
      return
    case NIC:
      hosts.onNic(target, nowPs)
      return
    case FLOW_TIMER:
      hosts.onFlowTimer(target, nowPs)
      return
    case CREDIT:
      onCredits(fabric, target, nowPs)
      return
    case FLOW_PAUSE:
      fabric.gate.flowMessages?.onDue(target, nowPs)
      return
    case TAKE_IN:
      hosts.onTakeIn(target, nowPs)
      return
    case TIMEOUT:
      hosts.onTimeout(target, nowPs)
      return
    case DELAYED_ACK:
      hosts.onDelayedAck(target, nowPs)
      return
    case PAUSE_ENDS:
      fabric.links?.pauseTimes?.onEnd(target, nowPs)
      return
    case PAUSE_AGAIN:
      fabric.links?.pauseTimes?.onRenewal(target, nowPs)
      return
    case NODE_TIMER:
      fabric.agents.onTimer(target, nowPs)
      return
    case RECEIVER_TIMER:
      hosts.onReceiverTimer(target, nowPs)
      return
    case PORT_TIMER:
      onPortTimer(network, target, nowPs)
      return
    default:
      throw new Error(`no such kind of event: ${kind}`)
  }
}

function onPortTimer({ fabric, portViews }: Network, target: number, nowPs: number): void {
  const port = Math.floor(target / PORT_TIMERS)
  const which = target % PORT_TIMERS
  portViews[port]?.timerFired(which)
  fabric.contention[port]?.onTimer(which, nowPs)
}
