/**
 * What all nodes of a rack know from the first: its wiring, with the tables that follow from it,
 * and their settings. Tables are filled when asked for and depend on nothing else, so that it does
 * not matter who asks; rates are shared among nodes that know the same flows (`SharedRates`).
 */
import type { Graph, NodeContext } from '@weir/fabric'
import type { Allocation, RackConfig, TopologyOptions, TrafficMatrix } from '@weir/rack'
import { rackConfig, SharedHearing, SharedRates, Topology } from '@weir/rack'
import type { RouteSearch, Channels, Utility } from '@weir/theory'
import { newHeard } from './fields.ts'
import type { Heard } from './fields.ts'
import type { FlowProtocols } from './protocols.ts'
import { wiringOf } from './wiring.ts'

export interface RackSettings {
  readonly rhoPs: number
  readonly headroom: number
  readonly trees: number
  /** Infinity: none. */
  readonly digestPs: number
  /** What a flow sends that is not limited yet: as one way carries, or all of its ways. */
  readonly start: 'link' | 'paths'
  readonly protocols: FlowProtocols
  /** undefined: flows keep the routing that they begin with. */
  readonly select?: RouteSelection | undefined
}

/** How the routing of long flows is chosen. */
export interface RouteSelection {
  readonly periodPs: number
  readonly evaluations: number
  readonly search: RouteSearch
  readonly utility: Utility
}

export class RackWorld {
  readonly config: RackConfig
  readonly channels: Channels
  readonly rates: SharedRates
  /** Of hosts, by their number. */
  readonly hearing: SharedHearing
  /** What the node that runs has just heard. */
  readonly heard: Heard = newHeard()
  /** With all links up. */
  readonly whole: Topology
  readonly #linkCount: number
  /** Fabrics with links down, by which are. */
  readonly #topologies = new Map<string, Topology>()
  readonly #options: TopologyOptions
  /** Nodes of hosts, by their number; and the number of a node's host, -1 for a switch. */
  readonly hostNodes: Int32Array
  readonly hostOf: Int32Array
  readonly capacitiesBps: Float64Array
  /** The protocol of each member of the routing. */
  readonly protocols: readonly number[]
  readonly select: RouteSelection | undefined
  readonly #alone = new Map<number, number>()
  readonly #ways: 'one' | 'all'
  /** The port of each channel. */
  readonly #ports: Int32Array

  constructor(graph: Graph, settings: RackSettings) {
    const { rhoPs, headroom, trees, digestPs, protocols, select } = settings
    this.#ways = settings.start === 'link' ? 'one' : 'all'
    this.protocols = protocols.ofMember
    this.select = select
    const { channels, ports, options } = wiringOf(graph, protocols)
    this.channels = channels
    this.#ports = ports
    this.config = rackConfig(channels, {
      rhoPs,
      headroom,
      trees,
      digestPs,
      endPs: END_PS,
      selectPs: select?.periodPs ?? Infinity,
      selectEvaluations: select?.evaluations ?? 0,
      protocols: [...new Set(protocols.ofMember)],
    })
    this.capacitiesBps = Float64Array.from(ports, (port) => graph.links[port >> 1]!.rateBps)
    this.rates = new SharedRates(this.capacitiesBps, headroom)
    const isHost = graph.nodes.map(({ kind }) => kind === 'host')
    this.hostNodes = Int32Array.from(isHost.flatMap((is, node) => (is ? [node] : [])))
    this.hostOf = new Int32Array(graph.nodes.length).fill(-1)
    this.hostNodes.forEach((node, host) => (this.hostOf[node] = host))
    this.hearing = new SharedHearing(channels.nodes, this.hostNodes.length)
    this.#options = options
    this.#linkCount = graph.links.length
    this.whole = new Topology(channels, undefined, this.#options)
  }

  /** The fabric without the links that are down. */
  topologyOf(isDown: (link: number) => boolean): Topology {
    const down = new Set<number>()
    for (let link = 0; link < this.#linkCount; link++) if (isDown(link)) down.add(link)
    if (down.size === 0) return this.whole
    const key = [...down].join(' ')
    const known = this.#topologies.get(key)
    if (known !== undefined) return known
    const isDead = (channel: number): boolean => down.has(this.#ports[channel]! >> 1)
    const made = new Topology(this.channels, isDead, this.#options)
    this.#topologies.set(key, made)
    return made
  }

  /** Flows may have several ways: looked at from all hosts to the first. */
  get isForked(): boolean {
    const [first = 0, ...others] = this.hostNodes
    return others.some((host) => this.whole.ways(host, first) > 1)
  }

  /** The port of a channel. */
  portOf(channel: number): number {
    return this.#ports[channel]!
  }

  /** A broadcast goes on from a node, to whoever hangs on it in the tree of its source. */
  forward(
    node: NodeContext,
    topology: Topology,
    source: number,
    tree: number,
    code: number,
    bytes: number,
    a: number,
    b: number,
  ): void {
    const words = topology.branchesOf(source, tree)
    const { starts, outputs } = topology.branches
    const start = starts[node.node]!
    for (let word = start; word < starts[node.node + 1]!; word++) {
      const first = outputs[node.node]! + 32 * (word - start)
      for (let bits = words[word]!; bits !== 0; bits &= bits - 1) {
        const channel = first + 31 - Math.clz32(bits & -bits)
        node.sendBy(this.#ports[channel]!, code, bytes, a, b)
      }
    }
  }

  /** What a flow between two hosts sends before it is limited: its sender knows that at once. */
  startBps(protocol: number, source: number, target: number): number {
    const key = (protocol * 65536 + source) * 65536 + target
    const known = this.#alone.get(key)
    if (known !== undefined) return known
    const [from, to] = [this.hostNodes[source]!, this.hostNodes[target]!]
    const bps = this.whole.aloneBps(protocol, from, to, this.capacitiesBps, this.#ways)
    this.#alone.set(key, bps)
    return bps
  }

  /** What the flows that a node has known since then may send. */
  ratesOf(matrix: TrafficMatrix, sincePs: number, topology: Topology): Allocation {
    return this.rates.of(matrix, sincePs, topology, (protocol, source, target) =>
      topology.fractions(protocol, source, target),
    )
  }
}

/**
 * How long ends are remembered: an announcement is under way for some microseconds. The rack's own
 * default, 10 ms, would be 20,000 of them at a flow per microsecond, at each node, and out of its
 * cache.
 */
const END_PS = 200e6
