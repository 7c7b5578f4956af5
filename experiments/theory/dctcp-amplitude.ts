/**
 * DCTCP's sawtooth against its analysis: 2, 10 and 40 flows.
 *
 * M. Alizadeh et al., "Data Center TCP", SIGCOMM 2010, section 3.3 and Fig. 12: 10 Gb/s, a round
 * trip of 100 us, K = 40 packets, g = 1/16. With N flows in step the queue swings by A = sqrt(2 N
 * (C RTT + K)) / 2 for large windows (exactly: N (W* + 1) alpha / 2) up to K + N. Published: the
 * analysis is a fairly accurate prediction, best for small N; with N = 40 flows are less in step,
 * and the real swing is smaller than the analysis has it (Fig. 12's words: not verified).
 *
 * Hosts draw up to a packet's time, 1.2 us, between packets: real ones are not in step to the
 * nanosecond. No document gives it; what other values do is in the notes. Bounds are ours (15% of
 * the swing, a tenth of the top), as first committed. Five seeds.
 */
import { meanInterval } from '@weir/metrics'
import type { Check, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { seedsOf } from '../figure.ts'
import type { Bottleneck } from './bottleneck.ts'
import { courseOf, fluidOf, later, packetBytesOf, packetsOf, queueOf } from './bottleneck.ts'
import { decided } from './decided.ts'

const FLOWS = [2, 10, 40]
const K_PACKETS = 40
/** How far from the sawtooth of section 3.3 packets may swing; no paper gives it, it is ours. */
export const SWING_REACH = 0.15
const PACKET = packetBytesOf('dctcp')

export const dctcpAmplitude: Figure = {
  id: 'theory/dctcp-amplitude',
  title: "DCTCP's queue: swing and top against the analysis, 2, 10 and 40 flows",
  cite: 'SIGCOMM 2010, section 3.3 and Fig. 12; SIGMETRICS 2011 for the fluid',
  claim:
    'The paper says: the queue swings by N (W* + 1) alpha / 2 packets up to K + N, which ' +
    'predicts few flows best; many swing less. Here 2 and 10 flows swing as predicted, and 40 at ' +
    'least a tenth less.',
  reproduce,
  switches: [
    {
      name: 'cuts in proportion',
      without: () => ['scheme.params.g=1'],
      breaks: ['2 flows: swing', '10 flows: swing', '40 flows: swing over'],
    },
    {
      name: 'the threshold',
      without: () => ['scheme.params.k10=20KB'],
      breaks: ['2 flows: top', '10 flows: top', '40 flows: top', '40 flows: swing of'],
    },
  ],
}

export function bottleneckOf(flows: number, untilMs: number, seed: number = 1): Bottleneck {
  return {
    scheme: 'dctcp',
    flows,
    rateBps: 10e9,
    // Four links and the packets' own times make a round trip of 100 us.
    linkDelayPs: 24.35e6,
    untilMs,
    seed,
    intervalUs: 10,
    params: { k10: K_PACKETS * PACKET },
    // Real hosts are not in step to the nanosecond: up to one packet time between two packets.
    packetParams: { initialThreshold: 1, overhead: 1.2e6 },
  }
}

interface Row {
  readonly flows: number
  /** By seed, in packets. */
  readonly swings: readonly number[]
  readonly tops: readonly number[]
  readonly predicted: number
  readonly fluid: number
  readonly queue: readonly number[]
  readonly fluidQueue: readonly number[]
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const untilMs = context.size === 'full' ? 1000 : 60
  const seeds = seedsOf(context)
  const rows = await Promise.all(
    FLOWS.map(async (flows) => {
      const results = await Promise.all(
        seeds.map((seed) => context.simulate(packetsOf(bottleneckOf(flows, untilMs, seed)))),
      )
      return rowOf(flows, results, untilMs)
    }),
  )
  context.progress(1, 'all runs')
  return {
    draws: `${seeds.length} seeds`,
    checks: [
      ...rows.flatMap((row) => checksOf(context.size, row)),
      lessCheck(context.size, rows.at(-1)!),
    ],
    plots: [
      swingPlot(rows),
      ...rows.map(({ flows, predicted, queue, fluidQueue }) => ({
        title: `Queue of ${flows} flows, the last 10 ms, first seed`,
        kind: 'lines' as const,
        x: { label: 'time', unit: 'ms' },
        y: { label: 'queue', unit: 'packets' },
        curves: [
          { name: 'packets', x: queue.map((_, i) => i * 0.01), y: queue },
          {
            ...{ name: 'fluid', x: fluidQueue.map((_, i) => i * 0.01), y: fluidQueue },
            isExpected: true,
          },
          {
            name: 'K + N',
            x: [0, 10],
            y: [top(flows), top(flows)],
            isExpected: true,
          },
          {
            name: 'K + N less the swing predicted',
            x: [0, 10],
            y: [top(flows) - predicted, top(flows) - predicted],
            isExpected: true,
          },
        ],
      })),
    ],
    notes: [
      'The later half of each run; packets of 1,538 B on the wire. K = 40 packets and K + N are ' +
        "the paper's. The fluid is drawn in a phase of its own.",
      'With 0 to 1.2 us drawn between packets the swings are 10 to 11, 24 to 25 and 51 to 56 ' +
        'packets (60 ms, one seed); with 3 us two flows no longer fill the link.',
      "The fluid's swing is a limit cycle of all flows in step with marks that return after the " +
        'wait that they met; `weir theory dctcp` has its first harmonic.',
    ],
  }
}

/** What is judged, packets beside the prediction. */
function swingPlot(rows: readonly Row[]): Plot {
  const x = rows.map(({ flows }) => String(flows))
  const spreads = rows.map(({ swings }) => meanInterval(swings))
  return {
    title: 'Swing of the queue: packets, and the analysis',
    kind: 'bars',
    x: { label: 'flows', unit: '' },
    y: { label: 'swing', unit: 'packets' },
    curves: [
      {
        ...{ name: 'packets', x, y: spreads.map(({ mean }) => mean) },
        half: spreads.map(({ half }) => half || 0),
      },
      { name: 'predicted', x, y: rows.map(({ predicted }) => predicted), isExpected: true },
    ],
  }
}

function top(flows: number): number {
  return K_PACKETS + flows
}

type Size = FigureContext['size']

function checksOf(size: Size, { flows, swings, tops, predicted, fluid }: Row): Check[] {
  const topPackets = top(flows)
  return [
    decided(
      size,
      `${flows} flows: swing of the queue`,
      `the analysis: ${predicted.toFixed(1)} packets (within ${100 * SWING_REACH}%: our bound)`,
      swings,
      [(1 - SWING_REACH) * predicted, (1 + SWING_REACH) * predicted],
      'packets',
      `0.5th to 99.5th percentile; the fluid's limit cycle has ${fluid.toFixed(1)}`,
    ),
    decided(
      size,
      `${flows} flows: top of the queue`,
      `K + N = ${topPackets} packets (within a tenth)`,
      tops,
      [0.9 * topPackets, 1.1 * topPackets],
      'packets',
      '99.5th percentile',
    ),
  ]
}

function lessCheck(size: Size, { flows, swings, predicted }: Row): Check {
  return decided(
    size,
    `${flows} flows: swing over what the analysis says`,
    'less than predicted for many flows, which are not in step (below 0.95)',
    swings.map((swing) => swing / predicted),
    [0, 0.95],
    'times',
    'windows of three packets: flows are out of step',
  )
}

/** Of a queue's samples, as they are: a mean over several would take off the teeth. */
export function swingOf(queue: readonly number[]): number {
  return at(queue, HIGH) - at(queue, 1 - HIGH)
}

const HIGH = 0.995

function at(queue: readonly number[], q: number): number {
  const sorted = [...queue].sort((one, other) => one - other)
  return sorted[Math.round(q * (sorted.length - 1))]!
}

function rowOf(
  flows: number,
  results: readonly Parameters<typeof queueOf>[0][],
  untilMs: number,
): Row {
  const b = bottleneckOf(flows, untilMs)
  const queues = results.map((result) =>
    later(queueOf(result).values).map((bytes) => bytes / PACKET),
  )
  const fluid = later(courseOf({ ...b, untilMs: Math.min(100, untilMs) }).queueBytes).map(
    (bytes) => bytes / PACKET,
  )
  const { quantities } = fluidOf(b).fixedPoint()
  return {
    flows,
    swings: queues.map(swingOf),
    tops: queues.map((queue) => at(queue, HIGH)),
    predicted: quantities.find(({ name }) => name === 'queue, swing')!.value / PACKET,
    fluid: Math.max(...fluid) - Math.min(...fluid),
    queue: queues[0]!.slice(-1000),
    fluidQueue: fluid.slice(-1000),
  }
}
