/**
 * The cost of computing all rates of a rack of 512 nodes once, against the interval rho between two
 * computations; flows arrive every microsecond on average.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 5.1, Fig. 8: overhead is the time of a computation
 * over rho, on one core of a 2.4 GHz Xeon E5-2665. Its 'same workload' of 10 MB flows offers
 * sixteen times what the rack carries, so the numbers must be of the Pareto flows of section 5.2;
 * both are run. Times are this machine's and differ from run to run: they are measured in
 * `--full` only, and each computation counts with the least of its passes, since the work is the
 * same and whatever else the machine does is not. That they beat a processor of 2012 is no evidence
 * for the paper, only that a node could do it. What one flow that comes or goes costs, exactly and
 * within a tolerance, is in `fig8-events.ts`.
 *
 * Changed after first results: times were those of one pass, which on busy cores were up to three
 * times as long; 2,500 computations at each interval, which are longer times at longer intervals
 * and so more of the tail's flows; the number of flows considered was in the notes only.
 */
import { mean, nearestRank, sortedValues } from '@weir/metrics'
import { holds, inRange, needsFull, ours } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE } from './cite.ts'
import { countedEvents, eventChecks, eventPlots } from './fig8-events.ts'
import { traceOf } from './rate-trace.ts'
import type { Trace, TraceOptions } from './rate-trace.ts'

const WARM_UP_TICKS = 10_000
const PASSES = 3
/** Simulated time: ten computations are beyond the 99th percentile at the longest interval. */
const FULL_US = 1.25e6
const QUICK_US = 60e3
const RHOS_US = [100, 200, 300, 500, 700, 1000]

/** Section 5.1, the Xeon: overhead in per cent of rho. */
const PUBLISHED: readonly { rhoUs: number; median: number; p99: number }[] = [
  { rhoUs: 100, median: 17.6, p99: 73.9 },
  { rhoUs: 500, median: 1.7, p99: 7.9 },
]

export const fig8: Figure = {
  id: 'r2c2/fig8',
  title: 'Cost of one rate computation against the recomputation interval',
  cite: `${CITE}, section 5.1, Fig. 8`,
  claim:
    'With 500 us from one computation of all rates to the next (rho) it takes 1.7% of that time ' +
    'in the median and 7.9% at the 99th percentile, with 100 us 17.6% and 73.9%, on one core of ' +
    'a Xeon.',
  reproduce: (context) => reproduce(context, false),
  switches: [
    {
      name: 'the interval that flows must outlast',
      reproduce: (context) => reproduce(context, true),
      breaks: ['flows that a computation considers'],
    },
  ],
}

interface Timed {
  readonly rhoUs: number
  readonly trace: Trace
}

const RACK = { sizes: [8, 8, 8], interarrivalUs: 1 }

/** One trace per interval, all over the same time. */
async function tracesOf(
  context: FigureContext,
  options: Pick<TraceOptions, 'isImpatient' | 'clockMs'>,
): Promise<readonly Timed[]> {
  const isFull = context.size === 'full'
  // A node computes for ever: what the compiler does in its first second is not of interest.
  if (isFull) traceOf({ ...RACK, rhoUs: 200, flows: 'pareto', ticks: WARM_UP_TICKS, seed: 2 })
  const rhos = RHOS_US
  const timed: Timed[] = []
  for (const [i, rhoUs] of rhos.entries()) {
    context.progress(i / (rhos.length + 1), `rho of ${rhoUs} us`)
    const ticks = (isFull ? FULL_US : QUICK_US) / rhoUs
    const trace = leastOf(isFull ? PASSES : 1, () =>
      traceOf({ ...RACK, rhoUs, flows: 'pareto', ticks, seed: 1, ...options }),
    )
    timed.push({ rhoUs, trace })
    await Promise.resolve()
  }
  return timed
}

async function reproduce(context: FigureContext, isImpatient: boolean): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const clock: Pick<TraceOptions, 'clockMs'> = isFull ? { clockMs: () => performance.now() } : {}
  const timed = await tracesOf(context, { isImpatient, ...clock })
  const flood = traceOf({
    ...RACK,
    rhoUs: 500,
    flows: isFull ? 1000 : 200,
    ticks: isFull ? 120 : 40,
    seed: 1,
    ...clock,
  })
  const events = await countedEvents(context, clock.clockMs)
  return {
    checks: [
      ...PUBLISHED.flatMap((row) => timeChecks(row, isFull ? timed : undefined)),
      consideredCheck(timed),
      ...timed.filter(({ rhoUs }) => isFull || rhoUs === 100 || rhoUs === 500).map(workCheck),
      sameCheck([...timed.map(({ trace }) => trace), flood]),
      ...eventChecks(events),
    ],
    plots: [
      ...(isFull ? [overheadPlot(timed)] : []),
      consideredPlot(timed, isFull),
      ...eventPlots(events),
    ],
    draws: 'one seed',
    notes: [
      `Flows that a computation considers, median and most: ${timed
        .map(
          ({ rhoUs, trace }) =>
            `${middle(trace.flows)} and ${Math.max(...trace.flows)} at ${rhoUs} us`,
        )
        .join(
          ', ',
        )}; with 10 MB flows ${middle(flood.flows)} and ${Math.max(...flood.flows)} at 500 us.`,
      isFull
        ? 'With 1,000 flows of 10 MB at rho = 500 us a full computation takes ' +
          `${us(flood.fullUs)} us, an incremental one ${us(flood.incrementalUs)} us (median and ` +
          '99th percentile): in most intervals few flows end, but where one does, two in five of ' +
          'all rates change. No computation of so many flows takes 8.5 us.'
        : 'Fig. 8 itself, times over rho, is drawn with --full: times are measured there only.',
    ],
  }
}

/** The same trace so many times, each computation with the least of its times. */
function leastOf(passes: number, pass: () => Trace): Trace {
  const traces = Array.from({ length: passes }, pass)
  const least = (column: 'fullUs' | 'incrementalUs'): number[] =>
    traces[0]![column].map((_, i) => Math.min(...traces.map((trace) => trace[column][i]!)))
  return { ...traces[0]!, fullUs: least('fullUs'), incrementalUs: least('incrementalUs') }
}

/**
 * The reason that section 5.1 gives for its curve. Its times fall 2.1-fold. Flows that come and end
 * between two computations are missed by any design, which is 1.04 to 1.06 of the fall.
 */
function consideredCheck(timed: readonly Timed[]): Check {
  const at = (rhoUs: number): number => mean(timed.find((one) => one.rhoUs === rhoUs)!.trace.flows)
  return inRange(
    'flows that a computation considers, rho = 100 us over 500 us, mean',
    'the longer the interval, the lower the number of flows considered',
    at(100) / at(500),
    [1.2, 2.5],
    'times',
    timed.map(({ rhoUs }) => `${at(rhoUs).toFixed(1)} at ${rhoUs} us`).join(', '),
  )
}

function timeChecks(
  { rhoUs, median, p99 }: (typeof PUBLISHED)[number],
  timed: readonly Timed[] | undefined,
): Check[] {
  const trace = timed?.find((item) => item.rhoUs === rhoUs)?.trace
  const rows = [
    ['full', 'median', trace?.fullUs, 0.5, median],
    ['full', '99th percentile', trace?.fullUs, 0.99, p99],
    ['incremental', 'median', trace?.incrementalUs, 0.5, median],
    ['incremental', '99th percentile', trace?.incrementalUs, 0.99, p99],
  ] as const
  return rows.map(([kind, of, values, fraction, published]) => {
    const name = `${kind} computation at rho = ${rhoUs} us, ${of}`
    const claim = `${published}% on the Xeon; to be beaten`
    if (values === undefined)
      return needsFull(name, claim, 'times are measured in the full size only')
    const measured = (100 * percentile(values, fraction)) / rhoUs
    return holds(
      name,
      claim,
      measured,
      measured < published,
      '% of rho',
      `${((measured * rhoUs) / 100).toFixed(1)} us against ` +
        `${((published * rhoUs) / 100).toFixed(1)}.`,
    )
  })
}

/** What the incremental computation does, in flows filled: the same on every machine. */
function workCheck({ rhoUs, trace }: Timed): Check {
  const filled = trace.filled.reduce((sum, count) => sum + count, 0)
  const flows = trace.flows.reduce((sum, count) => sum + count, 0)
  const events = trace.events.reduce((sum, count) => sum + count, 0)
  return ours(
    `flows filled by incremental computations over those by full ones, rho = ${rhoUs} us`,
    filled / flows,
    'times',
    `${(events / trace.events.length).toFixed(1)} flows come or go per computation.`,
  )
}

function sameCheck(traces: readonly Trace[]): Check {
  const worst = Math.max(...traces.map(({ disagreement }) => disagreement))
  return ours('largest relative difference between incremental and full rates', worst, '')
}

function overheadPlot(timed: readonly Timed[]): FigureResult['plots'][number] {
  const curve = (name: string, column: 'fullUs' | 'incrementalUs', fraction: number) => ({
    name,
    x: timed.map(({ rhoUs }) => rhoUs),
    y: timed.map(({ rhoUs, trace }) => (100 * percentile(trace[column], fraction)) / rhoUs),
  })
  return {
    title: 'Fig. 8: time of a computation over rho',
    kind: 'lines',
    x: { label: 'rho, time between computations', unit: 'us' },
    y: { label: 'time of a computation', unit: '% of rho', scale: 'log' },
    curves: [
      curve('full, 99th percentile', 'fullUs', 0.99),
      curve('full, median', 'fullUs', 0.5),
      curve('incremental, 99th percentile', 'incrementalUs', 0.99),
      curve('incremental, median', 'incrementalUs', 0.5),
      published('Xeon, 99th percentile (text)', ({ p99 }) => p99),
      published('Xeon, median (text)', ({ median }) => median),
    ],
  }
}

/** The reason for Fig. 8's curve, which is the same on every machine. */
function consideredPlot(timed: readonly Timed[], isFull: boolean): FigureResult['plots'][number] {
  const curve = (name: string, of: (flows: readonly number[]) => number) => ({
    name,
    x: timed.map(({ rhoUs }) => rhoUs),
    y: timed.map(({ trace }) => of(trace.flows)),
  })
  return {
    title: 'Why: flows that a computation considers, those older than rho',
    kind: 'lines',
    x: { label: 'rho, time between computations', unit: 'us' },
    y: { label: 'flows in one computation', unit: 'flows' },
    curves: [
      // In the small size one computation or none is beyond it.
      ...(isFull ? [curve('99th percentile', (flows) => percentile(flows, 0.99))] : []),
      curve('mean', (flows) => mean(flows)),
    ],
  }
}

function published(name: string, value: (row: (typeof PUBLISHED)[number]) => number) {
  return {
    name,
    x: PUBLISHED.map(({ rhoUs }) => rhoUs),
    y: PUBLISHED.map(value),
    isPublished: true,
  }
}

function middle(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function us(values: readonly number[]): string {
  return `${middle(values).toFixed(0)} and ${percentile(values, 0.99).toFixed(0)}`
}

function percentile(values: readonly number[], fraction: number): number {
  return nearestRank(sortedValues(values), fraction)
}
