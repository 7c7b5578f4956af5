/**
 * The measures by which schemes are compared, each described once: the terminal's table, the
 * report's table and its findings all read this. A row of a comparison has a summary for each draw
 * (seed); its value is their mean with a 95% interval.
 */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import { isApart, meanInterval } from '@weir/metrics'
import { measureInfo, type Summary, type SummaryKey } from '@weir/sim'
import { count, ratio, share, withInterval } from './format.ts'

/** What is measured of a whole run, or of a part of its flows: one for each draw. */
export type Draws<S> = readonly S[]

export interface Measure<S = Summary> {
  readonly key: string
  readonly title: string
  /** What it is, in a few words with its unit, for those who hover over the heading. */
  readonly about: string
  readonly value: (summary: S) => number
  readonly show: (value: number) => string
  /** Which end is good; 'neither' is never called best. */
  readonly best: 'low' | 'high' | 'neither'
  /** See Column.dropOrder. */
  readonly dropOrder: number
}

/** Values that flows which did not end make lower bounds are named by their summary. */
interface Bounded {
  readonly atLeast?: readonly string[]
}

function measure(key: SummaryKey, title: string, dropOrder = 0): Measure {
  const { about, best, unit } = measureInfo(key)
  const show = SHOWN[unit] ?? count
  return { key, title, about, best, value: (s) => s[key] as number, dropOrder, show }
}

/** How values are shown, by their unit; others are counts. */
const SHOWN: Readonly<Record<string, (value: number) => string>> = {
  ps: shortTime,
  bytes: shortSize,
  'bit/s': shortRate,
  ratio,
  '0 to 1': share,
}

export const measures: readonly Measure[] = [
  measure('flowsEnded', 'ended'),
  measure('slowdownMean', 'slowdown'),
  measure('slowdownP50', 'p50', 5),
  measure('slowdownP99', 'p99'),
  measure('fctPsP99', 'FCT p99', 3),
  measure('goodputBps', 'goodput'),
  measure('jain', 'Jain', 4),
  measure('queueBytesMax', 'queue max'),
  measure('pauseFrames', 'pauses', 2),
  measure('packetsDropped', 'drops', 1),
  measure('packetsMarked', 'marks', 6),
]

/** The mean of what was drawn, with the half-width of its interval if there are several draws. */
export function cellText<S extends Bounded>(what: Measure<S>, draws: Draws<S>): string {
  if (what.key === 'flowsEnded') return endedOf(draws as unknown as Draws<Summary>)
  const { mean, half } = meanInterval(draws.map(what.value))
  const sign = isBound(what, draws) ? '>= ' : ''
  return `${sign}${withInterval(what.show, mean, half)}`
}

/** Of all draws together. */
function endedOf(draws: Draws<Summary>): string {
  const sum = (value: (summary: Summary) => number): number =>
    draws.reduce((total, summary) => total + value(summary), 0)
  return `${count(sum((s) => s.flowsEnded))}/${count(sum((s) => s.flows))}`
}

export function isBound<S extends Bounded>(what: Measure<S>, draws: Draws<S>): boolean {
  return draws.some((summary) => summary.atLeast?.includes(what.key) === true)
}

/**
 * Rows that are best, and those that cannot be told from the best; none if all are alike, if there
 * is but one, or if the least is a lower bound, which may come to be anything above.
 */
export function bestOf<S extends Bounded>(
  what: Measure<S>,
  rows: readonly Draws<S>[],
): ReadonlySet<number> {
  const values = rows.map((draws) => meanInterval(draws.map(what.value)).mean)
  const finite = values.filter(Number.isFinite)
  if (what.best === 'neither' || finite.length < 2) return new Set()
  const best = what.best === 'low' ? Math.min(...finite) : Math.max(...finite)
  const at = values.indexOf(best)
  if (isBound(what, rows[at]!)) return new Set()
  const indices = values.flatMap((value, index) =>
    Number.isFinite(value) && !differ(what, rows[at]!, rows[index]!) ? [index] : [],
  )
  return indices.length === finite.length ? new Set() : new Set(indices)
}

/**
 * Does a measure tell two rows apart? What reads the same does not, nor does a difference whose
 * interval, draw by draw, has nothing in it (see `isApart`).
 */
export function differ<S>(what: Measure<S>, a: Draws<S>, b: Draws<S>): boolean {
  if (a === b) return false
  const [ours, theirs] = [a.map(what.value), b.map(what.value)]
  const means = [meanInterval(ours).mean, meanInterval(theirs).mean]
  if (what.show(means[0]!) === what.show(means[1]!)) return false
  return isApart(ours, theirs)
}
