/**
 * Which reading of PACC's stability packets side with.
 *
 * PACC, section IV: the default gains (0.05, 0.1) are stable. Theory has three answers
 * (`pacc/fig5`): (16) is never stable; the positional form of Algorithm 1 is stable if senders keep
 * their target through a burst of CNPs, as the simulator does that the paper was built on, and not
 * if each CNP takes the target down, as Eq. 1 prints it; with beta2 = 0.3 it is stable either way.
 * Here are 2, 4 and 10 flows in packets (quick: 4): 25 Gb/s, one switch, 1 us a link, no flow
 * control. Steady:
 * the queue of the last third deviates by less than a tenth of its mean; the bound was chosen
 * before the runs. Each seed draws another phase of the switch's clock; quick: three, full: five.
 *
 * Changed after first results: the mean over phases was judged; now all of its 95% interval has to
 * be on one side, which two flows as Eq. 1 has them, 0.2 degrees from the edge, do not manage.
 */
import { analyse, fluidModelByName } from '@weir/theory'
import { validateSpec } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import type { Check, Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { drawn, seedsOf } from '../figure.ts'
import { deviationOf, later, meanOf, queueOf } from '../theory/bottleneck.ts'

const STEADY = 0.1
const LATE = 2 / 3
/** C T / 2 at 25 Gb/s. */
const REFERENCE_KB = 125

interface Case {
  readonly flows: number
  readonly beta2: number
  readonly preset: 'paper' | 'printed'
}

export const stability: Figure = {
  id: 'pacc/stability',
  title: "PACC's stability: what packets say of three readings",
  cite: 'Zhong et al. (PACC), section IV and Eq. 1',
  claim:
    'The paper says: the default gains are stable. In packets they are if senders keep their ' +
    'target through a burst of CNPs, as in the simulator that the paper was built on; as Eq. 1 ' +
    'is printed four flows swing by more than 80%.',
  reproduce,
  switches: [
    {
      name: 'the target that is kept',
      without: ({ scheme }) =>
        scheme.params['clampTarget'] === false ? ['scheme.params.clampTarget=true'] : [],
      breaks: ['default gains, target kept', '4 flows, beta2 0.1, target kept: deviation'],
    },
    {
      name: 'the gain of growth',
      without: ({ scheme }) => (scheme.params['beta2'] === 0.3 ? ['scheme.params.beta2=0'] : []),
      breaks: ['4 flows, beta2 0.3, as Eq. 1: deviation'],
    },
  ],
}

interface Row {
  readonly one: Case
  /** By seed. */
  readonly variations: readonly number[]
  readonly queuesKb: readonly number[]
  readonly isStable: boolean
  readonly margin: number
  readonly queue: readonly number[]
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const counts = isFull ? [2, 4, 10] : [4]
  const cases = counts.flatMap((flows) =>
    (['paper', 'printed'] as const).flatMap((preset) =>
      [0.1, 0.3].map((beta2): Case => ({ flows, beta2, preset })),
    ),
  )
  let done = 0
  const rows = await Promise.all(
    cases.map(async (one) => {
      const row = await rowOf(one, isFull ? 300 : 90, seedsOf(context), context)
      context.progress(++done / cases.length, name(one))
      return row
    }),
  )
  return {
    draws: `${seedsOf(context).length} phases of the clock`,
    checks: [
      claimCheck(rows),
      ...rows.map((row) => checkOf(row)),
      ...rows.filter(({ one }) => one.beta2 === 0.3).map((row) => referenceCheck(row)),
    ],
    plots: counts.map((flows) => ({
      title: `Queue of ${flows} flows, the last 20 ms, first seed`,
      kind: 'lines' as const,
      x: { label: 'time', unit: 'ms' },
      y: { label: 'queue', unit: 'KB' },
      curves: rows
        .filter(({ one }) => one.flows === flows)
        .map(({ one, queue }): Curve => ({
          name: `${one.preset === 'paper' ? 'target kept' : 'Eq. 1'}, beta2 ${one.beta2}`,
          x: queue.slice(-400).map((_, i) => i * 0.05),
          y: queue.slice(-400).map((bytes) => bytes / 1e3),
        }))
        .concat({
          name: 'Eq. 8: Q_th',
          x: [0, 20],
          y: [REFERENCE_KB, REFERENCE_KB],
          isExpected: true,
        }),
    })),
    notes: [
      'By (16) none of these would be stable, by its minus counted as phase all; packets side ' +
        'with the positional form.',
      'The queue at rest is not where the smooth form has it: below one CNP for each flow none ' +
        'is sent, so that it stands N / beta1 KB above the reference, not at it.',
    ],
  }
}

function specOf({ flows, beta2, preset }: Case, untilMs: number, seed: number): ValidSpec {
  return validateSpec({
    name: 'pacc-stability',
    topology: { kind: 'star', hosts: flows + 1, rate: '25Gbps', delay: '1us' },
    fabric: { flowControl: 'none', buffer: '1GB' },
    workload: [
      {
        flows: Array.from({ length: flows }, (_, i) => ({
          name: `f${i}`,
          from: `h${i + 1}`,
          to: 'h0',
        })),
      },
    ],
    scheme: { name: 'pacc', preset, params: { beta2 } },
    run: { until: `${untilMs}ms`, seed },
    metrics: { interval: '50us', series: ['queue.switch->h0.*'] },
  })
}

async function rowOf(
  one: Case,
  untilMs: number,
  seeds: readonly number[],
  { simulate }: Pick<FigureContext, 'simulate'>,
): Promise<Row> {
  const queues = await Promise.all(
    seeds.map(async (seed) => queueOf(await simulate(specOf(one, untilMs, seed))).values),
  )
  const lates = queues.map((queue) => later(queue, LATE))
  const variations = lates.map((late) => deviationOf(late) / meanOf(late))
  const model = fluidModelByName('pacc')!
  const network = { rateBps: 25e9, flows: one.flows, delayPs: 4e6, packetBytes: 1048 }
  const { stability: judged } = analyse(model, network, {
    ...model.defaults,
    beta2: one.beta2,
    clampTarget: one.preset === 'printed',
  })
  return {
    one,
    variations,
    queuesKb: lates.map((late) => meanOf(late) / 1e3),
    isStable: judged!.isStable,
    margin: judged!.margins.phaseDegrees,
    queue: queues[0]!,
  }
}

function claimCheck(rows: readonly Row[]): Check {
  const chosen = rows.filter(({ one }) => one.beta2 === 0.1 && one.preset === 'paper')
  return drawn(
    'default gains, target kept: deviation of the queue over its mean, at most',
    'stable with (0.05, 0.1): below a tenth',
    chosen[0]!.variations.map((_, i) => Math.max(...chosen.map((row) => row.variations[i]!))),
    [0, STEADY],
    '',
    'as Eq. 1 prints it, with the target taken down, it is not: see below',
  )
}

function checkOf({ one, variations, queuesKb, isStable, margin }: Row): Check {
  return drawn(
    `${name(one)}: deviation over mean`,
    `theory, positional form: ${isStable ? 'stable' : 'not stable'}, margin ` +
      `${margin.toFixed(1)} degrees`,
    variations,
    isStable ? [0, STEADY] : [STEADY, Infinity],
    '',
    `mean queue ${meanOf(queuesKb).toFixed(0)} KB; ${spread(variations)}` +
      (Math.abs(margin) < 1 ? '; within a degree of the edge' : ''),
  )
}

function spread(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return values.length === 1
    ? 'one phase'
    : `${low.toFixed(3)} to ${high.toFixed(3)} over ${values.length} phases of the clock`
}

function referenceCheck({ one, queuesKb }: Row): Check {
  const edge = REFERENCE_KB + one.flows / 0.05
  return drawn(
    `${name(one)}: mean queue`,
    'at rest Q = Q_th, 125 KB (Eq. 8; a tenth)',
    queuesKb,
    [0.9 * REFERENCE_KB, 1.1 * REFERENCE_KB],
    'KB',
    `rounded down, no CNP is sent below Q_th + N / beta1 = ${edge} KB: it stands there`,
  )
}

function name({ flows, beta2, preset }: Case): string {
  return `${flows} flows, beta2 ${beta2}, ${preset === 'paper' ? 'target kept' : 'as Eq. 1'}`
}
