/**
 * Shares and CNPs of ten flows during the burst, DCQCN against PACC (Fig. 2).
 *
 * PACC, section II-2 and V-B2: within 600 to 800 us the long flow and the nine bursts differ by
 * more than 60% under DCQCN, and are close to the fair 2.5 Gb/s under PACC, with fewer CNPs; the
 * difference of peaks over the total falls 'from 2.83% (0.07/24.72) to 1.21% (0.03/24.85)'. DCQCN's
 * marks are echoed in ACKs in the simulator that the paper was built on; to count CNPs it runs once
 * more with CNPs of receivers, one in 4 us. CNPs of a flow are those that its sender heard by 800
 * us (before the burst each long flow is alone, and hears none). Means over seeds; full: five.
 * RoCC, and what its senders heard, are ours.
 */
import { resolveParams, schemeByName } from '@weir/schemes'
import type { Result, ValidSpec } from '@weir/sim'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { holds, ours, within } from '../figure.ts'
import { meanOf } from '../theory/bottleneck.ts'
import { BURST_US, burstSpec, samples } from './bursts.ts'
import { TITLES } from './schemes.ts'
import type { SchemeName } from './schemes.ts'

const FAIR_GBPS = 2.5
const UNTIL_US = 800

export const fig2: Figure = {
  id: 'pacc/fig2',
  title: 'Ten flows during the burst: throughput and CNPs, DCQCN against PACC',
  cite: 'document E, Fig. 2, sections II-2 and V-B2',
  claim: 'Under DCQCN shares differ by more than 60%; under PACC they are close to fair.',
  reproduce,
}

const NAMES = ['long1', ...Array.from({ length: 9 }, (_, i) => `burst${i + 1}`)]

/** By flow, the long one first: throughput in Gb/s of payload, and CNPs heard. */
interface Row {
  readonly rates: readonly number[]
  readonly cnps: readonly number[]
  /** Largest less smallest rate, over the fair share. */
  readonly apart: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const seeds = context.size === 'full' ? [1, 2, 3, 4, 5] : [1]
  const of = async (spec: (seed: number) => ValidSpec): Promise<Row> =>
    meanRow(await Promise.all(seeds.map(async (seed) => rowOf(await context.simulate(spec(seed))))))
  const bursts =
    (scheme: SchemeName) =>
    (seed: number): ValidSpec =>
      burstSpec({ scheme, burst: '64KB', isShared: false, untilUs: UNTIL_US, seed })
  const [dcqcn, pacc, rocc, counted] = await Promise.all([
    of(bursts('dcqcn')),
    of(bursts('pacc')),
    of(bursts('rocc')),
    of((seed) => withCnps(bursts('dcqcn')(seed))),
  ])
  context.progress(1, `${4 * seeds.length} runs`)
  return {
    checks: [
      ...checksOf(dcqcn, pacc),
      ...cnpChecks(counted.cnps, pacc.cnps),
      ours(
        'RoCC: largest less smallest throughput over the fair share',
        rocc.apart * 100,
        '%',
        `${listed(rocc.rates, 2)} Gb/s; messages by flow ${listed(rocc.cnps, 1)}`,
      ),
    ],
    plots: [
      bars('Mean throughput within 600 to 800 us', 'throughput', 'Gb/s', [
        [TITLES.dcqcn, dcqcn.rates],
        [TITLES.pacc, pacc.rates],
        [TITLES.rocc, rocc.rates],
      ]),
      bars('CNPs heard by 800 us', 'CNPs', '', [
        [TITLES.dcqcn, counted.cnps],
        [TITLES.pacc, pacc.cnps],
        [TITLES.rocc, rocc.cnps],
      ]),
    ],
    notes: [
      'Flow 1 is the long one. The bursts are in the queue before any CNP acts, and a FIFO ' +
        'serves them in the order of arrival: both schemes give the same shares in the burst.',
      'Payload delivered, over 200 us of which the burst fills all.',
    ],
  }
}

function bars(
  title: string,
  label: string,
  unit: string,
  sets: readonly (readonly [name: string, values: readonly number[]])[],
): FigureResult['plots'][number] {
  return {
    title,
    kind: 'bars',
    x: { label: 'flow', unit: '' },
    y: { label, unit },
    curves: sets.map(([name, y]) => ({ name, x: NAMES.map((_, flow) => `#${flow + 1}`), y })),
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

function cnpChecks(dcqcn: readonly number[], pacc: readonly number[]): Check[] {
  const total = (cnps: readonly number[]): number => cnps.reduce((sum, count) => sum + count, 0)
  const [ours, theirs] = [total(pacc), total(dcqcn)]
  const bursts = (cnps: readonly number[]): number => meanOf(cnps.slice(1))
  return [
    holds(
      'CNPs of ten flows, PACC over DCQCN',
      'per-flow N_cnp is significantly reduced (at most a half)',
      ours / theirs,
      ours <= 0.5 * theirs,
      'times',
      `by flow ${listed(pacc, 1)} against ${listed(dcqcn, 1)}`,
    ),
    holds(
      'DCQCN: CNPs of the long flow over those of a burst',
      'unfair: short flows and the long one differ (by a fifth or more)',
      dcqcn[0]! / bursts(dcqcn),
      Math.abs(dcqcn[0]! / bursts(dcqcn) - 1) >= 0.2,
      'times',
      `${dcqcn[0]!.toFixed(1)} against ${bursts(dcqcn).toFixed(1)} on average`,
    ),
  ]
}

function checksOf(dcqcn: Row, pacc: Row): Check[] {
  const total = ({ rates }: Row): number => rates.reduce((sum, rate) => sum + rate, 0)
  return [
    holds(
      'DCQCN: largest less smallest throughput over the fair share',
      'more than 60%',
      dcqcn.apart * 100,
      dcqcn.apart > 0.6,
      '%',
      listed(dcqcn.rates, 2),
    ),
    holds(
      'PACC: largest less smallest throughput over the fair share',
      'close to the fair share (within 10%)',
      pacc.apart * 100,
      pacc.apart < 0.1,
      '%',
      `${listed(pacc.rates, 2)}: a FIFO full of bursts, as under DCQCN`,
    ),
    within(
      "'2.83% (0.07/24.72)', reckoned",
      2.83,
      (0.07 / 24.72) * 100,
      0.01,
      '%',
      'the quotient and the percentage differ by ten',
    ),
    within(
      "'1.21% (0.03/24.85)', reckoned",
      1.21,
      (0.03 / 24.85) * 100,
      0.01,
      '%',
      'the quotient and the percentage differ by ten',
    ),
    holds(
      'total throughput, DCQCN and PACC',
      '24.72 and 24.85 Gb/s (5%)',
      total(dcqcn),
      Math.abs(total(dcqcn) / 24.72 - 1) < 0.05 && Math.abs(total(pacc) / 24.85 - 1) < 0.05,
      'Gb/s',
      `PACC ${total(pacc).toFixed(2)}; payload`,
    ),
  ]
}
