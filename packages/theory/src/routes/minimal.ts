/**
 * Minimal routings: every packet takes a shortest way.
 *
 * - `spraying`: each shortest way equally often (A. Dixit et al., INFOCOM 2013, as R2C2, SIGCOMM
 *   2015, section 3.3 reads it: the ways are 'used equally').
 * - `hopSpraying`: each node picks one of the channels that lead nearer. This is what the
 *   simulator's packet-spray does, and what ecmp does on average over flows; where ways part
 *   unevenly it is another distribution.
 * - `destinationTag`: dimension order (W. J. Dally and B. Towles, "Principles and Practices of
 *   Interconnection Networks", 2003, section 8.4.2). At half the ring both directions are shortest:
 *   the parity of the source's coordinate decides, which balances them and keeps one path a pair.
 * - `ecmpPath`: one shortest way a flow, picked by a hash of the flow at each node (RFC 2992).
 */
import { flowHash } from '@weir/routing'
import type { Cube, Step } from './cube.ts'
import type { ObliviousRouting } from './oblivious.ts'
import type { ShortestWays } from './shortest-ways.ts'

export function spraying(ways: ShortestWays): ObliviousRouting {
  return {
    name: 'random packet spraying',
    summary: 'all shortest ways, each equally often',
    addLoads: (source, target, amount, loads) =>
      ways.addLoads(source, target, amount, loads, 'way'),
  }
}

export function hopSpraying(ways: ShortestWays): ObliviousRouting {
  return {
    name: 'spraying hop by hop',
    summary: 'at each node, each channel that leads nearer equally often',
    addLoads: (source, target, amount, loads) =>
      ways.addLoads(source, target, amount, loads, 'hop'),
  }
}

/** How ties at half the ring are decided: by the source's parity, both equally, or always by +. */
export type Ties = 'parity' | 'half' | 'plus'

export function destinationTag(cube: Cube, ties: Ties = 'parity'): ObliviousRouting {
  const order = Array.from({ length: cube.dimensions }, (_, d) => d)
  return {
    name: 'destination tag',
    summary: 'one dimension after the other, the shorter way round',
    addLoads(source, target, amount, loads) {
      walk(cube, source, target, order, ties, 0, amount, loads)
    },
  }
}

/** Dimension by dimension in this order; splits at ties if both ways are to be used. */
export function walk(
  cube: Cube,
  source: number,
  target: number,
  order: readonly number[],
  ties: Ties,
  first: number,
  amount: number,
  loads: Float64Array,
): void {
  let node = source
  for (let i = first; i < order.length; i++) {
    const d = order[i]!
    const offset = cube.offset(source, target, d)
    if (offset === 0) continue
    const size = cube.sizes[d]!
    if (cube.wraps && ties === 'half' && 2 * offset === size) {
      for (const step of [1, -1] as const) {
        const there = run(cube, node, d, step, offset, amount / 2, loads)
        walk(cube, there, target, order, ties, i + 1, amount / 2, loads)
      }
      return
    }
    const step = directionOf(cube, source, d, offset, ties)
    const hops = step === 1 ? offset : cube.wraps ? size - offset : -offset
    node = run(cube, node, d, step, hops, amount, loads)
  }
}

function directionOf(cube: Cube, source: number, d: number, offset: number, ties: Ties): Step {
  if (!cube.wraps) return offset > 0 ? 1 : -1
  const size = cube.sizes[d]!
  if (2 * offset !== size) return 2 * offset < size ? 1 : -1
  return ties === 'parity' && cube.coordinate(source, d) % 2 === 1 ? -1 : 1
}

/** Loads a straight line of channels, and says where it ends. */
export function run(
  cube: Cube,
  from: number,
  d: number,
  step: Step,
  hops: number,
  amount: number,
  loads: Float64Array,
): number {
  let node = from
  for (let hop = 0; hop < hops; hop++) {
    const channel = cube.output(node, d, step)
    loads[channel]! += amount
    node = cube.to[channel]!
  }
  return node
}

/** The channels of the one way that a flow takes. */
export function ecmpPath(
  ways: ShortestWays,
  source: number,
  target: number,
  flowKey: number,
  hashSeed = 1,
): number[] {
  const { starts, to } = ways.channels
  const path: number[] = []
  for (let node = source; node !== target;) {
    const choices: number[] = []
    for (let c = starts[node]!; c < starts[node + 1]!; c++) {
      if (ways.share(c, target, 'hop') > 0) choices.push(c)
    }
    if (choices.length === 0) {
      throw new RangeError(`No way leads from node ${node} to node ${target}; join them by links.`)
    }
    const pick = Math.floor((flowHash(flowKey, node, hashSeed) / 4294967296) * choices.length)
    path.push(choices[pick]!)
    node = to[choices[pick]!]!
  }
  return path
}

/** ECMP as the routing of one flow. */
export function ecmpRouting(ways: ShortestWays, flowKey: number, hashSeed = 1): ObliviousRouting {
  return {
    name: 'ecmp',
    summary: 'one shortest way a flow, by a hash of it',
    addLoads(source, target, amount, loads) {
      for (const channel of ecmpPath(ways, source, target, flowKey, hashSeed)) {
        loads[channel]! += amount
      }
    },
  }
}
