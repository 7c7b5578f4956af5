/**
 * The cost of computing all rates of a rack of 512 nodes once, against the interval rho between two
 * computations; flows arrive every microsecond on average.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 5.1, Fig. 8: overhead is the time of a computation
 * over rho, on one core of a 2.4 GHz Xeon E5-2665. Its 'same workload' of 10 MB flows offers
 * sixteen times what the rack carries, so the numbers must be of the Pareto flows of section 5.2;
 * both are run. Times are this machine's and differ from run to run: they are measured in
 * `--full` only, where the machine should have nothing else to do. That they beat a processor of
 * 2012 is no evidence for the paper, only that a node could do it.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import { holds, needsFull, ours } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE } from './cite.ts'
import { traceOf } from './rate-trace.ts'
import type { Trace } from './rate-trace.ts'

const WARM_UP_TICKS = 10_000
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
    'At rho = 500 us computing takes 1.7% of the interval in the median and 7.9% at the 99th ' +
    'percentile, at 100 us 17.6% and 73.9%, on one Xeon core.',
  reproduce,
}

interface Timed {
  readonly rhoUs: number
  readonly trace: Trace
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const sizes = isFull ? [8, 8, 8] : [4, 4, 4]
  // As many flows per node as in 512 nodes.
  const interarrivalUs = isFull ? 1 : 8
  const rhos = isFull ? RHOS_US : [100, 500]
  const timed: Timed[] = []
  // A node computes for ever: what the compiler does in its first second is not of interest.
  if (isFull) {
    traceOf({ sizes, rhoUs: 200, interarrivalUs, flows: 'pareto', ticks: WARM_UP_TICKS, seed: 2 })
  }
  for (const [i, rhoUs] of rhos.entries()) {
    context.progress(i / (rhos.length + 1), `rho of ${rhoUs} us`)
    const trace = traceOf({
      sizes,
      rhoUs,
      interarrivalUs,
      flows: 'pareto',
      ticks: isFull ? 2500 : 120,
      seed: 1,
      ...(isFull && { clockMs: () => performance.now() }),
    })
    timed.push({ rhoUs, trace })
    await Promise.resolve()
  }
  const flood = traceOf({
    sizes,
    rhoUs: 500,
    interarrivalUs,
    flows: isFull ? 1000 : 40,
    ticks: isFull ? 120 : 40,
    seed: 1,
    ...(isFull && { clockMs: () => performance.now() }),
  })
  return {
    checks: [
      ...PUBLISHED.flatMap((row) => timeChecks(row, isFull ? timed : undefined)),
      ...timed.map(workCheck),
      sameCheck([...timed.map(({ trace }) => trace), flood]),
    ],
    plots: isFull ? [overheadPlot(timed)] : [],
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
        : 'Times are measured with --full.',
    ],
  }
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
    if (values === undefined) return needsFull(name, claim, 'times are of a whole rack, alone')
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
    'ratio',
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
    x: { label: 'rho', unit: 'us' },
    y: { label: 'overhead', unit: '%', scale: 'log' },
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
