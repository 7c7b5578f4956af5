/**
 * Routings by way of a random node, and those that choose a direction by the toss of a coin.
 *
 * - `valiant` (VLB): to a node drawn from all, then to the target, both on shortest ways (L. G.
 *   Valiant and G. J. Brebner, STOC 1981). On any graph.
 * - `romm`: by way of a node drawn from the minimal quadrant (T. Nesson and S. L. Johnsson, "ROMM
 *   Routing on Mesh and Torus Networks", SPAA 1995).
 * - `rlb`: in each dimension the shorter direction, of D hops in a ring of k, with probability
 *   (k - D) / k and the longer one with D / k; then as ROMM in that quadrant (A. Singh et al.,
 *   "Locality-preserving Randomized Oblivious Routing on Torus Networks", SPAA 2002). R2C2,
 *   SIGCOMM 2015, calls it weighted load balancing, WLB.
 *
 * Both phases of ROMM and RLB go dimension by dimension, in an order drawn for each phase. Loads
 * are sums over intermediate nodes, never over paths.
 */
import { permutations, product } from './combinations.ts'
import type { Cube, Step } from './cube.ts'
import { run } from './minimal.ts'
import type { ObliviousRouting } from './oblivious.ts'
import type { Channels } from './channels.ts'

/** `phase` carries each half of the way; `waypoints` are the nodes to draw from: all by default. */
export function valiant(
  channels: Channels,
  phase: ObliviousRouting,
  waypoints: readonly number[] = Array.from({ length: channels.nodes }, (_, n) => n),
): ObliviousRouting {
  const { nodes, count } = channels
  const chance = 1 / waypoints.length
  // The first halves of all ways of a source depend on the source alone; likewise the second.
  const outward = new Array<Float64Array | undefined>(nodes).fill(undefined)
  const inward = new Array<Float64Array | undefined>(nodes).fill(undefined)
  const outwardOf = (source: number): Float64Array => {
    const loads = new Float64Array(count)
    for (const m of waypoints) if (m !== source) phase.addLoads(source, m, chance, loads)
    return loads
  }
  const inwardOf = (target: number): Float64Array => {
    const loads = new Float64Array(count)
    for (const m of waypoints) if (m !== target) phase.addLoads(m, target, chance, loads)
    return loads
  }
  return {
    name: 'VLB',
    summary: 'by way of a node drawn from all',
    addLoads(source, target, amount, loads) {
      // Also what a node sends to itself goes by way of another: that makes any traffic uniform.
      const out = (outward[source] ??= outwardOf(source))
      const back = (inward[target] ??= inwardOf(target))
      for (let c = 0; c < count; c++) loads[c]! += amount * (out[c]! + back[c]!)
    },
  }
}

export interface QuadrantOptions {
  /** Orders of the dimensions, each equally often: all of them, or only 0, 1, 2 .... */
  readonly orders?: 'random' | 'fixed'
  /** The second phase takes the dimensions in the reverse order of the first. */
  readonly isReversed?: boolean
  /** Hops below which a dimension always takes its shorter direction: RLBth has k / 4. */
  readonly threshold?: number
  /** At half the ring: both directions equally often, or the one that the source's parity says. */
  readonly ties?: 'half' | 'parity'
  /** Neither end of the way is the intermediate node, unless there is no other. */
  readonly isInner?: boolean
}

export function romm(cube: Cube, options: QuadrantOptions = {}): ObliviousRouting {
  return quadrants(cube, 'ROMM', 'by way of a node drawn from the minimal quadrant', options, false)
}

export function rlb(cube: Cube, options: QuadrantOptions = {}): ObliviousRouting {
  const summary = 'directions by a distance-weighted coin, then a node drawn from that quadrant'
  return quadrants(cube, 'WLB', summary, options, true)
}

function quadrants(
  cube: Cube,
  name: string,
  summary: string,
  options: QuadrantOptions,
  isWeighted: boolean,
): ObliviousRouting {
  const all = Array.from({ length: cube.dimensions }, (_, d) => d)
  const orders = options.orders === 'fixed' ? [all] : permutations(all)
  return {
    name,
    summary,
    addLoads(source, target, amount, loads) {
      const choices = all.map((d) => directions(cube, source, target, d, isWeighted, options))
      for (const choice of product(choices)) {
        const chance = choice.reduce((p, way) => p * way.chance, 1)
        throughQuadrant(cube, source, choice, orders, options, amount * chance, loads)
      }
    },
  }
}

interface Way {
  readonly step: Step
  readonly hops: number
  readonly chance: number
}

function directions(
  cube: Cube,
  source: number,
  target: number,
  d: number,
  isWeighted: boolean,
  { threshold = 0, ties = 'half' }: QuadrantOptions,
): Way[] {
  const offset = cube.offset(source, target, d)
  const size = cube.sizes[d]!
  if (!cube.wraps) return [{ step: offset < 0 ? -1 : 1, hops: Math.abs(offset), chance: 1 }]
  if (offset === 0) return [{ step: 1, hops: 0, chance: 1 }]
  const shorter = Math.min(offset, size - offset)
  const isTie = 2 * offset === size
  const parity = cube.coordinate(source, d) % 2
  const minimal = isTie
    ? ties === 'half'
      ? 0.5
      : 1 - parity
    : isWeighted && shorter >= threshold
      ? (size - shorter) / size
      : 1
  const plus = 2 * offset <= size ? minimal : 1 - minimal
  const ways: Way[] = [
    { step: 1, hops: offset, chance: plus },
    { step: -1, hops: size - offset, chance: 1 - plus },
  ]
  return ways.filter(({ chance }) => chance > 0)
}

/** Both phases by way of each node of the box that the choice of directions spans. */
function throughQuadrant(
  cube: Cube,
  source: number,
  choice: readonly Way[],
  orders: readonly (readonly number[])[],
  { isReversed = false, isInner = false }: QuadrantOptions,
  amount: number,
  loads: Float64Array,
): void {
  let boxes = product(choice.map(({ hops }) => Array.from({ length: hops + 1 }, (_, hop) => hop)))
  if (isInner && boxes.length > 2) boxes = boxes.slice(1, -1)
  const part = amount / (boxes.length * orders.length)
  for (const hops of boxes) {
    for (const order of orders) {
      let node = source
      for (const d of order) {
        node = run(cube, node, d, choice[d]!.step, hops[d]!, part, loads)
      }
      const second = isReversed ? [...order].reverse() : order
      for (const d of second) {
        node = run(cube, node, d, choice[d]!.step, choice[d]!.hops - hops[d]!, part, loads)
      }
    }
  }
}
