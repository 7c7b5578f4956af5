/**
 * One bottleneck, twice: as a packet run and as a fluid. Senders around one switch, all to h0, on
 * links of one rate; no flow control and a buffer that never fills, because fluids have neither.
 * Both sides read the same parameters, and the fluid's delay and packets are those of the fabric.
 */
import { validateSpec } from '@weir/sim'
import type { Result, Series, ValidSpec } from '@weir/sim'
import { fluidModelByName, trajectory } from '@weir/theory'
import type { FluidGroup, FluidModel, FluidNetwork, FluidSystem, Trajectory } from '@weir/theory'

export interface Bottleneck {
  readonly scheme: string
  readonly flows: number
  readonly rateBps: number
  /** Of one link; a round trip crosses four. */
  readonly linkDelayPs: number
  readonly untilMs: number
  readonly intervalUs: number
  /** The scheme's parameters, in base units (ps, bytes, bit/s). */
  readonly params?: Readonly<Record<string, number | string>>
  /** Of packets only: what a fluid has no counterpart for. */
  readonly packetParams?: Readonly<Record<string, number | string>>
  /** When the flows begin, one after the other; all at once if left out. */
  readonly startsMs?: readonly number[]
  readonly seed?: number
}

/** Bytes that a scheme adds to each packet. */
const SCHEME_HEADER: Readonly<Record<string, number>> = { timely: 8, hpcc: 42 }
const ACK_BYTES = 64

function isTcp(scheme: string): boolean {
  return scheme === 'dctcp'
}

/** Bytes on the wire of a full packet; the DCTCP paper's are of 1,500 B. */
export function packetBytesOf(scheme: string): number {
  return isTcp(scheme) ? 1538 : 1048 + (SCHEME_HEADER[scheme] ?? 0)
}

export function networkOf(b: Bottleneck): FluidNetwork {
  const packetBytes = packetBytesOf(b.scheme)
  const bits = 16 * (packetBytes + ACK_BYTES)
  return {
    rateBps: b.rateBps,
    flows: b.flows,
    packetBytes,
    delayPs: 4 * b.linkDelayPs + (bits / b.rateBps) * 1e12,
  }
}

export function modelOf(b: Bottleneck): FluidModel {
  return fluidModelByName(b.scheme)!
}

export function fluidOf(b: Bottleneck): FluidSystem {
  const model = modelOf(b)
  const groups: FluidGroup[] | undefined = b.startsMs?.map((ms) => ({
    flows: b.flows / b.startsMs!.length,
    startPs: ms * 1e9,
  }))
  return model.create(networkOf(b), { ...model.defaults, ...b.params }, groups)
}

export function courseOf(b: Bottleneck): Trajectory {
  return trajectory(fluidOf(b), b.untilMs * 1e-3, b.intervalUs * 1e-6, { tolerance: 1e-5 })
}

export function packetsOf(b: Bottleneck): ValidSpec {
  const flows = Array.from({ length: b.flows }, (_, i) => ({
    name: `f${i}`,
    from: `h${i + 1}`,
    to: 'h0',
    start: `${b.startsMs?.[i] ?? 0}ms`,
  }))
  const params: Record<string, number | string> = {}
  for (const [name, value] of Object.entries({ ...b.params, ...b.packetParams })) {
    params[name] = withUnit(name, value)
  }
  return validateSpec({
    name: `theory-${b.scheme}-${b.flows}`,
    topology: {
      kind: 'star',
      hosts: b.flows + 1,
      rate: `${b.rateBps}bps`,
      delay: `${b.linkDelayPs}ps`,
    },
    fabric: { flowControl: 'none', buffer: '1GB' },
    ...(isTcp(b.scheme) && { hosts: { mtu: '1460B', header: '78B', reliability: 'tcp' } }),
    workload: [{ flows }],
    scheme: { name: b.scheme, params },
    run: { until: `${b.untilMs}ms`, seed: b.seed ?? 1 },
    metrics: {
      interval: `${b.intervalUs}us`,
      series: ['rate.*', 'queue.switch->h0.*', 'utilisation.switch->h0'],
    },
  })
}

const UNITS: readonly (readonly [unit: string, names: readonly string[]])[] = [
  ['ps', ['cnpInterval', 'alphaInterval', 'increaseTimer', 'tLow', 'tHigh', 'minRtt', 'overhead']],
  ['B', ['kmin', 'kmax', 'k1', 'k10', 'segment', 'byteCounter', 'initialThreshold']],
  ['bps', ['rateAi', 'delta', 'minRate', 'referenceRate']],
]

function withUnit(name: string, value: number | string): number | string {
  const unit = UNITS.find(([, names]) => names.includes(name))?.[0]
  return unit === undefined ? value : `${value}${unit}`
}

export function queueOf(result: Result): Series {
  return result.series.find(({ name }) => name.startsWith('queue.switch->h0'))!
}

/** Values of the later part of a run: steady, the start left out. */
export function later(values: ArrayLike<number>, from: number = 0.5): number[] {
  return Array.from(values).slice(Math.floor(values.length * from))
}

/** Mean over a window of samples on both sides: a queue of packets as a fluid would have it. */
export function smoothed(values: readonly number[], reach: number): number[] {
  return values.map((_, i) => {
    const part = values.slice(Math.max(0, i - reach), i + reach + 1)
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map((value) => (value - mean) * (value - mean))))
}
