/**
 * Direct-connect grids of servers, with wrap-around links (torus) or without (mesh).
 *
 * W. J. Dally, "Performance Analysis of k-ary n-cube Interconnection Networks", IEEE Transactions
 * on Computers, 1990; the rack of P. Costa et al., "R2C2", SIGCOMM 2015, is the 8 x 8 x 8 torus.
 * Sizes may differ between the 1 to 4 dimensions. A server is a switch and a host with an injection
 * link. A dimension of size 2 has one link between its two nodes, since the wrap-around would
 * double it; a dimension of size 1 has none.
 *
 * Names: switch `n2.1.0`, its host `h2.1.0` (also `h<n>`, counted like an odometer: the last
 * coordinate runs fastest). Links: the injection links in host order; then for each node, for each
 * dimension, the link to its neighbour at coordinate + 1.
 */
import { count, is, list, section } from '@weir/engine/codec'
import type { Section } from '@weir/engine/codec'
import { GraphDraft, requireWhole } from './graph-draft.ts'
import type { Place } from './graph-draft.ts'
import type { Graph } from './graph.ts'
import { rackLinks } from './links.ts'
import type { RackLinks } from './links.ts'

export interface CubeParams extends RackLinks {
  /** Nodes along each dimension: `[8, 8, 8]`. */
  readonly dimensions: readonly number[]
}

export function cubeCodec(kind: 'torus' | 'mesh'): Section<CubeParams & { readonly kind: string }> {
  return section(`a ${kind}`, {
    kind: is(kind),
    dimensions: list(count(1, 4096, 8), 'the sizes, such as [8, 8, 8]'),
    ...rackLinks,
  })
}

const DIMENSIONS_MAX = 4

export function cube(kind: 'torus' | 'mesh', params: CubeParams): Graph {
  const { dimensions } = params
  if (dimensions.length < 1 || dimensions.length > DIMENSIONS_MAX)
    throw new Error(
      `topology.dimensions of the ${kind} has ${dimensions.length} sizes: give 1 to ` +
        `${DIMENSIONS_MAX}, such as [8, 8, 8]`,
    )
  dimensions.forEach((size, d) => requireWhole(kind, `dimensions[${d}]`, size, 1))
  const count = dimensions.reduce((product, size) => product * size, 1)

  const draft = new GraphDraft(kind)
  for (let i = 0; i < count; i++) {
    const at = cubeCoordinates(i, dimensions)
    const { x, y, z } = cubePlace(at, dimensions)
    draft.host(`h${at.join('.')}`, { x: x + 0.3, y: y - 0.3, z })
  }
  for (let i = 0; i < count; i++) {
    const at = cubeCoordinates(i, dimensions)
    draft.switch(`n${at.join('.')}`, 1, cubePlace(at, dimensions))
  }

  for (let i = 0; i < count; i++)
    draft.link(i, count + i, params.injectionRateBps, params.injectionDelayPs)
  for (let i = 0; i < count; i++) {
    const at = cubeCoordinates(i, dimensions)
    dimensions.forEach((size, d) => {
      const isLast = at[d] === size - 1
      if (isLast && (kind === 'mesh' || size <= 2)) return
      const neighbour = cubeIndex(
        at.map((c, e) => (e === d ? (c + 1) % size : c)),
        dimensions,
      )
      draft.link(count + i, count + neighbour, params.rateBps, params.delayPs)
    })
  }
  return { ...draft.graph(), cube: { sizes: dimensions, wraps: kind === 'torus' } }
}

/** Coordinates of host (or, less the number of hosts, switch) `index`. */
export function cubeCoordinates(index: number, dimensions: readonly number[]): number[] {
  const at: number[] = []
  for (let d = dimensions.length - 1; d >= 0; d--) {
    const size = dimensions[d] as number
    at[d] = index % size
    index = Math.floor(index / size)
  }
  return at
}

/** The inverse of `cubeCoordinates`. */
export function cubeIndex(at: readonly number[], dimensions: readonly number[]): number {
  return dimensions.reduce((index, size, d) => index * size + (at[d] as number), 0)
}

/** The first three coordinates are x, y, z; a fourth sets cubes side by side. */
function cubePlace(at: readonly number[], dimensions: readonly number[]): Required<Place> {
  const [x = 0, y = 0, z = 0, w = 0] = at
  return { x: x + w * ((dimensions[0] as number) + 1), y, z }
}
