/** Who did best, in a few lines for the foot of a table; only what the draws tell apart. */
import { mean } from '@weir/metrics'
import type { Summary } from '@weir/sim'
import { itemTails } from './breakdown.ts'
import { summariesOf, type Entry } from './comparison.ts'
import { count } from './format.ts'
import { bestOf, cellText, isBound, measures, type Draws, type Measure } from './measures.ts'

interface Question<S> {
  /** `lowest p99 slowdown of incast`. */
  readonly phrase: string
  readonly measure: Measure<S>
  readonly draws: readonly Draws<S>[]
}

/** One line a question; none when nothing was asked of it, or a single draw tells none apart. */
export function verdict(entries: readonly Entry[]): string[] {
  if (entries.length < 2) return []
  const whole = (key: string, phrase: string): Question<Summary> => ({
    phrase,
    measure: measures.find((measure) => measure.key === key)!,
    draws: entries.map(summariesOf),
  })
  const items = itemTails(entries)
  const slowdown =
    items.length > 0
      ? items.flatMap(({ name, measure, draws }) =>
          answer({ phrase: `lowest p99 slowdown of ${name}`, measure, draws }, entries),
        )
      : answer(whole('slowdownP99', 'lowest p99 slowdown'), entries)
  return [
    ...slowdown,
    ...fewFlows(entries),
    // Who starves a flow on many links has the most goodput: beside it stands who treats all alike.
    ...(isHeldToMaxMin(entries)
      ? answer(whole('jain', 'fairest to flows without end'), entries)
      : []),
    ...answer(whole('goodputBps', 'highest goodput'), entries),
    ...answer(whole('queueBytesMax', 'shallowest queue'), entries),
  ]
}

/** Jain's index is of shares of max-min rates: there are flows without end, and these are known. */
function isHeldToMaxMin(entries: readonly Entry[]): boolean {
  return entries.every(({ results }) => Number.isFinite(results[0]!.summary.maxMinError))
}

/** Flows beyond a percentile without which it is an accident. */
const BEYOND_MIN = 10

/** Said where a 99th percentile rests on a handful of flows, all draws together. */
function fewFlows(entries: readonly Entry[]): string[] {
  const { results } = entries[0]!
  const sums = new Map<string, number>()
  const add = (name: string, flows: number): unknown =>
    sums.set(name, (sums.get(name) ?? 0) + flows)
  const isMany = itemTails(entries).length > 0
  for (const { summary } of results) {
    if (isMany) for (const { name, flows } of summary.items) add(name, flows)
    else add('', sizedFlows(summary))
  }
  const few = [...sums].filter(([, flows]) => flows > 0 && flows < BEYOND_MIN * 100)
  if (few.length === 0) return []
  const texts = few.map(([name, flows]) => {
    return `${count(Math.floor(flows / 100))}${name === '' ? '' : ` of ${name}`}`
  })
  return [
    `(flows beyond p99, over all draws: ${texts.join(', ')}. With fewer than ten, p99 is mostly ` +
      `chance: raise run.until, or --seeds)`,
  ]
}

function sizedFlows({ buckets }: Summary): number {
  return buckets.reduce((sum, { flows }) => sum + flows, 0)
}

function answer<S extends { readonly atLeast?: readonly string[] }>(
  { phrase, measure, draws }: Question<S>,
  entries: readonly Entry[],
): string[] {
  const sign = measure.best === 'low' ? 1 : -1
  const value = (row: number): number => sign * mean(draws[row]!.map(measure.value))
  const best = [...bestOf(measure, draws)].sort((a, b) => value(a) - value(b))
  const isSeveral = draws[0]!.length > 1
  if (best.length > 0) {
    const [first, ...others] = best.map((row) => entries[row]!.label)
    const text = cellText(measure, draws[best[0]!]!)
    if (!isSeveral) return [`${phrase}: ${[first, ...others].join(', ')} (${text})`]
    const tie = others.length > 0 ? `; not told apart by these draws: ${others.join(', ')}` : ''
    return [`${phrase}: ${first} (${text})${tie}`]
  }
  const isKnown = draws.flat().some((summary) => Number.isFinite(measure.value(summary)))
  if (!isKnown) return []
  if (draws.some((own) => isBound(measure, own))) {
    const rows = entries.map((_, row) => row).filter((row) => Number.isFinite(value(row)))
    const least = rows.reduce((a, b) => (value(b) < value(a) ? b : a))
    const bound = `${entries[least]!.label} (${cellText(measure, draws[least]!)})`
    return [`${phrase}: ${UNTOLD}; the lowest bound is that of ${bound}`]
  }
  return isSeveral ? [`${phrase}: no difference beyond chance`] : []
}

const UNTOLD = 'cannot be told before flows have ended (run.drain)'
