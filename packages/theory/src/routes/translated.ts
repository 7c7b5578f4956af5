/**
 * A routing that looks alike from every node of a torus, worked out once for each offset between
 * source and target and moved to where it is needed: 511 lists of fractions serve all 261,632 pairs
 * of a rack of 512 nodes. R2C2, SIGCOMM 2015, section 4.2, keeps the same lists at each node, one
 * for each destination.
 *
 * Not for routings that look at the source's own coordinates (destination tag's ties by parity) or
 * at a flow (ECMP), nor for meshes.
 */
import type { Cube } from './cube.ts'
import { fractionsOf } from './oblivious.ts'
import type { LinkFractions, ObliviousRouting } from './oblivious.ts'

export class Translated implements ObliviousRouting {
  readonly name: string
  readonly summary: string
  readonly #cube: Cube
  readonly #routing: ObliviousRouting
  readonly #known: (LinkFractions | undefined)[]
  readonly #degree: number
  /** Node a moved by the coordinates of node b, at a * nodes + b. */
  readonly #moved: Int32Array
  /** The node at which `target` stands as seen from `source`, at source * nodes + target. */
  readonly #offsets: Int32Array

  constructor(cube: Cube, routing: ObliviousRouting) {
    if (!cube.wraps) throw new RangeError('A mesh has edges: its routes cannot be moved about.')
    this.name = routing.name
    this.summary = routing.summary
    this.#cube = cube
    this.#routing = routing
    const { nodes, sizes } = cube
    this.#known = new Array<LinkFractions | undefined>(nodes).fill(undefined)
    this.#degree = cube.starts[1]!
    this.#moved = new Int32Array(nodes * nodes)
    this.#offsets = new Int32Array(nodes * nodes)
    for (let a = 0; a < nodes; a++) {
      for (let b = 0; b < nodes; b++) {
        const sum = cube.nodeAt(sizes.map((_, d) => cube.coordinate(a, d) + cube.coordinate(b, d)))
        this.#moved[a * nodes + b] = sum
        this.#offsets[b * nodes + sum] = a
      }
    }
  }

  addLoads(source: number, target: number, amount: number, loads: Float64Array): void {
    const { links, fractions } = this.#from0(source, target)
    for (let i = 0; i < links.length; i++) {
      loads[this.#move(links[i]!, source)]! += amount * fractions[i]!
    }
  }

  /** Links are in the order of the offset's own list, not ascending. */
  fractions(source: number, target: number): LinkFractions {
    const { links, fractions } = this.#from0(source, target)
    return { links: links.map((link) => this.#move(link, source)), fractions }
  }

  #from0(source: number, target: number): LinkFractions {
    const offset = this.#offsets[source * this.#cube.nodes + target]!
    return (this.#known[offset] ??= fractionsOf(this.#routing, this.#cube, 0, offset))
  }

  #move(link: number, source: number): number {
    const node = this.#cube.from[link]!
    const port = link - node * this.#degree
    return this.#moved[node * this.#cube.nodes + source]! * this.#degree + port
  }
}
