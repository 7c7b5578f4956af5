/**
 * ACCurate, section III-C: two blades of four groups of four nodes, 10 Gb/s everywhere, uniform
 * destinations, flows of 20 KB (80%) and of 1 MB (20%). Half of the traffic crosses the two links
 * between the blades, so that a load of 0.25 per node is all they can carry.
 */
import type { Result } from '@weir/sim'
import { interpolated, sortedValues } from '@weir/metrics'

const CRITICAL_BYTES = 20e3

/** Flows arrive for `arrivalsMs`; the run goes on until they have ended, or three times as long. */
export function twoBladeText(load: number, arrivalsMs: number): string {
  return `name: two-blade
title: Two blades
description: ACCurate, section III-C.
topology: {kind: two-blade, rate: 10Gbps, delay: 100ns}
fabric:
  switch: input-buffered
  buffer: 2500B
  flowControl: credits
  classes: 2
hosts: {mtu: 240B, header: 16B}
routing: ecmp
workload:
  - generate:
      arrivals: {kind: poisson, load: ${load}}
      sizes: {kind: mixture, parts: [{weight: 80%, size: 20KB}, {weight: 20%, size: 1MB}]}
      pattern: uniform
      stop: ${arrivalsMs}ms
run: {until: ${arrivalsMs * 3 + 2}ms}
metrics: {interval: none}
`
}

export interface Latencies {
  readonly flows: number
  readonly unfinished: number
  /** How many critical flows, and their times, us. */
  readonly critical: number
  readonly criticalMeanUs: number
  readonly criticalP99Us: number
  readonly criticalP999Us: number
  readonly allP99Us: number
  readonly allP999Us: number
}

/**
 * Of the flows of all these runs together. One that has not ended counts with the time it has
 * waited: less than it will take.
 */
export function latenciesOf(...results: readonly Result[]): Latencies {
  const waits = results.flatMap(waitsPs)
  const sizes = results.flatMap(({ flows }) => [...flows.sizeBytes])
  const critical = waits.filter((_, i) => sizes[i] === CRITICAL_BYTES)
  const sum = critical.reduce((total, wait) => total + wait, 0)
  const [sorted, all] = [sortedValues(critical), sortedValues(waits)]
  return {
    flows: waits.length,
    unfinished: results.flatMap(({ flows }) => [...flows.fctPs]).filter(Number.isNaN).length,
    critical: critical.length,
    criticalMeanUs: sum / critical.length / 1e6,
    criticalP99Us: interpolated(sorted, 0.99) / 1e6,
    criticalP999Us: interpolated(sorted, 0.999) / 1e6,
    allP99Us: interpolated(all, 0.99) / 1e6,
    allP999Us: interpolated(all, 0.999) / 1e6,
  }
}

function waitsPs({ flows, simulatedPs }: Result): number[] {
  return Array.from(flows.fctPs, (fct, i) =>
    Number.isNaN(fct) ? simulatedPs - (flows.startPs[i] ?? 0) : fct,
  )
}
