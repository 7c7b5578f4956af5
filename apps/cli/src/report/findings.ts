/**
 * Titles that say what a figure shows. Each looks at the numbers and makes a sentence of them;
 * where the numbers tell nothing apart, the title only says what is drawn.
 */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import type { Result } from '@weir/sim'
import { ratio, share } from '../format.ts'

/** Differences below this are not worth a headline. */
const NOTABLE = 1.05

interface Ranked {
  readonly name: string
  readonly value: number
}

interface Ends {
  readonly low: Ranked
  readonly high: Ranked
}

export function rateFinding(results: readonly Result[]): string {
  const ends = endsOf(results, (result) => result.summary.goodputBps)
  if (ends === undefined) return 'Throughput of the flows over time'
  const { low, high } = ends
  return isNotable(ends)
    ? `${high.name} delivers most, ${shortRate(high.value)}; ` +
        `${low.name} least, ${shortRate(low.value)}`
    : `All deliver about the same, ${shortRate(high.value)}`
}

export function queueFinding(results: readonly Result[]): string {
  const ends = endsOf(results, (result) => result.summary.queueBytesMax)
  if (ends === undefined) return 'Depth of the deepest queue over time'
  const { low, high } = ends
  return isNotable(ends)
    ? `${low.name} keeps queues shallowest, ${shortSize(low.value)} at most; ` +
        `under ${high.name} they reach ${shortSize(high.value)}`
    : `Queues are alike, ${shortSize(high.value)} at most`
}

export function fctFinding(results: readonly Result[]): string {
  const ends = endsOf(results, (result) => result.summary.fctPsP99)
  if (ends === undefined) return 'Flow completion times'
  const { low, high } = ends
  return isNotable(ends)
    ? `99 of 100 flows end within ${shortTime(low.value)} under ${low.name}, ` +
        `within ${shortTime(high.value)} under ${high.name}`
    : `99 of 100 flows end within ${shortTime(high.value)} under each scheme`
}

export function slowdownFinding(results: readonly Result[]): string {
  const ends = endsOf(results, (result) => result.summary.slowdownP99)
  if (ends === undefined) return 'Slowdown by flow size'
  const { low, high } = ends
  return isNotable(ends)
    ? `The slowest flows take ${ratio(low.value)} times their ideal under ${low.name}, ` +
        `${ratio(high.value)} times under ${high.name}`
    : `The slowest flows take about ${ratio(high.value)} times their ideal under each scheme`
}

export function jainFinding(results: readonly Result[]): string {
  const ends = endsOf(results, (result) => result.summary.jain)
  if (ends === undefined) return 'Fairness over time'
  const { low, high } = ends
  return high.value - low.value > 0.01
    ? `${high.name} is fairest (Jain ${share(high.value)}); ${low.name} least (${share(low.value)})`
    : `Flows share alike, Jain ${share(high.value)}`
}

/** The least and the greatest; undefined unless at least two results have a value. */
function endsOf(results: readonly Result[], value: (result: Result) => number): Ends | undefined {
  const ranked = results
    .map((result): Ranked => ({ name: spoken(result.spec.scheme.name), value: value(result) }))
    .filter((entry) => Number.isFinite(entry.value))
    .sort((a, b) => a.value - b.value)
  return ranked.length < 2 ? undefined : { low: ranked[0]!, high: ranked.at(-1)! }
}

/** In a sentence the scheme called 'none' would read as a pronoun. */
function spoken(scheme: string): string {
  return scheme === 'none' ? "'none'" : scheme
}

function isNotable({ low, high }: Ends): boolean {
  return high.value > low.value * NOTABLE
}
