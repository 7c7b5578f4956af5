/**
 * What a rack looks like with some of its channels down: who can be reached, the broadcast trees,
 * and the fractions of flows. It does not change, and is the same for all nodes that believe the
 * same channels to be down; its tables are made when they are asked for.
 */
import type { BroadcastTree, LinkFractions, ObliviousRouting } from '@weir/theory'
import {
  broadcastTree,
  Channels,
  fractionsOf,
  hopSpraying,
  ShortestWays,
  spraying,
  valiant,
} from '@weir/theory'
import type { Random } from '@weir/engine'

/** What flows may be routed by; the number is what travels in packets. */
export const RPS = 0
export const VLB = 1
export const PROTOCOL_NAMES: readonly string[] = ['random packet spraying', 'VLB']

export interface TopologyOptions {
  /** Who hears broadcasts and may be a waypoint; all nodes if left out. */
  readonly isMember?: (node: number) => boolean
  /**
   * What spraying does: each shortest way equally often, as R2C2 reads it, or at each node each
   * channel that leads nearer, as switches do that draw hop by hop.
   */
  readonly spray?: 'way' | 'hop'
}

/** The channels of node n are those of `channels` from `starts[n]` to before `starts[n + 1]`. */
export interface Branches {
  readonly starts: Int32Array
  readonly channels: Int32Array
}

/** Fractions that are kept: flows of some length have them asked for again and again. */
const FRACTIONS_KEPT = 8192

export class Topology {
  readonly #wiring: Channels
  readonly #isDown: (channel: number) => boolean
  readonly #live: Channels
  readonly #ways: ShortestWays
  readonly #isMember: (node: number) => boolean
  readonly #spray: 'way' | 'hop'
  readonly #trees: (BroadcastTree | undefined)[] = []
  readonly #branches: (Branches | undefined)[] = []
  readonly #routings: (ObliviousRouting | undefined)[] = []
  readonly #fractions = new Map<number, LinkFractions>()
  readonly #loads: Float64Array

  constructor(
    wiring: Channels,
    isDown: (channel: number) => boolean = () => false,
    { isMember = () => true, spray = 'way' }: TopologyOptions = {},
  ) {
    this.#wiring = wiring
    this.#isDown = isDown
    this.#isMember = isMember
    this.#spray = spray
    // A channel that is down leads back to its own node, and so on no way.
    const { from, to } = wiring
    const pairs = Array.from(from, (node, c) => [node, isDown(c) ? node : to[c]!] as const)
    this.#live = new Channels(wiring.nodes, pairs)
    this.#ways = new ShortestWays(this.#live)
    this.#loads = new Float64Array(wiring.count)
  }

  isReachable(from: number, to: number): boolean {
    return this.#ways.distance(from, to) >= 0
  }

  tree(source: number, tree: number): BroadcastTree {
    const key = source * 16 + tree
    return (this.#trees[key] ??= broadcastTree(this.#wiring, source, tree, {
      isDown: this.#isDown,
      isMember: this.#isMember,
    }))
  }

  /** A tree the other way round: by which channels a broadcast goes on from each node. */
  branches(source: number, tree: number): Branches {
    const key = source * 16 + tree
    return (this.#branches[key] ??= branchesOf(this.#wiring, this.tree(source, tree)))
  }

  /** The channels that a flow uses, with their fractions; undefined if there is no way. */
  fractions(protocol: number, source: number, target: number): LinkFractions | undefined {
    if (!this.isReachable(source, target)) return undefined
    const key = (protocol * 65536 + source) * 65536 + target
    const known = this.#fractions.get(key)
    if (known !== undefined) return known
    const routing = (this.#routings[protocol] ??= this.#routing(protocol))
    const made = fractionsOf(routing, this.#live, source, target)
    if (this.#fractions.size >= FRACTIONS_KEPT) this.#fractions.clear()
    this.#fractions.set(key, made)
    return made
  }

  /**
   * What a flow could send if it were alone, by links of these rates: on all its ways, or on one.
   * 0 if there is no way.
   */
  aloneBps(
    protocol: number,
    source: number,
    target: number,
    capacitiesBps: Float64Array,
    ways: 'all' | 'one' = 'all',
  ): number {
    if (!this.isReachable(source, target)) return 0
    const routing = (this.#routings[protocol] ??= this.#routing(protocol))
    const loads = this.#loads
    loads.fill(0)
    routing.addLoads(source, target, 1, loads)
    let bps = Infinity
    for (let c = 0; c < loads.length; c++) {
      if (loads[c] === 0) continue
      bps = Math.min(bps, capacitiesBps[c]! / (ways === 'all' ? loads[c]! : 1))
    }
    return bps
  }

  /** The outputs of a packet's way, drawn as its protocol says; undefined if there is none. */
  route(protocol: number, source: number, target: number, random: Random): number[] | undefined {
    if (!this.isReachable(source, target)) return undefined
    if (protocol !== VLB) return this.#walk(source, target, random)
    const waypoints = this.#waypoints(source)
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
        const share = this.#ways.share(c, target, this.#spray)
        if (share === 0) continue
        taken = c
        if ((left -= share) < 0) break
      }
      ports.push(taken - starts[node]!)
      node = to[taken]!
    }
    return ports
  }

  #waypoints(source: number): number[] {
    return Array.from({ length: this.#wiring.nodes }, (_, n) => n).filter(
      (n) => this.#isMember(n) && this.isReachable(source, n),
    )
  }

  #routing(protocol: number): ObliviousRouting {
    const sprayed = this.#spray === 'way' ? spraying(this.#ways) : hopSpraying(this.#ways)
    if (protocol !== VLB) return sprayed
    const first = Array.from({ length: this.#wiring.nodes }, (_, n) => n).find(this.#isMember) ?? 0
    return valiant(this.#live, sprayed, this.#waypoints(first))
  }
}

function branchesOf(
  { nodes, starts: outputs, to }: Channels,
  { arrivals }: BroadcastTree,
): Branches {
  const starts = new Int32Array(nodes + 1)
  const channels: number[] = []
  for (let node = 0; node < nodes; node++) {
    for (let c = outputs[node]!; c < outputs[node + 1]!; c++) {
      if (arrivals[to[c]!] === c) channels.push(c)
    }
    starts[node + 1] = channels.length
  }
  return { starts, channels: Int32Array.from(channels) }
}
