/**
 * QCN: N flows against its set point.
 *
 * M. Alizadeh et al., "Data Center Transport Mechanisms", Allerton 2008 (reference 5 of ACCurate),
 * and IEEE 802.1Qau: a switch measures how far a queue is from Q_eq and how fast it grows, so that
 * the queue stands at Q_eq, 33 KB at 10 Gb/s, with the link full, whatever the number of flows. In
 * words only, and not verified in the paper.
 *
 * Ours: a dumbbell of 10 Gb/s; the queue stands there, a twentieth higher with 16 flows and an
 * eighth with 64. Changed after first results: a single flow was among the numbers, whose queue is
 * 0.03 of the set point since nothing contends with it. 'At' was within 20%, which every number of
 * flows met though the queue grows with them; it is within 10% now, set with results in sight;
 * the page says so, where 'within 10%' stood as if it were published.
 */
import { mean, meanInterval } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { drawn, drawsOf, seedsOf } from '../figure.ts'
import type { Figure, FigureContext, FigureResult } from '../figure.ts'

const SET_POINT_KB = 33

export const qcnSetPoint: Figure = {
  id: 'lecture/qcn-set-point',
  title: 'QCN: N flows against the set point',
  cite: 'Alizadeh et al., Allerton 2008; IEEE 802.1Qau; ACCurate, section VI',
  claim: 'The queue stands at Q_eq, with the link full, whatever the number of flows.',
  claimant: 'The papers',
  headline: 'mean queue over Q_eq, 16',
  reproduce,
  switches: [
    {
      name: 'QCN',
      without: () => ['scheme={name: none}'],
      breaks: ['mean queue over Q_eq'],
    },
    {
      name: 'the set point',
      without: () => ['scheme.params.setPoint=100KB'],
      breaks: ['mean queue over Q_eq'],
    },
    {
      name: 'the way back up',
      without: () => ['scheme.params.timer=10s', 'scheme.params.byteCounter=1TB'],
      breaks: ['share of the link'],
    },
  ],
}

interface Row {
  readonly queueKb: number
  readonly used: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  // One alone has a link as fast as the one that it goes to, and never queues there.
  const counts = isFull ? [2, 4, 8, 16, 32, 64] : [2, 16]
  const seeds = seedsOf(context)
  const untilMs = isFull ? 400 : 60
  let done = 0
  const rows = await Promise.all(
    counts.map((count) =>
      Promise.all(
        seeds.map(async (seed) => {
          const row = rowOf(await context.simulate(specOf(count, untilMs, seed)))
          context.progress(++done / (counts.length * seeds.length), `${count} flows`)
          return row
        }),
      ),
    ),
  )
  const queues = rows.map((draws) => draws.map(({ queueKb }) => queueKb))
  const shares = rows.map((draws) => draws.map(({ used }) => used))
  return {
    checks: counts.flatMap((count, i) => [
      drawn(
        `mean queue over Q_eq, ${count} flows`,
        'in words: the queue settles at the set point',
        queues[i]!.map((kb) => kb / SET_POINT_KB),
        [0.9, 1.1],
        'times',
        'a message slows one flow, and all increase until the next: the more flows, the higher ' +
          'the queue',
      ),
      drawn(
        `share of the link, ${count} flows`,
        'the link is full',
        shares[i]!,
        [0.95, 1.01],
        '',
        mean(shares[i]!) > 0.99
          ? ''
          : 'a flow that was cut deeply recovers by its timer, in tens of milliseconds',
      ),
    ]),
    plots: [
      {
        title: 'Mean queue against the number of flows',
        kind: 'lines',
        x: { label: 'flows', unit: '', scale: 'log' },
        y: { label: 'queue', unit: 'KB' },
        curves: [
          {
            name: 'QCN',
            x: counts,
            y: queues.map(mean),
            half: queues.map((draws) => meanInterval(draws).half),
          },
          {
            name: 'Q_eq, expected',
            ...{ x: counts, y: counts.map(() => SET_POINT_KB), isExpected: true },
          },
        ],
      },
    ],
    draws: drawsOf(seeds),
    notes: notesOf(untilMs),
  }
}

function notesOf(untilMs: number): string[] {
  return [
    `The later half of ${untilMs} ms. Dotted: Q_eq, a setting, 22 packets of 1,500 B, at which ` +
      'the queue is to stand.',
    'The papers (Allerton 2008, IEEE 802.1Qau) were not at hand: what is published is in words, ' +
      'and not verified. How near is "at" the set point, 10%, is ours, set with results in sight ' +
      '(20% before); so are the 95% of a full link.',
  ]
}

function specOf(count: number, untilMs: number, seed: number): ValidSpec {
  return validateSpec({
    name: 'qcn-set-point',
    seed,
    topology: {
      kind: 'dumbbell',
      left: count,
      right: count,
      rate: '10Gbps',
      bottleneckRate: '10Gbps',
      delay: '1us',
    },
    fabric: { buffer: '12MB', flowControl: 'pfc' },
    workload: [
      {
        flows: Array.from({ length: count }, (_, i) => ({
          name: `f${i}`,
          from: `l${i}`,
          to: `r${i}`,
          start: `${i * 10}us`,
        })),
      },
    ],
    scheme: { name: 'qcn', params: { setPoint: `${SET_POINT_KB}KB` } },
    run: { until: `${untilMs}ms` },
    metrics: { interval: '50us', series: ['queue.left->right.*', 'utilisation.left->right'] },
  })
}

function rowOf({ series }: Result): Row {
  const later = (prefix: string): number =>
    series
      .filter(({ name }) => name.startsWith(prefix))
      .reduce((sum, { values }) => sum + mean(values.slice(Math.floor(values.length / 2))), 0)
  return { queueKb: later('queue.') / 1e3, used: later('utilisation.') }
}
