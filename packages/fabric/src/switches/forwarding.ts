/**
 * Forwarding: where a packet goes from a switch. Off the path that it was given, off the route that
 * its sender wrote into it, or, if it has neither, as routing says here; and in which class, where
 * lanes change by hop (`lanes.ts`). From here on `CLASS` is the class in which it goes on, and
 * `INGRESS` has that in which it came. No allocation.
 */
import type { Random } from '@weir/engine'
import type { Routing } from '../contract/routing.ts'
import { changeLane } from '../lanes.ts'
import type { Lanes } from '../lanes.ts'
import { CLASS, HOP, INGRESS, PATH, ROUTED, TARGET } from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { Paths } from '../paths.ts'
import { CLASSES } from '../ports.ts'

export class Forwarding {
  readonly #packets: Packets
  readonly #paths: Paths
  readonly #routing: Routing
  /** By node: what one switch draws never changes what another does. */
  readonly #random: readonly Random[]
  /** By output and class; undefined: a packet keeps its class. */
  readonly lanes: Lanes | undefined

  constructor(
    packets: Packets,
    paths: Paths,
    routing: Routing,
    random: readonly Random[],
    lanes?: Lanes,
  ) {
    this.#packets = packets
    this.#paths = paths
    this.#routing = routing
    this.#random = random
    this.lanes = lanes
  }

  /** An output is drawn for every packet, so that a flow may be at several of one switch. */
  get sprays(): boolean {
    return this.#routing.perPacket
  }

  /** A packet has come to `node` by `link`: the port by which it goes on. */
  outputOf(node: number, link: number, p: number): number {
    const { int } = this.#packets
    const hop = int[p + HOP] + 1
    int[p + HOP] = hop
    int[p + INGRESS] = link * CLASSES + int[p + CLASS]
    const path = int[p + PATH]
    const out = path >= 0 ? this.#paths.ports[path + hop] : this.#nextOf(node, path, hop, p)
    if (this.lanes !== undefined) changeLane(this.lanes, this.#packets, out, p)
    return out
  }

  #nextOf(node: number, path: number, hop: number, p: number): number {
    const { cold, routes } = this.#packets
    if (path === ROUTED) return routes[(p << 2) + hop]
    return this.#routing.next(node, cold[(p >> 1) + TARGET], this.#random[node] as Random)
  }
}
