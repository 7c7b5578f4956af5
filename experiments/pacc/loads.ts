/**
 * The traffic of PACC's section V-C, on which its Figs. 7 to 10 stand: flows of a published size
 * distribution between random hosts at random times, at several loads, on the fabric of HPCC.
 *
 * The paper gives neither loads nor durations nor numbers of flows; ours are here. Whole size: 320
 * hosts; 20, 30 and 40% of what the hosts' links carry; five seeds, each with other flows, the same
 * for every scheme; arrivals for 12 ms of WebSearch and 8 ms of FB_Hadoop, whose flows are 14 times
 * shorter. Every flow is seen to its end. Those that arrive in the first half fill the fabric and
 * are not counted; whether the rest is steady is a row of the figure. From 50% on it is not: the
 * slowdown under PACC still rises after 8 ms of FB_Hadoop and 16 ms of WebSearch. Small size: 32
 * hosts, 20 and 40%, the same five seeds, arrivals for 3 and 1.5 ms.
 */
import { mean, nearestRank, sortedValues } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { PRESETS } from './schemes.ts'
import type { OWN_PRESETS, SchemeName } from './schemes.ts'

export type Workload = 'WebSearch' | 'FB_Hadoop'

export interface Size {
  readonly fabric: Readonly<Record<string, number>>
  readonly loads: readonly number[]
  readonly seeds: readonly number[]
  readonly arrivalsMs: number
  /** A part of all arrivals, from the start on, that is not counted. */
  readonly warmUp: number
}

export function sizeOf(workload: Workload, size: 'quick' | 'full'): Size {
  const isWeb = workload === 'WebSearch'
  return size === 'full'
    ? {
        fabric: {},
        loads: [0.2, 0.3, 0.4],
        seeds: [1, 2, 3, 4, 5],
        arrivalsMs: isWeb ? 12 : 8,
        warmUp: 0.5,
      }
    : {
        fabric: { cores: 4, pods: 2, aggsPerPod: 2, torsPerPod: 2, hostsPerTor: 8 },
        loads: [0.2, 0.4],
        seeds: [1, 2, 3, 4, 5],
        arrivalsMs: isWeb ? 3 : 1.5,
        warmUp: 0.5,
      }
}

export function loadSpec(
  workload: Workload,
  scheme: SchemeName,
  load: number,
  seed: number,
  { fabric, arrivalsMs }: Size,
  preset: string = PRESETS[scheme],
): ValidSpec {
  return validateSpec({
    name: `pacc-${workload.toLowerCase()}-${scheme}`,
    topology: {
      kind: 'three-tier',
      hostRate: '25Gbps',
      fabricRate: '100Gbps',
      delay: '1us',
      ...fabric,
    },
    fabric: { buffer: '32MB', flowControl: 'pfc' },
    workload: [
      { generate: { arrivals: { kind: 'poisson', load }, sizes: workload, pattern: 'uniform' } },
    ],
    scheme: { name: scheme, preset },
    run: { until: `${arrivalsMs}ms`, seed },
    metrics: { interval: 'none' },
  })
}

/** Flows that are counted, of one run: by order of arrival, which is the same for every scheme. */
export interface Draw {
  readonly sizeBytes: Float64Array
  readonly fctUs: Float64Array
  readonly slowdown: Float64Array
  /** Flows that had not ended with the drain. */
  readonly unfinished: number
  readonly pauseFrames: number
  readonly packetHops: number
  /** Mean slowdown of the flows of each quarter of the arrivals: is the fabric steady yet? */
  readonly quarters: readonly number[]
  /** The 99th percentile of the same. */
  readonly quarterTails: readonly number[]
}

export function drawOf({ flows, spec, summary, counters }: Result, warmUp: number): Draw {
  const fromPs = spec.run.untilPs * warmUp
  const counted = flows.startPs.flatMap((startPs, i) => (startPs >= fromPs ? [i] : []))
  const column = (of: readonly number[], scale: number): Float64Array =>
    Float64Array.from(counted, (i) => of[i]! * scale)
  return {
    sizeBytes: column(flows.sizeBytes, 1),
    fctUs: column(flows.fctPs, 1e-6),
    slowdown: column(flows.slowdown, 1),
    unfinished: summary.flowsUnfinished,
    pauseFrames: counters.pauseFrames,
    packetHops: counters.packetHops,
    quarters: QUARTERS.map((quarter) => mean(arrivingIn(quarter, flows, spec.run.untilPs))),
    quarterTails: QUARTERS.map((quarter) =>
      nearestRank(sortedValues(arrivingIn(quarter, flows, spec.run.untilPs)), 0.99),
    ),
  }
}

const QUARTERS = [0, 1, 2, 3]

/** Slowdowns of the flows that arrive in a quarter of the time. */
function arrivingIn(quarter: number, flows: Result['flows'], untilPs: number): number[] {
  const [from, to] = [quarter / 4, (quarter + 1) / 4].map((part) => part * untilPs)
  return flows.slowdown.filter((_, i) => isWithin(flows.startPs[i]!, from!, to!))
}

function isWithin(value: number, from: number, to: number): boolean {
  return value >= from && value < to
}

/** Draws, one a seed, of each scheme at each load. */
export interface Cell {
  readonly load: number
  readonly draws: Readonly<Record<SchemeName, readonly Draw[]>>
}

/** At one load only: the others with the values of their own papers. */
export const OWN_LOAD = 0.4
export type OwnDraws = Readonly<Record<keyof typeof OWN_PRESETS, readonly Draw[]>>
