/** All that a fluid model says about a bottleneck: for the command line and the lab alike. */
import { bode, margins, openLoop, rangeOf } from '../linear/bode.ts'
import type { Bode, Margins } from '../linear/bode.ts'
import type { Complex } from '../linear/complex.ts'
import { rightmostRoots } from '../linear/rightmost.ts'
import { linearize } from './linearize.ts'
import type { FixedPoint, FluidModel, FluidNetwork, FluidValues } from './model.ts'

export interface Stability {
  /** By falling real part, in 1/s. */
  readonly roots: readonly Complex[]
  readonly margins: Margins
  readonly bode: Bode
  readonly isStable: boolean
}

export interface Analysis {
  readonly point: FixedPoint
  /** Undefined where there is no fixed point to be stable. */
  readonly stability: Stability | undefined
}

export function analyse(model: FluidModel, network: FluidNetwork, values: FluidValues): Analysis {
  const system = model.create(network, values)
  const point = system.fixedPoint()
  const linear = linearize(system, point)
  if (linear === undefined) return { point, stability: undefined }
  const loop = openLoop(linear)
  const range = rangeOf(linear)
  const roots = rightmostRoots(linear)
  const isStable = roots.length > 0 && roots[0]!.re < 0
  return {
    point,
    stability: { roots, margins: margins(loop, range), bode: bode(loop, range), isStable },
  }
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
      const point = system.fixedPoint()
      const linear = point.state === undefined ? undefined : linearize(system, point)
      const [root] = linear === undefined ? [] : rightmostRoots(linear, { count: 1 })
      if (root === undefined) return { ...place, growth: NaN, omega: NaN, verdict: 'none' }
      const verdict = root.re < 0 ? 'stable' : 'unstable'
      return { ...place, growth: root.re, omega: root.im, verdict }
    }),
  )
}
