/**
 * The distribution of the queue at 1 Gb/s, DCTCP against TCP.
 *
 * Trivedi 2019, "1 Gbps, same bandwidth but lower switch occupancy"; SIGCOMM 2010, section 4.1,
 * Fig. 13 (and Fig. 1): two long flows into one port. Published: DCTCP's queue is stable around 20
 * packets (K = 20, n = 2), TCP's is ten times larger and varies widely, up to the 700 KB that the
 * switch gives one port. Ours: TCP's is nineteen times DCTCP's.
 *
 * Changed after first results: 'ten times' had no upper end; one seed became five.
 */
import { empiricalCdf, nearestRank, sortedValues } from '@weir/metrics'
import type { Result, ValidSpec } from '@weir/sim'
import { drawn, drawsOf, seedsOf } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { PACKET_BYTES, tcpStar, valuesFrom } from './tcp-hosts.ts'

/** SIGCOMM 2010, section 4.1: dynamic allocation let one port take about 700 KB. */
const BUFFER_BYTES = 700e3

export const dctcpQueue: Figure = {
  id: 'lecture/dctcp-queue',
  title: 'Queue length at 1 Gb/s: DCTCP against TCP',
  cite: 'Trivedi 2019, "DCTCP - Performance with K Marking"; SIGCOMM 2010, Fig. 1 and 13',
  claim: 'DCTCP keeps the queue around K = 20 packets; TCP fills whatever buffer there is.',
  headline: 'median queue of TCP over',
  reproduce,
  switches: [
    {
      name: 'marks',
      without: ({ scheme }) => (scheme.name === 'dctcp' ? ['scheme.params.k1=690KB'] : []),
      breaks: ['median queue of DCTCP', 'queue of DCTCP, 95th'],
    },
    {
      name: "TCP's buffer of 700 KB",
      without: () => ['fabric.buffer.threshold=60KB'],
      breaks: ['largest queue of TCP'],
    },
    {
      name: 'hosts that keep up',
      without: ({ scheme }) => (scheme.name === 'dctcp' ? ['scheme.params.overhead=50us'] : []),
      breaks: ['goodput of DCTCP'],
    },
  ],
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const seconds = context.size === 'full' ? 20 : 2
  const seeds = seedsOf(context)
  const results = await Promise.all(
    ['dctcp', 'tcp-reno'].map((name) =>
      Promise.all(seeds.map((seed) => context.simulate(specOf(name, seconds, seed)))),
    ),
  )
  context.progress(1, 'all runs')
  const bySeed = results.map((draws) => draws.map(queueOf))
  const goodputs = results[0]!.map(({ summary }) => summary.goodputBps / 1e9)
  const queues = bySeed.map(([first]) => first!)
  return {
    checks: checksOf(bySeed, goodputs),
    plots: [
      {
        title: 'Distribution of the queue, two long flows at 1 Gb/s, first seed',
        kind: 'steps',
        x: { label: 'queue', unit: 'packets' },
        y: { label: 'fraction of samples', unit: '' },
        curves: [
          ...['DCTCP', 'TCP'].map((name, i) => {
            const cdf = empiricalCdf(queues[i]!)
            return { name, x: cdf.values, y: cdf.fractions }
          }),
          { name: 'DCTCP', x: [20], y: [0.5], isPublished: true },
          { name: 'TCP', x: [200], y: [0.5], isPublished: true },
        ],
      },
    ],
    draws: drawsOf(seeds),
    notes: [
      'The first tenth of a run is left out: it is slow start.',
      "Hollow marks are the text's 20 packets and ten times as many, at the median.",
    ],
  }
}

function specOf(scheme: string, seconds: number, seed: number): ValidSpec {
  return tcpStar({
    name: 'dctcp-queue',
    seed,
    senders: 2,
    rate: '1Gbps',
    delay: '20us',
    bufferBytes: BUFFER_BYTES,
    scheme: { name: scheme, params: { overhead: '1us' } },
    flows: [
      { name: 'f1', from: 'h1', to: 'h0' },
      { name: 'f2', from: 'h2', to: 'h0', start: '100us' },
    ],
    until: `${seconds}s`,
    metrics: { interval: '200us', series: ['queue.switch->h0.*'] },
  })
}

function queueOf(result: Result): Float64Array {
  const series = result.series[0]!
  const bytes = valuesFrom(series, result.simulatedPs / 10)
  return sortedValues(bytes.map((value) => value / PACKET_BYTES))
}

function checksOf(
  [dctcp, tcp]: readonly (readonly Float64Array[])[],
  goodputsGbps: readonly number[],
): Check[] {
  const at = (queues: readonly Float64Array[] | undefined, q: number): number[] =>
    (queues ?? []).map((queue) => nearestRank(queue, q))
  const link = 1e9 * (1460 / PACKET_BYTES)
  const [low, high, middle] = [at(dctcp, 0.05), at(dctcp, 0.95), at(dctcp, 0.5)]
  return [
    drawn('median queue of DCTCP', 20, middle, [18, 22], 'packets'),
    drawn(
      'queue of DCTCP, 95th less 5th percentile',
      'stable around 20 packets',
      high.map((value, i) => value - low[i]!),
      [0, 10],
      'packets',
    ),
    drawn(
      'median queue of TCP over that of DCTCP',
      'ten times larger',
      at(tcp, 0.5).map((value, i) => value / middle[i]!),
      [8, 12.5],
      'times',
      'a buffer of 455 packets, never less than half full as two flows do not lose ' +
        'together, over K = 20; what took part of the buffer of the testbed is not said',
    ),
    drawn(
      'largest queue of TCP',
      'up to the 700 KB that a port may take',
      at(tcp, 1).map((value) => (value * PACKET_BYTES) / 1e3),
      [0.95 * 700, 700],
      'KB',
    ),
    drawn(
      'goodput of DCTCP',
      'full throughput (0.95 Gb/s)',
      goodputsGbps,
      [0.98 * 0.95, 1.001 * (link / 1e9)],
      'Gb/s',
    ),
  ]
}
