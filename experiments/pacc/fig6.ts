/**
 * Four flows that come and go one by one: shares under HPCC and PACC (Fig. 6).
 *
 * PACC, section V-B2: five hosts of 25 Gb/s around a switch; four send to the fifth, each beginning
 * 50 ms after the one before, and from 200 ms on they stop one by one. Published: PACC is fairer,
 * and takes or gives back bandwidth quickly; flows of HPCC cannot grab the ideal fair share, and
 * its total is too low because of the 5% overhead of telemetry. Quick and full are the same;
 * RoCC beside is ours.
 *
 * Judged by payload delivered over the later half of each step; a step's worst flow is the one
 * furthest from its fair share.
 */
import { jain } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { holds, ours } from '../figure.ts'
import { meanOf } from '../theory/bottleneck.ts'
import { samples } from './bursts.ts'
import { PRESETS } from './schemes.ts'

const FLOWS = 4
const STEPS = 2 * FLOWS - 1
const PAYLOAD = { hpcc: 1000 / 1090, pacc: 1000 / 1048, rocc: 1000 / 1048 } as const
const TITLES = { hpcc: 'HPCC', pacc: 'PACC', rocc: 'RoCC' } as const
type Name = keyof typeof TITLES

export const fig6: Figure = {
  id: 'pacc/fig6',
  title: 'Four flows that come and go: shares under HPCC and PACC',
  cite: 'document E, Fig. 6, section V-B2',
  claim: 'PACC is fairer than HPCC, and HPCC leaves bandwidth unused.',
  reproduce,
}

interface Step {
  readonly fairness: number
  /** Largest distance of a flow from the fair share of the link's payload, as a part of it. */
  readonly worst: number
  /** Of the link's payload. */
  readonly used: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const stepMs = 50
  const names: readonly Name[] = ['hpcc', 'pacc', 'rocc']
  const results = await Promise.all(names.map((name) => context.simulate(specOf(name, stepMs))))
  context.progress(1, 'three runs')
  const [hpcc, pacc, rocc] = results.map((result, i) => stepsOf(names[i]!, result, stepMs)) as [
    Step[],
    Step[],
    Step[],
  ]
  return {
    checks: [...fairnessChecks(hpcc, pacc), ...totalChecks(hpcc, pacc), ...roccRows(rocc)],
    plots: results.map((result, i) => ({
      title: `${TITLES[names[i]!]}: throughput of four flows`,
      kind: 'lines' as const,
      x: { label: 'time', unit: 'ms' },
      y: { label: 'throughput', unit: 'Gb/s' },
      curves: result.series.map((one) => ({
        name: one.name.replace('rate.', ''),
        x: samples(one).map(([us]) => us / 1e3),
        y: one.values.map((bps) => bps / 1e9),
      })),
    })),
    notes: [
      'HPCC with W_AI of 10 Mb/s per 25 Gb/s and eta of 0.95 (preset hpcc-artifact), PACC with ' +
        'its preset artifact: both as in the simulator that the paper was built on.',
      'Fair shares are of the payload that the link can carry under each scheme, so that headers ' +
        'do not count as unfairness; the 5% that eta leaves free do.',
    ],
  }
}

function specOf(name: Name, stepMs: number): ValidSpec {
  const flows = Array.from({ length: FLOWS }, (_, i) => ({
    name: `f${i + 1}`,
    from: `h${i + 1}`,
    to: 'h0',
    start: `${i * stepMs}ms`,
    stop: `${(FLOWS + i) * stepMs}ms`,
  }))
  return validateSpec({
    name: `pacc-fig6-${name}`,
    topology: { kind: 'star', hosts: FLOWS + 1, rate: '25Gbps', delay: '1us' },
    fabric: { buffer: '32MB', flowControl: 'pfc' },
    workload: [{ flows }],
    scheme: { name, preset: PRESETS[name] },
    run: { until: `${STEPS * stepMs}ms` },
    metrics: { interval: `${stepMs * 10}us`, series: ['rate.*'] },
  })
}

/** Flows that send in each step: 1, 2, 3, 4, 3, 2, 1 of them. */
function activeIn(step: number): number[] {
  return Array.from({ length: FLOWS }, (_, i) => i).filter((i) => i <= step && step < FLOWS + i)
}

function stepsOf(name: Name, { series }: Result, stepMs: number): Step[] {
  return Array.from({ length: STEPS }, (_, step) => {
    const [from, to] = [(step + 0.5) * stepMs * 1e3, (step + 1) * stepMs * 1e3]
    const rates = activeIn(step).map((i) => {
      const found = series.find((one) => one.name === `rate.f${i + 1}`)!
      const part = samples(found).filter(([us]) => us > from && us <= to)
      return meanOf(part.map(([, bps]) => bps))
    })
    const fair = (25e9 * PAYLOAD[name]) / rates.length
    return {
      fairness: jain(rates),
      worst: Math.max(...rates.map((rate) => Math.abs(rate / fair - 1))),
      used: rates.reduce((sum, rate) => sum + rate, 0) / (fair * rates.length),
    }
  })
}

const SLOW = 'a flow adds 50 Mb/s in 300 us, and needs 75 ms for the last 12.5 Gb/s'

function listed(steps: readonly Step[], pick: (step: Step) => number): string {
  return steps.map((step) => pick(step).toFixed(3)).join(' ')
}

function fairnessChecks(hpcc: readonly Step[], pacc: readonly Step[]): Check[] {
  const least = (steps: readonly Step[]): number => Math.min(...steps.map((s) => s.fairness))
  const worst = (steps: readonly Step[]): number => Math.max(...steps.map((s) => s.worst))
  return [
    holds(
      "least Jain's index of PACC less that of HPCC",
      'PACC provides better fairness',
      least(pacc) - least(hpcc),
      least(pacc) > least(hpcc),
      '',
      `by step, PACC ${listed(pacc, (s) => s.fairness)}; HPCC ${listed(hpcc, (s) => s.fairness)}`,
    ),
    holds(
      'PACC: worst distance of a flow from its fair share',
      'the ideal fair share (a tenth)',
      worst(pacc),
      worst(pacc) < 0.1,
      '',
      `by step ${listed(pacc, (s) => s.worst)}; ${SLOW}`,
    ),
    holds(
      'HPCC: worst distance of a flow from its fair share',
      'cannot grab the ideal fair share (more than a tenth)',
      worst(hpcc),
      worst(hpcc) > 0.1,
      '',
      `by step ${listed(hpcc, (s) => s.worst)}; the 5% of eta among it`,
    ),
  ]
}

function totalChecks(hpcc: readonly Step[], pacc: readonly Step[]): Check[] {
  const mean = (steps: readonly Step[]): number => meanOf(steps.map(({ used }) => used))
  return [
    holds(
      'HPCC: share of the link used, mean of all steps',
      'suffers under-utilization (below 0.97)',
      mean(hpcc),
      mean(hpcc) < 0.97,
      '',
      `by step ${listed(hpcc, (s) => s.used)}`,
    ),
    holds(
      'PACC: share of the link used, mean of all steps',
      'quickly recovers the bandwidth (above 0.97)',
      mean(pacc),
      mean(pacc) > 0.97,
      '',
      `by step ${listed(pacc, (s) => s.used)}; ${SLOW}`,
    ),
  ]
}

function roccRows(steps: readonly Step[]): Check[] {
  const least = Math.min(...steps.map(({ fairness }) => fairness))
  const worst = Math.max(...steps.map((step) => step.worst))
  return [
    ours(
      "RoCC: least Jain's index",
      least,
      '',
      listed(steps, (s) => s.fairness),
    ),
    ours('RoCC: worst distance of a flow from its fair share', worst, ''),
    ours('RoCC: share of the link used, mean of all steps', meanOf(steps.map((s) => s.used)), ''),
  ]
}
