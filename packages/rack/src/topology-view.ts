/**
 * What a node believes the rack to look like: the wiring, which all know, less the links that their
 * ends have said are down. From it come the ways and broadcast trees that all nodes with the same
 * view agree on, and who can be reached at all. Tables are made when asked for, and made anew when
 * the view changes.
 */
import type { BroadcastTree, LinkFractions, ObliviousRouting } from '@weir/theory'
import { broadcastTree, Channels, fractionsOf, ShortestWays, spraying, valiant } from '@weir/theory'
import type { Random } from '@weir/engine'

/** What flows may be routed by; the number is what travels in packets. */
export const RPS = 0
export const VLB = 1
export const PROTOCOL_NAMES: readonly string[] = ['random packet spraying', 'VLB']

export class TopologyView {
  readonly wiring: Channels
  #live: Channels
  #ways: ShortestWays
  readonly #self: number
  /** Bits of each node's outputs that it says are down, and the number of its last word on it. */
  readonly #down: Uint32Array
  #trees = new Map<number, BroadcastTree>()
  #routings: (ObliviousRouting | undefined)[] = []
  /** Counts changes, so that others can tell that theirs are out of date. */
  version = 0

  constructor(wiring: Channels, self: number) {
    this.wiring = wiring
    this.#live = wiring
    this.#ways = new ShortestWays(wiring)
    this.#self = self
    this.#down = new Uint32Array(wiring.nodes)
  }

  downOutputs(node: number): number {
    return this.#down[node]!
  }

  /** Returns whether that changes the view. */
  setDownOutputs(node: number, bits: number): boolean {
    if (this.#down[node] === bits >>> 0) return false
    this.#down[node] = bits
    this.#rebuild()
    return true
  }

  /** A link is up if neither end says that it is down. */
  isDown(channel: number): boolean {
    const { from, to, starts } = this.wiring
    const [a, b] = [from[channel]!, to[channel]!]
    if ((this.#down[a]! & (1 << (channel - starts[a]!))) !== 0) return true
    const back = this.wiring.between(b, a)
    return back >= 0 && (this.#down[b]! & (1 << (back - starts[b]!))) !== 0
  }

  isReachable(node: number): boolean {
    return this.#ways.distance(this.#self, node) >= 0
  }

  tree(source: number, tree: number): BroadcastTree {
    const key = source * 16 + tree
    const known = this.#trees.get(key)
    if (known !== undefined) return known
    const made = broadcastTree(this.wiring, source, tree, { isDown: (c) => this.isDown(c) })
    this.#trees.set(key, made)
    return made
  }

  /** The outputs of this node by which a broadcast goes on. */
  forwarding(source: number, tree: number): number[] {
    const { arrivals } = this.tree(source, tree)
    const { starts, to } = this.wiring
    const ports: number[] = []
    for (let c = starts[this.#self]!; c < starts[this.#self + 1]!; c++) {
      if (arrivals[to[c]!] === c) ports.push(c - starts[this.#self]!)
    }
    return ports
  }

  /** The channels that a flow uses, with their fractions; undefined if there is no way. */
  fractions(protocol: number, source: number, target: number): LinkFractions | undefined {
    if (this.#ways.distance(source, target) < 0) return undefined
    const routing = (this.#routings[protocol] ??= this.#routing(protocol))
    return fractionsOf(routing, this.#live, source, target)
  }

  /** The outputs of a packet's way, drawn as its protocol says; undefined if there is none. */
  route(protocol: number, source: number, target: number, random: Random): number[] | undefined {
    if (this.#ways.distance(source, target) < 0) return undefined
    if (protocol !== VLB) return this.#walk(source, target, random)
    const waypoints = this.#waypoints()
    const waypoint = waypoints[random.below(waypoints.length)]!
    return [...this.#walk(source, waypoint, random), ...this.#walk(waypoint, target, random)]
  }

  /** One of all shortest ways, each equally likely. */
  #walk(source: number, target: number, random: Random): number[] {
    const { starts, to } = this.#live
    const ports: number[] = []
    for (let node = source; node !== target;) {
      let left = random.uniform()
      let taken = -1
      for (let c = starts[node]!; c < starts[node + 1]!; c++) {
        const share = this.#ways.share(c, target, 'way')
        if (share === 0) continue
        taken = c
        if ((left -= share) < 0) break
      }
      ports.push(taken - starts[node]!)
      node = to[taken]!
    }
    return ports
  }

  #waypoints(): number[] {
    return Array.from({ length: this.wiring.nodes }, (_, n) => n).filter((n) => this.isReachable(n))
  }

  #routing(protocol: number): ObliviousRouting {
    const sprayed = spraying(this.#ways)
    return protocol === VLB ? valiant(this.#live, sprayed, this.#waypoints()) : sprayed
  }

  /** A channel that is down leads back to its own node, and so on no way. */
  #rebuild(): void {
    const { from, to } = this.wiring
    const pairs = Array.from(from, (node, c) => [node, this.isDown(c) ? node : to[c]!] as const)
    this.#live = new Channels(this.wiring.nodes, pairs)
    this.#ways = new ShortestWays(this.#live)
    this.#trees = new Map()
    this.#routings = []
    this.version++
  }
}
