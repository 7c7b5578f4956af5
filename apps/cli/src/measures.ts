/**
 * The measures by which schemes are compared, each described once: the terminal's table, the
 * report's table and its findings all read this.
 */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { Summary } from '@weir/sim'
import { count, ratio, share } from './format.ts'

export interface Measure {
  readonly key: string
  readonly title: string
  /** What it is, in a few words, for those who hover over the heading. */
  readonly about: string
  readonly value: (summary: Summary) => number
  readonly text: (summary: Summary) => string
  /** Which end is good; 'neither' is never called best. */
  readonly best: 'low' | 'high' | 'neither'
  /** See Column.dropOrder. */
  readonly dropOrder: number
}

function measure(
  key: string,
  title: string,
  about: string,
  best: Measure['best'],
  value: (summary: Summary) => number,
  format: (value: number) => string,
  dropOrder = 0,
): Measure {
  return { key, title, about, best, value, dropOrder, text: (summary) => format(value(summary)) }
}

export const measures: readonly Measure[] = [
  {
    key: 'flowsEnded',
    title: 'ended',
    about: 'flows that ended, of all',
    best: 'high',
    value: (s) => s.flowsEnded,
    text: (s) => `${count(s.flowsEnded)}/${count(s.flows)}`,
    dropOrder: 0,
  },
  measure(
    'slowdownMean',
    'slowdown',
    'mean of FCT over the FCT on an empty fabric',
    'low',
    (s) => s.slowdownMean,
    ratio,
  ),
  measure('slowdownP50', 'p50', 'median slowdown', 'low', (s) => s.slowdownP50, ratio, 2),
  measure('slowdownP99', 'p99', '99th percentile of slowdown', 'low', (s) => s.slowdownP99, ratio),
  measure(
    'fctPsP99',
    'FCT p99',
    '99th percentile of flow completion time',
    'low',
    (s) => s.fctPsP99,
    shortTime,
  ),
  measure(
    'goodputBps',
    'goodput',
    'payload delivered while any flow was active',
    'high',
    (s) => s.goodputBps,
    shortRate,
  ),
  measure('jain', 'Jain', "Jain's fairness index of flows' rates", 'high', (s) => s.jain, share, 1),
  measure(
    'queueBytesMax',
    'queue max',
    'deepest queue of any port',
    'low',
    (s) => s.queueBytesMax,
    shortSize,
  ),
  measure('pauseFrames', 'pauses', 'pause frames sent', 'low', (s) => s.pauseFrames, count),
  measure('packetsDropped', 'drops', 'packets dropped', 'low', (s) => s.packetsDropped, count),
  measure('packetsMarked', 'marks', 'packets marked', 'neither', (s) => s.packetsMarked, count, 3),
]

/** Indices of the best of these summaries; none if all are alike or there is but one. */
export function bestOf(what: Measure, summaries: readonly Summary[]): ReadonlySet<number> {
  const values = summaries.map(what.value)
  const finite = values.filter(Number.isFinite)
  if (what.best === 'neither' || finite.length < 2) return new Set()
  const best = what.best === 'low' ? Math.min(...finite) : Math.max(...finite)
  // As shown: what reads the same is not told apart.
  const text = what.text(summaries[values.indexOf(best)]!)
  const indices = values.flatMap((value, index) =>
    Number.isFinite(value) && what.text(summaries[index]!) === text ? [index] : [],
  )
  return indices.length === finite.length ? new Set() : new Set(indices)
}
