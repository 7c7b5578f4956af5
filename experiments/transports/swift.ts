/**
 * Swift: short transfers beside long ones that fill a link.
 *
 * SIGCOMM 2020, abstract: 'a tail latency of < 50 us for short RPCs, with near-zero packet drops,
 * while sustaining ~100 Gbps throughput per server. This is a tail of < 3x the minimal latency at a
 * load close to 100%'.
 *
 * Ours: eight hosts send to one at 100 Gb/s without end, and 4 KB every 4 us besides, from one of
 * them that is drawn; a lossy switch. Line rate and DCTCP by rate stand beside it.
 *
 * Changed: there was one seed, and 4 KB every 20 us, of which a short run has too few for a tail;
 * the small size had 375 transfers a seed, of which three are beyond a 99th percentile.
 */
import { mean, meanInterval } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { drawn, drawsOf, ours, seedsOf } from '../figure.ts'
import type { Figure, FigureContext, FigureResult } from '../figure.ts'

const SENDERS = 8
const SCHEMES = ['swift', 'dctcp-rate', 'none'] as const
type SchemeName = (typeof SCHEMES)[number]
const NAMES = { swift: 'Swift', 'dctcp-rate': 'DCTCP by rate', none: 'line rate, PFC' } as const

export const swiftFigure: Figure = {
  id: 'transports/swift',
  title: 'Swift: short transfers beside a full link',
  cite: 'SIGCOMM 2020, abstract',
  claim:
    'The paper says: short transfers have a tail below 50 us and below three times the least, at ' +
    'a load close to 100% and with hardly a drop. Here they do; hosts take no time.',
  reproduce,
  switches: [
    {
      name: 'Swift',
      without: ({ scheme }) =>
        scheme.name === 'swift' ? ['scheme={name: none}', 'fabric.flowControl=pfc'] : [],
      breaks: ['short transfers'],
    },
    {
      name: 'Swift and back-pressure',
      without: ({ scheme }) =>
        scheme.name === 'swift' ? ['scheme={name: none}', 'run.until=600us'] : [],
      breaks: ['packets dropped'],
    },
    {
      name: 'growth, from a packet on',
      without: ({ scheme }) =>
        scheme.name === 'swift' ? ['scheme.params.ai=0', 'scheme.params.initialWindow=0'] : [],
      breaks: ['use of the link'],
    },
  ],
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const [fromUs, untilUs] = isFull ? [5000, 20_000] : [500, 6000]
  const seeds = seedsOf(context)
  const of = new Map<SchemeName, readonly Result[]>()
  await Promise.all(
    SCHEMES.map(async (scheme) => {
      const specs = seeds.map((seed) => specOf(scheme, fromUs, untilUs, seed))
      of.set(scheme, await Promise.all(specs.map((spec) => context.simulate(spec))))
    }),
  )
  context.progress(1, 'all runs')
  const values = (scheme: SchemeName, pick: (result: Result) => number): number[] =>
    of.get(scheme)!.map(pick)
  const tail = 'short transfers: 99th percentile'
  return {
    checks: [
      drawn(`${tail} over the least`, 'below 3 times', values('swift', tailOf), [1, 3], 'times'),
      drawn(tail, 'below 50 us', values('swift', tailUs), [0, 50], 'us'),
      drawn('use of the link', 'close to 100%', values('swift', useOf), [95, 100.01], '%'),
      drawn('packets dropped', 'near zero', values('swift', dropsOf), [0, 10], 'packets'),
      ...SCHEMES.slice(1).flatMap((scheme) => [
        ours(`${NAMES[scheme]}: 99th percentile over the least`, values(scheme, tailOf), 'times'),
        ours(`${NAMES[scheme]}: use of the link`, values(scheme, useOf), '%'),
      ]),
    ],
    plots: [
      {
        title: 'Short transfers beside a full link: 99th percentile',
        kind: 'bars',
        x: { label: 'scheme', unit: '' },
        y: { label: 'completion time, 99th percentile', unit: 'us', scale: 'log' },
        curves: [
          {
            name: 'mean of seeds',
            x: SCHEMES.map((scheme) => NAMES[scheme]),
            y: SCHEMES.map((scheme) => mean(values(scheme, tailUs))),
            half: SCHEMES.map((scheme) => meanInterval(values(scheme, tailUs)).half || 0),
          },
          { name: 'below 50 us (text)', x: [NAMES.swift], y: [50], isPublished: true },
        ],
      },
      {
        title: 'Queue of the full link, first seed',
        kind: 'lines',
        x: { label: 'time', unit: 'ms' },
        y: { label: 'queue', unit: 'KB', scale: 'log' },
        curves: SCHEMES.map((scheme) => {
          const [first] = of.get(scheme)!
          const queue = first!.series.find(({ name }) => name === 'queue.switch->h0.c3')!
          return {
            name: NAMES[scheme],
            x: queue.values.map((_, k) => (queue.startPs + k * queue.intervalPs) / 1e9),
            y: queue.values.map((bytes) => Math.max(1, bytes / 1e3)),
          }
        }),
      },
    ],
    draws: drawsOf(seeds),
    notes: [
      'The paper measures machines, whose software takes time; here hosts take none, and 50 us ' +
        'are a bound from above.',
      'The least is what a transfer takes alone in the network.',
      countNote(SCHEMES.map((scheme) => of.get(scheme)!)),
    ],
  }
}

/** How much a 99th percentile is worth. */
function countNote(results: readonly (readonly Result[])[]): string {
  const counts = results.map((draws) => draws.map((draw) => short(draw).flowsEnded))
  const [least, most] = [Math.min(...counts.flat()), Math.max(...counts.flat())]
  const pooled = Math.min(...counts.map((ones) => ones.reduce((sum, count) => sum + count)))
  const many = (count: number): string => count.toLocaleString('en-US')
  const range = least === most ? many(least) : `${many(least)} to ${many(most)}`
  return (
    `Short transfers that ended: ${range} in each seed of each scheme, of which a hundredth is ` +
    `beyond the percentile: ${many(Math.floor(least / 100))} at least, and ` +
    `${many(Math.floor(pooled / 100))} in all seeds of a scheme together.`
  )
}

function short({ summary }: Result): Result['summary']['items'][number] {
  return summary.items.find(({ name }) => name === 'short')!
}

const tailOf = (result: Result): number => short(result).slowdownP99
const tailUs = (result: Result): number => short(result).fctPsP99 / 1e6
const dropsOf = ({ counters }: Result): number => counters.packetsDropped

function useOf({ ports }: Result): number {
  return 100 * ports.utilisation[ports.name.indexOf('switch->h0')]!
}

function specOf(scheme: SchemeName, fromUs: number, untilUs: number, seed: number): ValidSpec {
  return validateSpec({
    name: 'swift-short',
    seed,
    topology: { kind: 'star', hosts: SENDERS + 1, rate: '100Gbps', delay: '2us' },
    fabric: { flowControl: scheme === 'none' ? 'pfc' : 'none' },
    workload: [
      {
        flows: Array.from({ length: SENDERS }, (_, i) => ({ from: `h${i + 1}`, to: 'h0' })),
      },
      {
        generate: {
          name: 'short',
          pattern: { kind: 'incast', senders: 1, receiver: 'h0', drawSenders: true },
          sizes: '4KB',
          arrivals: { kind: 'periodic', period: '4us' },
          start: `${fromUs}us`,
        },
      },
    ],
    scheme,
    run: { until: `${untilUs}us` },
    metrics: { interval: '10us', series: ['queue.switch->h0.*', 'rate.*'] },
  })
}
