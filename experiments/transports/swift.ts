/**
 * Swift: short transfers beside long ones that fill a link.
 *
 * SIGCOMM 2020, abstract: 'a tail latency of < 50 us for short RPCs, with near-zero packet drops,
 * while sustaining ~100 Gbps throughput per server. This is a tail of < 3x the minimal latency at a
 * load close to 100%'.
 *
 * Ours: eight hosts send to one at 100 Gb/s without end, and 4 KB every 20 us besides; a lossy
 * switch. Line rate and DCTCP by rate stand beside it.
 */
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { inRange, ours } from '../figure.ts'
import type { Figure, FigureContext, FigureResult } from '../figure.ts'

const SENDERS = 8
const SCHEMES = ['swift', 'dctcp-rate', 'none'] as const
const NAMES = { swift: 'Swift', 'dctcp-rate': 'DCTCP by rate', none: 'line rate, PFC' } as const

export const swiftFigure: Figure = {
  id: 'transports/swift',
  title: 'Swift: short transfers beside a full link',
  cite: 'SIGCOMM 2020, abstract',
  claim: 'The tail of short transfers is below three times the least at a load close to 100%.',
  reproduce,
  switches: [
    {
      name: 'Swift',
      without: ({ scheme }) =>
        scheme.name === 'swift' ? ['scheme={name: none}', 'fabric.flowControl=pfc'] : [],
      breaks: ['short transfers'],
    },
  ],
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const untilUs = context.size === 'full' ? 20_000 : 2000
  const results = await Promise.all(
    SCHEMES.map((scheme) => context.simulate(specOf(scheme, untilUs))),
  )
  context.progress(1, 'all runs')
  const swift = results[0]!
  return {
    checks: [
      inRange(
        'short transfers: 99th percentile over the least',
        'below 3',
        tailOf(swift),
        [1, 3],
        '',
      ),
      inRange('short transfers: 99th percentile', 'below 50', tailUs(swift), [0, 50], 'us'),
      inRange('use of the link', 'close to 100%', useOf(swift), [0.95, 1], ''),
      inRange('packets dropped', 'near zero', swift.counters.packetsDropped, [0, 10], 'packets'),
      ...SCHEMES.slice(1).flatMap((scheme, i) => [
        ours(`${NAMES[scheme]}: 99th percentile over the least`, tailOf(results[i + 1]!), ''),
        ours(`${NAMES[scheme]}: use of the link`, useOf(results[i + 1]!), ''),
      ]),
    ],
    plots: [
      {
        title: 'Queue of the full link',
        kind: 'lines',
        x: { label: 'time', unit: 'ms' },
        y: { label: 'queue', unit: 'KB', scale: 'log' },
        curves: SCHEMES.map((scheme, i) => {
          const queue = results[i]!.series.find(({ name }) => name === 'queue.switch->h0.c3')!
          return {
            name: NAMES[scheme],
            x: queue.values.map((_, k) => (queue.startPs + k * queue.intervalPs) / 1e9),
            y: queue.values.map((bytes) => Math.max(1, bytes / 1e3)),
          }
        }),
      },
    ],
    draws: 'nothing is drawn but DCTCP’s marks: one seed',
    notes: ['The paper measures machines of its own; here hosts take no time.'],
  }
}

function short({ summary }: Result): Result['summary']['items'][number] {
  return summary.items.find(({ name }) => name === 'short')!
}

const tailOf = (result: Result): number => short(result).slowdownP99
const tailUs = (result: Result): number => short(result).fctPsP99 / 1e6

function useOf({ ports }: Result): number {
  return ports.utilisation[ports.name.indexOf('switch->h0')]!
}

function specOf(scheme: string, untilUs: number): ValidSpec {
  return validateSpec({
    name: 'swift-short',
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
          arrivals: { kind: 'periodic', period: '20us' },
          start: `${untilUs / 4}us`,
        },
      },
    ],
    scheme,
    run: { until: `${untilUs}us` },
    metrics: { interval: '10us', series: ['queue.switch->h0.*', 'rate.*'] },
  })
}
