/** Several schemes on one scenario: what `compare` shows, writes as JSON and reports. */
import { meanInterval, type MeanInterval } from '@weir/metrics'
import type { Noise, Result, Summary } from '@weir/sim'
import { breakdowns } from './breakdown.ts'
import type { Draws as DrawsAsked } from './draw-options.ts'
import { percent } from './format.ts'
import { bestOf, cellText, measures, type Draws } from './measures.ts'
import { portLines } from './ports-text.ts'
import { warningsText } from './summary-text.ts'
import { renderTable, type Cell, type Column } from './table.ts'
import { theoryJson, type TheoryRow } from './theory-over.ts'

export interface Comparison {
  readonly scenario: string
  readonly seed: number
  /** How often each was drawn. */
  readonly draws: DrawsAsked
  /** What was run to its end, in the order in which schemes were named. */
  readonly entries: readonly Entry[]
  readonly skipped: readonly Skipped[]
  /** By entry; undefined for one whose perturbed run did not finish. Only with --noise. */
  readonly noise?: readonly (Noise | undefined)[]
  /** By entry. Only with --with-theory. */
  readonly theory?: readonly TheoryRow[]
}

/** One row: a scheme, or one of its presets or sets of parameters. */
export interface Entry {
  /** As it was asked for: `dcqcn`, `dcqcn:firmware`. */
  readonly label: string
  /** One for each draw, by order of seeds: at least one, and the same for every entry. */
  readonly results: readonly Result[]
}

/** A scheme that did not run, or not to its end, and why. */
export interface Skipped {
  readonly scheme: string
  readonly why: 'unfit' | 'failed' | 'interrupted'
  readonly reason: string
}

export interface Paint {
  readonly best: (text: string) => string
  readonly dim: (text: string) => string
}

const PLAIN: Paint = { best: (text) => text, dim: (text) => text }

export const summariesOf = ({ results }: Entry): Draws<Summary> =>
  results.map((result) => result.summary)

export function comparisonText(
  { entries, skipped, noise }: Comparison,
  paint: Paint = PLAIN,
  widthMax: number = Infinity,
): string {
  const columns: Column[] = [
    { title: 'scheme', align: 'left' },
    ...measures.map(({ title, dropOrder }): Column => ({ title, align: 'right', dropOrder })),
    ...noiseColumns(noise).map(({ title }): Column => ({ title, align: 'right' })),
    { title: 'fingerprint', align: 'left', dropOrder: 7 },
  ]
  const draws = entries.map(summariesOf)
  const best = measures.map((measure) => bestOf(measure, draws))
  const rows = entries.map(({ label, results }, row): Cell[] => [
    { text: label },
    ...measures.map((measure, index): Cell => {
      const text = cellText(measure, draws[row]!)
      return best[index]!.has(row) ? { text, paint: paint.best } : { text }
    }),
    ...noiseColumns(noise).map(({ text }): Cell => ({ text: text(row) })),
    { text: results[0]!.fingerprint, paint: paint.dim },
  ])
  const table = entries.length === 0 ? '' : renderTable(columns, rows, widthMax)
  return table + skippedText(skipped, paint)
}

/** The same taken apart by item, class and size, and the ports: what stands under the table. */
export function partsText(
  entries: readonly Entry[],
  paint: Paint = PLAIN,
  widthMax: number = Infinity,
): string {
  const tables = breakdowns(entries).map(({ title, note, columns, cells }) => {
    const heads = columns.map(({ title: head }, i): Column => {
      return { title: head, align: 'right', dropOrder: columns.length - i }
    })
    const rows = cells.map((own, row): Cell[] => [
      { text: entries[row]!.label },
      ...own.map(({ text, isBest }): Cell => (isBest ? { text, paint: paint.best } : { text })),
    ])
    const all: Column[] = [{ title: 'scheme', align: 'left' }, ...heads]
    return `\n${title}. ${note}\n\n` + renderTable(all, rows, widthMax)
  })
  const first = entries[0]?.results.length === 1 ? '' : ' (of the first seed)'
  const ports = portLines(entries, widthMax)
  const where = ports === '' ? '' : `\nWhere it queued and who was paused${first}.\n\n${ports}`
  return tables.join('') + where
}

/** The columns of --noise, for the terminal's table and the report's; none without it. */
export function noiseColumns(
  noise: Comparison['noise'],
): { readonly title: string; readonly about: string; readonly text: (row: number) => string }[] {
  if (noise === undefined) return []
  return (['p50', 'p99'] as const).map((which) => ({
    title: `noise ${which}`,
    about: NOISE,
    text: (row) => percent(noise[row]?.[which] ?? NaN),
  }))
}

export const NOISE: string =
  "how far flows' completion times move with other chance and 1 ns more per link " +
  '(median and p99 of the relative difference, flow by flow)'

export function comparisonJson(comparison: Comparison): string {
  const { scenario, seed, draws, entries, skipped, noise, theory } = comparison
  const several = draws.count > 1 ? { draws } : {}
  const runs = entries.map(({ label, results }, row) => {
    const { spec, fingerprint, ended, drained, summary, ports, warnings } = results[0]!
    return {
      scheme: spec.scheme.name,
      ...(label === spec.scheme.name ? {} : { label }),
      fingerprint,
      ended,
      ...(drained === undefined ? {} : { drained }),
      summary,
      ports,
      warnings,
      ...(draws.count > 1 ? severalJson(results) : {}),
      ...(noise === undefined ? {} : { noise: noise[row] ?? null }),
      ...(theory === undefined ? {} : { theory: theoryJson(theory[row]!) }),
    }
  })
  return JSON.stringify({ scenario, seed, ...several, runs, skipped }, null, 2) + '\n'
}

/** Each measure's mean and the half-width of its 95% interval, and every draw by itself. */
function severalJson(results: readonly Result[]): object {
  const summaries = results.map(({ summary }) => summary)
  const intervals = measures.map((measure): [string, MeanInterval] => [
    measure.key,
    meanInterval(summaries.map(measure.value)),
  ])
  return {
    intervals: Object.fromEntries(intervals),
    drawn: results.map(({ spec, fingerprint, summary }) => {
      const { seed, chanceSeed } = spec
      return { seed, chanceSeed, fingerprint, summary }
    }),
  }
}

function skippedText(skipped: readonly Skipped[], paint: Paint): string {
  if (skipped.length === 0) return ''
  const width = Math.max(...skipped.map(({ scheme }) => scheme.length))
  const lines = skipped.map(({ scheme, why, reason }) => {
    const word = why === 'unfit' ? 'skipped' : why
    return paint.dim(`${scheme.padEnd(width)}  ${word}: ${reason}`)
  })
  return '\n' + lines.join('\n') + '\n'
}

/** A warning that several schemes share is said once. */
export function comparisonWarnings({ entries, draws }: Comparison): string {
  const schemesOf = new Map<string, string[]>()
  for (const { label, results } of entries) {
    for (const text of drawnWarnings(results)) {
      schemesOf.set(text, [...(schemesOf.get(text) ?? []), label])
    }
  }
  // One scheme's own series are not there under another: only what no scheme has is a slip.
  const isSaid = ([text, names]: [string, string[]]): boolean =>
    !text.startsWith('metrics.series: nothing') || names.length === entries.length
  const shared = [...schemesOf]
    .filter(isSaid)
    .map(([text, names]) => `${names.join(', ')}: ${text}`)
  return warningsText([...shared, ...sameCourse(entries), ...noChance(entries, draws)])
}

/** Warnings of several draws: those that differ by their numbers alone are said once. */
export function drawnWarnings(results: readonly Result[]): string[] {
  const alike = new Map<string, string[]>()
  for (const text of results.flatMap(({ warnings }) => warnings)) {
    const key = text.replace(/\d+/g, '#')
    alike.set(key, [...(alike.get(key) ?? []), text])
  }
  return [...alike.values()].map(([first, ...others]) => {
    const more = others.filter((text) => text !== first).length
    return more === 0 ? first! : `${first} (and likewise in ${more} more draws)`
  })
}

/** Two rows of one trajectory: what was to tell them apart did nothing. */
export function sameCourse(entries: readonly Entry[]): string[] {
  const rows = new Map<string, string[]>()
  for (const { label, results } of entries) {
    const course = results.map(({ fingerprint }) => fingerprint).join()
    rows.set(course, [...(rows.get(course) ?? []), label])
  }
  return [...rows.values()]
    .filter((labels) => labels.length > 1)
    .map(
      (labels) =>
        `${labels.join(' and ')} took the same course, packet by packet: what tells them apart ` +
        `has no effect here`,
    )
}

/** Repeats that are all the same say nothing of chance. */
function noChance(entries: readonly Entry[], { kind, count }: DrawsAsked): string[] {
  if (kind !== 'repeats' || count < 2) return []
  const same = entries.filter(
    ({ results }) => new Set(results.map(({ fingerprint }) => fingerprint)).size === 1,
  )
  if (same.length === 0) return []
  const names = same.map(({ label }) => label).join(', ')
  return [`${names}: every repeat was the same, for nothing is drawn but the flows; use --seeds`]
}
