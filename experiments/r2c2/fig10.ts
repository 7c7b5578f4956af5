/**
 * Completion times of short flows, throughput of long ones, queues and reordering in a rack of 512
 * nodes: R2C2 beside TCP on single paths, at different loads.
 *
 * P. Costa et al., "R2C2", SIGCOMM 2015, section 5.2, Figs. 10 to 14, all from the same runs
 * (`rack-runs.ts`, which says what is ours). The text has the numbers that are checked; the curves
 * are not in it. 'Not limited', as young flows are, can be read in two ways: they send what their
 * paths carry (R2C2 here), or at the rate of one link; the second is beside the first, as ours.
 *
 * Changed after first results: 'worst' asked for a ratio above 1, which R2C2 met by 0.8% with one
 * path per flow; it asks for 1.5, about half of what the paper's numbers (3.21, 2.55) have above 1.
 * On 64 nodes how near R2C2 is to PFQ is not judged any more (needs --full), and there are fewer
 * flows. In full there were three seeds, and are five. Packets were sprayed evenly over ports, as
 * switches do that know no more; the paper uses all shortest paths equally. Reorder buffers were
 * those of all flows: one that had lost a packet, which nobody sends again, held 171,508 ± 470,939
 * in full; they are those of flows that end. That TCP is worst for short flows differed on 64 nodes
 * (4 ± 4 times) where the mean is in range and its interval is not; there it needs the full run.
 *
 * How long a run is decides what it offers: the mean of so heavy a tail comes only from its rarest
 * flows. Both are in the notes.
 */
import { drawn, needsFull, ours, seedsOf } from '../figure.ts'
import type { Check, Figure, FigureContext, FigureResult, Range } from '../figure.ts'
import { decided } from '../theory/decided.ts'
import { CITE } from './cite.ts'
import { lengthCheck, lengthPlots, lengthRuns } from './fig10-length.ts'
import { cdfPlots, loadPlots } from './fig10-plots.ts'
import { CONTENDERS, meanOf, percentile, rackRuns } from './rack-runs.ts'
import type { RackLoad, RackRun } from './rack-runs.ts'

const FULL: readonly RackLoad[] = [
  { tauUs: 0.1, flows: 30_000 },
  { tauUs: 1, flows: 30_000 },
  { tauUs: 10, flows: 6_000 },
  { tauUs: 100, flows: 2_000 },
]
const QUICK: readonly RackLoad[] = [
  { tauUs: 0.1, flows: 1500 },
  { tauUs: 1, flows: 1500 },
]

/** Of the contenders' list. */
const R2C2 = 0
const TCP = 1
const PFQ = 2
const LINK = 3

export interface Loaded extends RackLoad {
  /** By contender and seed. */
  readonly runs: readonly (readonly RackRun[])[]
}

export const fig10: Figure = {
  id: 'r2c2/fig10-14',
  title: 'A rack under R2C2, TCP and per-flow queues: completion times, throughput, queues',
  cite: `${CITE}, section 5.2, Figs. 10 to 14`,
  claim:
    'With a flow each microsecond TCP takes 3.21 times as long for short flows at the 99th ' +
    'percentile and has 2.55 times less throughput for long ones than R2C2, whose short flows ' +
    'closely match those with per-flow queues and back-pressure (PFQ), the ideal. The queues of ' +
    'R2C2 stay below 27 KB; at ten times that load they reach 330.6 KB.',
  headline: 'Fig. 10: R2C2 over PFQ',
  switches: [
    {
      name: 'spraying (one path per flow)',
      without: ({ scheme }) => (scheme.name === 'r2c2' ? ['routing=ecmp'] : []),
      breaks: ['Fig. 10: TCP is worst', 'Fig. 11: TCP is worst'],
    },
  ],
  reproduce,
}

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const isFull = context.size === 'full'
  const seeds = seedsOf(context)
  const loads: Loaded[] = []
  const wanted = isFull ? FULL : QUICK
  for (const [i, load] of wanted.entries()) {
    context.progress(i / wanted.length, `a flow each ${load.tauUs} us`)
    loads.push({ ...load, runs: await rackRuns(context, load, CONTENDERS, seeds) })
  }
  const middle = loads.find(({ tauUs }) => tauUs === 1)!
  const byLength = await lengthRuns(context, isFull, seeds)
  return {
    checks: [
      ...worstChecks(middle, context.size),
      ...idealChecks(middle, isFull),
      ...(isFull ? numberChecks(loads, middle) : smallChecks()),
      ...loads.flatMap(ratioChecks),
      ...loads.flatMap(queueChecks),
      ...byLength.map(lengthCheck),
    ].map(asPublished),
    plots: [
      ...cdfPlots(middle, CONTENDERS),
      ...loadPlots(loads, CONTENDERS, isFull),
      ...lengthPlots([...byLength, { flows: middle.flows, runs: middle.runs[R2C2]! }], isFull),
    ],
    draws: `${seeds.length} seeds`,
    notes: notesOf(loads),
  }
}

/** TCP over R2C2, for each seed. */
function slower(runs: Loaded['runs'], fraction: number): number[] {
  return runs[TCP]!.map(
    ({ shortFctUs }, i) =>
      percentile(shortFctUs, fraction) / percentile(runs[R2C2]![i]!.shortFctUs, fraction),
  )
}

function slowerLong(runs: Loaded['runs'], of: (sorted: Float64Array) => number): number[] {
  return runs[R2C2]!.map(({ longGbps }, i) => of(longGbps) / of(runs[TCP]![i]!.longGbps))
}

function worstChecks({ runs }: Loaded, size: FigureContext['size']): Check[] {
  const claim = 'TCP achieves the worst performance both for short and long flows'
  const worst = (name: string, ratios: readonly number[], why: string): Check => {
    const bySeed = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
    const check = decided(size, name, claim, ratios, [1.5, 10], 'times', `By seed: ${bySeed}.`)
    if (check.verdict === 'agrees') return check
    return { ...check, note: `All of the interval should be 1.5 or more. ${why} ${check.note}` }
  }
  return [
    worst(
      'Fig. 10: TCP is worst for short flows: FCT over R2C2, 99th percentile',
      slower(runs, 0.99),
      "A few flows are the tail, and a long one or a time-out decides each seed's.",
    ),
    worst(
      'Fig. 11: TCP is worst for long flows: R2C2 over it, mean throughput',
      slowerLong(runs, meanOf),
      'Few flows are above 1 MB.',
    ),
  ]
}

/** Section 5.2: 'closely matches the FCT of the PFQ configuration'; 'the gap increases'. */
function idealChecks({ runs }: Loaded, isFull: boolean): Check[] {
  const tail = ({ shortFctUs }: RackRun): number => percentile(shortFctUs, 0.99)
  const long = ({ longGbps }: RackRun): number => meanOf(longGbps)
  const over = (of: (run: RackRun) => number, a: number, b: number): number[] =>
    runs[a]!.map((run, i) => of(run) / of(runs[b]![i]!))
  return [
    isFull
      ? drawn(MATCH, 'closely matches', over(tail, R2C2, PFQ), [0.8, 1.25], 'times', MATCHED)
      : needsFull(MATCH, 'closely matches', 'a tail of 14 flows: 1.0 to 2.3 with other seeds'),
    isFull
      ? drawn(
          GAP,
          'for long flows the gap increases',
          over(long, PFQ, R2C2),
          [1.05, 3],
          'times',
          GAPPED,
        )
      : needsFull(GAP, 'for long flows the gap increases', 'few flows are above 1 MB here'),
    ours(
      'from one link: FCT of short flows at 1 us over R2C2, 99th percentile',
      over(tail, LINK, R2C2),
      'times',
      reorderNote(runs[LINK]!),
    ),
    ours(
      'from one link: mean throughput of long flows at 1 us over R2C2',
      over(long, LINK, R2C2),
      'times',
    ),
    ours(
      'R2C2: reorder buffer at 1 us, 95th percentile',
      runs[R2C2]!.map(({ reorder }) => percentile(reorder, 0.95)),
      'packets',
      reorderNote(runs[R2C2]!),
    ),
  ]
}

const MATCH = 'Fig. 10: R2C2 over PFQ, FCT of short flows at 1 us, 99th percentile'
const MATCHED =
  'A long flow is given 95% of its links, and flows younger than rho come on top, 7% of a link ' +
  'on average: while it lasts a queue stands before it. 72 and 220 us over 50 and 49 (seeds 1 ' +
  'and 2, 20,000 flows, over ports; in the second 50 MB last 16 ms); 140 and 103 with a headroom ' +
  'of 10 and 20%.'
const GAP = 'Fig. 11: PFQ over R2C2, mean throughput of long flows at 1 us'

const GAPPED = 'Headroom holds back only flows that outlast rho: few do.'

function reorderNote(runs: readonly RackRun[]): string {
  const at = (fraction: number): string =>
    meanOf(runs.map(({ reorder }) => percentile(reorder, fraction))).toFixed(0)
  return `Reorder buffer: ${at(0.95)} packets at the 95th percentile, ${at(1)} at most.`
}

/** Both ends a quarter away, or half for extremes of a run, whose length is not published. */
function numberChecks(loads: readonly Loaded[], { runs }: Loaded): Check[] {
  const busy = loads.find(({ tauUs }) => tauUs === 0.1)!
  const atLeast = loads.filter(({ tauUs }) => tauUs >= 1)
  const r2c2 = runs[R2C2]!
  const worst = (value: (run: RackRun) => number): number[] =>
    r2c2.map((_, seed) => Math.max(...atLeast.map((load) => value(load.runs[R2C2]![seed]!))))
  return [
    drawn(...NUMBERS.short, slower(runs, 0.99), around(3.21, 0.25), 'times', DIFFERS.short),
    drawn(
      ...NUMBERS.long,
      slowerLong(runs, (sorted) => percentile(sorted, 0.99)),
      around(2.55, 0.25),
      'times',
      DIFFERS.long,
    ),
    drawn(
      ...NUMBERS.queueP99,
      worst(({ queueKB }) => percentile(queueKB, 0.99)),
      [0, 27],
      'KB',
      DIFFERS.queue,
    ),
    drawn(
      ...NUMBERS.queueMedian,
      worst(({ queueKB }) => percentile(queueKB, 0.5)),
      [0, 1.5],
      'KB',
      DIFFERS.queue,
    ),
    drawn(
      ...NUMBERS.busyP99,
      busy.runs[R2C2]!.map(({ queueKB }) => percentile(queueKB, 0.99)),
      around(330.6, 0.5),
      'KB',
      DIFFERS.queue,
    ),
    drawn(
      ...NUMBERS.busyMedian,
      busy.runs[R2C2]!.map(({ queueKB }) => percentile(queueKB, 0.5)),
      around(3.8, 0.5),
      'KB',
      DIFFERS.queue,
    ),
    drawn(
      ...NUMBERS.reorderP95,
      r2c2.map(({ reorder }) => percentile(reorder, 0.95)),
      around(30, 0.5),
      'packets',
      DIFFERS.reorder,
    ),
    drawn(
      ...NUMBERS.reorderMost,
      r2c2.map(({ reorder }) => percentile(reorder, 1)),
      around(51, 0.5),
      'packets',
      DIFFERS.reorder,
    ),
    drawn(
      ...NUMBERS.atOnce,
      busy.runs[R2C2]!.map(({ atOnce }) => atOnce),
      around(2241, 0.5),
      'flows',
      DIFFERS.atOnce,
    ),
  ]
}

const NUMBERS = {
  short: ['Fig. 10: FCT of short flows, TCP over R2C2 at 1 us, 99th percentile', 3.21],
  long: ['Fig. 11: throughput of long flows, R2C2 over TCP at 1 us, 99th percentile', 2.55],
  queueP99: ['Fig. 14: longest queues from 1 us on, 99th percentile', 'lower than 27 KB'],
  queueMedian: ['Fig. 14: longest queues from 1 us on, median', 'less than one packet, 1.5 KB'],
  busyP99: ['Fig. 14: longest queues at 100 ns, 99th percentile', 330.6],
  busyMedian: ['Fig. 14: longest queues at 100 ns, median', 3.8],
  reorderP95: ['reorder buffer at 1 us, 95th percentile', 30],
  reorderMost: ['reorder buffer at 1 us, most', 51],
  atOnce: ['flows at once at 100 ns, most', 2241],
} as const

/** What was found with one seed and 20,000 flows over ports, where it is not what was published. */
const DIFFERS = {
  short:
    "TCP's tail is its buffers', which are not published: 5.8 times with 1 MB per port, 2.7 with " +
    '256 KB, 1.7 with 64 KB (one seed, 20,000 flows, over ports).',
  long:
    'A lone flow fills three of its six links or more from the first, and TCP one: 33.4 Gb/s ' +
    'over 9.6, and 17.0 over 7.5 in the mean (one seed, 20,000 flows, over ports).',
  queue:
    'A longest queue grows with its run, whose length is not published: 20 KB of the first ' +
    '1,000 flows, 40 of 3,000, 83 of 10,000. What it is made of: a long flow has 95% of its ' +
    'links, and flows that are not limited yet, with headers and broadcasts, bring 5.4%; on 64 ' +
    'nodes 51 and 48 KB without flows above 1 MB, 119 and 333 with them. The median is that of ' +
    'young flows which fill their links. Counted is the packet in service, too. All causes: ' +
    'docs/schemes/r2c2.md.',
  reorder: 'Follows the queues: few flows meet any, and one whose links are full waits for long.',
  atOnce: 'Follows the length of the run, by the mean size that it has: see the notes.',
}

function around(value: number, fraction: number): Range {
  return [value * (1 - fraction), value * (1 + fraction)]
}

const UNITS: Readonly<Record<keyof typeof NUMBERS, string>> = {
  ...{ short: 'times', long: 'times' },
  ...{ queueP99: 'KB', queueMedian: 'KB', busyP99: 'KB', busyMedian: 'KB' },
  ...{ reorderP95: 'packets', reorderMost: 'packets', atOnce: 'flows' },
}

function smallChecks(): Check[] {
  const why = 'published for 512 nodes, whose paths are twice as long'
  return (Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]).map((key) =>
    needsFull(NUMBERS[key][0], NUMBERS[key][1], why, UNITS[key]),
  )
}

/** Ours that the text has a number of, which a row above is held against. */
const ELSEWHERE = [
  'R2C2: reorder buffer at 1 us',
  "Fig. 12: FCT of short flows over TCP's at 1 us",
  'R2C2: longest queues at 0.1 us',
  'R2C2: longest queues at 1 us',
]

function asPublished(check: Check): Check {
  const isElsewhere = ELSEWHERE.some((beginning) => check.name.startsWith(beginning))
  return check.verdict === 'ours' && isElsewhere
    ? { ...check, published: 'published for 512 nodes: see above' }
    : check
}

function ratioChecks({ tauUs, runs }: Loaded): Check[] {
  return [
    ours(
      `Fig. 12: FCT of short flows over TCP's at ${tauUs} us, 99th percentile`,
      slower(runs, 0.99).map((ratio) => 1 / ratio),
      'times',
    ),
    ours(
      `Fig. 13: mean throughput of long flows over TCP's at ${tauUs} us`,
      slowerLong(runs, meanOf),
      'times',
    ),
  ]
}

function queueChecks({ tauUs, runs }: Loaded): Check[] {
  return CONTENDERS.map(({ name }, c) =>
    ours(
      `${name}: longest queues at ${tauUs} us, 99th percentile`,
      runs[c]!.map(({ queueKB }) => percentile(queueKB, 0.99)),
      'KB',
      `Median ${meanOf(runs[c]!.map(({ queueKB }) => percentile(queueKB, 0.5))).toFixed(1)} KB, ` +
        `${runs[c]!.reduce((sum, { drops }) => sum + drops, 0)} packets dropped.`,
    ),
  )
}

function notesOf(loads: readonly Loaded[]): string[] {
  return [
    ...loads.map(({ tauUs, flows, runs }) => {
      const [first] = runs[R2C2]!
      const share = meanOf(runs[R2C2]!.map(({ agentShare }) => 100 * agentShare))
      return (
        `A flow each ${tauUs} us: runs of ${flows} flows, of ` +
        `${(meanOf(runs[R2C2]!.map(({ meanBytes }) => meanBytes)) / 1e3).toFixed(1)} KB on ` +
        `average (the distribution's mean is 100 KB), up to ${first!.atOnce} at once, ` +
        `${first!.longGbps.length} above 1 MB in the first run; ` +
        `broadcasts are ${share.toFixed(1)}% of R2C2's bytes.`
      )
    }),
    'Times between flows are those of 512 nodes; 64 have as many flows per node. R2C2 from one ' +
      'link: young flows send at the rate of one link at most, the other reading of the paper.',
    'Ours, where the paper is silent: packets of 1,500 B, buffers of 4 MB per node and 1 MB ' +
      'per port, Reno with three duplicates and an RTO of 200 ms at least, no ACKs for R2C2.',
  ]
}
