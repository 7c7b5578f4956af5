/**
 * What the headroom buys and costs: completion times of short flows and throughput of long ones
 * against the part of each link that computed rates leave free.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 5.2, Fig. 17: 5% of headroom takes 21.9% off the
 * 99th percentile of short flows at a flow each microsecond, and less than 3% off the mean
 * throughput of long ones. The runs are those of Figs. 10 to 14 with another headroom.
 *
 * Changed after first results: long flows are counted over all seeds together, being few in each.
 */
import { drawn, inRange, needsFull, ours, seedsOf } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { CITE } from './cite.ts'
import { meanOf, percentile, pooled, R2C2, rackRuns } from './rack-runs.ts'
import type { Contender, RackRun } from './rack-runs.ts'

const FULL = { tauUs: 1, flows: 40_000 }
const QUICK = { tauUs: 1, flows: 1500 }

export const fig17: Figure = {
  id: 'r2c2/fig17',
  title: 'What the headroom buys and costs',
  cite: `${CITE}, section 5.2, Fig. 17`,
  claim:
    'At a flow each microsecond 5% of headroom takes 21.9% off the completion times of short ' +
    'flows at the 99th percentile, and less than 3% off the mean throughput of long ones.',
  switches: [
    {
      name: 'the bound on it (nine tenths of each link stay free)',
      without: ({ scheme }) =>
        scheme.params['headroom'] === 0.05 ? ['scheme.params.headroom=0.9'] : [],
      breaks: ['long flows'],
    },
  ],
  reproduce,
}

function withHeadroom(headroom: number): Contender {
  return {
    ...R2C2,
    name: `${100 * headroom}%`,
    scheme: { name: 'r2c2', preset: 'paper', params: { headroom } },
  }
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const seeds = seedsOf(context, 3)
  const headrooms = isFull ? [0, 0.05, 0.1, 0.2] : [0, 0.05]
  context.progress(0, `${headrooms.length} headrooms`)
  const load = isFull ? FULL : QUICK
  const runs = await rackRuns(context, load, headrooms.map(withHeadroom), seeds)
  const overNone = (of: (run: RackRun) => number, i: number): number[] =>
    runs[i]!.map((run, seed) => of(run) / of(runs[0]![seed]!))
  const tail = ({ shortFctUs }: RackRun): number => percentile(shortFctUs, 0.99)
  const long = ({ longGbps }: RackRun): number => meanOf(longGbps)
  const less = (ratios: readonly number[]): number[] => ratios.map((ratio) => 100 * (1 - ratio))
  return {
    checks: [
      isFull
        ? drawn(SHORT, 21.9, less(overNone(tail, 1)), [16, 28], '%', WHY)
        : needsFull(SHORT, 21.9, 'few flows are above 1 MB here, and fewer of them rho old', '%'),
      inRange(LONG, 'less than 3 %', lessOfAll(runs[1]!, runs[0]!), [-1, 3], '%', 'Of all seeds.'),
      ...headrooms
        .slice(2)
        .flatMap((headroom, i): Check[] => [
          ours(
            `short flows: 99th percentile less with ${100 * headroom}%`,
            less(overNone(tail, i + 2)),
            '%',
          ),
          ours(
            `mean throughput of long flows less with ${100 * headroom}%`,
            less(overNone(long, i + 2)),
            '%',
          ),
        ]),
    ],
    plots: [
      {
        title: 'Fig. 17: with a headroom, over without',
        kind: 'lines',
        x: { label: 'headroom', unit: '%' },
        y: { label: 'over no headroom', unit: 'ratio', isMagnified: true },
        curves: [
          curveOf('FCT of short flows, 99th percentile', headrooms, (i) => overNone(tail, i)),
          curveOf('mean throughput of long flows', headrooms, (i) => overNone(long, i)),
          { name: 'FCT of short flows (text)', x: [5], y: [0.781], isPublished: true },
          {
            name: 'mean throughput of long flows (text: above)',
            ...{ x: [5], y: [0.97], isPublished: true },
          },
        ],
      },
    ],
    draws: `${seeds.length} seeds`,
    notes: [
      `Runs of ${load.flows} flows, one each ${load.tauUs} us at 512 nodes.`,
      'Headroom is in the computed rates alone, and a flow has one when it is rho old: of flows ' +
        'that end before, it says nothing.',
    ],
  }
}

const SHORT = 'short flows: 99th percentile less with 5%'
const LONG = 'long flows: mean throughput less with 5%'
const WHY =
  'How many flows are rho old follows the length of the run: 29% (102 to 72 us) and 0.5% of long ' +
  "flows' throughput with one seed of 20,000 flows."

/** Long flows are few: those of all seeds together. */
function lessOfAll(runs: readonly RackRun[], none: readonly RackRun[]): number {
  return 100 * (1 - meanOf(pooled(runs, 'longGbps')) / meanOf(pooled(none, 'longGbps')))
}

function curveOf(
  name: string,
  headrooms: readonly number[],
  ratios: (i: number) => readonly number[],
): Curve {
  return {
    name,
    x: headrooms.map((headroom) => 100 * headroom),
    y: headrooms.map((_, i) => meanOf(ratios(i))),
  }
}
