/** Who did best, in a few lines for the foot of a table; only what the draws tell apart. */
import type { Summary } from '@weir/sim'
import { itemTails } from './breakdown.ts'
import { summariesOf, type Entry } from './comparison.ts'
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
    ...answer(whole('goodputBps', 'highest goodput'), entries),
    ...answer(whole('queueBytesMax', 'shallowest queue'), entries),
  ]
}

function answer<S extends { readonly atLeast?: readonly string[] }>(
  { phrase, measure, draws }: Question<S>,
  entries: readonly Entry[],
): string[] {
  const best = [...bestOf(measure, draws)]
  const isSeveral = draws[0]!.length > 1
  if (best.length > 0) {
    const names = best.map((row) => entries[row]!.label)
    const tie = best.length > 1 && isSeveral ? ', which these draws do not tell apart' : ''
    return [`${phrase}: ${names.join(', ')} (${cellText(measure, draws[best[0]!]!)})${tie}`]
  }
  const isKnown = draws.flat().some((summary) => Number.isFinite(measure.value(summary)))
  if (!isKnown) return []
  if (draws.some((own) => isBound(measure, own))) return [`${phrase}: ${UNTOLD}`]
  return isSeveral ? [`${phrase}: no difference beyond chance`] : []
}

const UNTOLD =
  'cannot be told, for flows had not ended (>= is a lower bound); give the run more run.drain'
