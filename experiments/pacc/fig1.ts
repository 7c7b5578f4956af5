/**
 * Nine bursts of 64 KB into a long flow: queue and throughput of the receiver's link (Fig. 1).
 *
 * PACC, section II-1 and V-B1. Published for DCQCN, TIMELY and HPCC: a peak of around 600 KB,
 * growth for 2 to 3 RTTs (24 to 36 us), a burst of about 230 us, then 60 us until HPCC and TIMELY
 * fill the link again and 500 us for DCQCN. For PACC: the queue settles near 125 KB after an
 * increase of 15 us, its peak decreases significantly, and it comes back like HPCC. Always 320
 * hosts; full: five seeds of every scheme, quick: five of PACC, whose clocks' phases they draw.
 * RoCC beside is ours.
 */
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { holds, ours, within } from '../figure.ts'
import { meanOf, smoothed } from '../theory/bottleneck.ts'
import { belowUntil, BURST_US, burstEndUs, burstSpec, samples, seriesOf } from './bursts.ts'
import { SCHEMES, TITLES } from './schemes.ts'
import type { SchemeName } from './schemes.ts'

const UNTIL_US = 6000
/** Samples on each side that make the throughput of single packets smooth. */
const REACH = 2
const FULL = 0.9

export const fig1: Figure = {
  id: 'pacc/fig1',
  title: 'Nine bursts into a long flow: queue and throughput',
  cite: 'document E, Fig. 1, sections II-1 and V-B1',
  claim:
    'DCQCN, TIMELY and HPCC answer late; PACC keeps the queue near 125 KB and comes back fast.',
  reproduce,
}

interface Row {
  readonly scheme: SchemeName
  readonly peakKb: number
  readonly growthUs: number
  readonly burstUs: number
  readonly recoveryUs: number
  readonly queue: readonly [number, number][]
  readonly used: readonly [number, number][]
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const runs = SCHEMES.flatMap((scheme) =>
    (isFull || scheme === 'pacc' ? [1, 2, 3, 4, 5] : [1]).map((seed) => ({ scheme, seed })),
  )
  let done = 0
  const rows = await Promise.all(
    runs.map(async (run) => {
      const spec = burstSpec({ ...run, burst: '64KB', isShared: false, untilUs: UNTIL_US })
      const row = rowOf(run.scheme, await context.simulate(spec))
      context.progress(++done / runs.length, TITLES[run.scheme])
      return row
    }),
  )
  const first = SCHEMES.map((scheme) => rows.find((row) => row.scheme === scheme)!)
  const of = (scheme: SchemeName): Row[] => rows.filter((row) => row.scheme === scheme)
  const shown = (pick: (row: Row) => readonly [number, number][], scale: number): object[] =>
    first.map((row) => {
      const points = pick(row).filter(([us]) => us >= 500 && us <= 2000)
      return {
        name: TITLES[row.scheme],
        x: points.map(([us]) => us),
        y: points.map(([, value]) => value * scale),
      }
    })
  return {
    checks: [
      ...(['dcqcn', 'timely', 'hpcc'] as const).flatMap((scheme) => othersChecks(of(scheme))),
      ...paccChecks(of('pacc'), of('hpcc')),
      ...roccRows(of('rocc')),
    ],
    plots: [
      plot(
        'Queue at the receiver',
        'queue',
        'KB',
        shown(({ queue }) => queue, 1e-3),
      ),
      plot(
        'Throughput at the receiver',
        'throughput',
        'Gb/s',
        shown(({ used }) => used, 25),
      ),
    ],
    notes: [
      'A host sends 64 KB in 21 us at line rate, and all nine have sent everything before any ' +
        'feedback can reach them: no scheme without a window can keep the queue below some 600 ' +
        'KB, PACC no more than the others, whatever the phase of its clock. HPCC has a window of ' +
        'one bandwidth-delay product, 38 KB.',
      'TIMELY adds 25 Mb/s a round trip to what its cuts have left, and needs milliseconds.',
    ],
  }
}

function plot(
  title: string,
  label: string,
  unit: string,
  curves: object[],
): FigureResult['plots'][number] {
  return {
    title,
    kind: 'lines',
    x: { label: 'time', unit: 'us' },
    y: { label, unit },
    curves: curves as unknown as FigureResult['plots'][number]['curves'],
  }
}

function rowOf(scheme: SchemeName, result: Parameters<typeof burstEndUs>[0]): Row {
  const queue = samples(seriesOf(result, 'queue.'))
  const used = samples(seriesOf(result, 'utilisation.'))
  const peak = Math.max(...queue.map(([, bytes]) => bytes))
  const peakUs = queue.find(([, bytes]) => bytes === peak)![0]
  const endUs = burstEndUs(result)
  const before = meanOf(used.filter(([us]) => us > 400 && us <= BURST_US).map(([, u]) => u))
  const smooth = smoothed(
    used.map(([, u]) => u),
    REACH,
  )
  const points = used.map(([us], i): [number, number] => [us, smooth[i]!])
  return {
    scheme,
    peakKb: peak / 1e3,
    growthUs: peakUs - BURST_US,
    burstUs: endUs - BURST_US,
    recoveryUs: belowUntil(points, endUs, FULL * before),
    queue,
    used,
  }
}

type Measure = (row: Row) => number

/** Over the seeds: '590 to 601', or one number where there is no other. */
function range(rows: readonly Row[], pick: Measure): string {
  const texts = [Math.min(...rows.map(pick)), Math.max(...rows.map(pick))].map((v) => v.toFixed(0))
  return [...new Set(texts)].join(' to ')
}

function seeds(rows: readonly Row[], pick: Measure): string {
  return `${range(rows, pick)} over ${rows.length} seed${rows.length > 1 ? 's' : ''}`
}

function othersChecks(rows: readonly Row[]): Check[] {
  const { scheme } = rows[0]!
  const title = TITLES[scheme]
  const published = scheme === 'dcqcn' ? 500 : 60
  const mean = (pick: Measure): number => meanOf(rows.map(pick))
  const note = (what: 'peak' | 'burst' | 'recovery', pick: Measure): string =>
    [why(scheme, what), seeds(rows, pick)].filter((text) => text !== '').join('; ')
  const growthUs = mean((row) => row.growthUs)
  const [peak, burst, recovery]: Measure[] = [
    (row) => row.peakKb,
    (row) => row.burstUs,
    (row) => row.recoveryUs,
  ]
  return [
    within(`${title}: peak of the queue`, 600, mean(peak!), 0.1, 'KB', note('peak', peak!)),
    holds(
      `${title}: time until the peak`,
      '24 to 36 us (2 to 3 RTTs; a sample of 5 us either way)',
      growthUs,
      growthUs >= 19 && growthUs <= 41,
      'us',
      seeds(rows, (row) => row.growthUs),
    ),
    within(`${title}: length of the burst`, 230, mean(burst!), 0.1, 'us', note('burst', burst!)),
    within(
      `${title}: after the burst, until the link is full for good (nine tenths)`,
      published,
      mean(recovery!),
      0.5,
      'us',
      note('recovery', recovery!),
    ),
  ]
}

function roccRows(rows: readonly Row[]): Check[] {
  const of = (name: string, pick: Measure, unit: string): Check =>
    ours(`RoCC: ${name}`, rows.map(pick), unit, range(rows, pick))
  return [
    of('peak of the queue', (row) => row.peakKb, 'KB'),
    of('time until the peak', (row) => row.growthUs, 'us'),
    of('length of the burst', (row) => row.burstUs, 'us'),
    of('after the burst, until the link is full for good', (row) => row.recoveryUs, 'us'),
  ]
}

/** What parts ours from the paper's. */
function why(scheme: SchemeName, what: 'peak' | 'burst' | 'recovery'): string {
  if (scheme === 'hpcc' && what === 'peak') {
    return 'the window holds nine bursts to 38 KB each in the first round trip'
  }
  if (scheme === 'timely' && what === 'recovery') return 'steps of 25 Mb/s a round trip'
  if (scheme === 'dcqcn' && what === 'recovery') return 'a timer of 300 us halves what is missing'
  if (scheme === 'hpcc' && what === 'burst') return 'the burst waits for its window'
  if (scheme === 'hpcc' && what === 'recovery') return 'sooner than published'
  return ''
}

function paccChecks(rows: readonly Row[], hpcc: readonly Row[]): Check[] {
  const [mean, growth, recovery] = [
    meanOf(rows.map(({ peakKb }) => peakKb)),
    meanOf(rows.map(({ growthUs }) => growthUs)),
    meanOf(rows.map(({ recoveryUs }) => recoveryUs)),
  ]
  const hpccUs = meanOf(hpcc.map(({ recoveryUs }) => recoveryUs))
  return [
    holds(
      'PACC: peak of the queue',
      'near 125 KB (a fifth), a significant decrease',
      mean,
      Math.abs(mean / 125 - 1) < 0.2,
      'KB',
      `${seeds(rows, ({ peakKb }) => peakKb)}; the bursts are on their way before a CNP can be`,
    ),
    within(
      'PACC: time until the peak',
      15,
      growth,
      0.34,
      'us',
      seeds(rows, ({ growthUs }) => growthUs),
    ),
    holds(
      'PACC: after the burst, until the link is full for good, over that of HPCC',
      'comparable with HPCC (at most one and a half times)',
      recovery / hpccUs,
      recovery <= 1.5 * hpccUs,
      'times',
      `${seeds(rows, ({ recoveryUs }) => recoveryUs)} us; senders have DCQCN's timer`,
    ),
  ]
}
