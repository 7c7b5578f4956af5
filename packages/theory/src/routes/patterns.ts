/**
 * Traffic patterns of the routing literature on a k-ary n-cube: who sends to whom, as fractions of
 * what a node injects (W. J. Dally and B. Towles, 2003, section 3.2; A. Singh et al., SPAA 2002).
 * A node may send to itself, which only VLB takes over the network.
 */
import type { Cube } from './cube.ts'

export interface Demand {
  readonly source: number
  readonly target: number
  /** Fraction of what the source injects. */
  readonly fraction: number
}

export type PatternName =
  'nearest neighbour' | 'uniform' | 'bit complement' | 'transpose' | 'tornado'

export const patternNames: readonly PatternName[] = [
  'nearest neighbour',
  'uniform',
  'bit complement',
  'transpose',
  'tornado',
]

export function patternOf(cube: Cube, name: PatternName): Demand[] {
  switch (name) {
    case 'uniform':
      // A node sends to itself too, as often as to any other: 'uniform' is 1 / N to all.
      return pairs(cube, () => Array.from({ length: cube.nodes }, (_, target) => target))
    case 'nearest neighbour':
      return pairs(cube, (_, source) =>
        Array.from(cube.to.subarray(cube.starts[source]!, cube.starts[source + 1]!)),
      )
    case 'bit complement':
      return pairs(cube, (at) => [cube.nodeAt(at.map((c, d) => cube.sizes[d]! - 1 - c))])
    case 'transpose':
      // (x, y) sends to (y, x); in n dimensions coordinates move on by one.
      return pairs(cube, (at) => [cube.nodeAt(at.map((_, d) => at[(d + 1) % at.length]!))])
    case 'tornado':
      return pairs(cube, (at) => [
        cube.nodeAt(at.map((c, d) => (d === 0 ? c + Math.ceil(cube.sizes[0]! / 2) - 1 : c))),
      ])
  }
}

function pairs(cube: Cube, targetsOf: (at: number[], source: number) => number[]): Demand[] {
  return Array.from({ length: cube.nodes }, (_, source) => {
    const at = cube.sizes.map((_, d) => cube.coordinate(source, d))
    const targets = targetsOf(at, source)
    return targets.map((target) => ({ source, target, fraction: 1 / targets.length }))
  }).flat()
}
