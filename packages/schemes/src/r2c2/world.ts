/**
 * What all nodes of a rack know from the first: its wiring, with the tables that follow from it,
 * and their settings. Tables are filled when asked for and depend on nothing else, so that it does
 * not matter who asks; rates are shared among nodes that know the same flows (`SharedRates`).
 */
import type { Graph, NodeContext } from '@weir/fabric'
import type { Allocation, RackConfig, TopologyOptions, TrafficMatrix } from '@weir/rack'
import { ANNOUNCEMENT_BYTES, rackConfig, RPS, SharedRates, Topology } from '@weir/rack'
import type { Channels } from '@weir/theory'
import { graphChannels } from '@weir/theory'

export interface RackSettings {
  readonly rhoPs: number
  readonly headroom: number
  readonly trees: number
  /** Infinity: none. */
  readonly digestPs: number
  /** What a flow sends that is not limited yet: as one way carries, or all of its ways. */
  readonly start: 'link' | 'paths'
}

export class RackWorld {
  readonly config: RackConfig
  readonly channels: Channels
  readonly rates: SharedRates
  /** With all links up. */
  readonly whole: Topology
  readonly #linkCount: number
  /** Fabrics with links down, by which are. */
  readonly #topologies = new Map<string, Topology>()
  readonly #options: TopologyOptions
  /** Nodes of hosts, by their number; and the number of a node's host, -1 for a switch. */
  readonly hostNodes: Int32Array
  readonly hostOf: Int32Array
  readonly #capacities: Float64Array
  readonly #alone = new Map<number, number>()
  readonly #ways: 'one' | 'all'
  /** The port of each channel. */
  readonly #ports: Int32Array

  constructor(graph: Graph, { rhoPs, headroom, trees, digestPs, start }: RackSettings) {
    this.#ways = start === 'link' ? 'one' : 'all'
    const { channels, ports } = graphChannels(graph)
    this.channels = channels
    this.#ports = ports
    this.config = rackConfig(channels, {
      rhoPs,
      headroom,
      trees,
      digestPs,
      endPs: END_PS,
    })
    this.#capacities = Float64Array.from(ports, (port) => graph.links[port >> 1]!.rateBps)
    this.rates = new SharedRates(this.#capacities, headroom)
    const isHost = graph.nodes.map(({ kind }) => kind === 'host')
    this.hostNodes = Int32Array.from(isHost.flatMap((is, node) => (is ? [node] : [])))
    this.hostOf = new Int32Array(graph.nodes.length).fill(-1)
    this.hostNodes.forEach((node, host) => (this.hostOf[node] = host))
    this.#options = { isMember: (node) => isHost[node]!, spray: 'hop' }
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

  /** A broadcast goes on from a node, to whoever hangs on it in the tree of its source. */
  forward(
    node: NodeContext,
    topology: Topology,
    source: number,
    tree: number,
    code: number,
    a: number,
    b: number,
  ): void {
    const { starts, channels } = topology.branches(source, tree)
    const end = starts[node.node + 1]!
    for (let i = starts[node.node]!; i < end; i++) {
      node.sendBy(this.#ports[channels[i]!]!, code, ANNOUNCEMENT_BYTES, a, b)
    }
  }

  /** What a flow between two hosts sends before it is limited: its sender knows that at once. */
  startBps(source: number, target: number): number {
    const key = source * 65536 + target
    const known = this.#alone.get(key)
    if (known !== undefined) return known
    const [from, to] = [this.hostNodes[source]!, this.hostNodes[target]!]
    const bps = this.whole.aloneBps(RPS, from, to, this.#capacities, this.#ways)
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
