/**
 * What each mechanism of ACCurate is for: the paper argues for flow-init, short-circuit
 * notifications and the desired rate (sections II-A to II-C), for a short RRP and some headroom,
 * and measures none of them alone. Here each is taken away, on the victim scenario (how long until
 * rates settle, how much is held inside) and on the two blades at a load of 0.2 (completion
 * times).
 *
 * Ours: without the desired rate nothing recovers, as it must; without flow-init f4's joining
 * takes a period more; short-circuit feedback saves little in so small a network, where a round
 * trip is 2 us.
 *
 * Changed: tails were 99.9th percentiles, with one flow beyond them in full and none in quick.
 * Completion times were of one seed, without an interval, of 40 ms in full and of some 23 flows in
 * quick; they are of five seeds of 10 ms each now, and in full only.
 */
import { mean, meanInterval } from '@weir/metrics'
import { drawsOf, holds, inRange, needsFull, ours, seedsOf } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { scenarios } from '@weir/sim'
import type { Result } from '@weir/sim'
import { GBPS, seriesOf, US } from './measures.ts'
import { latenciesOf, twoBladeText } from './two-blade.ts'
import type { Latencies } from './two-blade.ts'
import { specOf, variantNamed } from './variants.ts'

const LOAD = 0.2
const MECHANISMS: readonly { readonly name: string; readonly settings: readonly string[] }[] = [
  { name: 'whole', settings: [] },
  { name: 'without flow-init', settings: ['scheme.params.flowInit=false'] },
  { name: 'without flow-stop', settings: ['scheme.params.flowStop=false'] },
  { name: 'without short-circuit', settings: ['scheme.params.shortCircuit=1'] },
  { name: 'without desired rate', settings: ['scheme.params.desiredRate=false'] },
  { name: 'letter of the paper', settings: ['scheme.preset=paper'] },
  { name: 'piggybacked, 8-bit rates', settings: ['scheme.preset=piggyback'] },
]
const RRPS_US = [5, 10, 20, 50, 100, 200]
const ALPHAS = [0, 0.02, 0.05, 0.1, 0.15, 0.2]
/** Changes of the victim scenario, and max-min rates after each, less 5%. */
const CHANGES: readonly { readonly atUs: number; readonly endUs: number; readonly rates: Rates }[] =
  [
    { atUs: 370, endUs: 570, rates: { f1: 20 / 3, f2: 10 / 3, f3: 10 / 3, f4: 10 / 3 } },
    { atUs: 570, endUs: 800, rates: { f1: 10, f2: 5, f3: 5 } },
  ]
type Rates = Readonly<Record<string, number>>

export const ablations: Figure = {
  id: 'accurate/ablations',
  title: 'ACCurate with one mechanism less, and with other periods and headrooms',
  cite: 'Karampelas et al. (ACCurate), sections II-A to II-C; not a figure of the paper',
  claim:
    'Flow-init and short-circuit make reaction prompt, and desired rates let flows recover; a ' +
    'short RRP reacts sooner and costs more, headroom (alpha) drains backlogs.',
  switches: [
    {
      name: 'flow-stop in any run',
      without: ({ name }) => (name === 'victim' ? ['scheme.params.flowStop=false'] : []),
      breaks: ['flow-stop: periods saved'],
    },
    {
      name: 'the lack of the desired rate in any run',
      without: ({ name }) => (name === 'victim' ? ['scheme.params.desiredRate=true'] : []),
      breaks: ['without desired rate'],
    },
  ],
  async reproduce(context: FigureContext): Promise<FigureResult> {
    const isFull = context.size === 'full'
    const arrivalsMs = isFull ? 10 : 0.6
    const seeds = isFull ? seedsOf(context) : [1]
    const variant = variantNamed('ACCurate')
    const text = scenarios.find(({ name }) => name === 'victim')?.text ?? ''
    const fine = ['metrics.interval=1us', 'metrics.series=[accurate.rate.*]']
    const victim = (settings: readonly string[]): Promise<Result> =>
      context.simulate(specOf(text, variant, [...fine, ...settings]))
    const blades = (settings: readonly string[]): Promise<readonly Result[]> =>
      Promise.all(
        seeds.map((seed) =>
          context.simulate(
            specOf(twoBladeText(LOAD, arrivalsMs), variant, [...settings, `seed=${seed}`]),
          ),
        ),
      )
    const less = await Promise.all(
      MECHANISMS.map(async ({ name, settings }) => ({
        name,
        victim: await victim(settings),
        blades: isFull ? await blades(settings) : [],
      })),
    )
    context.progress(0.4, 'mechanisms')
    const rrps = isFull ? RRPS_US : [5, 20, 200]
    const byRrp = await Promise.all(rrps.map((us) => blades([`scheme.params.rrp=${us}us`])))
    context.progress(0.7, 'periods')
    const byAlpha = await Promise.all(
      (isFull ? ALPHAS : []).map((alpha) => blades([`scheme.params.alpha=${alpha}`])),
    )
    context.progress(1, 'headrooms')
    return {
      checks: [
        ...checksOf(less),
        ...sweepChecks(context.size, 'an RRP of', 20, ' us', RRPS_US, byRrp),
        ...sweepChecks(context.size, 'a headroom (alpha) of', 0.05, '', ALPHAS, byAlpha),
      ],
      plots: [
        settlingPlot(less),
        overheadPlot(rrps, byRrp),
        ...(isFull
          ? [
              bladesPlot(less),
              sweepPlot('Completion times against the RRP', 'RRP', 'us', RRPS_US, byRrp),
              sweepPlot('Completion times against the headroom', 'alpha', '', ALPHAS, byAlpha),
            ]
          : []),
      ],
      draws: isFull ? `nothing random; two blades: ${drawsOf(seeds)}` : 'nothing random',
      notes: [
        isFull
          ? `Two blades: ${arrivalsMs} ms of arrivals at a load of ${LOAD}, by each of ` +
            `${drawsOf(seeds)}; percentiles are of all flows together, and have no interval.`
          : `Two blades: ${arrivalsMs} ms of arrivals at a load of ${LOAD}, one seed, for the ` +
            'part of bytes that is control; completion times need more flows, and are left out.',
        'The first plot has no bars without the desired rate: rates then settle neither when f4 ' +
          'joins nor when it leaves.',
      ],
    }
  },
}

interface Less {
  readonly name: string
  readonly victim: Result
  /** Seed by seed; none in the quick size. */
  readonly blades: readonly Result[]
}

/** Periods of 20 us after a change until every limit stays within 1% of max-min; NaN: never. */
function settledRrps(
  result: Result,
  { atUs, endUs, rates }: (typeof CHANGES)[number],
  off = 0.01,
): number {
  let lastPs = atUs * US
  for (const [flow, rate] of Object.entries(rates)) {
    const target = rate * 0.95 * GBPS
    const { startPs, intervalPs, values } = seriesOf(result, `accurate.rate.${flow}`)
    values.forEach((value, i) => {
      const timePs = startPs + i * intervalPs
      if (timePs <= lastPs || timePs > endUs * US) return
      if (Math.abs(value - target) > off * target) lastPs = timePs
    })
  }
  return lastPs > (endUs - 20) * US ? NaN : (lastPs / US - atUs) / 20
}

/** Eight-bit rates are up to 3.1% low. */
function offOf(name: string): number {
  return name.includes('8-bit') ? 0.04 : 0.01
}

function checksOf(less: readonly Less[]): Check[] {
  const [joining, leaving] = CHANGES
  if (joining === undefined || leaving === undefined) throw new Error('two changes are looked at')
  const of = (name: string): Less => less.find((one) => one.name === name) as Less
  const whole = settledRrps(of('whole').victim, joining)
  const noInit = settledRrps(of('without flow-init').victim, joining)
  const noDesire = settledRrps(of('without desired rate').victim, leaving)
  const noStop = settledRrps(of('without flow-stop').victim, leaving)
  const withStop = settledRrps(of('whole').victim, leaving)
  const noShort = settledRrps(of('without short-circuit').victim, joining)
  return [
    inRange(
      'flow-init: periods saved when f4 joins',
      'reaction would come an RRP later (section II-B)',
      noInit - whole,
      [0.5, 1.5],
      'RRPs',
      'without it f4 is counted after one period and told its rate after another; with it both ' +
        'happen at once',
    ),
    inRange(
      'flow-stop: periods saved when f4 leaves',
      'bandwidth is given away on the next RRP (section II-B)',
      noStop - withStop,
      [0.5, 1.5],
      'RRPs',
    ),
    ours(
      'short-circuit: periods saved when f4 joins',
      noShort - whole,
      'RRPs',
      'it saves part of a round trip, which is 2 us here, where rates change once in a period of ' +
        '20 us',
    ),
    holds(
      'without desired rate: rates recover when f4 leaves',
      'positive feedback lets rates recover; without it they would not (section II-C)',
      Number.isNaN(noDesire) ? 0 : 1,
      Number.isNaN(noDesire),
      '1 yes, 0 no',
    ),
    ours(
      'by the letter of the paper: periods until rates settle when f4 leaves',
      settledRrps(of('letter of the paper').victim, leaving),
      'RRPs',
      `the preset \`paper\`; the amended one ('whole') takes ${withStop}`,
    ),
  ]
}

/** The ends of a sweep over what the paper has. */
function sweepChecks(
  size: FigureContext['size'],
  words: string,
  usual: number,
  unit: string,
  x: readonly number[],
  results: readonly (readonly Result[])[],
): Check[] {
  const meansUs = (value: number): number[] => criticalMeansUs(results[x.indexOf(value)]!)
  return [x[0]!, x.at(-1)!].map((value) => {
    const name =
      `${words} ${value}${unit}: mean completion of critical flows, ` +
      `over that with ${usual}${unit}`
    if (size === 'quick') {
      return needsFull(name, 'not published', 'a few dozen flows of one seed', 'times')
    }
    const base = meansUs(usual)
    return ours(
      name,
      meansUs(value).map((us, i) => us / base[i]!),
      'times',
      'seed by seed, the same arrivals',
    )
  })
}

/** Of each seed. */
function criticalMeansUs(seeds: readonly Result[]): number[] {
  return seeds.map((result) => latenciesOf(result).criticalMeanUs)
}

function criticalCurve(x: Curve['x'], runs: readonly (readonly Result[])[]): Curve {
  const values = runs.map(criticalMeansUs)
  return {
    ...{ name: 'critical, mean', x, y: values.map(mean) },
    half: values.map((draws) => meanInterval(draws).half),
  }
}

function settlingPlot(less: readonly Less[]): Plot {
  return {
    title: 'Victim: periods until rates settle',
    kind: 'bars',
    x: { label: 'ACCurate', unit: '' },
    y: { label: 'time', unit: 'RRPs' },
    curves: CHANGES.map((change) => {
      const bars = less
        .map(({ name, victim }) => ({ name, rrps: settledRrps(victim, change, offOf(name)) }))
        .filter(({ rrps }) => !Number.isNaN(rrps))
      return {
        name: change.atUs === 370 ? 'f4 joins' : 'f4 leaves',
        x: bars.map(({ name }) => name),
        y: bars.map(({ rrps }) => rrps),
      }
    }),
  }
}

function bladesPlot(less: readonly Less[]): Plot {
  const runs = less.map(({ blades }) => blades)
  const x = less.map(({ name }) => name)
  const tails = tailsOf(x, runs).slice(0, 1)
  return {
    title: `Two blades at load ${LOAD}: completion of critical flows`,
    kind: 'bars',
    x: { label: 'ACCurate', unit: '' },
    y: { label: tails.length > 0 ? 'time' : 'mean time', unit: 'us' },
    curves: [criticalCurve(x, runs), ...tails],
  }
}

/** Ten flows lie beyond a percentile of this many. */
const FLOWS_FOR_P99 = 1000

function tailsOf(x: Curve['x'], runs: readonly (readonly Result[])[]): Curve[] {
  const latencies: readonly Latencies[] = runs.map((seeds) => latenciesOf(...seeds))
  if (latencies.some(({ critical }) => critical < FLOWS_FOR_P99)) return []
  return [
    { name: 'critical, 99th', x, y: latencies.map(({ criticalP99Us }) => criticalP99Us) },
    { name: 'all, 99th', x, y: latencies.map(({ allP99Us }) => allP99Us) },
  ]
}

function sweepPlot(
  title: string,
  label: string,
  unit: string,
  x: readonly number[],
  results: readonly (readonly Result[])[],
): Plot {
  return {
    title,
    kind: 'lines',
    x: { label, unit, ...(x.every((at) => at > 0) && { scale: 'log' as const }) },
    y: { label: 'completion time', unit: 'us' },
    curves: [criticalCurve(x, results), ...tailsOf(x, results)],
  }
}

function overheadPlot(rrps: readonly number[], results: readonly (readonly Result[])[]): Plot {
  const parts = results.map((seeds) => seeds.map(({ summary }) => summary.controlFraction))
  return {
    title: 'Part of all bytes that is headers and FRPs, against the RRP',
    kind: 'lines',
    x: { label: 'RRP', unit: 'us', scale: 'log' },
    y: { label: 'control bytes', unit: 'fraction' },
    curves: [
      {
        ...{ name: 'ours', x: rrps, y: parts.map(mean) },
        ...(parts.every(({ length }) => length > 1) && {
          half: parts.map((draws) => meanInterval(draws).half),
        }),
      },
    ],
  }
}
