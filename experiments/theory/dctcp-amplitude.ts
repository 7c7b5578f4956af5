/**
 * DCTCP's sawtooth against its analysis: 2, 10 and 40 flows.
 *
 * M. Alizadeh et al., "Data Center TCP", SIGCOMM 2010, section 3.3 and Fig. 12: 10 Gb/s, a round
 * trip of 100 us, K = 40 packets, g = 1/16. With N flows in step the queue swings by A = sqrt(2 N
 * (C RTT + K)) / 2 for large windows (exactly: N (W* + 1) alpha / 2) up to K + N. Published: the
 * analysis is a fairly accurate prediction, best for small N; with N = 40 flows are less in step,
 * and the real swing is smaller than the analysis has it (Fig. 12's words: not verified).
 */
import type { Figure, FigureContext, FigureResult } from '../figure.ts'
import { holds, within } from '../figure.ts'
import type { Bottleneck } from './bottleneck.ts'
import { courseOf, fluidOf, later, packetBytesOf, packetsOf, queueOf } from './bottleneck.ts'

const FLOWS = [2, 10, 40]
const K_PACKETS = 40
const PACKET = packetBytesOf('dctcp')

export const dctcpAmplitude: Figure = {
  id: 'theory/dctcp-amplitude',
  title: "DCTCP's queue: swing and top against the analysis, 2, 10 and 40 flows",
  cite: 'SIGCOMM 2010, section 3.3 and Fig. 12; SIGMETRICS 2011 for the fluid',
  claim: 'The swing is N (W* + 1) alpha / 2 and the top K + N packets, best for few flows.',
  reproduce,
}

export function bottleneckOf(flows: number, untilMs: number): Bottleneck {
  return {
    scheme: 'dctcp',
    flows,
    rateBps: 10e9,
    // Four links and the packets' own times make a round trip of 100 us.
    linkDelayPs: 24.35e6,
    untilMs,
    intervalUs: 10,
    params: { k10: K_PACKETS * PACKET },
    // Real hosts are not in step to the nanosecond: up to one packet time between two packets.
    packetParams: { initialThreshold: 1, overhead: 1.2e6 },
  }
}

interface Row {
  readonly flows: number
  readonly swing: number
  readonly top: number
  readonly predicted: number
  readonly fluid: number
  readonly queue: readonly number[]
  readonly fluidQueue: readonly number[]
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const untilMs = context.size === 'full' ? 1000 : 60
  const rows = await Promise.all(
    FLOWS.map(async (flows) =>
      rowOf(flows, await context.simulate(packetsOf(bottleneckOf(flows, untilMs))), untilMs),
    ),
  )
  context.progress(1, 'all runs')
  return {
    checks: rows
      .flatMap(({ flows, swing, top, predicted, fluid }) => [
        within(
          `${flows} flows: swing of the queue`,
          Number(predicted.toFixed(1)),
          swing,
          0.15,
          'packets',
          `0.5th to 99.5th percentile, within 15%; the fluid's limit cycle has ${fluid.toFixed(1)}`,
        ),
        within(`${flows} flows: top of the queue`, K_PACKETS + flows, top, 0.1, 'packets', 'K + N'),
      ])
      .concat(
        holds(
          '40 flows: swing over what the analysis says',
          'less than predicted for many flows, which are not in step',
          rows[2]!.swing / rows[2]!.predicted,
          rows[2]!.swing < 0.95 * rows[2]!.predicted,
          'times',
          'windows of three packets: flows are out of step',
        ),
      ),
    plots: rows.map(({ flows, queue, fluidQueue }) => ({
      title: `${flows} flows`,
      kind: 'lines' as const,
      x: { label: 'time', unit: 'ms' },
      y: { label: 'queue', unit: 'packets' },
      curves: [
        { name: 'packets', x: queue.map((_, i) => i * 0.01), y: queue },
        { name: 'fluid', x: fluidQueue.map((_, i) => i * 0.01), y: fluidQueue },
      ],
    })),
    notes: [
      'The later half of each run; packets of 1,538 B on the wire. Plots show its last 10 ms.',
      "The fluid's swing is a limit cycle of all flows in step with marks that return after the " +
        'wait that they met; its first harmonic is `weir theory dctcp`.',
    ],
  }
}

function rowOf(flows: number, result: Parameters<typeof queueOf>[0], untilMs: number): Row {
  const b = bottleneckOf(flows, untilMs)
  const queue = later(queueOf(result).values).map((bytes) => bytes / PACKET)
  const fluid = later(courseOf({ ...b, untilMs: Math.min(100, untilMs) }).queueBytes).map(
    (bytes) => bytes / PACKET,
  )
  const { quantities } = fluidOf(b).fixedPoint()
  const predicted = quantities.find(({ name }) => name === 'queue, swing')!.value / PACKET
  const sorted = [...queue].sort((a, b) => a - b)
  const at = (q: number): number => sorted[Math.round(q * (sorted.length - 1))]!
  return {
    flows,
    swing: at(0.995) - at(0.005),
    top: at(0.995),
    predicted,
    fluid: Math.max(...fluid) - Math.min(...fluid),
    queue: queue.slice(-1000),
    fluidQueue: fluid.slice(-1000),
  }
}
