/**
 * DCQCN: an 8:1 incast among user flows, under PFC alone, with DCQCN, and with PFC set below ECN.
 *
 * Document B, "TCP Incast - 10% Percentile Performance" and "TCP Incast with DCQCN"; Y. Zhu et al.,
 * SIGCOMM 2015, section 6.2, Figs. 16 to 18: a Clos testbed of 40 Gb/s links, twenty pairs of user
 * flows, and disk rebuild as incast. Published in words: without DCQCN user flows that are caught
 * in the incast suffer from port-wide blocking; 'PFC alone is not sufficient', 'misconfiguration of
 * PFC with ECN is a concern (ECN, then PFC)', 'DCQCN helps to deliver the best of the bunch
 * performance'; incast flows share fairly, '10% is the same as the median'.
 *
 * Ours: four racks of five hosts, two spines, 40 Gb/s everywhere; user messages of 1 MB between
 * random hosts; eight hosts send to one throughout. Misconfigured is a PFC threshold of 10 KB where
 * ECN begins at 5 KB and marks surely only at 200 KB.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { holds } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'

const CASES = [
  { name: 'PFC alone', scheme: 'none', xoff: 'auto' },
  { name: 'DCQCN', scheme: 'dcqcn', xoff: 'auto' },
  { name: 'DCQCN, PFC below ECN', scheme: 'dcqcn', xoff: '10KB' },
] as const
const SENDERS = 8

export const dcqcnIncast: Figure = {
  id: 'lecture/dcqcn-incast',
  title: 'DCQCN: user flows beside an 8:1 incast',
  cite: 'document B, "TCP Incast with DCQCN"; SIGCOMM 2015, section 6.2, Figs. 16 to 18',
  claim: 'PFC alone hurts user flows; DCQCN protects them, unless PFC fires before ECN.',
  reproduce,
}

interface Row {
  readonly user: readonly [number, number]
  readonly incast: readonly [number, number]
  readonly pauses: number
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const until = context.size === 'full' ? '100ms' : '10ms'
  const results = await Promise.all(CASES.map((one) => context.simulate(specOf(one, until))))
  context.progress(1, 'all runs')
  const rows = results.map(rowOf)
  const x = CASES.map(({ name }) => name)
  return {
    checks: checksOf(rows),
    plots: [
      {
        title: 'User flows',
        kind: 'bars',
        x: { label: 'configuration', unit: '' },
        y: { label: 'throughput', unit: 'Gb/s' },
        curves: ['10th percentile', 'median'].map((name, k) => ({
          name,
          x,
          y: rows.map(({ user }) => user[k]!),
        })),
      },
      {
        title: 'Incast flows',
        kind: 'bars',
        x: { label: 'configuration', unit: '' },
        y: { label: 'throughput', unit: 'Gb/s' },
        curves: ['10th percentile', 'median'].map((name, k) => ({
          name,
          x,
          y: rows.map(({ incast }) => incast[k]!),
        })),
      },
      {
        title: 'PAUSE frames',
        kind: 'bars',
        x: { label: 'configuration', unit: '' },
        y: { label: 'frames', unit: '' },
        curves: [{ name: 'XOFF', x, y: rows.map(({ pauses }) => pauses) }],
      },
    ],
    notes: [
      'The published user traffic is a trace of a storage service; ours are messages of 1 MB at 20% ' +
        'load, so throughputs are compared with each other and not with the published Gb/s.',
    ],
  }
}

function checksOf(rows: readonly Row[]): Check[] {
  const [pfc, dcqcn, low] = rows as [Row, Row, Row]
  return [
    holds(
      'user flows, 10th percentile: PFC alone over DCQCN',
      'PFC alone is not sufficient',
      pfc.user[0] / dcqcn.user[0],
      pfc.user[0] < 0.8 * dcqcn.user[0],
      'times',
      `${pfc.user[0].toFixed(2)} and ${dcqcn.user[0].toFixed(2)} Gb/s`,
    ),
    holds(
      'user flows, median: PFC alone over DCQCN',
      'DCQCN delivers the best of the bunch',
      pfc.user[1] / dcqcn.user[1],
      pfc.user[1] < dcqcn.user[1],
      'times',
      `${pfc.user[1].toFixed(2)} and ${dcqcn.user[1].toFixed(2)} Gb/s`,
    ),
    holds(
      'user flows, 10th percentile: PFC below ECN over DCQCN',
      'misconfiguration is a concern',
      low.user[0] / dcqcn.user[0],
      low.user[0] < 0.95 * dcqcn.user[0],
      'times',
      `${low.user[0].toFixed(2)} and ${dcqcn.user[0].toFixed(2)} Gb/s`,
    ),
    holds(
      'incast flows with DCQCN: 10th percentile over median',
      'fair sharing: 10% is the same as the median',
      dcqcn.incast[0] / dcqcn.incast[1],
      dcqcn.incast[0] > 0.7 * dcqcn.incast[1],
      '',
    ),
    holds(
      'PAUSE frames: DCQCN over PFC alone',
      'far fewer',
      dcqcn.pauses / pfc.pauses,
      dcqcn.pauses < 0.1 * pfc.pauses,
      '',
      `${dcqcn.pauses} and ${pfc.pauses}`,
    ),
    holds(
      'PAUSE frames: PFC below ECN over DCQCN',
      'PFC fires before ECN can act',
      low.pauses / Math.max(1, dcqcn.pauses),
      low.pauses > 5 * dcqcn.pauses,
      'times',
      `${low.pauses} and ${dcqcn.pauses}`,
    ),
  ]
}

function specOf({ scheme, xoff }: (typeof CASES)[number], until: string): ValidSpec {
  return validateSpec({
    name: 'dcqcn-incast',
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
      flowControl: { kind: 'pfc', ...(xoff !== 'auto' && { xoff }) },
    },
    workload: [
      {
        flows: Array.from({ length: SENDERS }, (_, i) => ({
          name: `incast.${i}`,
          from: `h${5 + 2 * i}`,
          to: 'h0',
        })),
      },
      { generate: { name: 'user', arrivals: { kind: 'poisson', load: 0.2 }, sizes: '1MB' } },
    ],
    scheme,
    run: { until, drain: 'none' },
    metrics: { interval: 'none' },
  })
}

/** Gb/s: 10th percentile and median of the flows whose name begins so. */
function percentiles({ flows }: Result, prefix: string): [number, number] {
  const rates = sortedValues(
    flows.throughputBps.filter((_, i) => flows.name[i]!.startsWith(prefix)),
  )
  return [nearestRank(rates, 0.1) / 1e9, nearestRank(rates, 0.5) / 1e9]
}

function rowOf(result: Result): Row {
  return {
    user: percentiles(result, 'user'),
    incast: percentiles(result, 'incast'),
    pauses: result.counters.pauseFrames,
  }
}
