/**
 * Titles that say what a figure shows. Each looks at the numbers and makes a sentence of them;
 * where the numbers tell nothing apart, or flows had not ended, the title claims no more than that.
 */
import { shortRate, shortSize, shortTime } from '@weir/engine'
import { mean } from '@weir/metrics'
import { summariesOf, type Entry } from '../comparison.ts'
import { count, ratio, share } from '../format.ts'
import { fewestSized } from '../summary-text.ts'
import { differ, isBound, measures, type Measure } from '../measures.ts'

/** Differences below this are not worth a headline. */
const NOTABLE = 1.05

interface Ranked {
  /** And of those that the draws do not tell from it. */
  readonly name: string
  readonly value: number
}

interface Ends {
  readonly low: Ranked
  readonly high: Ranked
  /** Chance alone would not make them differ so much, as far as the draws tell. */
  readonly isBeyondChance: boolean
}

export function rateFinding(entries: readonly Entry[]): string {
  const ends = endsOf(entries, 'goodputBps')
  if (ends === undefined) return 'Throughput of the flows over time'
  const { low, high } = ends
  return isNotable(ends)
    ? `Most is delivered under ${high.name}, ${shortRate(high.value)}; ` +
        `least under ${low.name}, ${shortRate(low.value)}`
    : `All deliver about the same, ${shortRate(high.value)}`
}

export function queueFinding(entries: readonly Entry[]): string {
  const ends = endsOf(entries, 'queueBytesMax')
  if (ends === undefined) return 'Depth of the deepest queue over time'
  const { low, high } = ends
  return isNotable(ends)
    ? `Queues are shallowest under ${low.name}, ${shortSize(low.value)} at most; ` +
        `under ${high.name} they reach ${shortSize(high.value)}`
    : `Queues are alike, ${shortSize(high.value)} at most`
}

export function fctFinding(entries: readonly Entry[]): string {
  const ends = endsOf(entries, 'fctPsP99')
  if (ends === undefined) return 'Flow completion times'
  const open = unfinishedText(entries, 'fctPsP99')
  if (open !== '') return `Flow completion times, as far as they are known: ${open}`
  const { low, high } = ends
  if (areFew(entries)) {
    return isNotable(ends)
      ? `The slowest flow takes ${shortTime(low.value)} under ${low.name}, ` +
          `${shortTime(high.value)} under ${high.name}`
      : `The slowest flow takes ${shortTime(high.value)} under each scheme`
  }
  return isNotable(ends)
    ? `99 of 100 flows end within ${shortTime(low.value)} under ${low.name}, ` +
        `within ${shortTime(high.value)} under ${high.name}`
    : `99 of 100 flows end within ${shortTime(high.value)} under each scheme`
}

export function slowdownFinding(entries: readonly Entry[]): string {
  const ends = endsOf(entries, 'slowdownP99')
  if (ends === undefined) return 'Slowdown by flow size'
  const open = unfinishedText(entries, 'slowdownP99')
  if (open !== '') return `Slowdowns, at least, by flow size: ${open}`
  const { low, high } = ends
  if (areFew(entries)) {
    return isNotable(ends)
      ? `The slowest flow takes ${ratio(low.value)} times its ideal under ${low.name}, ` +
          `${ratio(high.value)} times under ${high.name}`
      : `The slowest flow takes about ${ratio(high.value)} times its ideal under each scheme`
  }
  return isNotable(ends)
    ? `1 flow in 100 takes more than ${ratio(low.value)} times its ideal under ${low.name}, ` +
        `than ${ratio(high.value)} times under ${high.name}`
    : `1 flow in 100 takes more than about ${ratio(high.value)} times its ideal under each scheme`
}

export function jainFinding(entries: readonly Entry[]): string {
  const ends = endsOf(entries, 'jain')
  if (ends === undefined) return 'Fairness over time'
  const { low, high, isBeyondChance } = ends
  return high.value - low.value > 0.01 && isBeyondChance
    ? `Shares are fairest under ${high.name} (Jain ${share(high.value)}); ` +
        `least under ${low.name} (${share(low.value)})`
    : `Flows share alike, Jain ${share(high.value)}`
}

/** The 99th percentile of fewer than 100 flows is the slowest of them. */
function areFew(entries: readonly Entry[]): boolean {
  return fewestSized(entries.flatMap(({ results }) => results)) < 100
}

/** '' if a measure is known of all. */
function unfinishedText(entries: readonly Entry[], key: string): string {
  const open = entries.filter((entry) => isBound(measureOf(key), summariesOf(entry)))
  if (open.length === 0) return ''
  const left = open.map(({ label, results }) => {
    const flows = results.reduce((sum, { summary }) => sum + summary.flowsUnfinished, 0)
    return `${count(flows)} under ${spoken(label)}`
  })
  return `flows had not ended, ${left.join(', ')}`
}

/** The least and the greatest mean; undefined unless at least two entries have a value. */
function endsOf(entries: readonly Entry[], key: string): Ends | undefined {
  const measure = measureOf(key)
  const ranked = entries
    .map((entry) => {
      const draws = summariesOf(entry)
      return { label: entry.label, value: mean(draws.map(measure.value)), draws }
    })
    .filter((entry) => Number.isFinite(entry.value))
    .sort((a, b) => a.value - b.value)
  const [low, high] = [ranked[0], ranked.at(-1)]
  if (ranked.length < 2 || low === undefined || high === undefined) return undefined
  const named = (end: (typeof ranked)[number]): Ranked => {
    const same = ranked.filter(({ draws }) => !differ(measure, end.draws, draws))
    return { name: listed(same.map(({ label }) => spoken(label))), value: end.value }
  }
  const isBeyondChance = differ(measure, low.draws, high.draws)
  return { low: named(low), high: named(high), isBeyondChance }
}

/** All that cannot be told apart; many are a number. */
function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.length} schemes alike`
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function measureOf(key: string): Measure {
  return measures.find((measure) => measure.key === key)!
}

/** In a sentence the scheme called 'none' would read as a pronoun. */
function spoken(scheme: string): string {
  return scheme === 'none' ? "'none'" : scheme
}

function isNotable({ low, high, isBeyondChance }: Ends): boolean {
  return isBeyondChance && high.value > low.value * NOTABLE
}
