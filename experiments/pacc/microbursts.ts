/**
 * What a burst of 30 KB from each of nine hosts does to two long flows that share its receiver, and
 * to the flows that its hosts begin afterwards: the measures of Fig. 3. Each run has a twin without
 * the burst. Only the difference between the two is the burst's doing: DCQCN's and TIMELY's long
 * flows rise and fall by themselves all the time.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import type { Result, ValidSpec } from '@weir/sim'
import { isTheory, maxMinAt, theoryOf } from '@weir/sim/theory'
import type { FigureContext } from '../figure.ts'
import { smoothed } from '../theory/bottleneck.ts'
import { BURST_US, burstEndUs, burstSpec, samples } from './bursts.ts'
import type { SchemeName } from './schemes.ts'

export const LATER_US = 800
export const UNTIL_US = 3000
export const FULL = 0.9
const INTERVAL_US = 5
/** Samples on each side: means over 25 us, for a flow of 12 Gb/s has eight packets in a sample. */
const REACH = 2
/** Samples that a flow has to be back for: 25 us. A backlog that leaves at once is no recovery. */
const HELD = 2 * REACH + 1
/** Of a link, by design: HPCC's eta. */
const AIMS: Partial<Record<SchemeName, number>> = { hpcc: 0.95 }
const LONG = ['long1', 'long2']

type Points = readonly (readonly [us: number, gbps: number])[]

/** One flow of a run. */
export interface Flow {
  /** Until it has nine tenths of its fair share (again); the rest of the run if it never has. */
  readonly backUs: number
  readonly isBack: boolean
  readonly shareGbps: number
  readonly points: Points
  /** Without the burst; none of a later flow. */
  readonly twin: Points
}

/** A run and its twin. */
export interface Row {
  readonly scheme: SchemeName
  /** From the start of the burst until its last byte was acknowledged. */
  readonly burstUs: number
  /** Back counts from the start of the burst, for later flows from their own. */
  readonly long: readonly Flow[]
  readonly later: readonly Flow[]
  /**
   * What both long flows delivered less than in the twin, beyond the burst's own bytes, as time of
   * the link that they share.
   */
  readonly lostUs: number
}

export async function rowOf(
  scheme: SchemeName,
  seed: number,
  { simulate }: Pick<FigureContext, 'simulate'>,
): Promise<Row> {
  const specs = [specOf(scheme, seed, true), specOf(scheme, seed, false)] as const
  const [result, twin] = await Promise.all([simulate(specs[0]), simulate(specs[1])])
  const { maxMin } = theoryOf(specs[0])
  if (!isTheory(maxMin)) throw new Error(maxMin.why)
  const shareOf = (name: string, us: number): number =>
    maxMinAt(
      maxMin.find((one) => one.name === name)!,
      us * 1e6,
    ) / 1e9
  const of = (name: string, fromUs: number, isLong: boolean): Flow => {
    const shareGbps = (AIMS[scheme] ?? 1) * shareOf(name, UNTIL_US - 1)
    return flowOf(pointsOf(result, name), fromUs, shareGbps, isLong ? pointsOf(twin, name) : [])
  }
  const linkGbps = shareOf('long1', BURST_US - 1) + shareOf('long2', BURST_US - 1)
  const lostBytes = deliveredOf(twin, 'long') - deliveredOf(result, 'long')
  return {
    scheme,
    burstUs: burstEndUs(result) - BURST_US,
    long: LONG.map((name) => of(name, BURST_US, true)),
    later: Array.from({ length: 9 }, (_, i) => of(`later${i + 1}`, LATER_US, false)),
    lostUs: ((lostBytes - deliveredOf(result, 'burst')) * 8e-3) / linkGbps,
  }
}

function specOf(scheme: SchemeName, seed: number, hasBurst: boolean): ValidSpec {
  const traffic = { burst: '30KB', isShared: true, laterUs: LATER_US, untilUs: UNTIL_US }
  return burstSpec({
    ...{ scheme, seed, intervalUs: INTERVAL_US, ...traffic },
    ...(!hasBurst && { senders: 0 }),
  })
}

function deliveredOf({ flows }: Result, prefix: string): number {
  return flows.name.reduce(
    (sum, name, i) => (name.startsWith(prefix) ? sum + flows.deliveredBytes[i]! : sum),
    0,
  )
}

function pointsOf({ series }: Result, name: string): Points {
  const sampled = samples(series.find((one) => one.name === `rate.${name}`)!)
  const smooth = smoothed(
    sampled.map(([, bps]) => bps / 1e9),
    REACH,
  )
  return sampled.map(([us], i) => [us, smooth[i]!] as const)
}

/** A flow's way back, as Fig. 3 has it. */
export function flowOf(points: Points, fromUs: number, shareGbps: number, twin: Points = []): Flow {
  const isFull = points.map(([, gbps]) => gbps >= FULL * shareGbps)
  const flow = { points, shareGbps, twin }
  const low = points.findIndex(([us], i) => us > fromUs && !isFull[i]!)
  if (low < 0) return { ...flow, backUs: 0, isBack: true }
  const back = points.findIndex(
    (_, i) => i > low && i + HELD <= points.length && isFull.slice(i, i + HELD).every(Boolean),
  )
  const [backUs] = points[back] ?? points.at(-1)!
  return { ...flow, backUs: backUs - fromUs, isBack: back >= 0 }
}

export function median(values: readonly number[]): number {
  return nearestRank(sortedValues(values), 0.5)
}

export function medianOf(flows: readonly Flow[]): number {
  return median(flows.map(({ backUs }) => backUs))
}

/** What the median is of. */
export function rangeOf(flows: readonly Flow[]): string {
  const values = flows.map(({ backUs }) => backUs)
  const away = flows.filter(({ isBack }) => !isBack).length
  const [least, most] = [Math.min(...values).toFixed(0), Math.max(...values).toFixed(0)]
  return (
    `median of ${flows.length} flows, ${least === most ? 'all' : `${least} to`} ${most} us` +
    (away === 0 ? '' : `; ${away} not back by the end of the run`)
  )
}
