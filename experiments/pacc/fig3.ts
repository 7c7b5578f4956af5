/**
 * Microbursts of 30 KB, and what comes after them (Fig. 3).
 *
 * PACC, section II-3 and V-B3: both long flows share the receiver of the bursts; at 800 us each
 * host of the burst begins a long flow to a host of its own in that rack. Published, of one flow of
 * each kind: a recovery time of about 150 us of a 'long' flow and of about 350 us of a 'short-long'
 * one, under the schemes that do not know of the burst; the text does not say from when it counts,
 * nor of which scheme it is. PACC avoids 'continuous low link utilization'. RoCC beside is ours.
 *
 * Recovered: a flow has nine tenths of its max-min fair share again, for 25 us. Judged is the
 * median of all flows of a kind in all seeds, and that flow is drawn; rates are payload delivered.
 * Both readings of 'from when' are judged. What the burst costs is what long flows deliver less
 * than in a run without it, beyond the burst's own bytes.
 *
 * Changed three times after first results. What long flows had was taken from 100 us on, with the
 * cuts of their start, and the mean was judged. Then both long flows were held against what they
 * had just before the burst (TIMELY's had a quarter of the link). Then a flow had to keep its share
 * for good: DCQCN took 1,031 us, TIMELY 2,298 (most never), HPCC 98, PACC 585, and seven of eight
 * checks differed. But without any burst that measure gives DCQCN 1,900 us and TIMELY 1,970: it
 * tells how their own swings lie, not what a burst does. As now, DCQCN and HPCC agree from the
 * start of the burst, and PACC is asked for what it loses, too.
 */
import type { ValidSpec } from '@weir/sim'
import type { Check, Curve, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { drawn, drawsOf, holds, ours } from '../figure.ts'
import { BURST_US, burstSeeds } from './bursts.ts'
import { FULL, LATER_US, median, medianOf, rangeOf, rowOf, UNTIL_US } from './microbursts.ts'
import type { Flow, Row } from './microbursts.ts'
import { PUBLISHED, SCHEMES, TITLES } from './schemes.ts'
import type { SchemeName } from './schemes.ts'

/** Published times of recovery. */
const LONG_US = 150
const SHORT_LONG_US = 350
const OTHERS = ['dcqcn', 'timely', 'hpcc'] as const

export const fig3: Figure = {
  id: 'pacc/fig3',
  title: 'Microbursts of 30 KB: recovery of long flows, and of flows that follow',
  cite: 'Zhong et al. (PACC), Fig. 3, sections II-3 and V-B3',
  claim:
    'The paper says: after a microburst long flows take 150 us to recover and flows that follow ' +
    'take 350 us; PACC avoids both. Here the time is about that of the burst in a FIFO, under ' +
    'DCQCN, HPCC and PACC alike; PACC cuts its long flows afterwards as DCQCN does. Flows that ' +
    'follow have nothing to recover from.',
  headline: "PACC: 'long' flow back, from the start",
  reproduce,
  switches: [
    {
      name: 'the burst (1 KB instead of 30)',
      without: ({ workload }) => (hasBurst(workload) ? SMALL_BURST : []),
      breaks: ["DCQCN: 'long' flow back, from the start", "HPCC: 'long' flow back, from the start"],
    },
    {
      // Above the 310 KB that the burst stands at.
      name: "PACC's Q_burst of 4 KB",
      without: ({ scheme }) => (scheme.name === 'pacc' ? ['scheme.params.burst=400KB'] : []),
      breaks: [],
      mends: ['PACC: link time that long flows lose'],
    },
  ],
}

const BURSTS = Array.from({ length: 9 }, (_, i) => i)
const SMALL_BURST = BURSTS.map((i) => `workload[0].flows[${i + 2}].size=1KB`)

/** Two long flows and nine later ones are in the twin, too. */
function hasBurst([item]: ValidSpec['workload']): boolean {
  return item !== undefined && 'flows' in item && item.flows.length > 2 + BURSTS.length
}

type Sets = Readonly<Record<SchemeName, readonly Row[]>>

async function reproduce(context: FigureContext): Promise<FigureResult> {
  const seeds = burstSeeds(context)
  let done = 0
  const sets = await Promise.all(
    SCHEMES.map(async (scheme) => {
      const rows = await Promise.all(
        seeds.map(async (seed) => {
          const row = await rowOf(scheme, seed, context)
          context.progress(++done / (SCHEMES.length * seeds.length), TITLES[scheme])
          return row
        }),
      )
      return [scheme, rows] as const
    }),
  )
  const of = Object.fromEntries(sets) as unknown as Sets
  return {
    draws: `${seeds.length} seeds`,
    checks: [
      ...OTHERS.flatMap((scheme) => othersChecks(scheme, of[scheme])),
      ...paccChecks(of),
      ...[...OTHERS, 'rocc' as const].map((scheme) => lostRow(scheme, of[scheme])),
      ...roccRows(of.rocc),
    ],
    plots: plotsOf(of),
    notes: NOTES,
  }
}

const NOTES = [
  'The burst begins at 600 us. Rates are means over 25 us. A fair share is the max-min ' +
    'rate of the flow on its path; ' +
    'under HPCC 95% of that, which is what HPCC aims at.',
  "Nine bursts of 30 KB are 91 us of the receiver's link, and a FIFO serves them before what the " +
    'long flows send after them: that is the dip from 615 to 730 us, the same under every scheme ' +
    'that fills the link. Published are about 150 us; they say nothing of a scheme.',
  "What a scheme does shows later. The long flows' own backlog keeps the receiver busy until " +
    'about 900 us; then their senders, cut at 650 to 750 us, are too slow. Under PACC they have ' +
    '80% of their share for one timer of 300 us (T_i), then 94%: with nine tenths asked for ' +
    "good, 585 us. DCQCN's fall deeper, but without a burst they would have fallen, too.",
  'PACC cuts its long flows because this is no microburst by its own test: Q_burst is 4 KB, and ' +
    'the bursts stand at 300 KB in the queue. Some 38 CNPs are due, of which each long flow gets ' +
    'about seven.',
  'TIMELY: both long flows begin at line rate, are cut to the least rate of 1 Gb/s within 200 ' +
    'us, and come back by 125 Mb/s per round trip. They have a quarter of their share when the ' +
    'burst comes, are cut again, and reach it at about 1,965 us; without the burst at about ' +
    '1,440. Then the queue grows, and they are cut once more. The paper has them converged ' +
    'before the burst.',
  'HPCC: after the burst its two flows share unevenly (up to 12 and 10 Gb/s), and the slower one ' +
    'is at the edge of nine tenths: asked to stay there for 100 us, not 25, it takes 270 us.',
  'Later flows are flows of their own here: each begins at line rate, with a reaction point ' +
    'that has not heard of the burst. Where five of the nine meet in one link of the core they ' +
    'are cut like any others; that is chance of ECMP, drawn with the seed. The paper does not ' +
    'say whether they are the same connections as the bursts.',
]

/** RoCC's flows swing between nothing and all: they would hide the others. */
function plotsOf(of: Sets): Plot[] {
  const long = PUBLISHED.map((scheme) => middleOf(of[scheme].flatMap((row) => row.long)))
  const later = PUBLISHED.map((scheme) => middleOf(of[scheme].flatMap((row) => row.later)))
  const picked = 'of each scheme the one with the median recovery'
  const at = (name: string, us: number, flows: readonly Flow[]): Curve => ({
    ...{ name, x: two(us), y: [0, shareOf(flows)], isExpected: true },
  })
  const burst = at(`the burst begins (or would), as set: ${BURST_US} us`, BURST_US, long)
  const begun = at(`these flows begin, as set: ${LATER_US} us`, LATER_US, later)
  return [
    plotOf(`A 'long' flow: ${picked}`, long, ({ points }) => points, burst, {
      ...{ name: 'text: 150 us, from the start of the burst' },
      ...{ x: two(BURST_US + LONG_US), y: [0, shareOf(long)], isPublished: true },
    }),
    plotOf("The same 'long' flows without the burst", long, ({ twin }) => twin, burst),
    plotOf(`A 'short-long' flow: ${picked}`, later, ({ points }) => points, begun, {
      ...{ name: 'text: 350 us, from its start', x: two(LATER_US + SHORT_LONG_US) },
      ...{ y: [0, shareOf(later)], isPublished: true },
    }),
  ]
}

/** A time without a rate: across the plot. */
function two(us: number): readonly number[] {
  return [us, us]
}

/** The flow whose recovery is the median; of several the one that meets the fewest others. */
export function middleOf(flows: readonly Flow[]): Flow {
  const middle = medianOf(flows)
  return flows
    .filter(({ backUs }) => backUs === middle)
    .reduce((a, b) => (b.shareGbps > a.shareGbps ? b : a))
}

/** As those have it that aim at all of the link. */
function shareOf(flows: readonly Flow[]): number {
  return Math.max(...flows.map(({ shareGbps }) => shareGbps))
}

function plotOf(
  title: string,
  flows: readonly Flow[],
  pick: (flow: Flow) => Flow['points'],
  ...marks: readonly Curve[]
): Plot {
  const level = FULL * shareOf(flows)
  return {
    title,
    kind: 'lines',
    x: { label: 'time', unit: 'us' },
    y: { label: 'throughput', unit: 'Gb/s' },
    curves: [
      ...flows.map((flow, i) => ({
        name: TITLES[PUBLISHED[i]!],
        x: pick(flow).map(([us]) => us),
        y: pick(flow).map(([, gbps]) => gbps),
      })),
      {
        ...{
          name: 'nine tenths of the max-min share (of 95% of it under HPCC)',
          x: [0, UNTIL_US],
          y: [level, level],
        },
        isExpected: true,
      },
      ...marks,
    ],
  }
}

const FIFO = "the time that the burst takes through the receiver's FIFO"
const MET =
  'a new flow has line rate at once, under every scheme; those that meet in the core are cut then'
const SLOW = 'not converged when the burst comes, and slow: see notes'
const FROM_START = "'long' flow back, from the start of the burst"
const FROM_END = "'long' flow back, from the end of the burst"
const SHORT_LONG = "'short-long' flow at its share, from its start"
const LOST = "link time that long flows lose, beyond the burst's own"

/** When the burst ended, less: a flow may be back before. */
function fromEnd(rows: readonly Row[]): number {
  const endUs = median(rows.map(({ burstUs }) => burstUs))
  return Math.max(0, medianOf(rows.flatMap(({ long }) => long)) - endUs)
}

function othersChecks(scheme: (typeof OTHERS)[number], rows: readonly Row[]): Check[] {
  const [long, later] = [rows.flatMap((row) => row.long), rows.flatMap((row) => row.later)]
  const about = (name: string, measured: number, us: number, note: string): Check => ({
    ...holds(
      `${TITLES[scheme]}: ${name}`,
      `about ${us} us (within a half)`,
      measured,
      Math.abs(measured / us - 1) <= 0.5,
      'us',
      note,
    ),
    draws: drawsOf(rows.map(() => 0)),
  })
  const why = scheme === 'timely' ? SLOW : FIFO
  return [
    about(FROM_START, medianOf(long), LONG_US, `${why}; ${rangeOf(long)}`),
    about(FROM_END, fromEnd(rows), LONG_US, `the other reading; ${why}`),
    about(SHORT_LONG, medianOf(later), SHORT_LONG_US, `${MET}; ${rangeOf(later)}`),
  ]
}

function paccChecks({ pacc, ...others }: Sets): Check[] {
  const [long, later] = [pacc.flatMap((row) => row.long), pacc.flatMap((row) => row.later)]
  const theirs = OTHERS.map((scheme) => medianOf(others[scheme].flatMap((row) => row.later)))
  const avoided = (us: number): string => `avoided (a third of ${us} us at most)`
  const draws = drawsOf(pacc.map(() => 0))
  return [
    {
      ...holds(
        `PACC: ${FROM_START}`,
        avoided(LONG_US),
        medianOf(long),
        medianOf(long) <= LONG_US / 3,
        'us',
        `${FIFO}; ${rangeOf(long)}`,
      ),
      draws,
    },
    drawn(
      `PACC: ${LOST}`,
      avoided(LONG_US),
      pacc.map(({ lostUs }) => lostUs),
      [-Infinity, LONG_US / 3],
      'us',
      `no microburst by its own test: see notes; ${ends(pacc)}`,
    ),
    {
      ...holds(
        `PACC: ${SHORT_LONG}`,
        `avoided (a third of ${SHORT_LONG_US} us at most, where the others take longer)`,
        medianOf(later),
        medianOf(later) <= SHORT_LONG_US / 3 && theirs.every((us) => us > SHORT_LONG_US / 3),
        'us',
        `nothing to avoid here: ${MET}; ${rangeOf(later)}`,
      ),
      draws,
    },
  ]
}

function lostRow(scheme: SchemeName, rows: readonly Row[]): Check {
  const values = rows.map(({ lostUs }) => lostUs)
  const why = values.some((us) => us < 0) ? '; below zero: more than without the burst' : ''
  return ours(`${TITLES[scheme]}: ${LOST}`, values, 'us', `${ends(rows)}${why}`)
}

function ends(rows: readonly Row[]): string {
  const values = rows.map(({ lostUs }) => lostUs)
  const [least, most] = [Math.min(...values).toFixed(0), Math.max(...values).toFixed(0)]
  return least === most ? `${least} us` : `${least} to ${most} us by seed`
}

function roccRows(rows: readonly Row[]): Check[] {
  const of = (name: string, why: string, flows: readonly Flow[]): Check => ({
    ...ours(`RoCC: ${name}`, medianOf(flows), 'us', `${why}; ${rangeOf(flows)}`),
    draws: drawsOf(rows.map(() => 0)),
  })
  const [long, later] = [rows.flatMap((row) => row.long), rows.flatMap((row) => row.later)]
  return [
    of(FROM_START, 'a queue of Q_max sets the rate to its least, and it grows from there', long),
    of(SHORT_LONG, MET, later),
  ]
}
