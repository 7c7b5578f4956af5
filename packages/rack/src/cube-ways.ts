/**
 * Routings that go dimension by dimension through a torus or mesh, on a wiring whose servers may be
 * one node each or a host with a switch: destination tag, and those by way of a node of a quadrant
 * (WLB, ROMM; A. Singh et al., SPAA 2002). Loads for the computation of rates, and ways to draw.
 *
 * Where links are down a packet whose way would cross one is sprayed over the shortest ways that
 * are left; a flow by destination tag then has the first of them. With all links up loads are
 * `@weir/theory`'s closed sums; with some down each way that there is is looked at.
 */
import type { Random } from '@weir/engine'
import type { Channels, Cube, ObliviousRouting, Step } from '@weir/theory'
import { destinationTag, permutations, product, rlb, romm } from '@weir/theory/routes'
import { DESTINATION_TAG, PROTOCOL_NAMES, WLB } from './protocols.ts'

/** What becomes of packets that cannot go their way. */
export interface Detours {
  /** Adds what spraying loads; see `ObliviousRouting`. */
  addSprayed(source: number, target: number, amount: number, loads: Float64Array): void
  /** The channels of the shortest way by the lowest outputs. */
  firstWay(source: number, target: number): readonly number[]
}

/** Some hops along one dimension. */
interface Leg {
  readonly d: number
  readonly step: Step
  readonly hops: number
}

export class CubeWays {
  readonly #cube: Cube
  readonly #wiring: Channels
  readonly #isDown: (channel: number) => boolean
  readonly #detours: Detours
  /** The wiring's channel for each of the cube's. */
  readonly #channels: Int32Array
  readonly #isWhole: boolean
  readonly #orders: readonly (readonly number[])[]

  constructor(
    cube: Cube,
    wiring: Channels,
    isDown: (channel: number) => boolean,
    detours: Detours,
  ) {
    this.#cube = cube
    this.#wiring = wiring
    this.#isDown = isDown
    this.#detours = detours
    // Switches come behind the hosts, in the same order.
    const first = wiring.nodes - cube.nodes
    const { from, to } = cube
    this.#channels = from.map((a, c) => wiring.between(first + a, first + to[c]!))
    this.#isWhole = !wiring.to.some((_, channel) => isDown(channel))
    this.#orders = permutations(cube.sizes.map((_, d) => d))
  }

  routing(protocol: number): ObliviousRouting {
    const name = PROTOCOL_NAMES[protocol]!
    const summary = 'through a torus or mesh dimension by dimension'
    const whole = this.#whole(protocol)
    return {
      name,
      summary,
      addLoads: (source, target, amount, loads) => {
        if (this.#isWhole) this.#addWhole(whole, source, target, amount, loads)
        else this.#addBroken(protocol, source, target, amount, loads)
      },
    }
  }

  /** The channels of a packet's way; undefined if it crosses one that is down. */
  draw(
    protocol: number,
    source: number,
    target: number,
    random: Random,
  ): readonly number[] | undefined {
    if (protocol === DESTINATION_TAG) return this.#tagged(source, target)
    const legs = this.#sides(protocol, source, target).map((sides) => {
      const isFirst = sides.length === 1 || random.uniform() < sides[0]!.chance
      return isFirst ? sides[0]! : sides[1]!
    })
    const before = legs.map(({ hops }) => random.below(hops + 1))
    const order = (): readonly number[] => this.#orders[random.below(this.#orders.length)]!
    return this.#upWay(source, target, halves(legs, before, order(), order()))
  }

  #whole(protocol: number): ObliviousRouting {
    if (protocol === DESTINATION_TAG) return destinationTag(this.#cube)
    return protocol === WLB ? rlb(this.#cube) : romm(this.#cube)
  }

  #addWhole(
    routing: ObliviousRouting,
    source: number,
    target: number,
    amount: number,
    loads: Float64Array,
  ): void {
    const own = new Float64Array(this.#cube.count)
    routing.addLoads(this.#server(source), this.#server(target), amount, own)
    own.forEach((load, c) => (loads[this.#channels[c]!]! += load))
    for (const channel of this.#ends(source, target)) loads[channel]! += amount
  }

  #addBroken(
    protocol: number,
    source: number,
    target: number,
    amount: number,
    loads: Float64Array,
  ): void {
    const add = (way: readonly number[], part: number): void => {
      for (const channel of way) loads[channel]! += part
    }
    if (protocol === DESTINATION_TAG) return add(this.#tagged(source, target), amount)
    let sprayed = 0
    for (const { legs, chance } of choices(this.#sides(protocol, source, target))) {
      const boxes = product(legs.map(({ hops }) => Array.from({ length: hops + 1 }, (_, h) => h)))
      const part = (amount * chance) / (boxes.length * this.#orders.length * this.#orders.length)
      for (const before of boxes) {
        for (const out of this.#orders) {
          for (const on of this.#orders) {
            const way = this.#upWay(source, target, halves(legs, before, out, on))
            if (way === undefined) sprayed += part
            else add(way, part)
          }
        }
      }
    }
    if (sprayed > 0) this.#detours.addSprayed(source, target, sprayed, loads)
  }

  #tagged(source: number, target: number): readonly number[] {
    const cube = this.#cube
    const [from, to] = [this.#server(source), this.#server(target)]
    const legs = cube.sizes.map((size, d): Leg => {
      const offset = cube.offset(from, to, d)
      if (!cube.wraps) return { d, step: offset > 0 ? 1 : -1, hops: Math.abs(offset) }
      const isEven = cube.coordinate(from, d) % 2 === 0
      const isForward = 2 * offset === size ? isEven : 2 * offset < size
      return { d, step: isForward ? 1 : -1, hops: isForward ? offset : size - offset }
    })
    return this.#upWay(source, target, legs) ?? this.#detours.firstWay(source, target)
  }

  /** Along each dimension: which ways round there are, and how likely each is. */
  #sides(protocol: number, source: number, target: number): (Leg & { chance: number })[][] {
    const cube = this.#cube
    const [from, to] = [this.#server(source), this.#server(target)]
    return cube.sizes.map((size, d) => {
      const offset = cube.offset(from, to, d)
      if (!cube.wraps) return [{ d, step: offset > 0 ? 1 : -1, hops: Math.abs(offset), chance: 1 }]
      if (offset === 0 || size <= 2) return [{ d, step: 1, hops: offset, chance: 1 }]
      const minimal = 2 * offset === size ? 0.5 : 2 * offset < size ? 1 : 0
      const forward = protocol === WLB ? (size - offset) / size : minimal
      const sides = [
        { d, step: 1 as Step, hops: offset, chance: forward },
        { d, step: -1 as Step, hops: size - offset, chance: 1 - forward },
      ]
      return sides.filter(({ chance }) => chance > 0)
    })
  }

  /** The channels of these legs, ends included; undefined if one of them is down. */
  #upWay(source: number, target: number, legs: readonly Leg[]): readonly number[] | undefined {
    const cube = this.#cube
    const [first, ...last] = this.#ends(source, target)
    const way = first === undefined ? [] : [first]
    let server = this.#server(source)
    for (const { d, step, hops } of legs) {
      for (let hop = 0; hop < hops; hop++) {
        const channel = cube.output(server, d, step)
        way.push(this.#channels[channel]!)
        server = cube.to[channel]!
      }
    }
    way.push(...last)
    return way.some((channel) => this.#isDown(channel)) ? undefined : way
  }

  #server(node: number): number {
    return node % this.#cube.nodes
  }

  /** From a host up to its switch, and down to the other; none where servers are one node. */
  #ends(source: number, target: number): readonly number[] {
    const { nodes } = this.#cube
    const wiring = this.#wiring
    if (wiring.nodes === nodes) return []
    return [wiring.between(source, nodes + source), wiring.between(nodes + target, target)]
  }
}

/** Out to the node between, in one order of dimensions, and on in another. */
function halves(
  legs: readonly Leg[],
  before: readonly number[],
  out: readonly number[],
  on: readonly number[],
): Leg[] {
  return [
    ...out.map((d) => ({ ...legs[d]!, hops: before[d]! })),
    ...on.map((d) => ({ ...legs[d]!, hops: legs[d]!.hops - before[d]! })),
  ]
}

function choices(
  sides: readonly (readonly (Leg & { chance: number })[])[],
): { legs: Leg[]; chance: number }[] {
  return product(sides).map((legs) => ({
    legs,
    chance: legs.reduce((all, { chance }) => all * chance, 1),
  }))
}
