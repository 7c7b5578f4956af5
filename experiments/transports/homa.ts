/**
 * Homa: short messages beside long ones at 80% load.
 *
 * SIGCOMM 2018, abstract: '99th percentile round-trip times less than 15 us for short messages on a
 * 10 Gbps network running at 80% load' (an implementation, of requests and their answers).
 *
 * Ours: 16 hosts at 10 Gb/s in a leaf-spine of full bisection, FB_Hadoop's sizes, sprayed packets.
 * A message's time is that from its first byte to the ACK of its last: one way and a header back.
 * The paper has an answer as long as the request: ours is a second message of the same run, drawn
 * independently of the first, whose header back is counted, too. DCQCN and HPCC stand beside it.
 *
 * Tails are of the messages of all seeds together; an interval is the jackknife's over seeds. What
 * arrives in the first quarter fills the fabric and is not counted. Changed: a tail was the mean of
 * each seed's, of some 150 short messages in the small size, from an empty fabric on; and one way
 * was held against what the paper has for both.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { drawsOf, holds, needsFull, ours, seedsOf } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { jackknife } from '../pacc/completion.ts'
import type { Estimate } from '../pacc/completion.ts'
import { pairQuantile } from './pairs.ts'

const SCHEMES = ['homa', 'dcqcn', 'hpcc'] as const
const NAMES = { homa: 'Homa', dcqcn: 'DCQCN', hpcc: 'HPCC' } as const
/** Messages up to so many KB, one bucket above the other; the first are the short ones. */
const UP_TO_KB = [1, 10, 100, 1000, 10_000]
const PUBLISHED_US = 15
/** Messages that a 99th percentile needs. */
const FEWEST = 1000
const WARM_UP = 0.25

export const homaFigure: Figure = {
  id: 'transports/homa',
  title: 'Homa: the tail of short messages at 80% load',
  cite: 'SIGCOMM 2018, abstract',
  claim:
    'The paper says: at 80% load the 99th percentile of short messages is below 15 us, there and ' +
    'back. Here, without the time that hosts take, messages of one packet take less than that, ' +
    'too, if an answer is not late because its request was.',
  reproduce,
  switches: [
    {
      name: 'priorities',
      without: ({ scheme }) =>
        scheme.name === 'homa' ? ['fabric.classes=2', 'hosts.dataClass=0'] : [],
      breaks: ['Homa: there and back'],
    },
  ],
}

/** One column per size, and per seed the times of its messages. */
type Column = 'fctPs' | 'slowdown'

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const seeds = seedsOf(context)
  const until = context.size === 'full' ? '50ms' : '4ms'
  let done = 0
  const results = await Promise.all(
    SCHEMES.map((scheme) =>
      Promise.all(
        seeds.map(async (seed) => {
          const result = await context.simulate(specOf(scheme, seed, until))
          context.progress(++done / (SCHEMES.length * seeds.length), NAMES[scheme])
          return result
        }),
      ),
    ),
  )
  const drawn = UP_TO_KB.flatMap((_, i) =>
    results.every((draws) => countOf(draws, i) >= FEWEST) ? [i] : [],
  )
  const counts = UP_TO_KB.map((kb, i) => `${many(kb)} KB: ${many(countOf(results[0]!, i))}`)
  return {
    checks: [
      ...SCHEMES.flatMap((scheme, i) => rowsOf(NAMES[scheme], results[i]!)),
      ...(drawn.includes(1) ? [besideHpcc(results[0]!, results[2]!)] : []),
    ],
    plots: [shortPlot(results), ...(drawn.length > 1 ? [bySizePlot(results, drawn)] : [])],
    draws: drawsOf(seeds),
    notes: [
      "Short: up to 1 KB, one packet. The paper's 15 us are of a request and its answer, and " +
        'of hosts whose software takes time. Here a message goes one way, and its header comes ' +
        'back; there and back are two of one run, every pair of them, independent of each other.',
      `A size is drawn if ${many(FEWEST)} of its messages or more were counted; the first ` +
        `quarter of the run is left out. Up to ${counts.join(', ')}.`,
    ],
  }
}

function shortPlot(results: readonly (readonly Result[])[]): Plot {
  const x = SCHEMES.map((scheme) => NAMES[scheme])
  const curve = (name: string, tails: readonly Estimate[]): Curve => ({
    ...{ name, x },
    y: tails.map(({ value }) => value / 1e6),
    half: tails.map(({ half }) => half / 1e6 || 0),
  })
  const both = 'there and back'
  return {
    title: 'Messages of one packet (up to 1 KB) at 80% load',
    kind: 'bars',
    x: { label: 'scheme', unit: '' },
    // The published 15 us and ours would be one spot beside DCQCN's on an axis from zero.
    y: { label: 'completion time, 99th percentile', unit: 'us', scale: 'log' },
    curves: [
      curve(both, results.map(pairTailOf)),
      curve(
        'one way',
        results.map((draws) => tailOf(draws, 0, 'fctPs')),
      ),
      { name: both, x: [NAMES.homa], y: [PUBLISHED_US], isPublished: true },
    ],
  }
}

function bySizePlot(results: readonly (readonly Result[])[], drawn: readonly number[]): Plot {
  return {
    title: '99th percentile of completion by size, all seeds together',
    kind: 'lines',
    x: { label: 'message size up to', unit: 'KB', scale: 'log' },
    y: { label: 'completion time, 99th percentile', unit: 'us', scale: 'log' },
    curves: SCHEMES.map((scheme, i) => {
      const tails = drawn.map((bucket) => tailOf(results[i]!, bucket, 'fctPs'))
      return {
        name: NAMES[scheme],
        x: drawn.map((bucket) => UP_TO_KB[bucket]!),
        y: tails.map(({ value }) => value / 1e6),
        half: tails.map(({ half }) => half / 1e6 || 0),
      }
    }),
  }
}

function many(count: number): string {
  return count.toLocaleString('en-US')
}

/** Of one seed: messages of a bucket that arrived after the first quarter. */
function valuesOf({ flows, spec }: Result, bucket: number, column: Column): number[] {
  const [from, to] = [(UP_TO_KB[bucket - 1] ?? 0) * 1e3, UP_TO_KB[bucket]! * 1e3]
  return flows[column].filter(
    (_, i) =>
      flows.sizeBytes[i]! > from &&
      flows.sizeBytes[i]! <= to &&
      flows.startPs[i]! >= WARM_UP * spec.run.untilPs,
  )
}

function countOf(draws: readonly Result[], bucket: number): number {
  return draws.reduce((sum, draw) => sum + valuesOf(draw, bucket, 'fctPs').length, 0)
}

function tailOf(draws: readonly Result[], bucket: number, column: Column): Estimate {
  const values = draws.map((draw) => valuesOf(draw, bucket, column))
  return jackknife(draws.length, (kept) =>
    nearestRank(sortedValues(kept.flatMap((i) => values[i]!)), 0.99),
  )
}

/** Of a request and its answer, two short messages of one run. */
function pairTailOf(draws: readonly Result[]): Estimate {
  const values = draws.map((draw) => sortedValues(valuesOf(draw, 0, 'fctPs')))
  return jackknife(draws.length, (kept) =>
    pairQuantile(
      kept.map((i) => values[i]!),
      0.99,
    ),
  )
}

function rowsOf(title: string, draws: readonly Result[]): Check[] {
  const [us, slow] = [tailOf(draws, 0, 'fctPs'), tailOf(draws, 0, 'slowdown')]
  return [
    bothWays(title, draws, us),
    inUs(ours(`${title}: 99th percentile of short messages, one way`, us.value / 1e6, 'us'), us),
    {
      ...ours(`${title}: 99th percentile of their slowdown, one way`, slow.value, 'times'),
      ...(Number.isNaN(slow.half) ? {} : { half: slow.half }),
    },
  ]
}

function bothWays(title: string, draws: readonly Result[], oneWay: Estimate): Check {
  const both = pairTailOf(draws)
  const name = `${title}: there and back, 99th percentile of short messages`
  const count = `${many(countOf(draws, 0))} messages`
  if (title !== NAMES.homa) return inUs(ours(name, both.value / 1e6, 'us', count), both)
  const published = `below ${PUBLISHED_US} us`
  if (countOf(draws, 0) < FEWEST && draws.length > 1) return needsFull(name, published, count)
  const isBelow = (both.value + (both.half || 0)) / 1e6 < PUBLISHED_US
  const note =
    `${count}; if every answer were as late as its request, ` +
    `${((2 * oneWay.value) / 1e6).toFixed(1)} us`
  return inUs(holds(name, published, both.value / 1e6, isBelow, 'us', note), both)
}

function inUs(check: Check, { half }: Estimate): Check {
  return Number.isNaN(half) ? check : { ...check, half: half / 1e6 }
}

/** The adverse result: the next size, in which Homa's grants take a round trip. */
function besideHpcc(homa: readonly Result[], hpcc: readonly Result[]): Check {
  const [own, other] = [homa, hpcc].map((draws) => draws.map((draw) => valuesOf(draw, 1, 'fctPs')))
  const { value, half } = jackknife(homa.length, (kept) => {
    const [a, b] = [own!, other!].map((values) =>
      nearestRank(sortedValues(kept.flatMap((i) => values[i]!)), 0.99),
    )
    return a! / b!
  })
  return {
    ...ours('messages of 1 to 10 KB, 99th percentile: Homa over HPCC', value, 'times'),
    ...(Number.isNaN(half) ? {} : { half }),
  }
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
    metrics: { interval: 'none' },
  })
}
