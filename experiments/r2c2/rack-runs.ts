/**
 * The rack of section 5.2 in packets: a torus with 10 Gb/s links of 100 ns, Poisson arrivals of
 * flows with Pareto sizes (shape 1.05, mean 100 KB) between hosts drawn evenly; R2C2 with sprayed
 * packets beside TCP on one path per flow (ECMP) and per-flow queues with back-pressure (PFQ).
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 5.2: 512 nodes. Left open there and ours: packets
 * of 1,500 B with 40 B of headers, 4 MB of shared memory at each node of which a port may have
 * 1 MB, TCP Reno with SACK off and its RFC defaults, no ACKs for R2C2, whose flows end with their
 * last byte; a node injects as fast as its six links carry. The small rack has 64 nodes and eight
 * times the time between flows, which is the same load of each link but for the shorter ways.
 */
import type { Result, ValidSpec } from '@weir/sim'
import { validateSpec } from '@weir/sim'
import { nearestRank, sortedValues } from '@weir/metrics'
import type { FigureContext } from '../figure.ts'

export interface Contender {
  readonly name: string
  readonly scheme: string | object
  readonly routing: string | object
  readonly hosts?: object
  readonly fabric?: object
}

const NO_ACKS = { ack: 'none', reliability: 'none' }

/** Random packet spraying: all shortest paths 'are used equally' (section 3.3). */
const RPS = { kind: 'packet-spray', evenOver: 'paths' }

export const R2C2: Contender = {
  name: 'R2C2',
  scheme: { name: 'r2c2', preset: 'paper' },
  routing: RPS,
  hosts: NO_ACKS,
}

export const TCP: Contender = { name: 'TCP', scheme: 'tcp-reno', routing: 'ecmp' }

/** Per-flow queues with back-pressure, the paper's upper bound; senders are not limited. */
export const PFQ: Contender = {
  name: 'PFQ',
  scheme: 'none',
  routing: RPS,
  hosts: NO_ACKS,
  fabric: { switch: 'per-flow-queues', ecn: 'none' },
}

/** R2C2 whose flows begin at the rate of one link: the other reading of 'not limited'. */
const R2C2_LINK: Contender = {
  ...R2C2,
  name: 'R2C2 from one link',
  scheme: { name: 'r2c2', preset: 'paper', params: { start: 'link' } },
}

export const CONTENDERS: readonly Contender[] = [R2C2, TCP, PFQ, R2C2_LINK]

export interface RackSize {
  readonly dimensions: readonly number[]
  /** How many times as long as published the time between flows is. */
  readonly stretch: number
}

export const WHOLE: RackSize = { dimensions: [8, 8, 8], stretch: 1 }
export const SMALL: RackSize = { dimensions: [4, 4, 4], stretch: 8 }

export function sizeOf({ size }: FigureContext): RackSize {
  return size === 'full' ? WHOLE : SMALL
}

export interface RackLoad {
  /** Mean time between flows at full size. */
  readonly tauUs: number
  readonly flows: number
}

export function rackSpec(
  { dimensions, stretch }: RackSize,
  { tauUs, flows }: RackLoad,
  contender: Contender,
  seed: number,
): ValidSpec {
  const intervalNs = Math.round(tauUs * stretch * 1e3)
  return validateSpec({
    name: 'r2c2-rack',
    seed,
    topology: {
      kind: 'torus',
      dimensions: [...dimensions],
      rate: '10Gbps',
      delay: '100ns',
      injectionRate: `${20 * dimensions.length}Gbps`,
    },
    fabric: contender.fabric ?? {
      flowControl: 'none',
      buffer: { size: '4MB', threshold: '1MB' },
      ecn: 'none',
    },
    hosts: { mtu: '1460B', header: '40B', ...contender.hosts },
    routing: contender.routing,
    workload: [
      {
        generate: {
          arrivals: { kind: 'poisson', interval: `${intervalNs}ns` },
          sizes: { kind: 'pareto', shape: 1.05, mean: '100KB' },
          pattern: 'uniform',
        },
      },
    ],
    scheme: contender.scheme,
    run: { until: `${intervalNs * flows}ns`, drain: '500ms' },
    metrics: { interval: 'none' },
  })
}

/** What the figures read off one run. */
export interface RackRun {
  /** Of flows below 100 KB, us. */
  readonly shortFctUs: Float64Array
  /** Of flows above 1 MB, Gb/s. */
  readonly longGbps: Float64Array
  /** The same by flow, which is known in runs of one seed by its place among all. */
  readonly longByFlow: ReadonlyMap<number, number>
  /** Of each link between nodes, the most that ever waited for it, KB. */
  readonly queueKB: Float64Array
  /** Of each flow that ended, packets: after a loss all wait, for nothing is sent again. */
  readonly reorder: Float64Array
  readonly flows: number
  readonly unfinished: number
  readonly meanBytes: number
  /** Most flows under way at once. */
  readonly atOnce: number
  readonly drops: number
  /** Of all bytes on links, those that nodes' agents sent. */
  readonly agentShare: number
}

const SHORT_BYTES = 100e3
const LONG_BYTES = 1e6

function rackRun(result: Result): RackRun {
  const { counters, flows, ports } = result
  const rows = flows.sizeBytes.map((_, row) => row)
  const isEnded = (row: number): boolean => !Number.isNaN(flows.endPs[row])
  const of = (isIn: (bytes: number) => boolean, value: (row: number) => number): Float64Array =>
    sortedValues(rows.filter((row) => isIn(flows.sizeBytes[row]!) && isEnded(row)).map(value))
  const between = ports.name.flatMap((name, port) => (/^n.*->n/.test(name) ? [port] : []))
  return {
    shortFctUs: of(
      (bytes) => bytes < SHORT_BYTES,
      (row) => flows.fctPs[row]! / 1e6,
    ),
    longGbps: of(
      (bytes) => bytes > LONG_BYTES,
      (row) => flows.throughputBps[row]! / 1e9,
    ),
    longByFlow: new Map(
      rows
        .filter((row) => flows.sizeBytes[row]! > LONG_BYTES && isEnded(row))
        .map((row) => [row, flows.throughputBps[row]! / 1e9]),
    ),
    queueKB: sortedValues(between.map((port) => ports.queueBytesMax[port]! / 1e3)),
    reorder: of(
      () => true,
      (row) => flows.reorderPackets[row]!,
    ),
    flows: rows.length,
    unfinished: rows.filter((row) => !isEnded(row)).length,
    meanBytes: flows.sizeBytes.reduce((sum, bytes) => sum + bytes, 0) / rows.length,
    atOnce: mostAtOnce(flows.startPs, flows.endPs),
    drops: counters.packetsDropped,
    agentShare: counters.agentBytes / counters.allBytes,
  }
}

/** One run for each contender and seed: `runs[contender][seed]`. */
export async function rackRuns(
  context: FigureContext,
  load: RackLoad,
  contenders: readonly Contender[],
  seeds: readonly number[],
): Promise<readonly (readonly RackRun[])[]> {
  const size = sizeOf(context)
  return Promise.all(
    contenders.map((contender) =>
      Promise.all(
        seeds.map(async (seed) =>
          rackRun(await context.simulate(rackSpec(size, load, contender, seed))),
        ),
      ),
    ),
  )
}

export function percentile(sorted: Float64Array, fraction: number): number {
  return sorted.length === 0 ? NaN : nearestRank(sorted, fraction)
}

export function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length
}

/** Runs of several seeds as one. */
export function pooled(runs: readonly RackRun[], column: 'shortFctUs' | 'longGbps'): Float64Array {
  return sortedValues(runs.flatMap((run) => Array.from(run[column])))
}

function mostAtOnce(startPs: readonly number[], endPs: readonly number[]): number {
  const starts = sortedValues([...startPs])
  const ends = sortedValues(endPs.map((end) => (Number.isNaN(end) ? Infinity : end)))
  let most = 0
  let ended = 0
  for (let begun = 0; begun < starts.length; begun++) {
    while (ends[ended]! <= starts[begun]!) ended++
    most = Math.max(most, begun + 1 - ended)
  }
  return most
}
