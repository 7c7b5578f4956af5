/**
 * The ways of a flow whose packets do not all take one path: its sender gives each packet one. A
 * flow that has none of these keeps to its path, or leaves the way to the switches.
 */
import { hashOf } from '@weir/engine'
import type { Routing } from '../contract/routing.ts'
import type { Spread } from '../contract/spread.ts'
import type { Fabric } from '../fabric.ts'
import { ENTROPY, HOP_BY_HOP, ROUTED } from '../packets.ts'
import type { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'

export interface PacketWays {
  /** Gives a packet its way, and says what its PATH is. */
  give(p: number, nowPs: number): number
  onAck?(entropy: number, isMarked: boolean, nowPs: number): void
  onLoss?(nowPs: number): void
  /** Routes have changed: paths that are known are so no longer. */
  forget?(): void
}

/** undefined: all packets go by the flow's `path`. */
export function waysOf(
  hosts: Hosts,
  fabric: Fabric,
  routing: Routing,
  flow: Flow,
): PacketWays | undefined {
  if (!routing.perPacket) return undefined
  if (routing.members !== undefined) return new ChosenWays(hosts, fabric, routing, flow)
  if (routing.spread !== undefined) return new SpreadWays(hosts, fabric, routing, flow)
  if (routing.route !== undefined) return new WrittenWays(hosts, fabric, routing, flow)
  return undefined
}

/** Each packet takes the path of an entropy value, which a spread chooses. */
class SpreadWays implements PacketWays {
  readonly #fabric: Fabric
  readonly #routing: Routing
  readonly #flow: Flow
  readonly #flowKey: number
  readonly #spread: Spread
  /** By entropy value. */
  readonly #known: Map<number, number> = new Map()

  constructor(hosts: Hosts, fabric: Fabric, routing: Routing, flow: Flow) {
    this.#fabric = fabric
    this.#routing = routing
    this.#flow = flow
    this.#flowKey = hashOf(flow.key)
    const heldBytes = (flow.baseRttPs * flow.lineRateBps) / 8e12
    this.#spread = (routing.spread as NonNullable<Routing['spread']>)({
      random: hosts.stream(`spread.${flow.key}`),
      source: fabric.hostNodes[flow.source],
      target: fabric.hostNodes[flow.target],
      windowPackets: Math.max(1, Math.ceil(heldBytes / flow.packetBytes)),
    })
  }

  give(p: number, nowPs: number): number {
    const entropy = this.#spread.next(nowPs)
    this.#fabric.packets.int[p + ENTROPY] = entropy
    return this.#known.get(entropy) ?? this.#ask(entropy)
  }

  #ask(entropy: number): number {
    const { hostNodes, paths } = this.#fabric
    const { source, target } = this.#flow
    const ports = this.#routing.path(hostNodes[source], hostNodes[target], this.#flowKey, entropy)
    const path = paths.add(ports)
    this.#known.set(entropy, path)
    return path
  }

  onAck(entropy: number, isMarked: boolean, nowPs: number): void {
    if (entropy >= 0) this.#spread.onAck(entropy, isMarked, nowPs)
  }

  onLoss(nowPs: number): void {
    this.#spread.onLoss(nowPs)
  }

  forget(): void {
    this.#known.clear()
  }
}

/** Each packet takes a route that is written into it. */
class WrittenWays implements PacketWays {
  readonly #fabric: Fabric
  readonly #routing: Routing
  readonly #random: Flow['random']
  readonly #source: number
  readonly #target: number

  constructor(hosts: Hosts, fabric: Fabric, routing: Routing, flow: Flow) {
    this.#fabric = fabric
    this.#routing = routing
    this.#random = hosts.stream(`route.${flow.key}`)
    this.#source = fabric.hostNodes[flow.source]
    this.#target = fabric.hostNodes[flow.target]
  }

  give(p: number): number {
    const { routes } = this.#fabric.packets
    const isWritten = (this.#routing.route as NonNullable<Routing['route']>)(
      this.#source,
      this.#target,
      this.#random,
      routes,
      p << 2,
    )
    return isWritten ? ROUTED : HOP_BY_HOP
  }
}

/** Packets go by that member of the routing which the flow, or its reaction point, has chosen. */
class ChosenWays implements PacketWays {
  readonly #flow: Flow
  readonly #ways: readonly PacketWays[]

  constructor(hosts: Hosts, fabric: Fabric, routing: Routing, flow: Flow) {
    this.#flow = flow
    this.#ways = (routing.members ?? []).map(
      (member) =>
        waysOf(hosts, fabric, member, flow) ??
        (member.perPacket ? HOP_WAYS : new OnePath(fabric, member, flow)),
    )
  }

  get #chosen(): PacketWays {
    const { routing } = this.#flow.reaction
    return this.#ways[routing < 0 ? this.#flow.member : routing] as PacketWays
  }

  give(p: number, nowPs: number): number {
    return this.#chosen.give(p, nowPs)
  }

  onAck(entropy: number, isMarked: boolean, nowPs: number): void {
    this.#chosen.onAck?.(entropy, isMarked, nowPs)
  }

  onLoss(nowPs: number): void {
    this.#chosen.onLoss?.(nowPs)
  }

  forget(): void {
    for (const ways of this.#ways) ways.forget?.()
  }
}

const HOP_WAYS: PacketWays = { give: () => HOP_BY_HOP }

/** The one path of a member that routes whole flows. */
class OnePath implements PacketWays {
  readonly #fabric: Fabric
  readonly #routing: Routing
  readonly #flow: Flow
  #path: number = HOP_BY_HOP

  constructor(fabric: Fabric, routing: Routing, flow: Flow) {
    this.#fabric = fabric
    this.#routing = routing
    this.#flow = flow
  }

  give(): number {
    if (this.#path !== HOP_BY_HOP) return this.#path
    const { hostNodes, paths } = this.#fabric
    const { key, source, target } = this.#flow
    const ports = this.#routing.path(hostNodes[source], hostNodes[target], hashOf(key))
    return (this.#path = paths.add(ports))
  }

  forget(): void {
    this.#path = HOP_BY_HOP
  }
}
