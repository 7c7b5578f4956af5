/** The world as one contention point sees it: its own port, and the packets that pass. */
import { Random } from '@weir/engine'
import type { PortContext } from './contract/contention-point.ts'
import type { NodeAgent } from './contract/node-agent.ts'
import type { Routing } from './contract/routing.ts'
import type { Fabric } from './fabric.ts'
import { changeLane } from './lanes.ts'
import type { Hosts } from './hosts/hosts.ts'
import { PORT_TIMER } from './kinds.ts'
import {
  FIELD_A,
  FIELD_B,
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
  SOURCE,
  TARGET,
} from './packets.ts'
import type { Paths } from './paths.ts'
import { departedBytes } from './port-counts.ts'
import { HELD } from './ports.ts'

/** Timers a port. */
export const PORT_TIMERS = 2

/** Flows whose ways back a port keeps. */
const WAYS_MAX = 4096

/** Where a packet was, and how it came there. */
interface Way {
  readonly flow: number
  readonly class: number
  /** Number of the host that sent it. */
  readonly source: number
  readonly path: number
  readonly hop: number
}

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
  readonly #ways: Map<number, Way> = new Map()
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

  get agent(): NodeAgent | undefined {
    return this.#fabric.agents.of[this.#fabric.ports.from[this.port]]
  }

  get random(): Random {
    return (this.#random ??= new Random(this.#seed, `contention.${this.name}`))
  }

  queueBytes(trafficClass: number): number {
    this.#fabric.settle(this.port, this.#fabric.windows.nowPs)
    const { ports } = this.#fabric
    return ports.queuedBytes(this.port, trafficClass)
  }

  queueBytesAll(): number {
    this.#fabric.settle(this.port, this.#fabric.windows.nowPs)
    return this.#fabric.ports.int[(this.port << 5) + HELD]
  }

  isBlocked(trafficClass: number, bytes: number): boolean {
    return this.#fabric.gate.isShut(this.port, trafficClass, bytes, this.#fabric.windows.nowPs)
  }

  sentBytes(): number {
    return departedBytes(this.#fabric, this.port, this.#fabric.windows.nowPs)
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
    return this.#fabric.packets.cold[(packet >> 1) + SOURCE]
  }

  packetTarget(packet: number): number {
    const { hostOf, packets } = this.#fabric
    return hostOf[packets.cold[(packet >> 1) + TARGET]]
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
    return this.#fabric.packets.cold[(packet >> 1) + FIELD_A]
  }

  controlB(packet: number): number {
    return this.#fabric.packets.cold[(packet >> 1) + FIELD_B]
  }

  setControl(packet: number, a: number, b: number): void {
    this.#fabric.packets.cold[(packet >> 1) + FIELD_A] = a
    this.#fabric.packets.cold[(packet >> 1) + FIELD_B] = b
  }

  notifySource(packet: number, code: number, bytes: number, a: number, b: number): void {
    this.#notify(this.#wayOf(packet), code, bytes, a, b)
  }

  remember(packet: number): void {
    const { int } = this.#fabric.packets
    const flow = int[packet + FLOW]
    const known = this.#ways.get(flow)
    if (known !== undefined && known.path === int[packet + PATH]) return
    if (known === undefined && this.#ways.size === WAYS_MAX) {
      for (const oldest of this.#ways.keys()) {
        this.#ways.delete(oldest)
        break
      }
    }
    this.#ways.set(flow, this.#wayOf(packet))
  }

  notifyFlow(flow: number, code: number, bytes: number, a: number, b: number): boolean {
    const way = this.#ways.get(flow)
    if (way !== undefined) this.#notify(way, code, bytes, a, b)
    return way !== undefined
  }

  #wayOf(packet: number): Way {
    const { cold, int } = this.#fabric.packets
    return {
      flow: int[packet + FLOW],
      class: int[packet + CLASS],
      source: cold[(packet >> 1) + SOURCE],
      path: int[packet + PATH],
      hop: int[packet + HOP],
    }
  }

  /** Back by the way the packet came; a notification takes no room in a switch's memory. */
  #notify(way: Way, code: number, bytes: number, a: number, b: number): void {
    const fabric = this.#fabric
    const { packets } = fabric
    const nowPs = fabric.windows.nowPs
    if (this.atHost) {
      this.#hosts.tellReaction(way.flow, code, a, b, nowPs)
      return
    }
    const p = this.#hosts.control.make(way.flow, way.class, true, code, bytes, a, b)
    const target = fabric.hostNodes[way.source]
    packets.cold[(p >> 1) + SOURCE] = -1
    packets.cold[(p >> 1) + TARGET] = target
    const back = this.#paths.reverseOf(way.path)
    const hop = way.path < 0 ? 0 : this.#paths.lengthOf(way.path) - way.hop
    packets.int[p + PATH] = back
    packets.int[p + HOP] = hop
    const out =
      back >= 0
        ? this.#paths.ports[back + hop]
        : this.#routing.next(fabric.ports.from[this.port], target, this.random)
    if (fabric.lanes !== undefined) changeLane(fabric.lanes, packets, out, p)
    fabric.settle(out, nowPs)
    fabric.join(out, p, nowPs)
  }

  setTimer(which: number, atPs: number): void {
    const { fromCell, windows } = this.#fabric
    if (this.#timerHandle[which] >= 0) windows.cancel(this.#timerHandle[which])
    const target = this.port * PORT_TIMERS + which
    this.#timerHandle[which] = windows.schedule(atPs, PORT_TIMER, target, fromCell[this.port])
  }

  /** The timer has fired: its handle is dead. */
  timerFired(which: number): void {
    this.#timerHandle[which] = -1
  }
}
