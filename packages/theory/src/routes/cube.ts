/**
 * The channels of a k-ary n-cube, torus or mesh, with sizes that may differ between dimensions. A
 * server and its switch are one node here: what a node injects is bounded by its links alone, as in
 * the routing literature. Nodes are counted like an odometer, the last coordinate fastest, as in
 * fabric's topology; the outputs of a node are, for each dimension, + and then -.
 */
import { cubeCoordinates, cubeIndex } from '@weir/fabric'
import { Channels } from './channels.ts'

/** Which way along a dimension. */
export type Step = 1 | -1

export class Cube extends Channels {
  readonly sizes: readonly number[]
  readonly wraps: boolean
  /** Coordinate d of node n is `#at[n * dimensions + d]`. */
  readonly #at: Int32Array
  /** The channel of node n in dimension d, + at 2d and - at 2d + 1; -1 at the edge of a mesh. */
  readonly #outputs: Int32Array

  constructor(sizes: readonly number[], kind: 'torus' | 'mesh' = 'torus') {
    if (sizes.length === 0 || sizes.some((size) => !(Number.isInteger(size) && size >= 1))) {
      throw new RangeError(
        `A cube of ${sizes.join(' x ')} nodes is none; give whole sizes above 0.`,
      )
    }
    const nodes = sizes.reduce((product, size) => product * size, 1)
    const pairs: [number, number][] = []
    const outputs = new Int32Array(2 * sizes.length * nodes).fill(-1)
    for (let n = 0; n < nodes; n++) {
      const at = cubeCoordinates(n, sizes)
      sizes.forEach((size, d) => {
        for (const step of [1, -1] as const) {
          const next = at[d]! + step
          const isOutside = next < 0 || next >= size
          // Two nodes of a ring of two have one link, not two.
          if (isOutside && (kind === 'mesh' || size <= 2)) continue
          const there = at.map((c, e) => (e === d ? (next + size) % size : c))
          outputs[2 * sizes.length * n + 2 * d + (step === 1 ? 0 : 1)] = pairs.length
          pairs.push([n, cubeIndex(there, sizes)])
        }
      })
    }
    super(nodes, pairs)
    this.sizes = sizes
    this.wraps = kind === 'torus'
    this.#outputs = outputs
    this.#at = Int32Array.from(
      Array.from({ length: nodes }, (_, n) => cubeCoordinates(n, sizes)).flat(),
    )
  }

  get dimensions(): number {
    return this.sizes.length
  }

  coordinate(node: number, d: number): number {
    return this.#at[node * this.sizes.length + d]!
  }

  nodeAt(at: readonly number[]): number {
    return cubeIndex(
      at.map((c, d) => (c + this.sizes[d]!) % this.sizes[d]!),
      this.sizes,
    )
  }

  /** The channel out of `node` along dimension d; in a ring of two there is only one. */
  output(node: number, d: number, step: Step): number {
    const base = 2 * this.sizes.length * node + 2 * d
    const channel = this.#outputs[base + (step === 1 ? 0 : 1)]!
    if (channel >= 0 || this.sizes[d] !== 2 || !this.wraps) return channel
    return this.#outputs[base + (step === 1 ? 1 : 0)]!
  }

  /** Hops in the + direction from one coordinate to another: 0 .. size - 1 (in a torus). */
  offset(source: number, target: number, d: number): number {
    const size = this.sizes[d]!
    const straight = this.coordinate(target, d) - this.coordinate(source, d)
    return this.wraps ? (straight + size) % size : straight
  }

  /**
   * What a node can inject under uniform traffic if its links are used evenly: twice the channels
   * of the bisection (both ways) over the nodes, 8 / k in a torus of even k. Link rate is 1.
   */
  get capacity(): number {
    const size = Math.max(...this.sizes)
    if (size % 2 !== 0) {
      throw new RangeError(`A cube of odd size ${size} has no even bisection; give an even size.`)
    }
    const cut = ((this.wraps && size > 2 ? 4 : 2) * this.nodes) / size
    return (2 * cut) / this.nodes
  }
}
