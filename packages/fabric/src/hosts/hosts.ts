/**
 * Hosts: RDMA NICs with one channel per flow, the transport's two ends, and the sending of control
 * packets. Congestion control sits in each flow's reaction and notification points; what is
 * repeated is the reliability's business. A NIC costs one event per data packet; ACKs reuse the
 * packet that they acknowledge.
 */
import type { Random } from '@weir/engine'
import { hashOf } from '@weir/engine'
import type { Control } from '../contract/control.ts'
import type { NodeAgent } from '../contract/node-agent.ts'
import type { HostsSide } from '../contract/nodes.ts'
import type { Fabric } from '../fabric.ts'
import {
  FIELD_A,
  ACK,
  AGENT,
  FIELD_B,
  BACKWARD,
  CODE,
  DATA,
  FLAGS,
  FLOW,
  KIND,
  NACK,
  PATH,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import { AckArrival } from './ack-arrival.ts'
import { Connections } from './connections.ts'
import type { ConnectionParams } from './connections.ts'
import { ControlSender } from './control-sender.ts'
import { FlowTimers } from './flow-timers.ts'
import { TIMERS } from './flow.ts'
import type { Flow } from './flow.ts'
import type { FlowSink, FlowStart } from './flow-start.ts'
import { Intake } from './intake.ts'
import { makeFlow } from './make-flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import { Receiver } from './receiver.ts'
import type { AckEcn, FlowOwner } from './receiver.ts'
import { Sender } from './sender.ts'
import type { SenderParams } from './sender.ts'
import type { WindowParams } from './window.ts'

export interface HostsParams extends SenderParams {
  readonly mtuBytes: number
  readonly headerBytes: number
  readonly ackEvery: number
  readonly ackBytes: number
  /** -1: the data's own class. */
  readonly ackClass: number
  readonly ackEcn: AckEcn
  readonly controlClass: number
  readonly rtoPs: number
  /** The longest round trip on the empty fabric between any two hosts. */
  readonly longestRttPs: () => number
  /** A bound on what any flow has in flight. */
  readonly window?: WindowParams | undefined
  /** Connections that outlive a flow; undefined: each flow is one. With TCP's reliability only. */
  readonly connections?: ConnectionParams | undefined
  /** An ACK that waits for more packets waits no longer than this; 0: as long as it takes. */
  readonly delayedAckPs: number
  readonly takeCapBps: number
  /** A capped host pauses its link when so many bytes of a class wait to be taken in. */
  readonly takeInXoffBytes: number
  readonly pauseFrameBytes: number
  readonly reorders?: boolean
}

export class Hosts implements HostsSide, FlowOwner {
  readonly params: HostsParams
  /** By number; undefined: both halves of the flow are forgotten. */
  readonly flows: (Flow | undefined)[] = []
  readonly receivers: (ReceiverFlow | undefined)[] = []
  /** The random stream of a name. */
  readonly stream: (name: string) => Random
  readonly hostPort: Int32Array
  /** Sends the scheme's own packets. */
  readonly control: ControlSender
  readonly #fabric: Fabric
  readonly #packets: Packets
  readonly #control: Control
  readonly #sink: FlowSink
  /** By host: flows that have begun there. */
  readonly #begun: Int32Array
  /** Flows that have ended since the last `forgetEnded`. */
  #ended: number[] = []
  readonly #timers: FlowTimers
  readonly #sender: Sender
  readonly #receiver: Receiver
  readonly #acks: AckArrival
  readonly #connections: Connections | undefined
  /** Hosts with a rate cap only. */
  readonly #intake: Intake | undefined

  constructor(
    fabric: Fabric,
    params: HostsParams,
    control: Control,
    stream: (name: string) => Random,
    sink: FlowSink,
  ) {
    this.#fabric = fabric
    this.#packets = fabric.packets
    this.params = params
    this.#control = control
    this.stream = stream
    this.#sink = sink
    this.hostPort = Int32Array.from(fabric.hostNodes, (node) => fabric.portsOf[node][0])
    this.#begun = new Int32Array(this.hostPort.length)
    this.control = new ControlSender(fabric, control, this.hostPort, params.controlClass)
    this.#timers = new FlowTimers(fabric)
    const ports = this.hostPort
    this.#sender = new Sender(fabric, ports, params, control, this.#timers)
    this.#receiver = new Receiver(fabric, ports, params, control, this.#timers, this, this.#sender)
    this.#connections = params.connections && new Connections(params.connections, ports.length)
    this.#acks = new AckArrival(fabric.packets, params, this.#timers, this.#sender, this)
    this.#intake = params.takeCapBps > 0 ? new Intake(fabric, params) : undefined
  }

  get retransmitted(): number {
    return this.#sender.retransmitted
  }

  get dataPackets(): number {
    return this.#sender.dataPackets
  }

  get timedAcks(): number {
    return this.#receiver.timedAcks
  }

  get deliveredBytes(): number {
    return this.#receiver.deliveredBytes
  }

  /** What hosts have counted, and what those of another thread have, to be added. */
  counts(): number[] {
    const { control, dataPackets, deliveredBytes, retransmitted, timedAcks } = this
    return [control.made, dataPackets, retransmitted, deliveredBytes, timedAcks]
  }

  addCounts([control, data, again, delivered, timed]: readonly number[]): void {
    this.control.made += control
    this.#sender.dataPackets += data
    this.#sender.retransmitted += again
    this.#receiver.deliveredBytes += delivered
    this.#receiver.timedAcks += timed
  }

  onDelivered(flow: ReceiverFlow, nowPs: number): void {
    this.#sink.onDelivered?.(flow.flow, nowPs)
  }

  onAllReceived(flow: ReceiverFlow, nowPs: number): void {
    this.#noteEnd(flow.flow, nowPs)
  }

  startFlow(start: FlowStart, nowPs: number): Flow {
    const flow = this.knowFlow(start, nowPs)
    flow.turn = this.#begun[start.source]++
    this.#connections?.resume(flow, nowPs)
    flow.pacedBps = flow.reaction.rateBps
    flow.reaction.onStart(nowPs)
    this.#sender.afterReaction(flow, nowPs)
    return flow
  }

  /** A flow that begins, and both its halves; its source, here or in another thread, starts it. */
  knowFlow(start: FlowStart, nowPs: number): Flow {
    const flow = makeFlow(this, this.#fabric, this.#control, start, nowPs)
    this.flows[flow.flow] = flow
    this.receivers[flow.flow] = flow.receiver
    return flow
  }

  /** A flow is told to stop, at both of its ends: what it has sent is still delivered. */
  stopFlow(flow: Flow, nowPs: number): void {
    const sent = this.stopSending(flow, nowPs)
    if (sent >= 0) this.stopReceiving(flow, sent, nowPs)
  }

  /** At its source: packets that it has sent; -1: it has ended. */
  stopSending(flow: Flow, nowPs: number): number {
    if (flow.isStopped || flow.isDone) return -1
    flow.isStopped = true
    flow.reaction.onFinished(nowPs)
    if (this.params.reliability.nextToSend(flow) < 0) this.#sender.rest(flow)
    this.endIfComplete(flow, nowPs)
    return flow.isDone ? -1 : flow.fresh
  }

  stopReceiving(flow: Flow, sent: number, nowPs: number): void {
    this.#receiver.stop(flow.receiver, sent, nowPs)
  }

  /** All is acknowledged that the flow has, or had sent when it was stopped. */
  endIfComplete(flow: Flow, nowPs: number): void {
    if (flow.isDone) return
    const end = flow.isStopped ? Math.min(flow.fresh, flow.packetCount) : flow.packetCount
    if (flow.unacked < end) return
    this.#close(flow)
    this.#noteEnd(flow.flow, nowPs)
  }

  /** The sender's half has nothing left to do. */
  #close(flow: Flow): void {
    flow.isDone = true
    this.#sender.rest(flow)
    this.#connections?.release(flow)
    this.#timers.cancelAll(flow)
  }

  /** A flow has ended at a host of another thread. */
  noteEndElsewhere(flow: number): void {
    this.#ended.push(flow)
  }

  #noteEnd(flow: number, nowPs: number): void {
    this.#ended.push(flow)
    this.#sink.onFlowEnd(flow, nowPs)
  }

  /**
   * Both halves of flows that have ended are forgotten; what is still on its way for them is thrown
   * away where it arrives. Between the nodes' doings: one half cannot know of the other.
   */
  forgetEnded(): void {
    for (const number of this.#ended) {
      const flow = this.flows[number] as Flow
      if (!flow.isDone) this.#close(flow)
      this.flows[number] = undefined
      this.receivers[number] = undefined
    }
    this.#ended = []
  }

  /** The flow's next packets take another path, if there is one. */
  reroute(flow: Flow): void {
    if (flow.path < 0 || flow.isPathGiven) return
    flow.entropy++
    const { hostNodes, paths } = this.#fabric
    const { entropy, key, source, target } = flow
    const { routing } = this.params
    const path = routing.path(hostNodes[source], hostNodes[target], hashOf(key), entropy)
    flow.path = paths.add(path)
    flow.hops = path.length - 1
  }

  /** NIC */
  onNic(host: number, nowPs: number): void {
    this.#sender.onNic(host, nowPs)
  }

  onUnblocked(host: number, nowPs: number): void {
    this.#sender.onUnblocked(host, nowPs)
  }

  onFlowPaused(number: number, trafficClass: number, isOff: boolean, nowPs: number): void {
    const flow = this.flows[number]
    if (flow !== undefined && !flow.isDone) this.#sender.hold(flow, trafficClass, isOff, nowPs)
  }

  wake(flow: Flow): void {
    this.#sender.afterReaction(flow, this.#fabric.windows.nowPs)
  }

  /** Sends one from its target, as ACKs go. */
  sendBackward(flow: ReceiverFlow, code: number, bytes: number, a: number, b: number): void {
    this.control.backward(flow, this.#receiver.pathBack(flow), code, bytes, a, b)
  }

  agentAt(host: number): NodeAgent | undefined {
    return this.#fabric.agents.atHost(host)
  }

  lineRateBps(host: number): number {
    return this.#fabric.ports.rateBps[this.hostPort[host]]
  }

  receive(host: number, link: number, p: number, nowPs: number): void {
    if (this.#intake !== undefined) {
      this.#intake.add(host, link, p, nowPs)
      return
    }
    this.#fabric.gate.returnCreditsFor(link, p, nowPs)
    this.#takeIn(host, p, nowPs)
  }

  /** TAKE_IN */
  onTakeIn(host: number, nowPs: number): void {
    const intake = this.#intake as Intake
    this.#takeIn(host, intake.take(host, nowPs), nowPs)
  }

  /** A packet is in: for the receiver's half of its flow, or, on its way back, the sender's. */
  #takeIn(host: number, p: number, nowPs: number): void {
    const packets = this.#packets
    if (packets.int[p + KIND] === AGENT) {
      this.#fabric.agents.receive(this.#fabric.hostNodes[host], this.hostPort[host] ^ 1, p, nowPs)
      return
    }
    if (packets.int[p + FLAGS] & BACKWARD) this.#takeBack(p, nowPs)
    else {
      const flow = this.receivers[packets.int[p + FLOW]]
      if (flow !== undefined) {
        flow.cameBy = packets.int[p + PATH]
        if (packets.int[p + KIND] === DATA) {
          this.#receiver.onData(flow, host, p, nowPs)
          return
        }
        const { cold } = packets
        const c = p >> 1
        flow.notification?.onControl(cold[c + CODE], cold[c + FIELD_A], cold[c + FIELD_B], nowPs)
      }
    }
    this.discard(p)
  }

  /** What comes for a flow that has ended is late, and says nothing. */
  #takeBack(p: number, nowPs: number): void {
    const { cold, int } = this.#packets
    const flow = this.flows[int[p + FLOW]]
    if (flow === undefined || flow.isDone) return
    const kind = int[p + KIND]
    if (kind === ACK || kind === NACK) this.#acks.onAck(flow, p, nowPs)
    else {
      const c = p >> 1
      this.#tell(flow, cold[c + CODE], cold[c + FIELD_A], cold[c + FIELD_B], nowPs)
    }
  }

  /** Frees a packet that has done its work, or that a switch threw away. */
  discard(p: number): void {
    const row = this.#packets.cold[(p >> 1) + TELEMETRY]
    if (row >= 0) this.#fabric.telemetry.release(row)
    this.#packets.free(p)
  }

  #tell(flow: Flow, code: number, a: number, b: number, nowPs: number): void {
    flow.hear(code, a, b, nowPs)
    this.#sender.afterReaction(flow, nowPs)
  }

  /** Hands a control packet's contents to a flow's reaction point, at its own host. */
  tellReaction(number: number, code: number, a: number, b: number, nowPs: number): void {
    const flow = this.flows[number]
    if (flow !== undefined && !flow.isDone) this.#tell(flow, code, a, b, nowPs)
  }

  /** Calls back for each packet in a host: in its injection FIFO, or to be taken in. For audits. */
  eachHeld(visit: (packet: number, host: number, isOutgoing: boolean) => void): void {
    this.#sender.eachHeld((packet, host) => visit(packet, host, true))
    this.#intake?.eachHeld((packet, host) => visit(packet, host, false))
  }

  setFlowTimer(flow: Flow, which: number, atPs: number): void {
    this.#timers.set(flow, which, atPs)
  }

  /** FLOW_TIMER */
  onFlowTimer(target: number, nowPs: number): void {
    const which = target & (TIMERS - 1)
    const flow = this.flows[target >> 2] as Flow
    if (!this.#timers.isDue(flow, which, nowPs)) return
    flow.reaction.onTimer(which, nowPs)
    if (!flow.isDone) this.#sender.afterReaction(flow, nowPs)
  }

  /** TIMEOUT */
  onTimeout(number: number, nowPs: number): void {
    const flow = this.flows[number] as Flow
    if (!this.#timers.isTimeoutDue(flow, nowPs)) return
    // The reaction point first: it wants to know how much was in flight.
    flow.reaction.onLoss('timeout', nowPs)
    flow.ways?.onLoss?.(nowPs)
    this.params.reliability.onTimeout(flow)
    this.#sender.afterReaction(flow, nowPs)
    if (flow.timeout.handle < 0) this.#timers.armTimeout(flow, nowPs + flow.rtoPs)
  }

  /** DELAYED_ACK */
  onDelayedAck(number: number, nowPs: number): void {
    const flow = this.receivers[number]
    if (flow !== undefined) this.#receiver.onDelayedAck(flow, nowPs)
  }

  setReceiverTimer(flow: ReceiverFlow, atPs: number): void {
    this.#timers.setReceiver(flow, atPs)
  }

  /** RECEIVER_TIMER */
  onReceiverTimer(number: number, nowPs: number): void {
    const flow = this.receivers[number]
    if (flow !== undefined && this.#timers.isReceiverDue(flow, nowPs)) {
      flow.notification?.onTimer(nowPs)
    }
  }
}
