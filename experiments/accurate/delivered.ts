/**
 * A11 on what arrives: bytes delivered under ACCurate against the exact max-min rates of random
 * networks (`mixed-networks.ts`), with the NIC of section IV-B, one channel a flow. Limiters are
 * exact to the last digit in all of these; what receivers get is another matter:
 *
 *   - by the letter of IV-B (`hosts.burst: 0`, NST = T + S/R) a packet that a sibling delayed is
 *     never caught up, and flows of busy hosts stay below their rates;
 *   - with a packet of burst they get them, as long as buffers do not block;
 *   - in the inputs of 2.5 KB of section III, one FIFO each, a packet that waits for a busy output
 *     keeps back those behind it (head-of-line blocking): flows lose what rates cannot give back.
 *     With a queue for each output (VOQ) of the same 2.5 KB nothing is lost in these 200; of 300
 *     further networks (seeds 50,000 on) 4 lose more than 1%, for packets to slow outputs fill a
 *     fast input. With 5 KB none does.
 */
import { holds } from '../figure.ts'
import type { Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import type { Result } from '@weir/sim'
import { meanBetween, seriesOf } from './measures.ts'
import { mixedNetwork, ROOMY, SETTLED_PS, SHALLOW_FIFO, SHALLOW_VOQ } from './mixed-networks.ts'
import type { MixedNetwork } from './mixed-networks.ts'
import { wireFactor } from './variants.ts'

const WITHIN = 0.01

interface Setting {
  readonly name: string
  readonly settings: readonly string[]
}

const SETTINGS: readonly Setting[] = [
  { name: 'buffers that do not block', settings: ROOMY },
  { name: 'the same, NST by the letter', settings: [...ROOMY, 'hosts.burst=0'] },
  { name: 'inputs of 2.5 KB, one FIFO each', settings: SHALLOW_FIFO },
  { name: 'inputs of 2.5 KB, a queue for each output', settings: SHALLOW_VOQ },
]

/** What the flows of one network got, over max-min, less 1: negative is too little. */
export interface Delivered {
  readonly seed: number
  readonly errors: readonly number[]
  /** Of the limiters, in the same time. */
  readonly limitErrors: readonly number[]
}

export const delivered: Figure = {
  id: 'accurate/delivered',
  title: 'Delivered rates on random networks',
  cite: 'Karampelas et al. (ACCurate), sections I and IV-B; not a figure of the paper',
  claim: 'Flows get exact max-min fair rates, less alpha.',
  switches: [
    {
      name: 'the packet of burst',
      without: ({ fabric }) => (fabric.switch === 'shared-memory' ? ['hosts.burst=0'] : []),
      breaks: ['worst flow of'],
    },
    {
      name: 'a queue for each output',
      without: ({ fabric }) =>
        fabric.switch === 'input-buffered' ? ['fabric.buffer.inputQueue=fifo'] : [],
      breaks: ['worst flow with inputs of 2.5 KB, a queue'],
    },
  ],
  async reproduce(context: FigureContext): Promise<FigureResult> {
    const networks = context.size === 'full' ? 200 : 4
    let done = 0
    const all = await Promise.all(
      SETTINGS.map(({ settings }) =>
        Promise.all(
          Array.from({ length: networks }, async (_, seed) => {
            const one = mixedNetwork(seed, settings)
            const errors = deliveredOf(one, await context.simulate(one.spec))
            done++
            context.progress(done / networks / SETTINGS.length, `${done} networks`)
            return errors
          }),
        ),
      ),
    )
    const [roomy = [], letter = [], fifo = [], voq = []] = all
    return {
      checks: [
        holds(
          `worst flow of ${networks} networks, buffers that do not block`,
          'exact max-min fair rates (abstract)',
          100 * worst(roomy),
          worst(roomy) <= WITHIN,
          '% off max-min',
          `${offBy(roomy)}; limiters are within ${worstLimit(roomy).toExponential(0)}`,
        ),
        holds(
          'the same, NST = T + S/R by the letter',
          'exact max-min fair rates (abstract)',
          100 * worst(letter),
          worst(letter) <= WITHIN,
          '% off max-min',
          `${offBy(letter)}: time lost to a packet of a sibling is never made up`,
        ),
        holds(
          'worst flow with inputs of 2.5 KB, one FIFO each',
          '2.5 KB per input are enough (section I)',
          100 * worst(fifo),
          worst(fifo) <= WITHIN,
          '% off max-min',
          `${offBy(fifo)}: head-of-line blocking in the FIFO, see the next`,
        ),
        holds(
          'worst flow with inputs of 2.5 KB, a queue for each output',
          '2.5 KB per input are enough (section I)',
          100 * worst(voq),
          worst(voq) <= WITHIN,
          '% off max-min',
          offBy(voq),
        ),
      ],
      plots: [distribution(all)],
      draws: `${networks} random networks`,
      notes: [
        'NST: the time at which the NIC may send the next packet of a flow.',
        'Rates on the wire, from delivered bytes, over at least 400 packets of the slowest flow; ' +
          'one packet more or less is 0.25% of that.',
      ],
    }
  },
}

export function deliveredOf({ seed, flows, ratesBps }: MixedNetwork, result: Result): Delivered {
  const error = (name: string, factor: number, i: number): number =>
    (factor * meanBetween(seriesOf(result, name), SETTLED_PS, Infinity)) / (ratesBps[i] ?? NaN) - 1
  const factor = wireFactor(result.spec)
  return {
    seed,
    errors: flows.map((flow, i) => error(`rate.${flow}`, factor, i)),
    limitErrors: flows.map((flow, i) => error(`accurate.rate.${flow}`, 1, i)),
  }
}

const most = (errors: readonly number[]): number =>
  errors.reduce((max, error) => Math.max(max, Math.abs(error)), 0)

export function worst(all: readonly Delivered[]): number {
  return most(all.map(({ errors }) => most(errors)))
}

function worstLimit(all: readonly Delivered[]): number {
  return most(all.map(({ limitErrors }) => most(limitErrors)))
}

function mean(all: readonly Delivered[]): number {
  const errors = all.flatMap((one) => one.errors)
  return errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length
}

function offBy(all: readonly Delivered[]): string {
  const over = all.filter(({ errors }) => most(errors) > WITHIN).length
  const percent = (100 * mean(all)).toPrecision(2)
  return `mean ${percent}%; ${over} of ${all.length} networks have a flow off by more than 1%`
}

function distribution(all: readonly (readonly Delivered[])[]): Plot {
  return {
    title: 'How far delivered rates are from max-min: fraction of flows',
    kind: 'steps',
    x: { label: '|delivered / max-min - 1|', unit: 'fraction', scale: 'log' },
    y: { label: 'flows', unit: 'fraction' },
    curves: SETTINGS.map(({ name }, i) => {
      const errors = (all[i] ?? []).flatMap((one) => one.errors.map((error) => Math.abs(error)))
      const sorted = errors.map((error) => Math.max(error, 1e-6)).sort((a, b) => a - b)
      return { name, x: sorted, y: sorted.map((_, n) => (n + 1) / sorted.length) }
    }),
  }
}
