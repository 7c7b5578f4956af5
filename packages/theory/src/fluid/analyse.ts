/** All that a fluid model says about a bottleneck: for the command line and the lab alike. */
import { bode, margins, openLoop, rangeOf } from '../linear/bode.ts'
import type { Bode, Margins } from '../linear/bode.ts'
import { abs } from '../linear/complex.ts'
import type { Complex } from '../linear/complex.ts'
import { rightmostRoots } from '../linear/rightmost.ts'
import { linearize } from './linearize.ts'
import type { FixedPoint, FluidModel, FluidNetwork, FluidSystem, FluidValues } from './model.ts'

export interface Stability {
  /** By falling real part, in 1/s. */
  readonly roots: readonly Complex[]
  readonly margins: Margins
  readonly bode: Bode
  readonly isStable: boolean
  /** The rightmost root is on the axis: neither stable nor not. */
  readonly isEdge: boolean
}

/** A root this near to the axis, for its size, is on it: a limit cycle that was cut to swing. */
const EDGE = 1e-9

export interface Analysis {
  readonly point: FixedPoint
  /** Undefined where there is no fixed point to be stable. */
  readonly stability: Stability | undefined
}

export function analyse(model: FluidModel, network: FluidNetwork, values: FluidValues): Analysis {
  const system = model.create(network, values)
  const point = restOf(system)
  const linear = linearize(system, point)
  if (linear === undefined) return { point, stability: undefined }
  const loop = openLoop(linear)
  const range = rangeOf(linear)
  const roots = rightmostRoots(linear)
  const isStable = roots.length > 0 && roots[0]!.re < -EDGE * abs(roots[0]!)
  const isEdge = !isStable && roots.length > 0 && roots[0]!.re <= EDGE * abs(roots[0]!)
  return {
    point,
    stability: { roots, margins: margins(loop, range), bode: bode(loop, range), isStable, isEdge },
  }
}

/**
 * The fixed point of the equations, if flows can be there: a rate below the scheme's least, or a
 * target above the line's, is none.
 */
export function restOf(system: FluidSystem): FixedPoint {
  const point = system.fixedPoint()
  if (point.state === undefined) return point
  if (point.state.every(Number.isFinite) && !system.project(point.state.slice())) return point
  const why =
    'None: with equal shares that fill the link a rate, or what it aims at, would be outside of ' +
    "the scheme's least and the line's."
  return { ...point, state: undefined, why }
}

/** What a map of flows and delays has at one place. */
export interface MapCell {
  readonly flows: number
  readonly delayPs: number
  /** Real part of the rightmost root in 1/s; NaN without a fixed point. */
  readonly growth: number
  /** Its imaginary part, in rad/s. */
  readonly omega: number
  /** Without a fixed point there is nothing to be stable. */
  readonly verdict: 'stable' | 'unstable' | 'none'
  /** Of none: why there is no fixed point. */
  readonly why?: string
}

/** Row by row: one delay after the other, each with all numbers of flows. */
export function stabilityMap(
  model: FluidModel,
  network: FluidNetwork,
  values: FluidValues,
  flows: readonly number[],
  delaysPs: readonly number[],
): MapCell[] {
  return delaysPs.flatMap((delayPs) =>
    flows.map((count): MapCell => {
      const place = { flows: count, delayPs }
      const system = model.create({ ...network, ...place }, values)
      const point = restOf(system)
      const linear = point.state === undefined ? undefined : linearize(system, point)
      const [root] = linear === undefined ? [] : rightmostRoots(linear, { count: 1 })
      if (root === undefined) {
        return { ...place, growth: NaN, omega: NaN, verdict: 'none', why: point.why }
      }
      const verdict = root.re < -EDGE * abs(root) ? 'stable' : 'unstable'
      return { ...place, growth: root.re, omega: root.im, verdict }
    }),
  )
}
