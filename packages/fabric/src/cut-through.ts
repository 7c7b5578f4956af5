/**
 * Cut-through forwarding: the next switch has a packet when its header is in, while its tail is
 * still on its way out here. Its bytes are held until the tail has left.
 */
import { BYTES, HOP, KIND, PATH, PAUSE, ROUTED } from './packets.ts'
import type { Packets } from './packets.ts'
import type { Paths } from './paths.ts'
import type { Ports } from './ports.ts'
import type { Graph } from './topologies/graph.ts'

export class CutThrough {
  /** Header bytes after which a switch can forward; 0: store and forward. */
  readonly headerBytes: number
  readonly #packets: Packets
  readonly #paths: Paths
  readonly #ports: Ports
  /** Of the fastest output, by node. */
  readonly #fastestPsPerByte: Float64Array

  constructor(graph: Graph, ports: Ports, packets: Packets, paths: Paths, headerBytes: number) {
    this.headerBytes = headerBytes
    this.#packets = packets
    this.#paths = paths
    this.#ports = ports
    this.#fastestPsPerByte = new Float64Array(graph.nodes.length).fill(Infinity)
    for (let port = 0; port < ports.count; port++) {
      const from = ports.from[port]
      const psPerByte = ports.psPerByte[port]
      if (psPerByte < this.#fastestPsPerByte[from]) this.#fastestPsPerByte[from] = psPerByte
    }
  }

  /**
   * How much of a transmission is over when the next switch may forward the packet. Its header must
   * be in; and the last bit must not be due at the next output before it is in, so that a packet
   * which goes on by a faster link is seen later, and keeps no port waiting.
   */
  headPs(port: number, p: number, servicePs: number): number {
    const { int } = this.#packets
    const ports = this.#ports
    const bytes = int[p + BYTES]
    if (bytes <= this.headerBytes || int[p + KIND] >= PAUSE) return servicePs
    const path = int[p + PATH]
    const hop = int[p + HOP] + 1
    const psPerByte =
      path >= 0
        ? ports.psPerByte[this.#paths.ports[path + hop]]
        : path === ROUTED
          ? ports.psPerByte[this.#packets.routes[(p << 2) + hop]]
          : this.#fastestPsPerByte[ports.to[port]]
    const headerPs = Math.round(this.headerBytes * ports.psPerByte[port])
    return Math.max(headerPs, servicePs - Math.round(bytes * psPerByte))
  }
}
