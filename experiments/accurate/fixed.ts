/**
 * ACCurate, Figs. 3 and 4 with the arithmetic of the circuit of section IV (`hdl/`): contention
 * points that reckon with whole numbers of few bits, beside floating point. Rates are compared
 * stretch by stretch, as the sources' limiters have them and as bytes delivered: a limiter's
 * register alone could be right where flows get something else.
 *
 * The paper does not say that its simulations used the circuit's numbers; the bound of 1% is ours.
 * Bytes delivered are held to the paper's rates from 100 us after each change on, as in Fig. 4;
 * limiters are results of our own beside floating point.
 *
 * Changed: our own rates in floating point stood as if they were published, and the circuit agreed
 * with them. Then limiters were held to the paper's rates, and what arrives was not: now it is.
 * A stretch of Fig. 4 holds some 155 packets of the slowest flow: one more or less is 0.65%.
 *
 * 8 bits of rate, section V's size of an FRP's fields, were expected to miss 1%, for a step is 1.2%
 * of a third of the link. They do not: rounding down loses 0.75 of a step, 0.93%.
 */
import { scenarios } from '@weir/sim'
import type { Result } from '@weir/sim'
import { holds, ours, within } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { ALPHA, limitsSettledUs, rateIn, RRP_US, STRETCHES } from './fig4.ts'
import type { Stretch } from './fig4.ts'
import { GBPS, meanBetween, seriesOf, timesUs, US } from './measures.ts'
import { specOf, variantNamed } from './variants.ts'

/** Of the circuit as it is: hdl/README.md. */
const RATE_BITS = 12
const WITHIN = 0.01
/** Until limiters have settled (section III-B: two RRPs). */
const SETTLING_US = 2 * RRP_US
/** Until what was sent before a change has drained, as in Fig. 4. */
const DRAINED_US = 100

interface Case {
  readonly figure: string
  readonly scenario: string
  readonly stretches: readonly Stretch[]
  readonly settings: readonly string[]
}

function casesOf(size: FigureContext['size']): readonly Case[] {
  const untilUs = size === 'full' ? 10_000 : 2000
  const third = { f1: 10 / 3, f2: 10 / 3, f3: 10 / 3 }
  return [
    {
      figure: 'Fig. 3',
      scenario: 'parking-lot',
      stretches: [{ fromUs: 400, toUs: untilUs, rates: third }],
      settings: [`run.until=${untilUs}us`],
    },
    { figure: 'Fig. 4', scenario: 'victim', stretches: STRETCHES, settings: [] },
  ]
}

/** One flow in one stretch, with both arithmetics, Gb/s. */
interface Pair {
  readonly name: string
  readonly what: 'limiter' | 'delivered'
  /** As the document has it, less alpha. */
  readonly published: number
  readonly float: number
  readonly fixed: number
}

/** The circuit's number of bits; undefined: floating point. */
type RateBits = number | undefined

function runOf(context: FigureContext, one: Case, rateBits: RateBits): Promise<Result> {
  const text = scenarios.find(({ name }) => name === one.scenario)?.text ?? ''
  const fixed = ['scheme.params.arithmetic=fixed', `scheme.params.rateBits=${rateBits}`]
  const series = ['metrics.interval=2us', 'metrics.series=[rate.*, accurate.rate.*]']
  const settings = [...one.settings, ...series, ...(rateBits === undefined ? [] : fixed)]
  return context.simulate(specOf(text, variantNamed('ACCurate'), settings))
}

function limitIn(result: Result, flow: string, { fromUs, toUs }: Stretch): number {
  const series = seriesOf(result, `accurate.rate.${flow}`)
  return meanBetween(series, (fromUs + SETTLING_US) * US, toUs * US) / GBPS
}

function pairsOf({ figure, stretches }: Case, float: Result, fixed: Result): Pair[] {
  return stretches.flatMap((stretch) => {
    const { fromUs, toUs, rates } = stretch
    return Object.entries(rates).flatMap(([flow, rate]): Pair[] => {
      const name = `${figure}, ${flow} from ${fromUs} us`
      const published = rate * (1 - ALPHA)
      const limit = (result: Result): number => limitIn(result, flow, stretch)
      const got = (result: Result): number => rateIn(result, flow, fromUs + DRAINED_US, toUs)
      return [
        { name, what: 'limiter', published, float: limit(float), fixed: limit(fixed) },
        { name, what: 'delivered', published, float: got(float), fixed: got(fixed) },
      ]
    })
  })
}

const off = ({ float, fixed }: Pair): number => Math.abs(fixed / float - 1)
const mostOff = (pairs: readonly Pair[], what: Pair['what']): number =>
  Math.max(...pairs.filter((pair) => pair.what === what).map(off))

/** What arrives within 1% of the paper's rates; limiters beside floating point. */
function fixedChecks(pairs: readonly Pair[], rateBits: number): Check[] {
  return pairs.map((pair) => {
    const { name, what, published, float, fixed } = pair
    const about = `${what}: ${name}, ${rateBits} bits`
    const beside = `${float.toFixed(3)} in floating point, ${(100 * off(pair)).toFixed(2)}% away`
    return what === 'delivered'
      ? within(about, published, fixed, WITHIN, 'Gb/s', `once settled; ${beside}`)
      : ours(about, fixed, 'Gb/s', beside)
  })
}

function settlingChecks(fixed: Result): Check[] {
  return STRETCHES.slice(1).map((stretch) => {
    const rrps = limitsSettledUs(fixed, stretch) / RRP_US
    const name = `Fig. 4: max-min rates after the change at ${stretch.fromUs} us, rate limits`
    return holds(name, 'two RRPs', rrps, rrps <= 2, 'RRPs')
  })
}

interface Measured {
  /** Both figures, for each width. */
  readonly widths: readonly { readonly bits: number; readonly pairs: readonly Pair[] }[]
  /** Fig. 4 in floating point, and by the circuit as it is where that is among the widths. */
  readonly victim: { readonly float: Result; readonly circuit: Result | undefined }
}

async function measured(context: FigureContext, widths: readonly number[]): Promise<Measured> {
  const cases = casesOf(context.size)
  const runs = await Promise.all(
    [undefined, ...widths].map((bits) =>
      Promise.all(cases.map((one) => runOf(context, one, bits))),
    ),
  )
  const [floats = [], ...circuits] = runs
  const pairsAt = (results: readonly Result[]): Pair[] =>
    cases.flatMap((one, i) => pairsOf(one, floats[i]!, results[i]!))
  return {
    widths: widths.map((bits, i) => ({ bits, pairs: pairsAt(circuits[i]!) })),
    victim: { float: floats[1]!, circuit: circuits[widths.indexOf(RATE_BITS)]?.[1] },
  }
}

export const fixed: Figure = {
  id: 'accurate/fixed',
  title: 'Figs. 3 and 4 in fixed point',
  cite: 'Karampelas et al. (ACCurate), sections III-A, III-B and IV, Figs. 3 and 4',
  claim: "Does the circuit's arithmetic, with 12 bits per rate, give the rates of Figs. 3 and 4?",
  claimant: 'Our question',
  switches: [
    {
      name: 'seven of the twelve bits',
      without: ({ scheme }) =>
        scheme.params['rateBits'] === RATE_BITS ? ['scheme.params.rateBits=5'] : [],
      breaks: ['delivered', 'Fig. 4: max-min rates'],
    },
  ],
  async reproduce(context: FigureContext): Promise<FigureResult> {
    const few = [6, 8, 9, 10, RATE_BITS]
    const { widths, victim } = await measured(
      context,
      context.size === 'full' ? [...few, 7, 11, 14, 16].sort((a, b) => a - b) : few,
    )
    context.progress(1, 'parking lot and victim')
    const own = widths.find(({ bits }) => bits === RATE_BITS)?.pairs ?? []
    const { float, circuit } = victim
    if (circuit === undefined) throw new Error('the circuit as it is was not run')
    return {
      checks: [...fixedChecks(own, RATE_BITS), ...settlingChecks(circuit)],
      plots: [byWidth(widths), overTime(float, circuit)],
      draws: 'nothing random',
      notes: [
        'Largest difference from floating point, limiters and delivered: ' +
          widths.map(({ bits, pairs }) => `${bits} bits ${shares(pairs)}`).join('; ') +
          '. A packet more or less in a stretch of Fig. 4 is 0.65% of its slowest flow.',
        'With 8 bits a third of 95% of the link is 80.75 of 255 steps and counts as 80, 0.93% ' +
          'less. On random networks they are 1.7% off in the mean (hdl/REPORT.md).',
      ],
    }
  },
}

function shares(pairs: readonly Pair[]): string {
  const percents = (['limiter', 'delivered'] as const).map((what) => 100 * mostOff(pairs, what))
  return percents.map((percent) => `${percent.toFixed(2)}%`).join(' and ')
}

function byWidth(widths: Measured['widths']): Plot {
  const x = widths.map(({ bits }) => bits)
  const curve = (what: Pair['what']): Curve => ({
    name: what,
    x,
    y: widths.map(({ pairs }) => 100 * mostOff(pairs, what)),
  })
  return {
    title: 'Largest difference of a rate from floating point',
    kind: 'lines',
    x: { label: 'bits of a rate', unit: '' },
    y: { label: 'difference', unit: '%', scale: 'log' },
    curves: [
      curve('limiter'),
      curve('delivered'),
      {
        name: 'our bound, 1%',
        ...{ x: [x[0] ?? 0, x.at(-1) ?? 0], y: [1, 1], isExpected: true },
      },
    ],
  }
}

function overTime(float: Result, circuit: Result): Plot {
  const curves = (name: string, result: Result): Curve[] =>
    ['f1', 'f2'].map((flow) => {
      const series = seriesOf(result, `accurate.rate.${flow}`)
      const y = series.values.map((value) => value / GBPS)
      return { name: `${flow}, ${name}`, x: timesUs(series), y }
    })
  return {
    title: `Fig. 4: rate limits with ${RATE_BITS} bits and in floating point`,
    kind: 'steps',
    x: { label: 'time', unit: 'us' },
    y: { label: 'rate', unit: 'Gb/s' },
    curves: [...curves('circuit', circuit), ...curves('floating point', float)],
  }
}
