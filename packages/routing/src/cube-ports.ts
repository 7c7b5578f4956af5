/**
 * The ports of a torus or a mesh, by direction: what routings that count in dimensions walk on.
 * Servers are counted as in the topology, the last coordinate fastest.
 */
import type { CubeShape, Graph } from '@weir/fabric'
import { Ports } from './ports.ts'

/** Which way along a dimension. */
export type Step = 1 | -1

/** One sentence for routings that need one; undefined: it is a cube. */
export function refusesButCubes(name: string): (graph: Graph) => string | undefined {
  return ({ cube }) =>
    cube === undefined
      ? `${name} goes dimension by dimension, which this topology has none of: ` +
        'take a torus or a mesh, or ecmp, packet-spray or vlb, which route anywhere'
      : undefined
}

export class CubePorts {
  readonly sizes: readonly number[]
  readonly wraps: boolean
  /** The port of server n in dimension d: + at 2d and - at 2d + 1; -1 at the edge of a mesh. */
  readonly #outputs: Int32Array
  readonly #to: Int32Array
  /** Coordinate d of server n is `#at[n * dimensions + d]`. */
  readonly #at: Int32Array

  constructor(graph: Graph) {
    const { sizes, wraps } = graph.cube as CubeShape
    const ports = new Ports(graph)
    const servers = sizes.reduce((product, size) => product * size, 1)
    const dimensions = sizes.length
    this.sizes = sizes
    this.wraps = wraps
    this.#to = ports.to
    this.#at = new Int32Array(servers * dimensions)
    this.#outputs = new Int32Array(2 * dimensions * servers).fill(-1)
    const strides = sizes.map((_, d) => sizes.slice(d + 1).reduce((product, s) => product * s, 1))
    for (let n = 0; n < servers; n++) {
      sizes.forEach((size, d) => {
        const at = Math.floor(n / strides[d]!) % size
        this.#at[n * dimensions + d] = at
        for (const step of [1, -1] as const) {
          const next = at + step
          if ((next < 0 || next >= size) && !wraps) continue
          const there = n + (((next + size) % size) - at) * strides[d]!
          const port = ports.between(servers + n, servers + there)
          this.#outputs[2 * dimensions * n + 2 * d + (step === 1 ? 0 : 1)] = port
        }
      })
    }
  }

  get servers(): number {
    return this.#at.length / this.sizes.length
  }

  /** The server that a host, or its switch, is. */
  serverOf(node: number): number {
    return node % this.servers
  }

  /** Hops in the + direction: 0 .. size - 1 in a torus, of either sign in a mesh. */
  offset(source: number, target: number, d: number): number {
    const dimensions = this.sizes.length
    const straight = this.#at[target * dimensions + d]! - this.#at[source * dimensions + d]!
    const size = this.sizes[d]!
    return this.wraps ? (straight + size) % size : straight
  }

  isOdd(server: number, d: number): boolean {
    return this.#at[server * this.sizes.length + d]! % 2 === 1
  }

  /** The port of a server along a dimension. */
  output(server: number, d: number, step: Step): number {
    return this.#outputs[2 * this.sizes.length * server + 2 * d + (step === 1 ? 0 : 1)]!
  }

  /** The server that a port leads to. */
  next(port: number): number {
    return this.serverOf(this.#to[port]!)
  }

  /** The link of host and switch: up from the host, and down to it. */
  up(server: number): number {
    return 2 * server
  }

  down(server: number): number {
    return 2 * server + 1
  }
}
