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
 * be on one side, which two flows as Eq. 1 has them, 0.2 degrees from the edge, do not manage. What
 * theory of ours says was judged, so that the swing as Eq. 1 prints it agreed: the paper calls the
 * default gains stable, and both ways of reading its senders are now held against that. Other gains
 * are ours.
 */
import { analyse, fluidModelByName } from '@weir/theory'
import { validateSpec } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import type { Check, Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { drawn, ours, seedsOf } from '../figure.ts'
import { deviationOf, later, meanOf, queueOf } from '../theory/bottleneck.ts'

const STEADY = 0.1
const DEFAULT_BETA2 = 0.1
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
    'The paper says: the default gains are stable. Here, in packets, they are if senders keep ' +
    'their target rate through a burst of CNPs, as in the simulator that the paper was built on; ' +
    'as Eq. 1 is printed the queue of four flows swings by most of its mean.',
  reproduce,
  switches: [
    {
      name: 'the target that is kept',
      without: ({ scheme }) =>
        scheme.params['clampTarget'] === false ? ['scheme.params.clampTarget=true'] : [],
      breaks: ['4 flows, beta2 0.1, target kept: deviation'],
    },
    {
      name: 'targets taken down by each CNP',
      without: ({ scheme }) =>
        scheme.params['clampTarget'] === true ? ['scheme.params.clampTarget=false'] : [],
      breaks: [],
      mends: ['4 flows, beta2 0.1, as Eq. 1: deviation'],
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
      ...rows.map(checkOf),
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
      "By the paper's loop (16) none of these would be stable, and by the same loop with " +
        'its minus counted as phase all of them; packets side with the form that follows ' +
        "Algorithm 1, 'positional' in the table (pacc/fig5).",
      'The queue at rest is not where the smooth form has it: CNPs are whole, and below one for ' +
        'each flow none is sent, so that it stands N / beta1 KB above the reference, not at it.',
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

/** The paper's claim is of its default gains; of others it says nothing. */
function checkOf(row: Row): Check {
  const { one, variations, queuesKb, isStable, margin } = row
  const theory =
    `theory, positional form: ${isStable ? 'stable' : 'not stable'}, margin ` +
    `${margin.toFixed(1)} degrees`
  const why = one.preset === 'printed' ? '; each CNP takes the target down' : ''
  const queue = `mean queue ${meanOf(queuesKb).toFixed(0)} KB`
  const note = `${theory}${why}; ${queue}; ${spread(variations)}`
  const title = `${name(one)}: deviation over mean`
  if (one.beta2 !== DEFAULT_BETA2) return ours(title, variations, '', note)
  return drawn(title, 'stable with (0.05, 0.1): below a tenth', variations, [0, STEADY], '', note)
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
    'at rest Q = Q_th, 125 KB (Eq. 8; within a tenth)',
    queuesKb,
    [0.9 * REFERENCE_KB, 1.1 * REFERENCE_KB],
    'KB',
    `rounded down, no CNP is sent below Q_th + N / beta1 = ${edge} KB: it stands there`,
  )
}

function name({ flows, beta2, preset }: Case): string {
  return `${flows} flows, beta2 ${beta2}, ${preset === 'paper' ? 'target kept' : 'as Eq. 1'}`
}
