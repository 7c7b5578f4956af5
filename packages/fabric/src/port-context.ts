/** The world as one contention point sees it: its own port, and the packets that pass. */
import { Random } from '@weir/engine'
import type { PortContext } from './contract/contention-point.ts'
import type { Routing } from './contract/routing.ts'
import type { Fabric } from './fabric.ts'
import type { Flow } from './hosts/flow.ts'
import type { Hosts } from './hosts/hosts.ts'
import { PORT_TIMER } from './kinds.ts'
import {
  A,
  B,
  BACKWARD,
  BYTES,
  CLASS,
  CODE,
  DATA,
  FLAGS,
  FLOW,
  HOP,
  KIND,
  MARKED,
  PATH,
  TARGET,
} from './packets.ts'
import type { Paths } from './paths.ts'
import { departedBytes } from './port-counts.ts'
import { HELD, QUEUED } from './ports.ts'

/** Timers a port. */
export const PORT_TIMERS = 2

export class PortView implements PortContext {
  readonly port: number
  readonly name: string
  readonly rateBps: number
  readonly delayPs: number
  readonly atHost: boolean
  readonly toHost: boolean
  readonly inputs: number
  readonly #fabric: Fabric
  readonly #hosts: Hosts
  readonly #paths: Paths
  readonly #routing: Routing
  readonly #seed: number
  #random: Random | undefined = undefined
  readonly #timerHandle: Int32Array = new Int32Array(PORT_TIMERS).fill(-1)

  constructor(
    fabric: Fabric,
    hosts: Hosts,
    paths: Paths,
    routing: Routing,
    port: number,
    seed: number,
  ) {
    const { graph, ports } = fabric
    this.port = port
    this.name = `${graph.nodes[ports.from[port]].name}->${graph.nodes[ports.to[port]].name}`
    this.rateBps = ports.rateBps[port]
    this.delayPs = ports.delayPs[port]
    this.atHost = ports.fromHost[port] === 1
    this.toHost = ports.toHost[port] === 1
    this.inputs = fabric.portsOf[ports.from[port]].length - 1
    this.#fabric = fabric
    this.#hosts = hosts
    this.#paths = paths
    this.#routing = routing
    this.#seed = seed
  }

  get random(): Random {
    return (this.#random ??= new Random(this.#seed, `contention.${this.name}`))
  }

  queueBytes(trafficClass: number): number {
    this.#fabric.settle(this.port, this.#fabric.calendar.nowPs)
    return this.#fabric.ports.int[(this.port << 5) + QUEUED + trafficClass]
  }

  queueBytesAll(): number {
    this.#fabric.settle(this.port, this.#fabric.calendar.nowPs)
    return this.#fabric.ports.int[(this.port << 5) + HELD]
  }

  isBlocked(trafficClass: number, bytes: number): boolean {
    return this.#fabric.gate.isShut(this.port, trafficClass, bytes, this.#fabric.calendar.nowPs)
  }

  sentBytes(): number {
    return departedBytes(this.#fabric, this.port, this.#fabric.calendar.nowPs)
  }

  packetBytes(packet: number): number {
    return this.#fabric.packets.int[packet + BYTES]
  }

  packetFlow(packet: number): number {
    return this.#fabric.packets.int[packet + FLOW]
  }

  packetClass(packet: number): number {
    return this.#fabric.packets.int[packet + CLASS]
  }

  packetSource(packet: number): number {
    return (this.#hosts.flows[this.#fabric.packets.int[packet + FLOW]] as Flow).source
  }

  packetTarget(packet: number): number {
    return (this.#hosts.flows[this.#fabric.packets.int[packet + FLOW]] as Flow).target
  }

  isData(packet: number): boolean {
    return this.#fabric.packets.int[packet + KIND] === DATA
  }

  mark(packet: number): void {
    this.#fabric.packets.int[packet + FLAGS] |= MARKED
    this.#fabric.ports.marks[this.port]++
  }

  controlCode(packet: number): number {
    return this.#fabric.packets.cold[(packet >> 1) + CODE]
  }

  controlA(packet: number): number {
    return this.#fabric.packets.cold[(packet >> 1) + A]
  }

  controlB(packet: number): number {
    return this.#fabric.packets.cold[(packet >> 1) + B]
  }

  setControl(packet: number, a: number, b: number): void {
    this.#fabric.packets.cold[(packet >> 1) + A] = a
    this.#fabric.packets.cold[(packet >> 1) + B] = b
  }

  notifySource(packet: number, code: number, bytes: number, a: number, b: number): void {
    const { packets } = this.#fabric
    const flow = this.#hosts.flows[packets.int[packet + FLOW]]
    // A flow that has taken another path since cannot be told by the way back of this one.
    if (flow?.path !== packets.int[packet + PATH]) return
    this.#notify(packets.int[packet + FLOW], packets.int[packet + HOP], code, bytes, a, b)
  }

  notifyFlow(slot: number, code: number, bytes: number, a: number, b: number): boolean {
    const flow = this.#hosts.flows[slot]
    if (flow === undefined || flow.isDone) return false
    let hop = 0
    while (hop < flow.pathLength && this.#paths.ports[flow.path + hop] !== this.port) hop++
    if (flow.path >= 0 && hop === flow.pathLength) return false
    this.#notify(slot, hop, code, bytes, a, b)
    return true
  }

  /** Back by the way the flow's packets came; a notification takes no room in a switch's memory. */
  #notify(slot: number, hop: number, code: number, bytes: number, a: number, b: number): void {
    const fabric = this.#fabric
    const nowPs = fabric.calendar.nowPs
    const flow = this.#hosts.flows[slot] as Flow
    if (this.atHost) {
      this.#hosts.tellReaction(flow, code, a, b, nowPs)
      return
    }
    const { packets } = fabric
    const p = this.#hosts.makeControl(flow, true, code, bytes, a, b)
    packets.int[p + FLAGS] |= BACKWARD
    const target = fabric.hostNodes[flow.source]
    packets.cold[(p >> 1) + TARGET] = target
    packets.int[p + PATH] = flow.pathReverse
    packets.int[p + HOP] = flow.pathLength - hop
    const out =
      flow.pathReverse >= 0
        ? this.#paths.ports[flow.pathReverse + flow.pathLength - hop]
        : this.#routing.next(fabric.ports.from[this.port], target, this.random)
    fabric.settle(out, nowPs)
    fabric.join(out, p, nowPs)
  }

  setTimer(which: number, atPs: number): void {
    const calendar = this.#fabric.calendar
    if (this.#timerHandle[which] >= 0) calendar.cancel(this.#timerHandle[which])
    const target = this.port * PORT_TIMERS + which
    this.#timerHandle[which] = calendar.schedule(atPs, PORT_TIMER, target)
  }

  /** The timer has fired: its handle is dead. */
  timerFired(which: number): void {
    this.#timerHandle[which] = -1
  }
}
