/** A result made by hand, for tests of what is done with results: smooth curves, no simulation. */
import type { Entry } from '../comparison.ts'
import { summaryColumns } from '@weir/sim'
import type { Result, Series, Summary, ValidSpec } from '@weir/sim'

export interface MadeResult {
  readonly scheme?: string
  readonly flows?: number
  /** Scales times, slowdowns and queues; 1 is the best scheme. */
  readonly badness?: number
  readonly samples?: number
  readonly warnings?: readonly string[]
}

const INTERVAL_PS = 10e6

export function madeResult(options: MadeResult = {}): Result {
  const { scheme = 'dcqcn', flows = 4, badness = 1, samples = 200, warnings = [] } = options
  const names = Array.from({ length: flows }, (_, index) => `f${index}`)
  const simulatedPs = samples * INTERVAL_PS
  const fctPs = names.map((_, index) => Math.round((simulatedPs / 4) * (1 + index / flows)))
  const column = <T>(value: (index: number) => T): T[] => names.map((_, index) => value(index))
  return {
    format: 'weir-result/1',
    version: '0.1.0',
    spec: madeSpec(scheme),
    seed: 1,
    fingerprint: `${scheme.length}`.padStart(16, '0'),
    simulatedPs,
    measuredPs: simulatedPs,
    ended: { why: 'completed' },
    flows: {
      name: names,
      item: column(() => 'flows'),
      source: column((index) => `h${index + 1}`),
      target: column(() => 'h0'),
      class: column(() => 3),
      sizeBytes: column(() => 1e6),
      startPs: column(() => 0),
      endPs: fctPs.map((time) => time * badness),
      fctPs: fctPs.map((time) => time * badness),
      idealFctPs: fctPs.map((time) => time / 2),
      slowdown: column(() => 2 * badness),
      deliveredBytes: column(() => 1e6),
      retransmittedPackets: column(() => 0),
      notifications: column(() => 0),
      reorderPackets: column(() => 0),
      throughputBps: column(() => 25e9 / flows / badness),
      unfinished: column(() => ''),
    },
    series: madeSeries(names, samples, badness),
    ports: madePorts(badness),
    counters: madeCounters(),
    summary: madeSummary(flows, badness),
    warnings,
  }
}

/** One entry each, by the scheme's name. */
export function entriesOf(results: readonly Result[]): Entry[] {
  return results.map((result) => ({ label: result.spec.scheme.name, results: [result] }))
}

export function madeSummary(flows: number, badness: number): Summary {
  const none = Object.fromEntries(Object.keys(summaryColumns).map((key) => [key, 0]))
  return {
    ...(none as unknown as Summary),
    flows,
    flowsEnded: flows,
    flowsUnfinished: 0,
    fctPsMean: 5e8 * badness,
    fctPsP50: 4e8 * badness,
    fctPsP99: 9e8 * badness,
    slowdownMean: 2 * badness,
    slowdownP50: 1.5 * badness,
    slowdownP99: 4 * badness,
    slowdownP999: 5 * badness,
    atLeast: [],
    buckets: [10e3, 100e3, 1e6, 10e6].map((toBytes, index) => ({
      fromBytes: index === 0 ? 0 : toBytes / 10,
      toBytes,
      flows: 10,
      flowsEnded: 10,
      fctPsMean: 1e8,
      fctPsP50: 1e8,
      fctPsP99: 3e8,
      slowdownMean: 1.5 * badness,
      slowdownP50: (1.2 + index / 5) * badness,
      slowdownP99: (3 - index / 3) * badness,
      slowdownP999: (3.1 - index / 3) * badness,
      atLeast: [],
    })),
    items: [],
    classes: [],
    goodputBps: 24e9 / badness,
    jain: 1 / badness,
    queueBytesMax: 250e3 * badness,
    queueBytesP99: 200e3 * badness,
    pauseFrames: badness > 1 ? 12 : 0,
    pausedPs: badness > 1 ? 3e6 : 0,
    packetsDropped: 0,
    packetsTrimmed: 0,
    packetsLost: 0,
    packetsMarked: 120,
    notifications: 40,
    retransmittedPackets: 0,
    controlFraction: 0.02,
    convergencePs: NaN,
    maxMinError: NaN,
  }
}

function madeSeries(names: readonly string[], samples: number, badness: number): Series[] {
  const series = (
    name: string,
    unit: Series['unit'],
    value: (index: number) => number,
  ): Series => ({
    name,
    unit,
    startPs: 0,
    intervalPs: INTERVAL_PS,
    values: Array.from({ length: samples }, (_, index) => Math.max(0, value(index))),
  })
  const share = 25e9 / names.length
  return [
    ...names.map((name, flow) =>
      series(`rate.${name}`, 'bit/s', (index) => {
        const ripple = Math.sin(index / 6 + flow) * (0.2 * badness) * Math.exp(-index / 80)
        return share * (1 - Math.exp(-index / (10 * badness)) + ripple)
      }),
    ),
    series('queue.s0->h0.c3', 'bytes', (index) => {
      return 250e3 * badness * Math.exp(-index / (30 * badness)) * (1 + 0.3 * Math.sin(index / 3))
    }),
    series('queue.h1->s0.c3', 'bytes', () => 0),
  ]
}

/** The receiver's port, and a sender's that it makes wait when things are bad. */
function madePorts(badness: number): Result['ports'] {
  return {
    name: ['s0->h0', 'h1->s0'],
    of: ['switch', 'host'],
    rateBps: [25e9, 25e9],
    utilisation: [0.96 / badness, 0.25],
    queueBytesMax: [250e3 * badness, 9e6],
    queueBytesMean: [100e3 * badness, 4e6],
    packetsMarked: [120, 0],
    packetsDropped: [0, 0],
    packetsTrimmed: [0, 0],
    packetsLost: [0, 0],
    pausedPs: [0, badness > 1 ? 3e6 : 0],
    pausedBy: [[], badness > 1 ? [{ port: 's0->h0', share: 1 }] : []],
  }
}

function madeCounters(): Result['counters'] {
  return {
    events: 123456,
    packetHops: 23456,
    packetsSent: 12000,
    packetsDropped: 0,
    packetsTrimmed: 0,
    packetsLost: 0,
    packetsMarked: 120,
    notifications: 40,
    agentPackets: 0,
    agentBytes: 0,
    agentBytesInner: 0,
    pauseFrames: 0,
    pausedPs: 0,
    retransmittedPackets: 0,
    dataBytes: 4e6,
    controlBytes: 8e4,
    allBytes: 4.08e6,
    queueBytesMax: 250e3,
    bufferBytesMax: 300e3,
  }
}

/** Only what the command line reads of a spec. */
function madeSpec(scheme: string): ValidSpec {
  return {
    name: 'incast',
    title: 'Four to one through a single switch',
    description: 'Four hosts send to one at once. Look at the queue before the receiver.',
    seed: 1,
    scheme: { name: scheme, preset: '', params: { g: 0.0625, timer: 55e6 } },
    run: { untilPs: 2e9, drainPs: 0, eventsMax: 0 },
  } as unknown as ValidSpec
}
