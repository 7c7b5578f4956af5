/**
 * The shortest ways of a torus or mesh without tables: in each dimension the shorter way round, or
 * both at half the ring, in any order of dimensions. Tables grow with the square of the servers (a
 * torus of 40 x 40 x 40 had gigabytes of them); coordinates do not.
 *
 * Says what `NextHops` says of the same graph: ports ascending, so that draws are the same.
 */
import type { Graph } from '@weir/fabric'
import { CubePorts } from './cube-ports.ts'

/** From so many servers on; below, a table is quicker. */
export const MANY_SERVERS = 4096

export class CubeHops {
  readonly #cube: CubePorts
  /** Ports of the latest question, ascending, and which part of all ways goes by each. */
  readonly #ports: Int32Array
  readonly #parts: Float64Array
  #count: number = 0
  #server: number = -1
  #target: number = -1

  constructor(graph: Graph) {
    this.#cube = new CubePorts(graph)
    this.#ports = new Int32Array(2 * this.#cube.sizes.length)
    this.#parts = new Float64Array(this.#ports.length)
  }

  distance(server: number, target: number): number {
    const { sizes } = this.#cube
    let distance = 0
    for (let d = 0; d < sizes.length; d++) distance += this.#hops(server, target, d)
    return distance
  }

  /** Ports of `server` that lead on a shortest way to another. */
  count(server: number, target: number): number {
    this.#look(server, target)
    return this.#count
  }

  /** The i-th of them, ascending. */
  port(server: number, target: number, i: number): number {
    this.#look(server, target)
    return this.#ports[i]!
  }

  /** The part of all shortest ways that goes by the i-th. */
  part(server: number, target: number, i: number): number {
    this.#look(server, target)
    return this.#parts[i]!
  }

  #hops(server: number, target: number, d: number): number {
    const { sizes, wraps } = this.#cube
    const offset = this.#cube.offset(server, target, d)
    if (!wraps) return Math.abs(offset)
    return Math.min(offset, sizes[d]! - offset)
  }

  #look(server: number, target: number): void {
    if (this.#server === server && this.#target === target) return
    this.#server = server
    this.#target = target
    this.#count = 0
    const cube = this.#cube
    const { sizes, wraps } = cube
    const all = this.distance(server, target)
    for (let d = 0; d < sizes.length; d++) {
      const size = sizes[d]!
      const offset = cube.offset(server, target, d)
      if (offset === 0) continue
      const hops = this.#hops(server, target, d)
      const isForward = wraps ? offset === hops : offset > 0
      // Of the orders in which all hops can be taken, those that begin with this dimension.
      const part = hops / all
      // At half the ring both ways round are shortest; a ring of two has one link.
      const isTie = wraps && size > 2 && 2 * offset === size
      this.#add(cube.output(server, d, isForward ? 1 : -1), isTie ? part / 2 : part)
      if (isTie) this.#add(cube.output(server, d, -1), part / 2)
    }
  }

  #add(port: number, part: number): void {
    const ports = this.#ports
    const parts = this.#parts
    let at = this.#count++
    for (; at > 0 && ports[at - 1]! > port; at--) {
      ports[at] = ports[at - 1]!
      parts[at] = parts[at - 1]!
    }
    ports[at] = port
    parts[at] = part
  }
}
