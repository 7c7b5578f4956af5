/**
 * Which part of a flow each port carries, as routes stand now: the whole of it along a path, or,
 * where packets take ways of their own, the fractions that the routing draws them by. They are what
 * R2C2's nodes reckon with (`rack/src/topology.ts`), and what exact max-min rates are made of.
 *
 * Of routings that look at more than a flow's ends (`reps`, one's own) nobody knows them.
 */
import { hashOf } from '@weir/engine'
import type { Flow, Routing } from '@weir/fabric'
import { Topology } from '@weir/rack'
import { NextHops } from '@weir/routing'
import type { RoutingSpec } from '@weir/routing'
import { protocolOf, protocolsOf, wiringOf } from '@weir/schemes'
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

export interface LinkShare {
  readonly links: readonly number[]
  /** Of each of those ports; left out: each carries the whole flow. */
  readonly fractions?: readonly number[]
}

export class LinkShares {
  readonly #network: Network
  readonly #members: readonly RoutingSpec[]
  readonly #routing: RoutingSpec
  readonly #isDown: (link: number) => boolean
  readonly #known: Map<string, LinkShare | string> = new Map()
  #fabric: { readonly topology: Topology; readonly ports: Int32Array } | undefined = undefined
  #nextHops: NextHops | undefined = undefined

  constructor({ links, routing }: ValidSpec, network: Network) {
    this.#network = network
    this.#routing = routing
    this.#members = routing.kind === 'choice' ? routing.of : [routing]
    const isFollowed = links !== undefined && links.detectionPs > 0
    this.#isDown = (link) => isFollowed && network.fabric.links!.isDown(link)
  }

  /** A text says why it is not known. `given` is the path of a flow that was told one. */
  of(flow: Flow, given: readonly number[]): LinkShare | string {
    if (flow.isPathGiven) return { links: given }
    const { fabric, routing } = this.#network
    const [source, target] = [fabric.hostNodes[flow.source]!, fabric.hostNodes[flow.target]!]
    const number = this.memberOf(flow)
    const member = routing.members?.[number] ?? routing
    if (!member.perPacket) {
      return { links: member.path(source, target, hashOf(flow.key), flow.entropy) }
    }
    const key = `${number} ${source} ${target}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = this.#spread(this.#members[number]!, member, source, target)
    this.#known.set(key, made)
    return made
  }

  /** Which of the routings that a choice is of the flow goes by; 0 if there is one. */
  memberOf({ member, reaction }: Flow): number {
    if (this.#members.length === 1) return 0
    return reaction.routing < 0 ? member : reaction.routing
  }

  #spread(spec: RoutingSpec, routing: Routing, source: number, target: number): LinkShare | string {
    if (spec.kind === 'paths-in-turn') return this.#inTurn(spec.most, routing, source, target)
    const protocol = protocolOf(spec)
    if (protocol === undefined) {
      return `which links ${spec.kind} takes is not known from a flow's ends`
    }
    const { topology, ports } = (this.#fabric ??= this.#wires())
    const shares = topology.fractions(protocol, source, target)
    if (shares === undefined) return 'there are flows that no way leads to the target of'
    return {
      links: Array.from(shares.links, (link) => ports[link]!),
      fractions: [...shares.fractions],
    }
  }

  /** Each of the numbered paths equally often. */
  #inTurn(most: number, routing: Routing, source: number, target: number): LinkShare {
    this.#nextHops ??= new NextHops(this.#network.graph, this.#isDown)
    const count = Math.max(1, Math.min(most, this.#nextHops.pathCount(source, target)))
    const shares = new Map<number, number>()
    for (let number = 0; number < count; number++) {
      for (const port of routing.path(source, target, 0, number)) {
        shares.set(port, (shares.get(port) ?? 0) + 1)
      }
    }
    return {
      links: [...shares.keys()],
      fractions: Array.from(shares.values(), (paths) => paths / count),
    }
  }

  #wires(): { readonly topology: Topology; readonly ports: Int32Array } {
    const protocols = protocolsOf(this.#routing)
    const { channels, ports, options } = wiringOf(this.#network.graph, protocols)
    const isDown = (channel: number): boolean => this.#isDown(ports[channel]! >> 1)
    return { topology: new Topology(channels, isDown, options), ports }
  }
}
