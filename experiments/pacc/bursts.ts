/**
 * The traffic of PACC's section II, on which its Figs. 1 to 3 stand: the fabric of HPCC (320 hosts
 * at 25 Gb/s under 100 Gb/s, 1 us a link, a base RTT of 12 us), two long flows from one rack to
 * another, and nine hosts of three racks that send a burst to one of the receivers at 600 us.
 *
 * PFC on, as in the simulator that the paper was built on. ToRs and hosts of the burst are drawn in
 * the paper; here they are three racks of other pods, and a seed draws paths, marks and the phases
 * of the switches' clocks.
 */
import { validateSpec } from '@weir/sim'
import type { Result, Series, ValidSpec } from '@weir/sim'
import { seedsOf } from '../figure.ts'
import type { FigureContext } from '../figure.ts'
import { meanOf, smoothed } from '../theory/bottleneck.ts'
import { PRESETS } from './schemes.ts'
import type { SchemeName } from './schemes.ts'

export const BURST_US = 600
const RECEIVER = 'pod1.tor0.h0'
const TOR = 'pod1.tor0'
const BURSTERS: readonly string[] = [2, 3, 4].flatMap((pod) =>
  [0, 1, 2].map((host) => `pod${pod}.tor${pod - 2}.h${host}`),
)

/** Which paths the bursts share is chance, and it counts: five seeds in quick, ten in full. */
export function burstSeeds(context: FigureContext): number[] {
  return seedsOf({ ...context, size: 'full' }, context.size === 'full' ? 10 : 5)
}

export interface Bursts {
  /** `none`: no control at all, to see what the traffic does by itself. */
  readonly scheme: SchemeName | 'none'
  readonly burst: string
  /** Hosts that send a burst, of nine; all if left out. */
  readonly senders?: number
  /** Both long flows go to the receiver of the burst. */
  readonly isShared: boolean
  /** When each host of the burst begins a long flow to a host of its own; never if left out. */
  readonly laterUs?: number
  readonly untilUs: number
  readonly seed: number
  /** Between two samples. */
  readonly intervalUs: number
}

export function burstSpec(b: Bursts): ValidSpec {
  const long = [0, 1].map((i) => ({
    name: `long${i + 1}`,
    from: `pod0.tor0.h${i}`,
    to: b.isShared || i === 0 ? RECEIVER : `${TOR}.h1`,
  }))
  const bursts = BURSTERS.slice(0, b.senders).map((from, i) => ({
    name: `burst${i + 1}`,
    from,
    to: RECEIVER,
    size: b.burst,
    start: `${BURST_US}us`,
  }))
  const later =
    b.laterUs === undefined
      ? []
      : BURSTERS.map((from, i) => ({
          name: `later${i + 1}`,
          from,
          to: `${TOR}.h${i + 2}`,
          start: `${b.laterUs}us`,
        }))
  return validateSpec({
    name: `pacc-bursts-${b.scheme}`,
    topology: { kind: 'three-tier', hostRate: '25Gbps', fabricRate: '100Gbps', delay: '1us' },
    fabric: { buffer: '32MB', flowControl: 'pfc' },
    routing: { kind: 'ecmp', hashSeed: b.seed },
    workload: [{ flows: [...long, ...bursts, ...later] }],
    scheme: b.scheme === 'none' ? b.scheme : { name: b.scheme, preset: PRESETS[b.scheme] },
    run: { until: `${b.untilUs}us`, seed: b.seed },
    metrics: {
      interval: `${b.intervalUs}us`,
      series: ['rate.*', `queue.${TOR}->${RECEIVER}.*`, `utilisation.${TOR}->${RECEIVER}`],
    },
  })
}

export function seriesOf(result: Result, prefix: string): Series {
  return result.series.find(({ name }) => name.startsWith(prefix))!
}

/** Of a series: its samples as [time in us, value]; the first is of the interval that ends then. */
export function samples({ startPs, intervalPs, values }: Series): [number, number][] {
  return values.map((value, i) => [(startPs + i * intervalPs) / 1e6, value])
}

/** When the last of the burst had been acknowledged, in us. */
export function burstEndUs({ flows }: Result): number {
  const ends = flows.name.flatMap((name, i) =>
    name.startsWith('burst') ? [flows.endPs[i]! / 1e6] : [],
  )
  return Math.max(...ends)
}

/** For how long after `fromUs` something stays below a level: until it is above for good. */
export function belowUntil(
  points: readonly (readonly [us: number, value: number])[],
  fromUs: number,
  level: number,
): number {
  const low = points.filter(([us, value]) => us > fromUs && value < level)
  return low.length === 0 ? 0 : low.at(-1)![0] - fromUs
}

/** Samples of 1 us on each side: the throughput of single packets over 25 us. */
const REACH = 12
const FULL = 0.9
/** Of its peak: a queue below drains. */
const DRAINING = 0.98

/** What one burst into a long flow came to. */
export interface Burst {
  readonly peakKb: number
  /** From the start of the burst to the peak. */
  readonly growthUs: number
  /** From the start of the burst until the queue has lost a fiftieth of its peak. */
  readonly drainUs: number
  readonly burstUs: number
  /** After the burst, until the link carries nine tenths of what it did before, for good. */
  readonly recoveryUs: number
  readonly queue: readonly [number, number][]
  readonly used: readonly [number, number][]
}

export function burstOf(result: Result): Burst {
  const queue = samples(seriesOf(result, 'queue.'))
  const raw = samples(seriesOf(result, 'utilisation.'))
  const smooth = smoothed(
    raw.map(([, u]) => u),
    REACH,
  )
  const used = raw.map(([us], i): [number, number] => [us, smooth[i]!])
  const peak = Math.max(...queue.map(([, bytes]) => bytes))
  const peakUs = queue.find(([, bytes]) => bytes === peak)![0]
  const drained = queue.find(([us, bytes]) => us > peakUs && bytes < DRAINING * peak)
  const endUs = burstEndUs(result)
  const before = meanOf(raw.filter(([us]) => us > 400 && us <= BURST_US).map(([, u]) => u))
  return {
    peakKb: peak / 1e3,
    growthUs: peakUs - BURST_US,
    drainUs: (drained ?? queue.at(-1)!)[0] - BURST_US,
    burstUs: endUs - BURST_US,
    recoveryUs: belowUntil(used, endUs, FULL * before),
    queue,
    used,
  }
}
