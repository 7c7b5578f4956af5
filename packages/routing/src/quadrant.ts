/**
 * Routings of a torus or mesh by way of a random server of a quadrant: each packet draws a
 * direction in every dimension, then a server between source and target in those directions, and
 * goes there and on to its target, dimension by dimension, in an order drawn for each half.
 *
 * - `romm`: the shorter direction (T. Nesson and S. L. Johnsson, "ROMM Routing on Mesh and Torus
 *   Networks", SPAA 1995); at half the ring either.
 * - `wlb`: of a ring of k the shorter direction, of D hops, with probability (k - D) / k, the
 *   longer one with D / k. It is the RLB of A. Singh et al., "Locality-preserving Randomized
 *   Oblivious Routing on Torus Networks", SPAA 2002; P. Costa et al., "R2C2", SIGCOMM 2015,
 *   call it weighted load balancing.
 *
 * Senders write the ways of data; what else there is goes by shortest ways, as do packets whose way
 * would cross a link that is down.
 */
import { ROUTE_MAX } from '@weir/fabric'
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import type { Random } from '@weir/engine'
import { is, section } from '@weir/engine/codec'
import { CubePorts, refusesButCubes } from './cube-ports.ts'
import type { Step } from './cube-ports.ts'
import { NextHops } from './next-hops.ts'
import { sprayed } from './packet-spray.ts'

/** The chance of going in the + direction, `offset` hops away in a ring of `size`. */
type ForwardChance = (offset: number, size: number) => number

export const romm: RoutingKind = quadrantRouting(
  'romm',
  'of a torus or mesh: by way of a random server of the minimal quadrant',
  (offset, size) => (2 * offset === size ? 0.5 : 2 * offset < size ? 1 : 0),
)

export const wlb: RoutingKind = quadrantRouting(
  'wlb',
  'of a torus or mesh: the shorter direction more often than the longer (weighted load balancing)',
  (offset, size) => (size - offset) / size,
)

function quadrantRouting(name: string, summary: string, forward: ForwardChance): RoutingKind {
  return {
    name,
    summary,
    codec: section(`${name} routing`, { kind: is(name) }),
    reorders: true,
    refuses: refusesButCubes(name),
    create(graph: Graph, _params: object, isDown: IsDown = () => false): Routing {
      const cube = new CubePorts(graph)
      const draft = new QuadrantDraft(cube, forward)
      return {
        ...sprayed(name, new NextHops(graph, isDown), 'paths'),
        route(source, target, random, route, at) {
          const end = draft.write(cube.serverOf(source), cube.serverOf(target), random, route, at)
          for (let i = at; i < end; i++) if (isDown(route[i]! >> 1)) return false
          return end > at
        },
      }
    },
  }
}

/** Draws ways. Its columns are used again for each packet. */
class QuadrantDraft {
  readonly #cube: CubePorts
  readonly #forward: ForwardChance
  readonly #steps: Int8Array
  readonly #hops: Int32Array
  readonly #firstHops: Int32Array
  readonly #order: Int32Array

  constructor(cube: CubePorts, forward: ForwardChance) {
    const dimensions = cube.sizes.length
    this.#cube = cube
    this.#forward = forward
    this.#steps = new Int8Array(dimensions)
    this.#hops = new Int32Array(dimensions)
    this.#firstHops = new Int32Array(dimensions)
    this.#order = new Int32Array(dimensions)
  }

  /** Where the way ends in `route`; `at`: it is too long. */
  write(source: number, target: number, random: Random, route: Int32Array, at: number): number {
    const cube = this.#cube
    const dimensions = cube.sizes.length
    let all = 0
    for (let d = 0; d < dimensions; d++) {
      const offset = cube.offset(source, target, d)
      this.#drawDirection(d, offset, random)
      this.#firstHops[d] = random.below(this.#hops[d]! + 1)
      all += this.#hops[d]!
    }
    if (all + 2 > ROUTE_MAX) return at
    let end = at
    route[end++] = cube.up(source)
    let server = source
    for (let half = 0; half < 2; half++) {
      this.#shuffle(random)
      for (let i = 0; i < dimensions; i++) {
        const d = this.#order[i]!
        const hops = half === 0 ? this.#firstHops[d]! : this.#hops[d]! - this.#firstHops[d]!
        for (let hop = 0; hop < hops; hop++) {
          const port = cube.output(server, d, this.#steps[d] as Step)
          route[end++] = port
          server = cube.next(port)
        }
      }
    }
    route[end++] = cube.down(target)
    return end
  }

  #drawDirection(d: number, offset: number, random: Random): void {
    const { sizes, wraps } = this.#cube
    const size = sizes[d]!
    // A mesh, and a ring of two, have one way.
    const isForward =
      wraps && size > 2 && offset > 0
        ? random.uniform() < this.#forward(offset, size)
        : wraps || offset > 0
    this.#steps[d] = isForward ? 1 : -1
    this.#hops[d] = isForward ? offset : wraps ? size - offset : -offset
  }

  #shuffle(random: Random): void {
    const order = this.#order
    // From the same order each time: one packet's draws must not change another's.
    for (let d = 0; d < order.length; d++) order[d] = d
    for (let i = order.length - 1; i > 0; i--) {
      const j = random.below(i + 1)
      const held = order[i]!
      order[i] = order[j]!
      order[j] = held
    }
  }
}
