/**
 * Completion times against load, and by flow size: WebSearch (Figs. 7 and 9) and FB_Hadoop (Figs. 8
 * and 10).
 *
 * PACC, section V-C: PACC's average and 99th percentile are always the lowest; the average by up to
 * 23% against DCQCN, 65% against TIMELY and 9% against HPCC on WebSearch, 6, 69 and 12% on
 * FB_Hadoop; HPCC is before DCQCN on the former and behind it on the latter; PACC is the best for
 * all flow sizes, on WebSearch by up to 3% on average and 8% at the tail below 100 KB, 6 and 7%
 * above. Loads, durations and flows are ours (`loads.ts`); RoCC beside is ours.
 *
 * Judged as this was first committed: 'up to' is the largest of the loads, and agrees within a
 * quarter of what is published or within our 95% interval, if that does not reach zero; 'before'
 * must hold beyond the interval.
 * Quick: 32 hosts, two loads, averages only; tails, for which flows are too few, need --full, and
 * so does 'always' unless more intervals lie on the wrong side than chance puts there (5%).
 *
 * Added after first results: the other schemes with the values of their own papers, the second
 * reading of section V-A ('the open-source implementation', and 'the parameters suggested in
 * corresponding papers'), at 40% load only. Whatever agrees there was looked for; the rows say
 * which preset, and those of the first reading stand above them. The
 * slowdown by quarter of the arrivals was added then too. Loads were 30, 50 and 70% until the tails
 * of the last were seen to rise through the run. The quick size had one load, 50%, at which nothing
 * is steady, of three seeds, and drew a tail of 249 flows.
 */
import type { Check, Figure, FigureContext, FigureResult } from '../figure.ts'
import { holds, needsFull } from '../figure.ts'
import { countOf, estimate, isAbove, percent, reduction, STATISTIC_NAMES } from './completion.ts'
import { STATISTICS } from './completion.ts'
import type { Estimate, Sizes, Statistic } from './completion.ts'
import { curvesAgainstLoad, curvesBySize, facts } from './fig7-to-10-plots.ts'
import { isLoss, lossesOf, unlessOpen } from './fig7-to-10-open.ts'
import type { ManyCheck } from './fig7-to-10-open.ts'
import { roccRows, steadyRows } from './fig7-to-10-rows.ts'
import { drawOf, loadSpec, OWN_LOAD, sizeOf } from './loads.ts'
import type { Cell, Draw, OwnDraws, Workload } from './loads.ts'
import { OWN_PRESETS, SCHEMES, TITLES } from './schemes.ts'
import type { SchemeName } from './schemes.ts'

const KB = 1e3
const MB = 1e6
/** Flows that a 99th percentile needs. */
const FEWEST = 1000
const OTHERS = ['dcqcn', 'timely', 'hpcc'] as const
const SHORT: Sizes = { name: 'short flows (below 100 KB)', from: 0, to: 100 * KB }
const LONG: Sizes = { name: 'long flows (100 KB and more)', from: 100 * KB, to: Infinity }

/** Bounds such that each has a tenth of all flows or more, as the tail of each needs. */
const BOUNDS: Readonly<Record<Workload, readonly number[]>> = {
  WebSearch: [0, 10 * KB, 30 * KB, 100 * KB, 1 * MB, 5 * MB, Infinity],
  FB_Hadoop: [0, 0.5 * KB, 1 * KB, 10 * KB, 100 * KB, 1 * MB, Infinity],
}

/** Per cent, by which PACC's average is below, at the most. */
const UP_TO: Readonly<Record<Workload, readonly [number, number, number]>> = {
  WebSearch: [23, 65, 9],
  FB_Hadoop: [6, 69, 12],
}

/** Of the full runs, which a small one cannot repeat: docs/schemes/pacc.md. */
const FOUND: Readonly<Record<Workload, string>> = {
  WebSearch:
    'Here, in the full run (320 hosts, 20 to 40% load, 16 November 2026), PACC is 1 to 2% ' +
    'below the average of DCQCN, 7 to 8% below that of TIMELY and up to 3% above that of HPCC.',
  FB_Hadoop:
    'Here, in the full run (320 hosts, 20 to 40% load, 16 November 2026), PACC is up to ' +
    '2% above the average of DCQCN, 2 to 7% below that of TIMELY and 5 to 13% above that of HPCC.',
}

export const fig7: Figure = figureOf('WebSearch', 'pacc/fig7', 'Figs. 7 and 9')
export const fig8: Figure = figureOf('FB_Hadoop', 'pacc/fig8', 'Figs. 8 and 10')

function figureOf(workload: Workload, id: string, figures: string): Figure {
  const [dcqcn, timely, hpcc] = UP_TO[workload]
  return {
    id,
    title: `${workload}: completion times against load, and by flow size`,
    cite: `Zhong et al. (PACC), ${figures}, section V-C`,
    claim:
      "The paper says: PACC's completion times are always the lowest, on average by up to " +
      `${dcqcn}, ${timely} and ${hpcc}% against DCQCN, TIMELY and HPCC. ${FOUND[workload]}`,
    reproduce: (context) => reproduce(workload, context),
  }
}

async function reproduce(workload: Workload, context: FigureContext): Promise<FigureResult> {
  const size = sizeOf(workload, context.size)
  const isFull = context.size === 'full'
  const owns = isFull ? OTHERS.length : 0
  const runs = size.seeds.length * (size.loads.length * SCHEMES.length + owns)
  let done = 0
  const drawsOf = (scheme: SchemeName, load: number, preset?: string): Promise<Draw[]> =>
    Promise.all(
      size.seeds.map(async (seed) => {
        const spec = loadSpec(workload, scheme, load, seed, size, preset)
        const draw = drawOf(await context.simulate(spec), size.warmUp)
        context.progress(++done / runs, `${TITLES[scheme]}, ${load * 100}%`)
        return draw
      }),
    )
  const cells = await Promise.all(
    size.loads.map(async (load): Promise<Cell> => {
      const sets = await Promise.all(
        SCHEMES.map(async (scheme) => [scheme, await drawsOf(scheme, load)] as const),
      )
      return { load, draws: Object.fromEntries(sets) as unknown as Cell['draws'] }
    }),
  )
  const sizes = binsOf(workload)
  const own: OwnDraws = {
    dcqcn: isFull ? await drawsOf('dcqcn', OWN_LOAD, OWN_PRESETS.dcqcn) : [],
    timely: isFull ? await drawsOf('timely', OWN_LOAD, OWN_PRESETS.timely) : [],
    hpcc: isFull ? await drawsOf('hpcc', OWN_LOAD, OWN_PRESETS.hpcc) : [],
  }
  return {
    draws: `${size.seeds.length} seeds`,
    checks: isFull
      ? [
          ...fullChecks(workload, cells, sizes),
          ...ownChecks(workload, cells, own),
          ...roccRows(cells),
          ...steadyRows(cells),
        ]
      : quickChecks(workload, cells, sizes),
    plots: [...curvesAgainstLoad(cells, FEWEST), ...curvesBySize(cells, sizes, FEWEST)],
    notes: [...facts(workload, cells, size, isFull ? sizes : []), ...NOTES],
  }
}

export function binsOf(workload: Workload): Sizes[] {
  const bounds = BOUNDS[workload]
  return bounds.slice(1).map((to, i) => ({ name: sizeName(bounds[i]!, to), from: bounds[i]!, to }))
}

function sizeName(from: number, to: number): string {
  const text = (bytes: number): string =>
    bytes >= MB ? `${bytes / MB} MB` : bytes >= KB ? `${bytes / KB} KB` : `${bytes} B`
  if (from === 0) return `< ${text(to)}`
  return to === Infinity ? `>= ${text(from)}` : `${text(from)} to ${text(to)}`
}

function fullChecks(workload: Workload, cells: readonly Cell[], sizes: readonly Sizes[]): Check[] {
  return [
    ...upToChecks(workload, cells),
    ...STATISTICS.map((statistic) => alwaysCheck(cells, statistic).check),
    ...STATISTICS.map((statistic) => orderCheck(workload, cells, statistic).check),
    ...(workload === 'WebSearch' ? breakdownChecks(cells) : []),
    ...STATISTICS.map((statistic) => everySizeCheck(cells, sizes, statistic).check),
    ...largestChecks(cells, sizes),
  ]
}

/** Averages, and what waits for the full size: no tail has the flows that it needs. */
function quickChecks(workload: Workload, cells: readonly Cell[], sizes: readonly Sizes[]): Check[] {
  const isWeb = workload === 'WebSearch'
  const why = 'too few flows for a 99th percentile'
  return [
    ...upToChecks(workload, cells).map((check, i) => {
      const isOpen = check.measured + check.half! >= 0.75 * UP_TO[workload][i]!
      return check.verdict === 'differs' && isOpen
        ? { ...check, verdict: 'needs --full' as const }
        : check
    }),
    unlessOpen(alwaysCheck(cells, 'mean')),
    unlessOpen(orderCheck(workload, cells, 'mean')),
    unlessOpen(everySizeCheck(cells, sizes, 'mean')),
    needsFull('99th percentile: PACC before another', 'always', why),
    needsFull(`99th percentile: ${orderWords(workload)}`, 'at every load', why),
    needsFull('99th percentile, by flow size: PACC before another', EVERY_SIZE, why),
    ...(isWeb
      ? [needsFull('short and long flows: PACC below the best other', 'up to 3 to 8%', why)]
      : []),
    needsFull(
      "average of PACC below those of the others with their own papers' values",
      `up to ${UP_TO[workload].join(', ')}%`,
      'one more run of each of three schemes',
    ),
  ]
}

const EVERY_SIZE = 'all flow sizes, regardless of traffic'

function orderWords(workload: Workload): string {
  return workload === 'WebSearch' ? 'HPCC before DCQCN' : 'DCQCN before HPCC'
}

/** The largest of what PACC gains at each load, and at which. */
function most(
  cells: readonly Cell[],
  of: (cell: Cell) => Estimate,
): Estimate & { readonly load: number } {
  const all = cells.map((cell) => ({ ...of(cell), load: cell.load }))
  return all.reduce((best, one) => (one.value > best.value ? one : best))
}

/** A gain that may be none is no gain, however far its interval reaches. */
export function isAsPublished({ value, half }: Estimate, published: number): boolean {
  const reach = Math.max(0.25 * published, Number.isNaN(half) ? 0 : half)
  return isAbove({ value, half }) && Math.abs(value - published) <= reach
}

function upToChecks(workload: Workload, cells: readonly Cell[]): Check[] {
  return OTHERS.map((other, i) => {
    const published = UP_TO[workload][i]! / 100
    const each = cells.map(({ load, draws }) => ({
      load,
      ...reduction(draws.pacc, draws[other], 'mean'),
    }))
    const best = most(cells, ({ draws }) => reduction(draws.pacc, draws[other], 'mean'))
    const check = holds(
      `average of PACC below that of ${TITLES[other]}, at the most`,
      `up to ${UP_TO[workload][i]}% (a quarter of it, or our interval)`,
      best.value * 100,
      isAsPublished(best, published),
      '%',
      `${each.map((one) => `${one.load * 100}%: ${percent(one)}`).join(', ')}; ${WHY[other]}`,
    )
    return { ...check, half: best.half * 100 }
  })
}

function alwaysCheck(cells: readonly Cell[], statistic: Statistic): ManyCheck {
  const pairs = cells.flatMap(({ load, draws }) =>
    OTHERS.map((other) => ({
      name: `${TITLES[other]} ${load * 100}%`,
      gain: reduction(draws.pacc, draws[other], statistic),
    })),
  )
  const won = pairs.filter(({ gain }) => isAbove(gain))
  const check = holds(
    `${STATISTIC_NAMES[statistic]}: PACC before another, of ${pairs.length} (schemes x loads)`,
    'always',
    won.length,
    won.length === pairs.length,
    '',
    pairs.map(({ name, gain }) => `${name} ${percent(gain)}`).join(', '),
  )
  return { check, ...lossesOf(pairs) }
}

function orderCheck(workload: Workload, cells: readonly Cell[], statistic: Statistic): ManyCheck {
  const isBefore = workload === 'WebSearch'
  const gains = cells.map(({ load, draws }) => ({
    load,
    gain: isBefore
      ? reduction(draws.hpcc, draws.dcqcn, statistic)
      : reduction(draws.dcqcn, draws.hpcc, statistic),
  }))
  const held = gains.filter(({ gain }) => isAbove(gain)).length
  const check = holds(
    `${STATISTIC_NAMES[statistic]}: ${orderWords(workload)}, of ${gains.length} loads`,
    'at every load',
    held,
    held === gains.length,
    '',
    gains.map(({ load, gain }) => `${load * 100}%: by ${percent(gain)}`).join(', '),
  )
  return { check, ...lossesOf(gains) }
}

/** Against the best of the other three, at the load where it is most. */
function breakdownChecks(cells: readonly Cell[]): Check[] {
  const published = [
    [SHORT, 'mean', 3],
    [SHORT, 'p99', 8],
    [LONG, 'mean', 6],
    [LONG, 'p99', 7],
  ] as const
  return published.map(([sizes, statistic, per]) => {
    const against = ({ draws }: Cell): Estimate & { readonly rival: string } => {
      const times = OTHERS.map((other) => ({
        other,
        time: estimate(draws[other], statistic, sizes).value,
      }))
      const { other } = times.reduce((a, b) => (b.time < a.time ? b : a))
      return { ...reduction(draws.pacc, draws[other], statistic, sizes), rival: TITLES[other] }
    }
    const best = most(cells, against)
    const each = cells.map((cell) => ({ load: cell.load, ...against(cell) }))
    return holds(
      `${sizes.name}, ${STATISTIC_NAMES[statistic]}: PACC below the best other, at the most`,
      `up to ${per}% (a quarter of it, or our interval)`,
      best.value * 100,
      isAsPublished(best, per / 100),
      '%',
      each.map((one) => `${one.load * 100}%: ${percent(one)} of ${one.rival}`).join(', '),
    )
  })
}

function everySizeCheck(
  cells: readonly Cell[],
  bins: readonly Sizes[],
  statistic: Statistic,
): ManyCheck {
  const places = cells.flatMap(({ draws }) => bins.map((sizes) => ({ draws, sizes })))
  // A tail of fewer flows has fewer than ten beyond it, and is left out.
  const enough = places.filter(
    ({ draws, sizes }) => statistic === 'mean' || countOf(draws.pacc, sizes) >= FEWEST,
  )
  const gains = enough.flatMap(({ draws, sizes }) =>
    OTHERS.map((other) => ({
      other,
      gain: reduction(draws.pacc, draws[other], statistic, sizes),
    })),
  )
  const won = gains.filter(({ gain }) => isAbove(gain))
  const lost = gains.filter(({ gain }) => isLoss(gain))
  const by = OTHERS.map((other) => {
    const of = (list: typeof gains): number => list.filter((one) => one.other === other).length
    return `${TITLES[other]}: won ${of(won)}, lost ${of(lost)} of ${of(gains)}`
  })
  const check = holds(
    `${STATISTIC_NAMES[statistic]}: PACC before another, of ${gains.length} ` +
      '(schemes x loads x sizes)',
    EVERY_SIZE,
    won.length,
    gains.length > 0 && won.length === gains.length,
    '',
    `${by.join('; ')}; ${places.length - enough.length} bins of too few flows left out`,
  )
  return { check, lost: lost.length, of: gains.length }
}

function largestChecks(cells: readonly Cell[], bins: readonly Sizes[]): Check[] {
  const { draws, load } = cells.at(-1)!
  const [smallest, largest] = [bins[0]!, bins.at(-1)!]
  const ratio = (other: SchemeName, sizes: Sizes): number =>
    estimate(draws[other], 'mean', sizes).value / estimate(draws.pacc, 'mean', sizes).value
  const timely = [ratio('timely', smallest), ratio('timely', largest)] as const
  const hpcc = reduction(draws.pacc, draws.hpcc, 'mean', largest)
  return [
    holds(
      `TIMELY over PACC at ${load * 100}%, ${largest.name}, against the same of ${smallest.name}`,
      'degrades drastically as the flow size increases (at least twice)',
      timely[1] / timely[0],
      timely[1] / timely[0] >= 2,
      'times',
      `${timely[1].toFixed(2)} against ${timely[0].toFixed(2)}`,
    ),
    holds(
      `average at ${load * 100}%, ${largest.name}: PACC below HPCC`,
      'HPCC usually fails when flow size is extremely large (above 0)',
      hpcc.value * 100,
      isAbove(hpcc),
      '%',
      percent(hpcc),
    ),
  ]
}

/** Against the others with the values of their own papers, at one load. */
function ownChecks(workload: Workload, cells: readonly Cell[], own: OwnDraws): Check[] {
  const { pacc } = cells.find(({ load }) => load === OWN_LOAD)!.draws
  return OTHERS.map((other, i) => {
    const [average, tail] = STATISTICS.map((statistic) => reduction(pacc, own[other], statistic))
    const check = holds(
      `average of PACC below that of ${TITLES[other]} with its own paper's values, ` +
        `${OWN_LOAD * 100}% load`,
      `up to ${UP_TO[workload][i]}% (a quarter of it, or our interval)`,
      average!.value * 100,
      isAsPublished(average!, UP_TO[workload][i]! / 100),
      '%',
      `${percent(average!)}; 99th percentile ${percent(tail!)}; preset ${OWN_PRESETS[other]}`,
    )
    return { ...check, half: average!.half * 100 }
  })
}

/** What parts ours from the paper's. */
const WHY: Readonly<Record<(typeof OTHERS)[number], string>> = {
  dcqcn: "PACC's senders are DCQCN's, and both hold a queue of some 100 KB",
  timely: "TIMELY has the simulator's steps and least rate; with its own paper's it is far slower",
  hpcc: 'under PACC short flows wait behind a queue of 125 KB, under HPCC behind next to nothing',
}

const NOTES: readonly string[] = [
  'Why the order differs: PACC holds 125 KB in the queue of a 25 Gb/s link, N / beta1 KB more ' +
    'because CNPs are whole. That is 40 us and more for a packet behind a long flow, three ' +
    'times the round trip, where HPCC leaves next to nothing. Flows of a few packets are most of ' +
    'FB_Hadoop, and the switch keeps that queue on purpose. A lower reference takes away only ' +
    'a part of it: flows begin at line rate, without a window, as ' +
    'under DCQCN (docs/schemes/pacc.md). Long flows gain: their link never runs dry.',
  'Intervals of curves are those of a scheme by itself, over seeds that draw other flows; bars ' +
    'and the table compare schemes on the same flows.',
  'Which values the other schemes had is not clear: section V-A says both the open-source ' +
    "simulator's and those of the papers. They matter more than PACC does.",
]
