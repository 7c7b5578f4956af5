/**
 * TIMELY: a 40-to-1 incast on top of uniform random traffic at three loads.
 *
 * Document B, "Incast Experiment"; SIGCOMM 2015, section 6.3. Published: 'TIMELY throughput and
 * latency are the same as the background traffic w/o reduction'. The lecture's picture has no axis
 * values in its text, so the claim is what is checked.
 *
 * Ours: 48 hosts of 10 Gb/s under four leaves, messages of 64 KB between any two at three loads,
 * and 40 hosts that all send to one, without end. Normalized throughput is what the background
 * delivers with the incast over what it delivers without. RTTs are those of single packets sent
 * between random hosts in the later half; those to the incast's own host are told apart. ACKs have
 * a class of their own, as the lecture says. Throughput and RTTs of others agree; at the incast's
 * host the RTT stays at what the start left behind, some 400 us, for between T_low and T_high
 * TIMELY asks only that it does not grow.
 */
import { nearestRank, sortedValues } from '@weir/metrics'
import { validateSpec } from '@weir/sim'
import type { Result, ValidSpec } from '@weir/sim'
import { holds } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'

const SENDERS = 40

export const timelyIncast: Figure = {
  id: 'lecture/timely-incast',
  title: 'TIMELY: 40-to-1 incast over uniform traffic',
  cite: 'document B, "Incast Experiment"; SIGCOMM 2015, section 6.3',
  claim: 'Throughput and 99th percentile RTT are those of the background without the incast.',
  reproduce,
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const loads = isFull ? [0.2, 0.4, 0.6] : [0.1, 0.2, 0.3]
  const untilMs = isFull ? 100 : 8
  const run = (load: number, hasIncast: boolean): Promise<Result> =>
    context.simulate(specOf(load, hasIncast, untilMs))
  const pairs = await Promise.all(
    loads.map((load) => Promise.all([run(load, false), run(load, true)])),
  )
  context.progress(1, 'all runs')
  const throughput = pairs.map(([without, with_]) => delivered(with_) / delivered(without))
  const rtts = pairs.map((pair) => pair.map((result) => rttUsP99(result, 'to others')))
  const atIncast = pairs.map((pair) => rttUsP99(pair[1], 'to the incast'))
  const together = pairs.map(([without, with_]) => {
    return rttUsP99(with_, 'all') / rttUsP99(without, 'all')
  })
  const percent = loads.map((load) => `${100 * load}%`)
  return {
    checks: [
      ...loads.flatMap((_, i) => checksOf(percent[i]!, throughput[i]!, rtts[i]!)),
      holds(
        `99th percentile RTT of all packets, with over without incast, at ${percent[0]!}`,
        'the same as without the incast',
        together[0]!,
        together[0]! < 1.25,
        'times',
        "one probe in 48 goes to the incast's own host and waits in its queue, which is more than " +
          'one in a hundred: the percentile of all lies among them. The published one is over the ' +
          'RPCs of a few hundred machines, of which fewer meet the incast',
      ),
      holds(
        `99th percentile RTT to the incast's own host at ${percent[0]!}`,
        'below T_high, 500 us',
        atIncast[0]!,
        atIncast[0]! < 500,
        'us',
        'forty windows of one product are some 400 us; below T_high TIMELY leaves a queue that does ' +
          'not grow as it is (CoNEXT 2016), and the background adds to it',
      ),
    ],
    plots: [
      {
        title: 'Normalized throughput',
        kind: 'bars',
        x: { label: 'background load', unit: '' },
        y: { label: 'background with the incast over without', unit: '' },
        curves: [{ name: 'with incast', x: percent, y: throughput }],
      },
      {
        title: '99th percentile RTT',
        kind: 'bars',
        x: { label: 'background load', unit: '' },
        y: { label: 'RTT', unit: 'us' },
        curves: [
          { name: 'without incast', x: percent, y: rtts.map((pair) => pair[0]!) },
          { name: 'with incast', x: percent, y: rtts.map((pair) => pair[1]!) },
          { name: 'with incast, to its host', x: percent, y: atIncast },
        ],
      },
    ],
    notes: [
      'With a window of one bandwidth-delay product (HPCC calls that TIMELY+win). Without it forty ' +
        'flows that begin together at line rate put 20 MB into the switches before any has feedback, ' +
        'PFC spreads it, and the background loses more than half for tens of milliseconds; the ' +
        "paper's connections were there before.",
      "RTTs are split by whether they go to the incast's own host: the document says 'the same' of the " +
        'background, and neither it nor the lecture says which packets were counted.',
      'The published experiment ran on a few hundred machines; loads and sizes are ours.',
      'Each message is a flow of its own here and starts at its share of the line rate; the ' +
        "paper's connections kept their rates from message to message.",
    ],
  }
}

function checksOf(load: string, throughput: number, rtts: readonly number[]): Check[] {
  const ratio = rtts[1]! / rtts[0]!
  return [
    holds(
      `normalized throughput at ${load}`,
      'the same as without the incast',
      throughput,
      Math.abs(throughput - 1) < 0.05,
      '',
    ),
    holds(
      `99th percentile RTT between other hosts, with over without incast, at ${load}`,
      'the same as without the incast',
      ratio,
      ratio < 1.25,
      'times',
      `${rtts[0]!.toFixed(1)} us without, ${rtts[1]!.toFixed(1)} us with`,
    ),
  ]
}

function specOf(load: number, hasIncast: boolean, untilMs: number): ValidSpec {
  const generate = (fields: object): object => ({ generate: fields })
  return validateSpec({
    name: 'timely-incast',
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
    scheme: { name: 'timely', params: { windowBdps: 1 } },
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

/** A probe is one packet: it ends with its ACK, so its completion time is a round trip. */
function rttUsP99({ flows }: Result, which: 'all' | 'to the incast' | 'to others'): number {
  const rtts = flows.fctPs.filter((rtt, i) => {
    if (!flows.name[i]!.startsWith('probe') || Number.isNaN(rtt)) return false
    return which === 'all' || (flows.target[i] === 'leaf0.h0') === (which === 'to the incast')
  })
  return nearestRank(sortedValues(rtts), 0.99) / 1e6
}
