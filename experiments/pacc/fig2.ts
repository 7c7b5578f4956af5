/**
 * Shares and CNPs of ten flows during the burst, DCQCN against PACC (Fig. 2).
 *
 * PACC, section II-2 and V-B2: within 600 to 800 us the long flow and the nine bursts differ by
 * more than 60% under DCQCN, and are close to the fair 2.5 Gb/s under PACC, with fewer CNPs; the
 * difference of peaks over the total falls 'from 2.83% (0.07/24.72) to 1.21% (0.03/24.85)'. DCQCN's
 * marks are echoed in ACKs in the simulator that the paper was built on; to count CNPs it runs once
 * more with CNPs of receivers, one in 4 us. CNPs are those of the whole fabric.
 */
import { resolveParams, schemeByName } from '@weir/schemes'
import type { Result, ValidSpec } from '@weir/sim'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { holds, within } from '../figure.ts'
import { meanOf } from '../theory/bottleneck.ts'
import { BURST_US, burstSpec, samples } from './bursts.ts'
import type { SchemeName } from './bursts.ts'

const FAIR_GBPS = 2.5
const UNTIL_US = 800

export const fig2: Figure = {
  id: 'pacc/fig2',
  title: 'Ten flows during the burst: throughput and CNPs, DCQCN against PACC',
  cite: 'document E, Fig. 2, sections II-2 and V-B2',
  claim: 'Under DCQCN shares differ by more than 60%; under PACC they are close to fair.',
  reproduce,
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const of = (scheme: SchemeName): ValidSpec =>
    burstSpec({ scheme, burst: '64KB', isShared: false, untilUs: UNTIL_US, seed: 1 })
  const [dcqcn, pacc, counted] = await Promise.all(
    [of('dcqcn'), of('pacc'), withCnps(of('dcqcn'))].map((spec) => context.simulate(spec)),
  )
  context.progress(1, 'three runs')
  const rates = [ratesOf(dcqcn!), ratesOf(pacc!)] as const
  return {
    checks: [
      ...checksOf(rates[0], rates[1]),
      holds(
        'CNPs of PACC over those of DCQCN',
        'significantly reduced (at most a half)',
        pacc!.counters.notifications / counted!.counters.notifications,
        pacc!.counters.notifications <= 0.5 * counted!.counters.notifications,
        'times',
        `${pacc!.counters.notifications} against ${counted!.counters.notifications}`,
      ),
    ],
    plots: [
      {
        title: 'Mean throughput within 600 to 800 us',
        kind: 'bars',
        x: { label: 'flow', unit: '' },
        y: { label: 'throughput', unit: 'Gb/s' },
        curves: ['DCQCN', 'PACC'].map((name, i) => ({
          name,
          x: rates[i]!.map((_, flow) => `#${flow + 1}`),
          y: rates[i]!,
        })),
      },
    ],
    notes: [
      'Flow 1 is the long one. The bursts are in the queue before any CNP acts, and a FIFO ' +
        'serves them in the order of arrival: both schemes give the same shares in the burst.',
      'Payload delivered, over 200 us of which the burst fills all.',
    ],
  }
}

/** The same with CNPs of receivers, 4 us apart, instead of echoes: what was validated stands. */
function withCnps(spec: ValidSpec): ValidSpec {
  const { params, presets } = schemeByName('dcqcn')!
  const values = resolveParams(params, presets['firmware'], { feedback: 'cnp', cnpInterval: 4e6 })
  return { ...spec, scheme: { ...spec.scheme, params: values } }
}

/** Long flow first, then the bursts, in Gb/s of payload. */
function ratesOf({ series }: Result): number[] {
  return ['long1', ...Array.from({ length: 9 }, (_, i) => `burst${i + 1}`)].map((flow) => {
    const found = series.find(({ name }) => name === `rate.${flow}`)!
    const within = samples(found).filter(([us]) => us > BURST_US && us <= UNTIL_US)
    return meanOf(within.map(([, bps]) => bps)) / 1e9
  })
}

function checksOf(dcqcn: readonly number[], pacc: readonly number[]): Check[] {
  const apart = (rates: readonly number[]): number =>
    (Math.max(...rates) - Math.min(...rates)) / FAIR_GBPS
  const total = (rates: readonly number[]): number => rates.reduce((sum, rate) => sum + rate, 0)
  const listed = (rates: readonly number[]): string =>
    rates.map((rate) => rate.toFixed(2)).join(' ')
  return [
    holds(
      'DCQCN: largest less smallest throughput over the fair share',
      'more than 60%',
      apart(dcqcn) * 100,
      apart(dcqcn) > 0.6,
      '%',
      listed(dcqcn),
    ),
    holds(
      'PACC: largest less smallest throughput over the fair share',
      'close to the fair share (within 10%)',
      apart(pacc) * 100,
      apart(pacc) < 0.1,
      '%',
      `${listed(pacc)}: a FIFO full of bursts, as under DCQCN`,
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
