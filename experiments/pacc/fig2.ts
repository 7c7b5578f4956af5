/**
 * Shares and CNPs of ten flows during the burst, DCQCN against PACC (Fig. 2).
 *
 * PACC, section II-2 and V-B2: within 600 to 800 us the long flow and the nine bursts differ by
 * more than 60% under DCQCN, and are close to the fair 2.5 Gb/s under PACC, with fewer CNPs; the
 * difference of peaks over the total falls 'from 2.83% (0.07/24.72) to 1.21% (0.03/24.85)'. DCQCN's
 * marks are echoed in ACKs in the simulator that the paper was built on; to count CNPs it runs once
 * more with CNPs of receivers, one in 4 us. CNPs of a flow are those that its sender heard by 800
 * us (before the burst each long flow is alone, and hears none). Throughput is payload delivered,
 * no limiter's rate. TIMELY and HPCC (the text gives no numbers of them here), RoCC, what its
 * senders heard, and a run without any control are ours.
 *
 * Bounds that the text leaves open ('close to', 'significantly', 'unfair') are ours, as they were
 * first committed. Added after first results: what the run says of '2.83%' and '1.21%', both of
 * whose readings are printed (the percentage, or the quotient, is off by ten), and no control.
 * Corrected: samples were taken for 5 us later than they are, so that the long flow's share had 5
 * us from before the burst, and bursts 39 samples for 40; DCQCN's shares then differed by 61 ± 7%,
 * which looked like the paper's 'more than 60%'. They differ by 39 ± 7%. Totals of payload agreed
 * within 5%, where the paper's two differ by half a per cent: they are of the wire now, and agree
 * within half of that.
 */
import { meanInterval } from '@weir/metrics'
import { resolveParams, schemeByName } from '@weir/schemes'
import type { Result, ValidSpec } from '@weir/sim'
import type { Check, Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { drawn, ours, within } from '../figure.ts'
import { decided } from '../theory/decided.ts'
import { meanOf } from '../theory/bottleneck.ts'
import { BURST_US, burstSeeds, burstSpec, samples } from './bursts.ts'
import { TITLES } from './schemes.ts'
import type { SchemeName } from './schemes.ts'

const FAIR_GBPS = 2.5
const UNTIL_US = 800
/** Bytes on the wire for each of payload. */
const WIRE = 1.048

export const fig2: Figure = {
  id: 'pacc/fig2',
  title: 'Ten flows during the burst: throughput and CNPs, DCQCN against PACC',
  cite: 'Zhong et al. (PACC), Fig. 2, sections II-2 and V-B2',
  claim:
    'The paper says: under DCQCN shares differ by more than 60%; under PACC they are close to ' +
    'fair and senders hear fewer CNPs. Here shares differ as much under both as without ' +
    'any control: a FIFO serves the bursts as they came. PACC sends bursts about half as many ' +
    'CNPs, and the long flow as many as DCQCN.',
  headline: 'PACC: largest less smallest throughput',
  reproduce,
  switches: [
    {
      name: "PACC's period of 80 us",
      without: ({ scheme }) => (scheme.name === 'pacc' ? ['scheme.params.interval=20us'] : []),
      breaks: ['CNPs of ten flows'],
    },
  ],
}

const NAMES = ['long1', ...Array.from({ length: 9 }, (_, i) => `burst${i + 1}`)]

const WORDS = NAMES.map((_, flow) => (flow === 0 ? '#1, long' : `#${flow + 1}`))

/** By flow, the long one first: throughput in Gb/s of payload, and CNPs heard. */
interface Row {
  readonly rates: readonly number[]
  readonly cnps: readonly number[]
  /** Largest less smallest rate, over the fair share. */
  readonly apart: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const seeds = burstSeeds(context)
  const of = (spec: (seed: number) => ValidSpec): Promise<Row[]> =>
    Promise.all(seeds.map(async (seed) => rowOf(await context.simulate(spec(seed)))))
  const bursts =
    (scheme: SchemeName | 'none') =>
    (seed: number): ValidSpec => {
      const traffic = { burst: '64KB', isShared: false, untilUs: UNTIL_US, intervalUs: 5 }
      return burstSpec({ scheme, seed, ...traffic })
    }
  const [dcqcn, timely, hpcc, pacc, rocc, none, counted] = await Promise.all([
    of(bursts('dcqcn')),
    of(bursts('timely')),
    of(bursts('hpcc')),
    of(bursts('pacc')),
    of(bursts('rocc')),
    of(bursts('none')),
    of((seed) => withCnps(bursts('dcqcn')(seed))),
  ])
  context.progress(1, `${7 * seeds.length} runs`)
  return {
    draws: `${seeds.length} seeds`,
    checks: [
      ...checksOf(context.size, dcqcn, pacc),
      ...cnpChecks(context.size, counted, pacc),
      apartRow('TIMELY', timely, ''),
      apartRow('HPCC', hpcc, ': its window holds the bursts back'),
      apartRow('RoCC', rocc, `; messages by flow ${listed(meanRow(rocc).cnps, 1)}`),
      apartRow('no control', none, ''),
    ],
    plots: [
      bars('Mean throughput within 600 to 800 us', 'throughput', 'Gb/s', [
        curveOf(TITLES.dcqcn, dcqcn, RATES),
        curveOf(TITLES.pacc, pacc, RATES),
        curveOf(TITLES.timely, timely, RATES),
        curveOf(TITLES.hpcc, hpcc, RATES),
        curveOf(TITLES.rocc, rocc, RATES),
        {
          ...{ name: 'text: the fair share, 2.5 Gb/s', isPublished: true },
          ...{ x: WORDS, y: NAMES.map(() => FAIR_GBPS) },
        },
      ]),
      bars('CNPs that senders heard by 800 us', 'CNPs', '', [
        curveOf(TITLES.dcqcn, counted, CNPS),
        curveOf(TITLES.pacc, pacc, CNPS),
      ]),
    ],
    notes: [
      'Flow 1 is the long one. The bursts are in the queue before any CNP acts, and a FIFO ' +
        'serves them in the order of arrival: every scheme without a window gives the same ' +
        'shares in the burst, and so does no control at all. That is the traffic, and says ' +
        'nothing of DCQCN. By seed its shares differ by 34%, or by 53% where bursts meet in the ' +
        'core and come late: 38.3 ± 3.1 over 40 seeds.',
      'Throughput is payload delivered, over 200 us that the burst fills.',
      "'From 2.83% (0.07/24.72) to 1.21% (0.03/24.85)': 0.07/24.72 is 0.283%, and 2.83% would be " +
        '0.70/24.72; 0.03/24.85 is 0.121%, and 1.21% would be 0.30/24.85. Ours is printed beside ' +
        'both readings, and meets neither.',
    ],
  }
}

function apartRow(title: string, rows: readonly Row[], more: string): Check {
  return ours(
    `${title}: largest less smallest throughput over the fair share`,
    rows.map(({ apart }) => apart * 100),
    '%',
    `${listed(meanRow(rows).rates, 2)} Gb/s${more}`,
  )
}

function bars(
  title: string,
  label: string,
  unit: string,
  curves: readonly Curve[],
): FigureResult['plots'][number] {
  return {
    title,
    kind: 'bars',
    x: { label: 'flow', unit: '' },
    y: { label, unit },
    curves,
  }
}

type ByFlow = (row: Row) => readonly number[]
const RATES: ByFlow = ({ rates }) => rates
const CNPS: ByFlow = ({ cnps }) => cnps

function curveOf(name: string, rows: readonly Row[], pick: ByFlow): Curve {
  const values = NAMES.map((_, flow) => rows.map((row) => pick(row)[flow]!))
  return {
    ...{ name, x: WORDS, y: values.map(meanOf) },
    half: values.map((draws) => meanInterval(draws).half || 0),
  }
}

function meanRow(rows: readonly Row[]): Row {
  const mean = (pick: (row: Row) => readonly number[]): number[] =>
    NAMES.map((_, flow) => meanOf(rows.map((row) => pick(row)[flow]!)))
  return {
    rates: mean(({ rates }) => rates),
    cnps: mean(({ cnps }) => cnps),
    apart: meanOf(rows.map(({ apart }) => apart)),
  }
}

function listed(values: readonly number[], digits: number): string {
  return values.map((value) => value.toFixed(digits)).join(' ')
}

/** The same with CNPs of receivers, 4 us apart, instead of echoes: what was validated stands. */
function withCnps(spec: ValidSpec): ValidSpec {
  const { params, presets } = schemeByName('dcqcn')!
  const values = resolveParams(params, presets['firmware'], { feedback: 'cnp', cnpInterval: 4e6 })
  return { ...spec, scheme: { ...spec.scheme, params: values } }
}

function rowOf({ series, flows }: Result): Row {
  const rates = NAMES.map((flow) => {
    const found = series.find(({ name }) => name === `rate.${flow}`)!
    const within = samples(found).filter(([us]) => us > BURST_US && us <= UNTIL_US)
    return meanOf(within.map(([, bps]) => bps)) / 1e9
  })
  return {
    rates,
    cnps: NAMES.map((flow) => flows.notifications[flows.name.indexOf(flow)]!),
    apart: (Math.max(...rates) - Math.min(...rates)) / FAIR_GBPS,
  }
}

function cnpChecks(
  size: FigureContext['size'],
  dcqcn: readonly Row[],
  pacc: readonly Row[],
): Check[] {
  const total = ({ cnps }: Row): number => cnps.reduce((sum, count) => sum + count, 0)
  const apart = ({ cnps }: Row): number => cnps[0]! / meanOf(cnps.slice(1)) - 1
  const [ours, theirs] = [meanRow(pacc).cnps, meanRow(dcqcn).cnps]
  return [
    decided(
      size,
      'CNPs of ten flows, PACC over DCQCN',
      'per-flow N_cnp is significantly reduced (at most a half)',
      pacc.map((row, i) => total(row) / total(dcqcn[i]!)),
      [0, 0.5],
      'times',
      `by flow ${listed(ours, 1)} against ${listed(theirs, 1)}`,
    ),
    drawn(
      'DCQCN: CNPs of the long flow over those of a burst, how far from one',
      'unfair: short flows and the long one differ (by a fifth or more)',
      dcqcn.map((row) => Math.abs(apart(row))),
      [0.2, Infinity],
      'times',
      `more or fewer, by seed: ${dcqcn.map((row) => signed(apart(row))).join(', ')}. All ` +
        'hear one in 4 us as long as the queue is long',
    ),
  ]
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`
}

function total({ rates }: Row): number {
  return rates.reduce((sum, rate) => sum + rate, 0)
}

function checksOf(
  size: FigureContext['size'],
  dcqcn: readonly Row[],
  pacc: readonly Row[],
): Check[] {
  return [
    decided(
      size,
      'DCQCN: largest less smallest throughput over the fair share',
      'more than 60%',
      dcqcn.map(({ apart }) => apart * 100),
      [60, Infinity],
      '%',
      `${listed(meanRow(dcqcn).rates, 2)} Gb/s: as without control, see notes`,
    ),
    drawn(
      'PACC: largest less smallest throughput over the fair share',
      'close to the fair share (within 10%)',
      pacc.map(({ apart }) => apart * 100),
      [0, 10],
      '%',
      `${listed(meanRow(pacc).rates, 2)} Gb/s: a FIFO full of bursts, as under DCQCN`,
    ),
    ...peaksChecks('DCQCN', dcqcn, 2.83, 0.07 / 24.72),
    ...peaksChecks('PACC', pacc, 1.21, 0.03 / 24.85),
    totalCheck('DCQCN', 24.72, dcqcn),
    totalCheck('PACC', 24.85, pacc),
  ]
}

/** Half of what parts the two published totals: more could not tell them apart. */
const APART_GBPS = (24.85 - 24.72) / 2

function totalCheck(title: string, published: number, rows: readonly Row[]): Check {
  return drawn(
    `${title}: total throughput, headers included`,
    `${published} Gb/s (within ${APART_GBPS.toFixed(3)}: half of what parts the two)`,
    rows.map((row) => total(row) * WIRE),
    [published - APART_GBPS, published + APART_GBPS],
    'Gb/s',
    `the link is full, as without any control; of payload ${meanOf(rows.map(total)).toFixed(2)}`,
  )
}

/** Two readings of one sentence: the percentage, and the quotient beside it. */
function peaksChecks(
  title: string,
  rows: readonly Row[],
  percent: number,
  quotient: number,
): Check[] {
  const peaks = rows.map((row) => ((row.apart * FAIR_GBPS) / total(row)) * 100)
  const bounds = (value: number): [number, number] => [0.75 * value, 1.25 * value]
  const name = `${title}: difference of peaks over the total`
  const why = 'bursts and the long flow are served as they came'
  const part = Number((quotient * 100).toPrecision(3))
  return [
    within(
      `${title}: '${percent}%' by its own quotient`,
      percent,
      quotient * 100,
      0.01,
      '%',
      'the quotient and the percentage differ by a factor of ten',
    ),
    drawn(
      `${name}, as the percentage (within a quarter)`,
      percent,
      peaks,
      bounds(percent),
      '%',
      why,
    ),
    drawn(`${name}, as the quotient (within a quarter)`, part, peaks, bounds(part), '%', why),
  ]
}
