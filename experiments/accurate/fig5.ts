/**
 * ACCurate, Fig. 5 (b, c, d): completion times on two blades under a mix of 20 KB (critical) and
 * 1 MB flows, with the load swept to where the links between the blades are full (0.25 per node).
 *
 * Published: ACCurate's mean latency of critical flows is 5 to 10 times below all others' near
 * saturation; TCP is poor even at low load; at the 99.9th percentile PAUSE keeps up with all flows
 * at low load, and is almost 4 times ACCurate's with critical flows.
 *
 * Changed after first results: tails were of 60 ms of arrivals, 200 flows at the least load; a full
 * point has 13,000 flows now, and the quick size does not judge tails. They were of one draw, then
 * of three; there are five, means with their interval and tails of all flows together. 'Poor' was
 * 1.2 times.
 * Schemes that the paper does not have were in a check of 'ACCurate outperforms all other
 * variants', which differed: they are results of our own now, at one load, and those that no signal
 * reaches in 2.5 KB are gone. They took two thirds of the time of a full run, which nobody had
 * waited for.
 */
import { drawn, drawsOf, inRange, needsFull, ours, seedsOf, within } from '../figure.ts'
import type { Check, Curve, Figure, FigureContext, FigureResult, Plot } from '../figure.ts'
import { meanInterval } from '@weir/metrics'
import type { Result } from '@weir/sim'
import { decided } from '../theory/decided.ts'
import { latenciesOf, twoBladeText } from './two-blade.ts'
import type { Latencies } from './two-blade.ts'
import { specOf, variantNamed, variants } from './variants.ts'
import type { Variant } from './variants.ts'

const LOADS = [0.02, 0.1, 0.2, 0.225, 0.25]
const NEAR_SATURATION = 0.2
/** In all seeds: ten critical flows, four in five of all, lie beyond their 99.9th percentile. */
const FLOWS = 13_000
const MEAN_BYTES = 0.8 * 20e3 + 0.2 * 1e6
const NODES = 32
/** That the paper does not compare with, and whose signals are there in inputs of 2.5 KB. */
const OTHERS = ['TIMELY', 'HPCC']

/** Time in which this many flows arrive. */
function msFor(flows: number, load: number): number {
  return Math.ceil((flows * MEAN_BYTES * 8) / (NODES * load * 10e9) / 1e-3)
}
/** The wire carries 256 B for 240 of payload, and 16 of 31 destinations are in the other blade. */
const NOTES = [
  'Load is payload; with 6.7% of headers and 16/31 of flows to the other blade the two links ' +
    'between blades are full at a load of 0.227, and at 0.216 for ACCurate, which keeps 5% free. ' +
    'Beyond, times depend on how long the overload lasts.',
  'RDMA variants without ACKs end when the last byte arrives; those with ACKs when it is ' +
    'acknowledged, about a microsecond later.',
  'TCP pays no host stack here, as in the paper; its minimum RTO is 10 ms, its initial window 3 ' +
    'segments.',
  'TIMELY and HPCC are not in the paper. QCN, DCQCN and DCTCP are not here: in another run, of ' +
    '1,300 flows at load 0.2, QCN sent no message, DCTCP saw no mark, and 0.07% of the packets ' +
    'of DCQCN had one.',
]

interface Row {
  readonly variant: Variant
  readonly points: readonly Point[]
}

/** A variant at a load. */
interface Point {
  readonly load: number
  /** Of all seeds together. */
  readonly latencies: Latencies
  readonly bySeed: readonly Latencies[]
  readonly results: readonly Result[]
}

export const fig5: Figure = {
  id: 'accurate/fig5',
  title: 'Completion times on two blades',
  cite: 'Karampelas et al. (ACCurate), section III-C, Fig. 5',
  claim: 'Near saturation ACCurate completes critical flows 5 to 10 times sooner than all others.',
  headline: "b: best of the paper's opponents",
  fitted: [{ value: 'a queue of 480 packets at the NIC (PAUSE-only)', to: 'Fig. 4(b): 150 us' }],
  switches: [
    {
      name: 'ACCurate',
      without: ({ scheme }) => (scheme.name === 'accurate' ? ['scheme={name: none}'] : []),
      breaks: ["b: best of the paper's"],
    },
  ],
  async reproduce(context: FigureContext): Promise<FigureResult> {
    const isFull = context.size === 'full'
    const loads = isFull ? LOADS : [0.05, NEAR_SATURATION]
    const asked = [
      ...variants.filter(({ isPublished }) => isPublished).map((variant) => ({ variant, loads })),
      ...OTHERS.map((name) => ({ variant: variantNamed(name), loads: [NEAR_SATURATION] })),
    ]
    const seeds = seedsOf(context)
    const all = asked.reduce((sum, one) => sum + one.loads.length, 0) * seeds.length
    let done = 0
    const pointOf = async (variant: Variant, load: number): Promise<Point> => {
      const arrivalsMs = isFull ? Math.max(60, msFor(FLOWS / seeds.length, load)) : 5
      const text = twoBladeText(load, arrivalsMs)
      const results = await Promise.all(
        seeds.map(async (seed) => {
          const result = await context.simulate(specOf(text, variant, [`run.seed=${seed}`]))
          context.progress(++done / all, `${variant.name} at ${load}, seed ${seed}`)
          return result
        }),
      )
      const bySeed = results.map((result) => latenciesOf(result))
      return { load, latencies: latenciesOf(...results), bySeed, results }
    }
    const rows = await Promise.all(
      asked.map(async ({ variant, loads: swept }): Promise<Row> => ({
        variant,
        points: await Promise.all(swept.map((load) => pointOf(variant, load))),
      })),
    )
    const own = rows.find(({ variant }) => variant.scheme === 'accurate')
    if (own === undefined) throw new Error('ACCurate is not among the variants')
    const published = rows.filter(({ variant }) => variant.isPublished)
    // Tails of few flows are not judged, and not drawn either.
    const plots = plotsOf(published, own).slice(0, isFull ? 3 : 1)
    const checks = checksOf(rows, own, isFull)
    const counts = own.points.map(({ latencies }) => latencies.flows)
    const tails =
      'Parts c and d are of 99.9th percentiles, and need the full run: this is b alone. '
    const few = `${isFull ? '' : tails}Flows at each load, in all seeds: ${counts.join(', ')}.`
    const draws = `${drawsOf(seeds)}; at least ${Math.min(...counts)} flows`
    return { draws, checks, plots, notes: [few, ...NOTES] }
  },
}

function plotsOf(rows: readonly Row[], own: Row): Plot[] {
  const tails =
    (measure: Measure) =>
    ({ points }: Row): number[] =>
      points.map(({ latencies, load }) => measure(latencies) / measure(at(own, load)!.latencies))
  const nearUs = mean(at(own, NEAR_SATURATION)!.latencies)
  const critically = plotOf(
    'd: slowdown at the 99.9th percentile, critical flows',
    'relative to ACCurate',
    '',
    rows,
    tails(critical),
  )
  return [
    withCurve(meanPlot(rows), {
      name: 'the paper has all others here: 5 to 10 times our ACCurate, computed',
      x: [NEAR_SATURATION, NEAR_SATURATION],
      y: [5 * nearUs, 10 * nearUs],
      isExpected: true,
    }),
    plotOf(
      'c: slowdown at the 99.9th percentile, all flows',
      'relative to ACCurate',
      '',
      rows,
      tails(all),
    ),
    withCurve(critically, {
      ...{ name: 'PAUSE-only', x: [own.points[0]!.load], y: [4], isPublished: true },
    }),
  ]
}

/** Over the seeds, with their interval. */
function meanPlot(rows: readonly Row[]): Plot {
  const title = 'b: mean latency of critical flows'
  const over = ({ bySeed }: Point) => meanInterval(bySeed.map(mean))
  const plot = plotOf(title, 'latency', 'us', rows, ({ points }) =>
    points.map((point) => over(point).mean),
  )
  if (rows[0]!.points[0]!.bySeed.length === 1) return plot
  const curves = plot.curves.map((curve, i) => ({
    ...curve,
    half: rows[i]!.points.map((point) => over(point).half),
  }))
  return { ...plot, curves }
}

/** With what section III-C says in numbers. */
function withCurve(plot: Plot, said: Curve): Plot {
  return { ...plot, curves: [...plot.curves, said] }
}

const mean = (latencies: Latencies): number => latencies.criticalMeanUs
const critical = (latencies: Latencies): number => latencies.criticalP999Us
const all = (latencies: Latencies): number => latencies.allP999Us

type Measure = (latencies: Latencies) => number

function at({ points }: Row, load: number): Point | undefined {
  return points.find((point) => point.load === load)
}

/** How many times ACCurate's the mean of critical flows is at a load, seed by seed. */
function meanRatios(row: Row, own: Row, load: number): number[] {
  const theirs = at(own, load)?.bySeed ?? []
  return (at(row, load)?.bySeed ?? []).map((one, seed) => mean(one) / mean(theirs[seed]!))
}

/** How many times ACCurate's a percentile is, of the flows of all seeds. */
function tailRatio(row: Row, own: Row, load: number, measure: Measure): number {
  const [theirs, ours] = [at(row, load), at(own, load)]
  return theirs === undefined || ours === undefined
    ? NaN
    : measure(theirs.latencies) / measure(ours.latencies)
}

function checksOf(rows: readonly Row[], own: Row, isFull: boolean): Check[] {
  const others = rows.filter((row) => row !== own)
  const published = others.filter(({ variant }) => variant.isPublished)
  const near = published.map((row) => meanRatios(row, own, NEAR_SATURATION))
  const best = near.reduce((a, b) => (meanInterval(b).mean < meanInterval(a).mean ? b : a))
  return [
    ...published.flatMap((row) => checksOfOne(row, own, isFull)),
    decided(
      isFull ? 'full' : 'quick',
      "b: best of the paper's opponents over ACCurate near saturation",
      'all are worse',
      best,
      [1 + Number.EPSILON, Infinity],
      'times',
      isFull ? '' : FEW,
    ),
    ...others
      .filter(({ variant }) => !variant.isPublished)
      .map((row) =>
        ours(
          `b: ${row.variant.name} over ACCurate, mean of critical flows at load ${NEAR_SATURATION}`,
          meanRatios(row, own, NEAR_SATURATION),
          'times',
        ),
      ),
  ]
}

function checksOfOne(row: Row, own: Row, isFull: boolean): Check[] {
  const { name, scheme } = row.variant
  const near = own.points.filter(({ load }) => load >= NEAR_SATURATION && load < 0.25)
  const checks = near.map(({ load }) => {
    const times = meanRatios(row, own, load)
    const about = `b: ${name} over ACCurate, mean of critical flows at load ${load}`
    const why = whyNear(times, at(row, load)?.results ?? [])
    const check = drawn(about, '5 to 10 times', times, [5, 10], 'times', why)
    // The small size shows what it has, and cannot say why.
    return isFull ? check : { ...check, verdict: 'needs --full' as const, note: FEW }
  })
  if (scheme === 'tcp-reno') {
    const { load } = own.points[0]!
    const about = `b: ${name} over ACCurate at load ${load}`
    const words = 'quite poor even at very low loads: twice and more'
    checks.push(drawn(about, words, meanRatios(row, own, load), [2, Infinity], 'times', MILD))
  }
  return [...checks, ...tailChecks(row, own, isFull)]
}

const MILD =
  "the paper does not give TCP's minimum RTO; ours is 10 ms, and a longer one would slow TCP"
const FEW = 'too few flows in this size of the figure for a backlog to grow'

/** Section III-C on figs. 5(c) and (d): words on tails, by variant. */
function tailChecks(row: Row, own: Row, isFull: boolean): Check[] {
  const { name, scheme } = row.variant
  const low = own.points[0]!.load
  const high = NEAR_SATURATION
  const wanted: { about: string; words: string; at: number; measure: Measure; from: number }[] = []
  if (name.includes('drops')) {
    const words = 'lossy TCP performs poorly even at low loads: twice and more'
    const about = `c: ${name}, 99.9th percentile of all flows at load ${low}`
    wanted.push({ about, words, at: low, measure: all, from: 2 })
  }
  if (!name.includes('drops')) {
    const words = 'suffers under high load'
    const about = `c: ${name}, 99.9th percentile of all flows at load ${NEAR_SATURATION}`
    wanted.push({ about, words, at: high, measure: all, from: 1.2 })
  }
  if (scheme === 'tcp-reno') {
    const words =
      'considerable from low loads on, where PAUSE, the best, has almost 4: more than 4 times'
    const about = `d: ${name}, 99.9th percentile of critical flows at load ${low}`
    wanted.push({ about, words, at: low, measure: critical, from: 4 })
  }
  const fewFlows = 'fewer than ten flows lie beyond the percentile'
  const checks = wanted.map(({ about, words, at: load, measure, from }) =>
    isFull
      ? inRange(about, words, tailRatio(row, own, load, measure), [from, Infinity], 'times', TAIL)
      : needsFull(about, words, fewFlows),
  )
  if (scheme !== 'none') return checks
  const about = `d: ${name}, 99.9th percentile of critical flows at load ${low}`
  const times = tailRatio(row, own, low, critical)
  return [
    ...checks,
    isFull
      ? within(about, 4, times, 0.1, 'times', nicOf(name))
      : needsFull(about, 4, fewFlows, 'times'),
  ]
}

const TAIL = 'large flows are limited by the links between blades under any scheme'

function nicOf(name: string): string {
  return name === 'PAUSE-only'
    ? 'this NIC serves channels in turn; see the one with the queue that Fig. 4 implies'
    : 'the NIC of Fig. 4: a queue of 480 packets, shared by its flows'
}

/** Our reasons; the paper does not describe its NIC, its switches' queues or TCP's timers. */
function whyNear(bySeed: readonly number[], results: readonly Result[]): string {
  for (const { ended } of results) if (ended.why === 'deadlock') return ended.sentence
  const { mean: times } = meanInterval(bySeed)
  if (times < 5) {
    return (
      'our inputs are shallow, credits return at once and outputs serve inputs in turn: backlog ' +
      'waits at the NICs, and how much of it a critical flow meets there is up to the NIC'
    )
  }
  const hasLoss = results.some(({ counters }) => counters.packetsDropped > 0)
  if (hasLoss) return 'a loss that duplicate ACKs do not repair costs a timeout of 10 ms'
  return 'what backlog there is near saturation differs from draw to draw'
}

function plotOf(
  title: string,
  label: string,
  unit: string,
  rows: readonly Row[],
  y: (row: Row) => number[],
): Plot {
  return {
    title,
    kind: 'lines',
    x: { label: 'load per node', unit: '' },
    y: { label, unit, scale: 'log' },
    curves: rows.map((row) => ({
      name: row.variant.name,
      x: row.points.map(({ load }) => load),
      y: y(row),
    })),
  }
}
