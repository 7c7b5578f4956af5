/**
 * What a rack looks like with some of its channels down: who can be reached, the broadcast trees,
 * and the fractions of flows. It does not change, and is the same for all nodes that believe the
 * same channels to be down; its tables are made when they are asked for.
 */
import type { BroadcastTree, LinkFractions, ObliviousRouting } from '@weir/theory'
import {
  broadcastTree,
  Channels,
  Cube,
  fractionsOf,
  hopSpraying,
  ShortestWays,
  spraying,
  valiant,
} from '@weir/theory/routes'
import type { Random } from '@weir/engine'
import { Branches } from './branches.ts'
import { CubeWays } from './cube-ways.ts'
import { HOP_SPRAY, needsCube, PROTOCOL_NAMES, RPS, VLB } from './protocols.ts'

export interface TopologyOptions {
  /** Who hears broadcasts; all nodes if left out. */
  readonly isMember?: (node: number) => boolean
  /** By way of whom VLB goes; members if left out. */
  readonly isWaypoint?: (node: number) => boolean
  /** The cube that the nodes are, or that their switches are, which come behind the hosts. */
  readonly cube?: Cube
  /** How packets are sprayed whose way is down. */
  readonly detour?: typeof RPS | typeof HOP_SPRAY
}

/**
 * Fractions that are kept, of all flows together: flows of some length have them asked for again
 * and again. By VLB a flow crosses every link of the rack.
 */
const FRACTIONS_KEPT = 4e6

export class Topology {
  readonly #wiring: Channels
  readonly #isDown: ((channel: number) => boolean) | undefined
  readonly #live: Channels
  readonly #ways: ShortestWays
  readonly #isMember: (node: number) => boolean
  readonly #waypoints: readonly number[]
  readonly #cube: CubeWays | undefined
  readonly #detour: typeof RPS | typeof HOP_SPRAY
  readonly #trees: (BroadcastTree | undefined)[] = []
  readonly branches: Branches
  readonly #words: (Uint32Array | undefined)[]
  readonly #routings: (ObliviousRouting | undefined)[] = []
  readonly #fractions = new Map<number, LinkFractions>()
  #kept = 0
  readonly #loads: Float64Array

  constructor(
    wiring: Channels,
    isDown?: (channel: number) => boolean,
    options: TopologyOptions = {},
  ) {
    const { isMember = () => true, isWaypoint = isMember, detour = RPS } = options
    this.#wiring = wiring
    this.branches = new Branches(wiring)
    // All there at once: of an array that is filled here and there, lookups are slow.
    this.#words = new Array<Uint32Array | undefined>(16 * wiring.nodes).fill(undefined)
    this.#isDown = isDown
    this.#isMember = isMember
    this.#detour = detour
    this.#waypoints = Array.from({ length: wiring.nodes }, (_, n) => n).filter(isWaypoint)
    // A channel that is down leads back to its own node, and so on no way.
    const { from, to } = wiring
    const pairs = Array.from(from, (node, c) => {
      return [node, isDown?.(c) === true ? node : to[c]!] as const
    })
    this.#live = new Channels(wiring.nodes, pairs)
    this.#ways = new ShortestWays(this.#live)
    this.#loads = new Float64Array(wiring.count)
    const cube = options.cube ?? (wiring instanceof Cube ? wiring : undefined)
    this.#cube = cube && new CubeWays(cube, wiring, isDown ?? (() => false), this)
  }

  /** A torus or mesh, which some protocols go through dimension by dimension. */
  get isCube(): boolean {
    return this.#cube !== undefined
  }

  isReachable(from: number, to: number): boolean {
    return this.#ways.distance(from, to) >= 0
  }

  /** How many shortest ways there are. */
  ways(from: number, to: number): number {
    return this.#ways.ways(from, to)
  }

  tree(source: number, tree: number): BroadcastTree {
    return (this.#trees[source * 16 + tree] ??= this.#grow(source, tree))
  }

  #grow(source: number, tree: number): BroadcastTree {
    const isDown = this.#isDown
    const options = { isMember: this.#isMember, ...(isDown && { isDown }) }
    return broadcastTree(this.#wiring, source, tree, options)
  }

  /** A tree the other way round, as `branches` has it; nobody who asks for it asks for both. */
  branchesOf(source: number, tree: number): Uint32Array {
    const key = source * 16 + tree
    return (this.#words[key] ??= this.branches.of(this.#grow(source, tree)))
  }

  /** The channels that a flow uses, with their fractions; undefined if there is no way. */
  fractions(protocol: number, source: number, target: number): LinkFractions | undefined {
    if (!this.isReachable(source, target)) return undefined
    const key = (protocol * 65536 + source) * 65536 + target
    const known = this.#fractions.get(key)
    if (known !== undefined) return known
    const routing = (this.#routings[protocol] ??= this.#routing(protocol))
    const made = fractionsOf(routing, this.#live, source, target)
    if ((this.#kept += made.links.length) > FRACTIONS_KEPT) {
      this.#fractions.clear()
      this.#kept = made.links.length
    }
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
    const { from, starts } = this.#live
    const way = needsCube(protocol)
      ? (this.#onCube(protocol).draw(protocol, source, target, random) ??
        this.#sprayed(this.#detour, source, target, random))
      : protocol === VLB
        ? this.#byWaypoint(source, target, random)
        : this.#sprayed(protocol, source, target, random)
    return way.map((channel) => channel - starts[from[channel]!]!)
  }

  /** Of packets whose way by a cube is down. */
  addSprayed(source: number, target: number, amount: number, loads: Float64Array): void {
    const each = this.#detour === HOP_SPRAY ? 'hop' : 'way'
    this.#ways.addLoads(source, target, amount, loads, each)
  }

  firstWay(source: number, target: number): readonly number[] {
    const { starts, to } = this.#live
    const way: number[] = []
    for (let node = source; node !== target; node = to[way.at(-1)!]!) {
      let channel = starts[node]!
      while (this.#ways.share(channel, target, 'way') === 0) channel++
      way.push(channel)
    }
    return way
  }

  #byWaypoint(source: number, target: number, random: Random): number[] {
    const waypoints = this.#waypointsOf(source)
    const waypoint = waypoints[random.below(waypoints.length)]!
    return [
      ...this.#sprayed(RPS, source, waypoint, random),
      ...this.#sprayed(RPS, waypoint, target, random),
    ]
  }

  /** One of all shortest ways, each equally likely, or drawn hop by hop. */
  #sprayed(protocol: number, source: number, target: number, random: Random): number[] {
    const { starts, to } = this.#live
    const each = protocol === HOP_SPRAY ? 'hop' : 'way'
    const way: number[] = []
    for (let node = source; node !== target; node = to[way.at(-1)!]!) {
      let left = random.uniform()
      let taken = -1
      for (let c = starts[node]!; c < starts[node + 1]!; c++) {
        const share = this.#ways.share(c, target, each)
        if (share === 0) continue
        taken = c
        if ((left -= share) < 0) break
      }
      way.push(taken)
    }
    return way
  }

  #waypointsOf(source: number): readonly number[] {
    return this.#waypoints.filter((node) => this.isReachable(source, node))
  }

  #onCube(protocol: number): CubeWays {
    if (this.#cube !== undefined) return this.#cube
    const name = PROTOCOL_NAMES[protocol]
    throw new RangeError(`${name} goes dimension by dimension; route so on a torus or mesh only.`)
  }

  #routing(protocol: number): ObliviousRouting {
    if (needsCube(protocol)) return this.#onCube(protocol).routing(protocol)
    if (protocol === HOP_SPRAY) return hopSpraying(this.#ways)
    return protocol === VLB ? this.#valiant() : spraying(this.#ways)
  }

  /** By way of whoever can be reached: of a rack in pieces each has waypoints of its own. */
  #valiant(): ObliviousRouting {
    const sprayed = spraying(this.#ways)
    const pieces = new Map<number, ObliviousRouting>()
    return {
      ...valiant(this.#live, sprayed, []),
      addLoads: (source, target, amount, loads) => {
        const piece = this.#waypoints.find((node) => this.isReachable(source, node)) ?? -1
        const known = pieces.get(piece)
        const made = known ?? valiant(this.#live, sprayed, this.#waypointsOf(source))
        if (known === undefined) pieces.set(piece, made)
        made.addLoads(source, target, amount, loads)
      },
    }
  }
}
