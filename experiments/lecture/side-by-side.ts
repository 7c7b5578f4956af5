/**
 * DCTCP, TIMELY and DCQCN on one fabric, side by side.
 *
 * Document B ends with it as a project: 'Compare DCTCP, TIMELY, DCQCN (modeling + evaluation)', and
 * points to Y. Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", CoNEXT
 * 2016, which finds that DCQCN has one fixed point, with equal rates, while TIMELY has no unique
 * one and can end up with any; and that a marked queue is bounded where a delay-based one need not
 * be. The fluid models follow with document E; here everything is simulated.
 *
 * One switch, 10 Gb/s, lossless; eight long flows to one host, which begin 100 us apart; then, on
 * the same fabric, sixteen messages of 256 KB to one host at once. PFC alone stands beside them.
 * DCTCP runs on its own transport (TCP), the others on RoCE's.
 */
import { jain, mean } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { holds } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'

const SCHEMES = ['dctcp', 'timely', 'dcqcn', 'none'] as const
const NAMES = ['DCTCP', 'TIMELY', 'DCQCN', 'PFC alone']
const FLOWS = 8
const BURST = 16
const RATE_BPS = 10e9

export const sideBySide: Figure = {
  id: 'lecture/side-by-side',
  title: 'DCTCP, TIMELY and DCQCN on one fabric',
  cite: 'document B, "Potential Project/Thesis/Survey Topics"; CoNEXT 2016',
  claim: 'All three fill the link with a short queue; DCQCN shares fairly, TIMELY need not.',
  reproduce,
}

interface Row {
  readonly used: number
  readonly fairness: number
  readonly queueKb: number
  readonly burstMs: number
  readonly pauses: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const untilMs = context.size === 'full' ? 500 : 100
  const runs = SCHEMES.flatMap((scheme) => [longFlows(scheme, untilMs), burst(scheme)])
  const results = await Promise.all(runs.map((spec) => context.simulate(spec)))
  context.progress(1, 'all runs')
  const rows = SCHEMES.map((_, i) => rowOf(results[2 * i]!, results[2 * i + 1]!))
  const bars = (title: string, unit: string, pick: (row: Row) => number): object => ({
    title,
    kind: 'bars',
    x: { label: 'scheme', unit: '' },
    y: { label: title.toLowerCase(), unit },
    curves: [{ name: title, x: NAMES, y: rows.map(pick) }],
  })
  return {
    checks: checksOf(rows),
    plots: [
      bars('Share of the link', '', (row) => row.used),
      bars("Jain's index", '', (row) => row.fairness),
      bars('Mean queue', 'KB', (row) => row.queueKb),
      bars('Time for the burst', 'ms', (row) => row.burstMs),
    ] as FigureResult['plots'],
    notes: [
      'Long flows are judged over the later half of the run; TIMELY needs tens of milliseconds to ' +
        'come up again after the start, at 10 Mb/s a step.',
      `The ideal time for the burst is ${((BURST * 256e3 * 8) / RATE_BPS / 1e-3).toFixed(2)} ms ` +
        'without headers.',
    ],
  }
}

function checksOf(rows: readonly Row[]): Check[] {
  const [dctcp, timely, dcqcn, none] = rows as [Row, Row, Row, Row]
  return [
    ...[dctcp, timely, dcqcn].flatMap((row, i) => [
      holds(
        `${NAMES[i]!}: share of the link`,
        'high link utilization',
        row.used,
        row.used > 0.85,
        '',
      ),
      holds(
        `${NAMES[i]!}: mean queue over that of PFC alone`,
        'a short queue',
        row.queueKb / none.queueKb,
        row.queueKb < 0.25 * none.queueKb,
        '',
        `${row.queueKb.toFixed(1)} KB against ${none.queueKb.toFixed(1)} KB`,
      ),
    ]),
    holds(
      "Jain's index of DCQCN",
      'one fixed point, with equal rates',
      dcqcn.fairness,
      dcqcn.fairness > 0.95,
      '',
    ),
    holds(
      "Jain's index of DCQCN less that of TIMELY",
      'TIMELY has no unique fixed point and may be unfair',
      dcqcn.fairness - timely.fairness,
      dcqcn.fairness > timely.fairness,
      '',
      `TIMELY: ${timely.fairness.toFixed(3)}`,
    ),
    holds(
      'PAUSE frames of the three together over those of PFC alone',
      'congestion control keeps PFC from firing',
      (dctcp.pauses + timely.pauses + dcqcn.pauses) / none.pauses,
      dctcp.pauses + timely.pauses + dcqcn.pauses < 0.5 * none.pauses,
      '',
    ),
  ]
}

function specOf(scheme: string, hosts: number, workload: object, until: string): ValidSpec {
  return validateSpec({
    name: `side-by-side-${scheme}`,
    topology: { kind: 'star', hosts, rate: '10Gbps', delay: '2us' },
    fabric: { buffer: '12MB', flowControl: 'pfc' },
    ...(scheme === 'dctcp' && { hosts: { reliability: 'tcp' } }),
    workload: [workload],
    scheme,
    run: { until },
    metrics: { interval: '100us', series: ['rate.*', 'queue.switch->h0.*', 'utilisation.*->h0'] },
  })
}

function longFlows(scheme: string, untilMs: number): ValidSpec {
  const flows = Array.from({ length: FLOWS }, (_, i) => ({
    name: `f${i}`,
    from: `h${i + 1}`,
    to: 'h0',
    start: `${i * 100}us`,
  }))
  return specOf(scheme, FLOWS + 1, { flows }, `${untilMs}ms`)
}

function burst(scheme: string): ValidSpec {
  const flows = Array.from({ length: BURST }, (_, i) => ({
    name: `f${i}`,
    from: `h${i + 1}`,
    to: 'h0',
    size: '256KB',
  }))
  return specOf(scheme, BURST + 1, { flows }, '200ms')
}

function rowOf(long: Result, short: Result): Row {
  const later = (prefix: string): number[] =>
    long.series
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ values }) => mean(values.slice(Math.floor(values.length / 2))))
  return {
    used: later('utilisation.switch->h0')[0]!,
    fairness: jain(later('rate.')),
    queueKb: later('queue.switch->h0').reduce((sum, bytes) => sum + bytes, 0) / 1e3,
    burstMs: Math.max(...short.flows.fctPs) / 1e9,
    pauses: long.counters.pauseFrames + short.counters.pauseFrames,
  }
}
