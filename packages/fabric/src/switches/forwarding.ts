/**
 * Forwarding: where a packet goes from a switch. Off the path that it was given, off the route that
 * its sender wrote into it, or, if it has neither, as routing says here. No allocation.
 */
import type { Random } from '@weir/engine'
import type { Routing } from '../contract/routing.ts'
import { HOP, INGRESS, PATH, ROUTED, TARGET } from '../packets.ts'
import type { Packets } from '../packets.ts'
import type { Paths } from '../paths.ts'

export class Forwarding {
  readonly #packets: Packets
  readonly #paths: Paths
  readonly #routing: Routing
  /** By node: what one switch draws never changes what another does. */
  readonly #random: readonly Random[]

  constructor(packets: Packets, paths: Paths, routing: Routing, random: readonly Random[]) {
    this.#packets = packets
    this.#paths = paths
    this.#routing = routing
    this.#random = random
  }

  /** An output is drawn for every packet, so that a flow may be at several of one switch. */
  get sprays(): boolean {
    return this.#routing.perPacket
  }

  /** A packet has come to `node` by `link`: the port by which it goes on. */
  outputOf(node: number, link: number, p: number): number {
    const { cold, int, routes } = this.#packets
    const hop = int[p + HOP] + 1
    int[p + HOP] = hop
    int[p + INGRESS] = link
    const path = int[p + PATH]
    if (path >= 0) return this.#paths.ports[path + hop]
    if (path === ROUTED) return routes[(p << 2) + hop]
    return this.#routing.next(node, cold[(p >> 1) + TARGET], this.#random[node] as Random)
  }
}
