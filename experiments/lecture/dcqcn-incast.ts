/**
 * DCQCN: an incast among user flows, with 2 to 10 senders, under PFC alone and with DCQCN; and with
 * 8 also without PFC, and with PFC set below ECN.
 *
 * Trivedi 2019, "TCP Incast - 10% Percentile Performance" and "TCP Incast with DCQCN"; Y. Zhu et
 * al., SIGCOMM 2015, section 6.2, Figs. 16 to 18: a Clos testbed of 40 Gb/s links, twenty pairs of
 * user flows, and disk rebuild as incast. Published in words: without DCQCN user flows that are
 * caught in the incast suffer from port-wide blocking; 'PFC alone is not sufficient to help incast
 * flows', 'misconfiguration of PFC with ECN is a concern (ECN -> then PFC)', 'DCQCN helps to
 * deliver the best of the bunch performance'; incast flows degrade gradually and share fairly, '10%
 * is the same as the median'. That user flows hardly change with the number of senders, and which
 * thresholds were the misconfigured ones, is from our memory of the paper: not verified.
 *
 * Ours: four racks of five hosts, two spines, 40 Gb/s everywhere; user messages of 1 MB between
 * random hosts. User flows gain; incast flows pay for it, and the port that they share is idle for
 * a part of the time. Misconfigured is a PFC threshold of 24 KB where ECN begins at 120 KB.
 *
 * Changed after first results: 'PFC below ECN' had ECN begin at 5 KB, below PFC's 10; the incast
 * flows' loss was not shown; all rested on one seed. CNPs of a full run (30 a flow, 1.6 in the
 * faster half) were typed into a note of the quick one, too; they are counted in the run now.
 */
import { mean, meanInterval } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { ValidSpec } from '@weir/sim'
import { drawn, drawsOf, ours, seedsOf } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { numberText } from '../shown.ts'
import { rowOf } from './dcqcn-incast-row.ts'
import type { Row } from './dcqcn-incast-row.ts'

interface Case {
  readonly name: string
  readonly scheme: 'none' | 'dcqcn'
  readonly flowControl: object | string
  readonly ecn?: object
}

const PFC: Case = { name: 'PFC alone', scheme: 'none', flowControl: 'pfc' }
const BOTH: Case = { name: 'DCQCN', scheme: 'dcqcn', flowControl: 'pfc' }
const LOSSY: Case = { name: 'DCQCN without PFC', scheme: 'dcqcn', flowControl: 'none' }
const LOW: Case = {
  name: 'DCQCN, PFC below ECN',
  scheme: 'dcqcn',
  flowControl: { kind: 'pfc', xoff: '24KB' },
  ecn: { kind: 'red', kmin: '120KB', kmax: '200KB', pmax: '1%' },
}
const CASES = [PFC, BOTH, LOSSY, LOW] as const
const DEGREE = 8
/** Less than as much, in all of the interval. */
const BELOW = [-Infinity, 0.99] as const
/** In the racks that the receiver is not in, one after the other. */
const SENDERS = [5, 10, 15, 6, 11, 16, 7, 12, 17, 8]

export const dcqcnIncast: Figure = {
  id: 'lecture/dcqcn-incast',
  title: 'DCQCN: user flows beside an incast',
  cite: 'Trivedi 2019, "TCP Incast with DCQCN"; SIGCOMM 2015, section 6.2, Figs. 16 to 18',
  claim: 'PFC alone hurts user flows; DCQCN protects them, unless PFC fires before ECN.',
  reproduce,
  switches: [
    {
      name: 'DCQCN',
      // Of the runs with PFC, as the checks that it breaks.
      without: ({ name, scheme }) =>
        name === nameOf(BOTH, DEGREE) && scheme.name === 'dcqcn' ? ['scheme=none'] : [],
      breaks: [
        ...['user flows, 10th', 'user flows, median', 'PAUSE frames: DCQCN'],
        'user flows: 10th percentile with 8 senders over that with 2, DCQCN',
      ],
    },
    {
      name: 'six of the eight senders',
      without: ({ name }) =>
        name === nameOf(PFC, DEGREE)
          ? SENDERS.slice(2, DEGREE).map((_, i) => `workload[0].flows[${i + 2}].start=7.9ms`)
          : [],
      breaks: ['user flows: 10th percentile with 8 senders over that with 2, PFC alone'],
    },
    {
      name: 'PFC below ECN',
      without: ({ name }) =>
        name === nameOf(LOW, DEGREE) ? ['fabric.flowControl=pfc', 'fabric.ecn=auto'] : [],
      breaks: ['user flows with PFC below ECN, 10th', 'PAUSE frames: DCQCN over PFC below'],
    },
  ],
}

type RowsOf = (one: Case, degree: number) => readonly Row[]

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const seeds = seedsOf(context)
  const degrees = isFull ? [2, 4, 6, 8, 10] : [2, DEGREE]
  const untilMs = isFull ? 50 : 8
  const wanted = [
    ...[PFC, BOTH].flatMap((one) => degrees.map((degree) => ({ one, degree }))),
    { one: LOSSY, degree: DEGREE },
    { one: LOW, degree: DEGREE },
  ]
  let done = 0
  const all = new Map<string, readonly Row[]>()
  await Promise.all(
    wanted.map(async ({ one, degree }) => {
      const rows = await Promise.all(
        seeds.map(async (seed) => {
          const row = rowOf(await context.simulate(specOf(one, degree, untilMs, seed)), untilMs)
          context.progress(++done / (wanted.length * seeds.length), `${one.name}, ${degree}:1`)
          return row
        }),
      )
      all.set(`${one.name} ${degree}`, rows)
    }),
  )
  const of: RowsOf = (one, degree) => all.get(`${one.name} ${degree}`)!
  return {
    checks: [
      ...userChecks(of, degrees.at(-1)!),
      ...incastChecks(of),
      ...misconfigured(of),
      ...withoutPfc(of),
    ],
    plots: [
      byDegree('User flows: throughput beside an incast', of, degrees, ({ user }) => user),
      byDegree('Flows of the incast: throughput', of, degrees, ({ incast }) => incast),
      ...bars(of),
    ],
    draws: drawsOf(seeds),
    notes: [
      'The published user traffic is a trace of a storage service; ours are messages of 1 MB ' +
        'at 20% load, so throughputs are compared with each other and not with the published Gb/s.',
      `User flows that begin in the first quarter of the ${untilMs} ms are left out: it is ` +
        `the start.`,
      'The papers give no numbers for these curves: the plots show ours alone.',
    ],
  }
}

/** Two cases draw by draw: what a seed does to both is no difference. */
function ratios(a: readonly Row[], b: readonly Row[], pick: (row: Row) => number): number[] {
  return a.map((row, i) => pick(row) / pick(b[i]!))
}

function gbps(rows: readonly Row[], pick: (row: Row) => number): string {
  return mean(rows.map(pick)).toFixed(2)
}

function userChecks(of: RowsOf, most: number): Check[] {
  const [pfc, dcqcn] = [of(PFC, DEGREE), of(BOTH, DEGREE)]
  const p10 = ({ user }: Row): number => user[0]
  const p50 = ({ user }: Row): number => user[1]
  const beside = (pick: (row: Row) => number): string =>
    `${gbps(pfc, pick)} and ${gbps(dcqcn, pick)} Gb/s`
  const fewer = 'user flows: '
  return [
    drawn(
      'user flows, 10th percentile: PFC alone over DCQCN',
      'PFC alone is not sufficient',
      ratios(pfc, dcqcn, p10),
      BELOW,
      'times',
      beside(p10),
    ),
    drawn(
      'user flows, median: PFC alone over DCQCN',
      'DCQCN delivers the best of the bunch',
      ratios(pfc, dcqcn, p50),
      BELOW,
      'times',
      beside(p50),
    ),
    drawn(
      `${fewer}10th percentile with ${most} senders over that with 2, PFC alone`,
      'user flows get caught up in the incast',
      ratios(of(PFC, most), of(PFC, 2), p10),
      BELOW,
      'times',
    ),
    drawn(
      `${fewer}10th percentile with ${most} senders over that with 2, DCQCN`,
      'little change with the number of senders (not verified)',
      ratios(of(BOTH, most), of(BOTH, 2), p10),
      [0.8, 1.25],
      'times',
    ),
  ]
}

function incastChecks(of: RowsOf): Check[] {
  const [pfc, dcqcn] = [of(PFC, DEGREE), of(BOTH, DEGREE)]
  const median = ({ incast }: Row): number => incast[1]
  const slow =
    'eight senders that begin at 40 Gb/s are cut far below their share, and recover by 40 ' +
    'Mb/s per step: the port that they share idles meanwhile'
  return [
    drawn(
      'incast flows, median: DCQCN over PFC alone',
      'DCQCN delivers the best of the bunch, to incast flows too',
      ratios(dcqcn, pfc, median),
      [1.01, Infinity],
      'times',
      `${gbps(dcqcn, median)} and ${gbps(pfc, median)} Gb/s; ${slow}`,
    ),
    drawn(
      'incast flows with DCQCN: 10th percentile over median',
      'fair sharing: 10% is the same as the median',
      dcqcn.map(({ incast }) => incast[0] / incast[1]),
      [0.9, 1.01],
      '',
      'who is marked is chance',
    ),
    ours(
      'share of the port to the receiver that is used, DCQCN',
      dcqcn.map(({ used }) => used),
      '',
      `${gbps(pfc, ({ used }) => used)} under PFC alone`,
    ),
    drawn(
      'PAUSE frames: DCQCN over PFC alone',
      'far fewer',
      ratios(dcqcn, pfc, ({ pauses }) => pauses),
      [-Infinity, 0.1],
      '',
      [dcqcn, pfc].map((rows) => numberText(mean(rows.map(({ pauses }) => pauses)))).join(' and '),
    ),
  ]
}

function misconfigured(of: RowsOf): Check[] {
  const [dcqcn, low] = [of(BOTH, DEGREE), of(LOW, DEGREE)]
  const tenth = ({ cnps }: Row): number => cnps[0]
  const half = ({ cnps }: Row): number => cnps[1]
  return [
    drawn(
      'user flows with PFC below ECN, 10th percentile over that of DCQCN',
      'misconfiguration is a concern',
      ratios(low, dcqcn, ({ user }) => user[0]),
      BELOW,
      'times',
      `CNPs that a flow of the slowest tenth has heard: ${gbps(dcqcn, tenth)} with DCQCN (of the ` +
        `faster half ${gbps(dcqcn, half)}), ${gbps(low, tenth)} with PFC below ECN, where hosts ` +
        'are paused',
    ),
    ours(
      'user flows with PFC below ECN, median over that of DCQCN',
      ratios(low, dcqcn, ({ user }) => user[1]),
      'times',
      'the misconfiguration shows in the median',
    ),
    drawn(
      'PAUSE frames: DCQCN over PFC below ECN',
      'PFC fires before ECN can act',
      ratios(dcqcn, low, ({ pauses }) => pauses),
      [-Infinity, 0.1],
      'times',
    ),
  ]
}

/** What the document does not say of the fourth case. */
function withoutPfc(of: RowsOf): Check[] {
  const lossy = of(LOSSY, DEGREE)
  const dcqcn = of(BOTH, DEGREE)
  return [
    ours(
      'user flows without PFC, 10th percentile over that of DCQCN with it',
      ratios(lossy, dcqcn, ({ user }) => user[0]),
      'times',
    ),
    ours(
      'incast flows without PFC, median over that of DCQCN with it',
      ratios(lossy, dcqcn, ({ incast }) => incast[1]),
      'times',
    ),
    ours(
      'packets lost without PFC',
      lossy.map(({ lost }) => lost),
      'packets',
      'go-back-N repeats all that follows a loss',
    ),
  ]
}

/** Of a run. */
const nameOf = ({ name }: Case, degree: number): string =>
  `${name}-${degree}`.replaceAll(/[ ,]+/gu, '-')

function specOf(one: Case, degree: number, untilMs: number, seed: number): ValidSpec {
  return validateSpec({
    name: nameOf(one, degree),
    seed,
    topology: {
      kind: 'leaf-spine',
      leaves: 4,
      spines: 2,
      hostsPerLeaf: 5,
      hostRate: '40Gbps',
      fabricRate: '40Gbps',
      delay: '500ns',
    },
    fabric: {
      buffer: '12MB', // the paper's switches, section 4
      flowControl: one.flowControl,
      ...(one.ecn !== undefined && { ecn: one.ecn }),
    },
    workload: [
      {
        flows: SENDERS.slice(0, degree).map((host, i) => ({
          name: `incast.${i}`,
          from: `h${host}`,
          to: 'h0',
        })),
      },
      { generate: { name: 'user', arrivals: { kind: 'poisson', load: 0.2 }, sizes: '1MB' } },
    ],
    scheme: one.scheme,
    run: { until: `${untilMs}ms`, drain: 'none' },
    metrics: { interval: 'none' },
  })
}

function byDegree(
  title: string,
  of: RowsOf,
  degrees: readonly number[],
  pick: (row: Row) => readonly [number, number],
): Plot {
  return {
    title,
    kind: 'lines',
    x: { label: 'senders of the incast', unit: '' },
    y: { label: 'throughput', unit: 'Gb/s' },
    curves: [PFC, BOTH].flatMap((one) =>
      (['10th percentile', 'median'] as const).map((name, k) => {
        const values = degrees.map((degree) => of(one, degree).map((row) => pick(row)[k]!))
        return {
          name: `${one.name}, ${name}`,
          x: degrees,
          y: values.map(mean),
          half: values.map((draws) => meanInterval(draws).half),
        }
      }),
    ),
  }
}

/** All four cases with eight senders. */
function bars(of: RowsOf): Plot[] {
  const x = CASES.map(({ name }) => name)
  const bar = (name: string, pick: (row: Row) => number): Plot['curves'][number] => {
    const values = CASES.map((one) => of(one, DEGREE).map(pick))
    return { name, x, y: values.map(mean), half: values.map((draws) => meanInterval(draws).half) }
  }
  return [
    {
      title: 'Eight senders: throughput',
      kind: 'bars',
      x: { label: 'configuration', unit: '' },
      y: { label: 'throughput', unit: 'Gb/s' },
      curves: [
        bar('user, 10th percentile', ({ user }) => user[0]),
        bar('user, median', ({ user }) => user[1]),
        bar('incast, 10th percentile', ({ incast }) => incast[0]),
        bar('incast, median', ({ incast }) => incast[1]),
      ],
    },
    {
      title: 'Eight senders: share of the port to the receiver that is used',
      kind: 'bars',
      x: { label: 'configuration', unit: '' },
      y: { label: 'share', unit: '' },
      curves: [bar('utilisation', ({ used }) => used)],
    },
  ]
}
