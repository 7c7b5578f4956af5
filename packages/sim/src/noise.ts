/**
 * The noise of a run: how far flows' completion times move when nothing that matters is changed.
 * The workload stays as it is; chance is drawn anew, and every link is one nanosecond longer. Two
 * schemes, or two simulators, that differ by less than this do not differ.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import type { Result } from './result.ts'
import type { TopologySpec, ValidSpec } from './spec/valid-spec.ts'

/** 20 cm of fibre. */
const MORE_DELAY_PS = 1000

export interface Noise {
  /** Flows with a size that ended in both runs; the percentiles are of these. */
  readonly flows: number
  /** Of |FCT' - FCT| / FCT, flow by flow; NaN where there is none. */
  readonly p50: number
  readonly p99: number
}

/** The same workload on the same fabric, with other chance and 1 ns more per link. */
export function perturbed(spec: ValidSpec): ValidSpec {
  const topology = longerLinks(spec.topology)
  return { ...spec, chanceSeed: spec.chanceSeed + 1, topology }
}

function longerLinks(topology: TopologySpec): TopologySpec {
  if (topology.kind === 'graph') {
    const links = topology.links.map((one) => ({ ...one, delayPs: one.delayPs + MORE_DELAY_PS }))
    return { ...topology, links }
  }
  return Object.fromEntries(
    Object.entries(topology).map(([key, value]) => [
      key,
      /delayPs$/i.test(key) ? (value as number) + MORE_DELAY_PS : value,
    ]),
  ) as unknown as TopologySpec
}

/**
 * Flows are told by their names, for their order may be another where programs send them. One that
 * is stopped ends when the scenario says, whatever its rate: it tells nothing of noise.
 */
export function noiseOf(run: Result, again: Result): Noise {
  const other = new Map(again.flows.name.map((name, row) => [name, again.flows.fctPs[row]!]))
  const moved = run.flows.name.map((name, row) => {
    const fctPs = run.flows.sizeBytes[row] === Infinity ? NaN : run.flows.fctPs[row]!
    return Math.abs((other.get(name) ?? NaN) - fctPs) / fctPs
  })
  const sorted = sortedValues(moved)
  return { flows: sorted.length, p50: nearestRank(sorted, 0.5), p99: nearestRank(sorted, 0.99) }
}
