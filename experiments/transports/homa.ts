/**
 * Homa: short messages beside long ones at 80% load.
 *
 * SIGCOMM 2018, abstract: '99th percentile round-trip times less than 15 us for short messages on a
 * 10 Gbps network running at 80% load' (an implementation, of requests and their answers).
 *
 * Ours: 16 hosts at 10 Gb/s in a leaf-spine of full bisection, FB_Hadoop's sizes, sprayed packets.
 * A message's time is that from its first byte to the ACK of its last: one way and a header back,
 * where the paper has an answer as long as the request. DCQCN stands beside it.
 */
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { drawn, drawsOf, ours, seedsOf } from '../figure.ts'
import type { Figure, FigureContext, FigureResult } from '../figure.ts'

const SHORT = '1KB'
const SCHEMES = ['homa', 'dcqcn', 'hpcc'] as const
const NAMES = { homa: 'Homa', dcqcn: 'DCQCN', hpcc: 'HPCC' } as const

export const homaFigure: Figure = {
  id: 'transports/homa',
  title: 'Homa: the tail of short messages at 80% load',
  cite: 'SIGCOMM 2018, abstract',
  claim:
    'The paper says: at 80% load the 99th percentile of short messages is below 15 us. Here, ' +
    'without the time that hosts take, it is below 10 us for messages of one packet; those of 1 ' +
    'to 10 KB are slower than under HPCC.',
  reproduce,
  switches: [
    {
      name: 'priorities',
      without: ({ scheme }) =>
        scheme.name === 'homa' ? ['fabric.classes=2', 'hosts.dataClass=0'] : [],
      breaks: ['Homa: 99th percentile'],
    },
  ],
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const seeds = seedsOf(context)
  const until = context.size === 'full' ? '50ms' : '2ms'
  const results = await Promise.all(
    SCHEMES.map((scheme) =>
      Promise.all(seeds.map((seed) => context.simulate(specOf(scheme, seed, until)))),
    ),
  )
  context.progress(1, 'all runs')
  const tails = results.map((row) => row.map((result) => shortest(result).fctPsP99 / 1e6))
  const slow = results.map((row) => row.map((result) => shortest(result).slowdownP99))
  const next = results.map((row) => row.map(({ summary }) => summary.buckets[1]!.slowdownP99))
  return {
    checks: [
      drawn('Homa: 99th percentile of short messages', 'below 15 us', tails[0]!, [0, 15], 'us'),
      ...SCHEMES.flatMap((scheme, i) => [
        ...(i === 0
          ? []
          : [ours(`${NAMES[scheme]}: 99th percentile of short messages`, tails[i]!, 'us')]),
        ours(`${NAMES[scheme]}: their slowdown, 99th percentile`, slow[i]!, 'times'),
        ours(`${NAMES[scheme]}: slowdown of 1 to 10 KB, 99th percentile`, next[i]!, 'times'),
      ]),
    ],
    plots: [
      {
        title: '99th percentile of slowdown by size, first seed',
        kind: 'lines',
        x: { label: 'message size up to', unit: 'KB', scale: 'log' },
        y: { label: 'slowdown', unit: '', scale: 'log' },
        curves: SCHEMES.map((scheme, i) => {
          const { buckets } = results[i]![0]!.summary
          const full = buckets.filter(({ toBytes }) => Number.isFinite(toBytes))
          return {
            name: NAMES[scheme],
            x: full.map(({ toBytes }) => toBytes / 1e3),
            y: full.map(({ slowdownP99 }) => slowdownP99),
          }
        }),
      },
    ],
    draws: drawsOf(seeds),
    notes: [
      "Short: up to 1 KB, one packet. The paper's 15 us are of a request and its answer, and " +
        'of hosts whose software takes time; here a message goes one way.',
    ],
  }
}

function shortest({ summary }: Result): Result['summary']['buckets'][number] {
  return summary.buckets[0]!
}

function specOf(scheme: string, seed: number, until: string): ValidSpec {
  return validateSpec({
    name: 'homa-tail',
    seed,
    topology: {
      kind: 'leaf-spine',
      leaves: 4,
      spines: 4,
      hostsPerLeaf: 4,
      hostRate: '10Gbps',
      fabricRate: '10Gbps',
      delay: '250ns',
    },
    ...(scheme === 'homa' && { routing: 'packet-spray' }),
    workload: [
      {
        generate: {
          pattern: 'uniform',
          sizes: 'fb-hadoop',
          arrivals: { kind: 'poisson', load: 0.8 },
        },
      },
    ],
    scheme,
    run: { until },
    metrics: { interval: 'none', buckets: [SHORT, '10KB', '100KB', '1MB', '10MB'] },
  })
}
