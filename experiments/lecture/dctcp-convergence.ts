/**
 * Five flows join one link one after another and leave in the same order: how fairly they share it.
 *
 * Document B, "DCTCP - Convergence to Fair Performance"; SIGCOMM 2010, section 4.1, Fig. 16: flows
 * 30 s apart at 1 Gb/s. Published: with DCTCP all flows come to their fair share, Jain's index is
 * 0.99; TCP is fair on average but varies much more.
 *
 * The quick run has flows 1 s apart.
 */
import { jain, mean } from '@weir/metrics'
import type { Result, ValidSpec } from '@weir/sim'
import { holds, within } from '../figure.ts'
import type { Curve, Figure, FigureContext, FigureResult } from '../figure.ts'
import { tcpStar, valueAt } from './tcp-hosts.ts'

const FLOWS = 5
const SAMPLE_S = 0.1
/** One packet time at 1 Gb/s: Floyd and Jacobson's remedy against flows that stay in step. */
const OVERHEAD = '12us'
/** Part of a period that flows have to find their share after one has come or left. */
const SETTLING = 0.3

export const dctcpConvergence: Figure = {
  id: 'lecture/dctcp-convergence',
  title: 'Five flows join and leave: DCTCP against TCP',
  cite: 'document B, "DCTCP - Convergence to Fair Performance"; SIGCOMM 2010, Fig. 16',
  claim: 'DCTCP flows quickly come to their fair share and hold it; TCP flows vary.',
  reproduce,
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const apartS = context.size === 'full' ? 30 : 1
  const results = await Promise.all(
    ['dctcp', 'tcp-reno'].map((name) => context.simulate(specOf(name, apartS))),
  )
  context.progress(1, 'both runs')
  const samples = Math.round(apartS / SAMPLE_S)
  const curves = results.map((result) => jainOverTime(result, samples))
  const settled = curves.map((values) =>
    values.filter((value, i) => i % samples >= SETTLING * samples && value === value),
  )
  const spread = results.map((result) => variation(result, samples))
  const seconds = curves[0]!.map((_, i) => (i + 1) * SAMPLE_S)
  const name = ['DCTCP', 'TCP']
  return {
    checks: [
      within("Jain's index of DCTCP, mean", 0.99, mean(settled[0]!), 0.03, ''),
      holds(
        "Jain's index of TCP, mean",
        'fair on average, but below that of DCTCP',
        mean(settled[1]!),
        mean(settled[1]!) < mean(settled[0]!),
        '',
      ),
      holds(
        'variation of a flow among five, TCP over DCTCP',
        'TCP throughput varies much more',
        spread[1]! / spread[0]!,
        spread[1]! > 2 * spread[0]!,
        'times',
        'standard deviation of what a flow has in 100 ms over its mean, while all five are there',
      ),
      holds(
        'packets lost with DCTCP',
        'very low "lost" packets in comparison to TCP',
        results[0]!.counters.packetsDropped,
        results[0]!.counters.packetsDropped < results[1]!.counters.packetsDropped / 10,
        'packets',
      ),
    ],
    plots: [
      {
        title: "Jain's index over time",
        kind: 'lines',
        x: { label: 'time', unit: 's' },
        y: { label: "Jain's index of the flows present", unit: '' },
        curves: curves.map((y, i) => ({
          name: name[i]!,
          x: seconds.filter((_, k) => y[k] === y[k]),
          y: y.filter((value) => value === value),
        })),
      },
      ...results.map((result, i) => ({
        title: `Throughput of each flow, ${name[i]!}`,
        kind: 'lines' as const,
        x: { label: 'time', unit: 's' },
        y: { label: 'throughput', unit: 'Mb/s' },
        curves: ratesOf(result).map((series): Curve => ({
          name: series.name.slice('rate.'.length),
          x: series.values.map((_, k) => (series.startPs + k * series.intervalPs) / 1e12),
          y: series.values.map((bps) => bps / 1e6),
        })),
      })),
    ],
    notes: [
      'With hosts that add up to 12 us between packets, a packet time at the bottleneck, the remedy ' +
        'for phase effects of Floyd and Jacobson (1992). The variation depends on it: TCP over DCTCP ' +
        'was 0.46 with 1 us, 0.83 with 6 us and 2.1 with 12 us. With less all TCP flows lose in the ' +
        'same overflow and halve together; how far the hosts of the testbed did so is not known.',
      `Jain's index is over the flows that are present; the first ${100 * SETTLING}% of each ` +
        'period are left out of the means.',
    ],
  }
}

function specOf(scheme: string, apartS: number): ValidSpec {
  return tcpStar({
    name: 'dctcp-convergence',
    senders: FLOWS,
    rate: '1Gbps',
    delay: '20us',
    bufferBytes: 700e3,
    scheme: { name: scheme, params: { overhead: OVERHEAD } },
    flows: Array.from({ length: FLOWS }, (_, i) => ({
      name: `f${i + 1}`,
      from: `h${i + 1}`,
      to: 'h0',
      start: `${i * apartS}s`,
      stop: `${(FLOWS + i) * apartS}s`,
    })),
    until: `${(2 * FLOWS - 1) * apartS}s`,
    metrics: { interval: `${SAMPLE_S}s`, series: ['rate.*'] },
  })
}

function ratesOf(result: Result): Result['series'] {
  return result.series.filter(({ name }) => name.startsWith('rate.'))
}

/** At the end of each step; NaN while fewer than two flows are there. */
function jainOverTime(result: Result, samples: number): number[] {
  const rates = ratesOf(result)
  return Array.from({ length: samples * (2 * FLOWS - 1) }, (_, i) => {
    const period = Math.floor(i / samples)
    const present = rates.filter((_series, flow) => flow <= period && period < flow + FLOWS)
    if (present.length < 2) return NaN
    return jain(present.map((series) => valueAt(series, (i + 1) * SAMPLE_S * 1e12)))
  })
}

/** Mean standard deviation of a flow's rate while all five are there, over its mean. */
function variation(result: Result, samples: number): number {
  const settling = Math.round(SETTLING * samples)
  const from = (FLOWS - 1) * samples + settling
  const rates = ratesOf(result).map((series) => {
    const values = Array.from({ length: samples - settling }, (_, i) =>
      valueAt(series, (from + i + 1) * SAMPLE_S * 1e12),
    )
    const middle = mean(values)
    return Math.sqrt(mean(values.map((value) => (value - middle) * (value - middle)))) / middle
  })
  return mean(rates)
}
