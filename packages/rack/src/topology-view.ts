/**
 * What a node believes the rack to look like: the wiring, which all know, less the links that their
 * ends have said are down. From it come the ways and broadcast trees that all nodes with the same
 * view agree on, and who can be reached at all.
 */
import type { BroadcastTree, Channels, LinkFractions } from '@weir/theory'
import type { Random } from '@weir/engine'
import { needsCube } from './protocols.ts'
import { Topology } from './topology.ts'
import type { TopologyOptions } from './topology.ts'

/** Bits of a word on a node's links. */
const LINKS_MAX = 32

export class TopologyView {
  readonly wiring: Channels
  /** As it is believed to be now. */
  topology: Topology
  readonly #options: TopologyOptions
  readonly #self: number
  /** Bits of each node's outputs that it says are down. */
  readonly #down: Uint32Array
  /** Counts changes, so that others can tell that theirs are out of date. */
  version = 0

  constructor(wiring: Channels, self: number, options: TopologyOptions = {}) {
    if (wiring.degree > LINKS_MAX) {
      throw new RangeError(
        `A node has ${wiring.degree} links; words on links have room for ${LINKS_MAX}.`,
      )
    }
    this.wiring = wiring
    this.#self = self
    this.#options = options
    this.#down = new Uint32Array(wiring.nodes)
    this.topology = new Topology(wiring, undefined, options)
  }

  downOutputs(node: number): number {
    return this.#down[node]!
  }

  /** Returns whether that changes the view. */
  setDownOutputs(node: number, bits: number): boolean {
    if (this.#down[node] === bits >>> 0) return false
    this.#down[node] = bits
    const isDown = Uint8Array.from(this.wiring.from, (_, c) => (this.#isDown(c) ? 1 : 0))
    this.topology = new Topology(this.wiring, (c) => isDown[c] === 1, this.#options)
    this.version++
    return true
  }

  isReachable(node: number): boolean {
    return this.topology.isReachable(this.#self, node)
  }

  tree(source: number, tree: number): BroadcastTree {
    return this.topology.tree(source, tree)
  }

  /** Not every wiring has dimensions to go by one after the other. */
  readonly hasProtocol = ({ protocol }: { readonly protocol: number }): boolean =>
    !needsCube(protocol) || this.topology.isCube

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
    return this.topology.fractions(protocol, source, target)
  }

  /** The outputs of a packet's way, drawn as its protocol says; undefined if there is none. */
  route(protocol: number, source: number, target: number, random: Random): number[] | undefined {
    return this.topology.route(protocol, source, target, random)
  }

  /** A link is up if neither end says that it is down. */
  #isDown(channel: number): boolean {
    const { from, to, starts } = this.wiring
    const [a, b] = [from[channel]!, to[channel]!]
    if ((this.#down[a]! & (1 << (channel - starts[a]!))) !== 0) return true
    const back = this.wiring.between(b, a)
    return back >= 0 && (this.#down[b]! & (1 << (back - starts[b]!))) !== 0
  }
}
