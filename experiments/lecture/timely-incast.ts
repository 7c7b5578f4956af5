/**
 * TIMELY: a 40-to-1 incast on top of uniform random traffic, as the paper has it and with a window.
 *
 * Trivedi 2019, "Incast Experiment"; SIGCOMM 2015, section 6 (its subsection is not verified).
 * Published: 'TIMELY throughput and latency are the same as the background traffic w/o reduction'.
 * The lecture's picture has no axis values in its text, so the claim is what is checked.
 *
 * Ours: 48 hosts of 10 Gb/s under four leaves, messages of 64 KB between any two at three loads,
 * and 40 hosts that all send to one, without end. Normalized throughput is what the background
 * delivers with the incast over what it delivers without. RTTs are those of single packets sent
 * between random hosts in the later half; those to the incast's own host are told apart. ACKs have
 * a class of their own, as the lecture says.
 *
 * TIMELY has no window, and forty flows that begin together at line rate put 20 MB into the
 * switches before any has feedback: the background loses most of its throughput for tens of
 * milliseconds. With a window of one bandwidth-delay product ('TIMELY+win' of HPCC) it does not;
 * that is another scheme than the one that was published, and its numbers are ours.
 *
 * Changed after first results: only the one with a window was run, and was called TIMELY.
 */
import { mean, meanInterval, nearestRank, sortedValues } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { drawn, drawsOf, ours, seedsOf } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'

const SENDERS = 40
const VARIANTS = [
  { name: 'TIMELY', windowBdps: 0 },
  { name: 'TIMELY with a window', windowBdps: 1 },
] as const
type Variant = (typeof VARIANTS)[number]

export const timelyIncast: Figure = {
  id: 'lecture/timely-incast',
  title: 'TIMELY, plain and with a window: 40-to-1 incast over uniform traffic',
  cite: 'Trivedi 2019, "Incast Experiment"; SIGCOMM 2015, section 6',
  claim: 'Throughput and 99th percentile RTT are those of the background without the incast.',
  switches: [
    {
      name: 'the start at line rate (a window of one product holds it)',
      without: ({ scheme }) =>
        scheme.params['windowBdps'] === 0 ? ['scheme.params.windowBdps=1'] : [],
      breaks: [],
      mends: ['TIMELY: normalized throughput', 'TIMELY: 99th percentile RTT between other hosts'],
    },
  ],
  reproduce,
}

/** One draw: the background with the incast beside the same without. */
interface Pair {
  readonly throughput: number
  /** 99th percentiles, us: between other hosts, without and with; to the incast's host. */
  readonly others: readonly [number, number]
  readonly atIncast: number
}

interface Row {
  readonly variant: Variant
  readonly load: number
  readonly pairs: readonly Pair[]
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const loads = isFull ? [0.2, 0.4, 0.6] : [0.2]
  const seeds = seedsOf(context)
  const untilMs = isFull ? 60 : 8
  const places = VARIANTS.flatMap((variant) => loads.map((load) => ({ variant, load })))
  let done = 0
  const rows = await Promise.all(
    places.map(async ({ variant, load }): Promise<Row> => {
      const pairs = await Promise.all(
        seeds.map(async (seed) => {
          const runs = [false, true].map((hasIncast) =>
            context.simulate(specOf(variant, load, hasIncast, untilMs, seed)),
          )
          const pair = pairOf(...((await Promise.all(runs)) as [Result, Result]))
          context.progress(++done / (places.length * seeds.length), `${variant.name} at ${load}`)
          return pair
        }),
      )
      return { variant, load, pairs }
    }),
  )
  return {
    checks: rows.flatMap((row) => (row.variant.windowBdps === 0 ? plain(row) : windowed(row))),
    plots: plotsOf(rows, loads),
    draws: drawsOf(seeds),
    notes: [
      "RTTs are split by whether they go to the incast's own host: the paper says 'the " +
        "same' of the " +
        'background, and neither it nor the lecture says which packets were counted.',
      `Runs of ${untilMs} ms. The published experiment ran on a few hundred machines; loads and ` +
        'sizes are ours.',
      'Each message is a flow of its own here and starts at its share of the line rate; the ' +
        "paper's connections were there before, and kept their rates from message to message.",
      "Dotted: 1, which 'the same' means; the lecture gives no numbers.",
    ],
  }
}

const percent = (load: number): string => `${100 * load}%`

/** What was published is of the scheme without a window. */
function plain({ load, pairs }: Row): Check[] {
  const why =
    'the start of forty flows at line rate fills the switches, and PFC spreads it; a window ' +
    'keeps it out (below)'
  return [
    drawn(
      `TIMELY: normalized throughput at ${percent(load)}`,
      'the same as without the incast',
      pairs.map(({ throughput }) => throughput),
      [0.95, 1.05],
      '',
      why,
    ),
    drawn(
      `TIMELY: 99th percentile RTT between other hosts, with over without, at ${percent(load)}`,
      'the same as without the incast',
      pairs.map(({ others }) => others[1] / others[0]),
      [0.8, 1.25],
      'times',
      why,
    ),
  ]
}

function windowed({ load, pairs }: Row): Check[] {
  const name = `with a window, at ${percent(load)}: `
  return [
    ours(
      `${name}normalized throughput`,
      pairs.map(({ throughput }) => throughput),
      '',
    ),
    ours(
      `${name}99th percentile RTT between other hosts, with over without`,
      pairs.map(({ others }) => others[1] / others[0]),
      'times',
    ),
    ours(
      `${name}99th percentile RTT to the incast's own host`,
      pairs.map(({ atIncast }) => atIncast),
      'us',
      'forty windows of one product are some 400 us at the start; 124 us after 50 ms at a ' +
        'load of 20%',
    ),
  ]
}

function plotsOf(rows: readonly Row[], loads: readonly number[]): Plot[] {
  const x = loads.map(percent)
  const bar = (
    variant: Variant,
    of: string,
    pick: (pair: Pair) => number,
  ): Plot['curves'][number] => {
    const values = rows.filter((row) => row.variant === variant).map((row) => row.pairs.map(pick))
    return {
      name: `${variant.name}${of}`,
      x,
      y: values.map(mean),
      half: values.map((draws) => meanInterval(draws).half),
    }
  }
  const load = { label: 'background load', unit: '' }
  return [
    {
      title: 'Background traffic: throughput with the incast over that without',
      kind: 'bars',
      x: load,
      y: { label: 'background with the incast over without', unit: '' },
      curves: [
        ...VARIANTS.map((variant) => bar(variant, '', ({ throughput }) => throughput)),
        { name: 'the same as without, expected', x, y: x.map(() => 1), isExpected: true },
      ],
    },
    {
      title: '99th percentile RTT, between other hosts and to the host of the incast',
      kind: 'bars',
      x: load,
      y: { label: 'RTT', unit: 'us', scale: 'log' },
      curves: VARIANTS.flatMap((variant) => [
        bar(variant, ', without incast', ({ others }) => others[0]),
        bar(variant, ', with incast', ({ others }) => others[1]),
        bar(variant, ', to the host of the incast', ({ atIncast }) => atIncast),
      ]),
    },
  ]
}

function pairOf(without: Result, with_: Result): Pair {
  return {
    throughput: delivered(with_) / delivered(without),
    others: [rttUsP99(without, false), rttUsP99(with_, false)],
    atIncast: rttUsP99(with_, true),
  }
}

function specOf(
  { windowBdps }: Variant,
  load: number,
  hasIncast: boolean,
  untilMs: number,
  seed: number,
): ValidSpec {
  const generate = (fields: object): object => ({ generate: fields })
  return validateSpec({
    name: 'timely-incast',
    seed,
    topology: {
      kind: 'leaf-spine',
      leaves: 4,
      spines: 3,
      hostsPerLeaf: 12,
      hostRate: '10Gbps',
      fabricRate: '40Gbps',
      delay: '1us',
    },
    hosts: { ack: { every: 1, size: '60B', class: 'control' } },
    workload: [
      generate({ name: 'background', arrivals: { kind: 'poisson', load }, sizes: '64KB' }),
      generate({
        name: 'probe',
        arrivals: { kind: 'poisson', interval: '4us' },
        sizes: '1000B',
        start: `${untilMs / 2}ms`,
      }),
      ...(hasIncast ? [{ flows: incastFlows() }] : []),
    ],
    scheme: { name: 'timely', params: { windowBdps } },
    run: { until: `${untilMs}ms`, drain: 'none' },
    metrics: { interval: 'none' },
  })
}

/** From h1 to h40, all to h0, from the start to the end. */
function incastFlows(): object[] {
  return Array.from({ length: SENDERS }, (_, i) => ({
    name: `incast.${i}`,
    from: `h${i + 1}`,
    to: 'h0',
  }))
}

/** Bytes of the background that have arrived. */
function delivered({ flows }: Result): number {
  return flows.deliveredBytes.reduce(
    (sum, bytes, i) => (flows.name[i]!.startsWith('background') ? sum + bytes : sum),
    0,
  )
}

/**
 * A probe is one packet: it ends with its ACK, so its completion time is a round trip. One that had
 * not ended counts with the time that it has waited.
 */
function rttUsP99(result: Result, isToIncast: boolean): number {
  const { flows, simulatedPs } = result
  const rtts = flows.fctPs.flatMap((rtt, i) => {
    if (!flows.name[i]!.startsWith('probe')) return []
    if ((flows.target[i] === 'leaf0.h0') !== isToIncast) return []
    return Number.isNaN(rtt) ? simulatedPs - flows.startPs[i]! : rtt
  })
  return nearestRank(sortedValues(rtts), 0.99) / 1e6
}
