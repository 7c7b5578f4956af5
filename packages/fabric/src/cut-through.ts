/**
 * Cut-through forwarding: the next switch has a packet when its header is in, while its tail is
 * still on its way out here. Its bytes are held until the tail has left; there is at most one such
 * packet a port. With store and forward nothing of this runs.
 */
import { BYTES, CLASS, DEPART, HOP, INGRESS, KIND, PATH, PAUSE, PAYLOAD } from './packets.ts'
import type { Packets } from './packets.ts'
import type { Paths } from './paths.ts'
import type { Ports } from './ports.ts'
import type { Graph } from './topologies/graph.ts'

export class CutThrough {
  /** Header bytes after which a switch can forward; 0: store and forward. */
  readonly headerBytes: number
  /**
   * When the tail of the packet whose head has gone ahead has left, by port; Infinity: none has.
   */
  readonly tailPs: Float64Array
  readonly bytes: Int32Array
  /** Of those, what is no payload. */
  readonly controlBytes: Int32Array
  readonly class: Uint8Array
  readonly link: Int32Array
  /** The event of a link's first packet in flight: it may have to be taken back. */
  readonly linkHandle: Int32Array
  readonly #packets: Packets
  readonly #paths: Paths
  readonly #ports: Ports
  /** Of the fastest output, by node. */
  readonly #fastestPsPerByte: Float64Array

  constructor(graph: Graph, ports: Ports, packets: Packets, paths: Paths, headerBytes: number) {
    this.headerBytes = headerBytes
    this.tailPs = new Float64Array(ports.count).fill(Infinity)
    this.bytes = new Int32Array(ports.count)
    this.controlBytes = new Int32Array(ports.count)
    this.class = new Uint8Array(ports.count)
    this.link = new Int32Array(ports.count)
    this.linkHandle = new Int32Array(ports.count).fill(-1)
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

  /** The head of `p`, in service at `port`, is at the next node, which now has the packet. */
  begin(port: number, p: number): void {
    const { float, int } = this.#packets
    this.tailPs[port] = float[(p >> 1) + DEPART]
    this.bytes[port] = int[p + BYTES]
    this.controlBytes[port] = int[p + BYTES] - int[p + PAYLOAD]
    this.class[port] = int[p + CLASS]
    this.link[port] = int[p + INGRESS]
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
    if (bytes <= this.headerBytes || int[p + KIND] === PAUSE) return servicePs
    const path = int[p + PATH]
    const psPerByte =
      path >= 0
        ? ports.psPerByte[this.#paths.ports[path + int[p + HOP] + 1]]
        : this.#fastestPsPerByte[ports.to[port]]
    const headerPs = Math.round(this.headerBytes * ports.psPerByte[port])
    return Math.max(headerPs, servicePs - Math.round(bytes * psPerByte))
  }

  /** Calls back for each packet whose head has gone ahead of its tail, for audits. */
  each(
    visit: (
      port: number,
      trafficClass: number,
      bytes: number,
      link: number,
      tailPs: number,
    ) => void,
  ): void {
    for (let port = 0; port < this.#ports.count; port++) {
      const tailPs = this.tailPs[port]
      if (tailPs === Infinity) continue
      visit(port, this.class[port], this.bytes[port], this.link[port], tailPs)
    }
  }
}
