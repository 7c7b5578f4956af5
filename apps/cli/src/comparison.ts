/** Several schemes on one scenario: what `compare` shows, writes as JSON and reports. */
import type { Noise, Result, Summary } from '@weir/sim'
import { percent } from './format.ts'
import { bestOf, measures } from './measures.ts'
import { warningsText } from './summary-text.ts'
import { renderTable, type Cell, type Column } from './table.ts'

export interface Comparison {
  readonly scenario: string
  readonly seed: number
  /** Finished runs, in the order in which schemes were named. */
  readonly results: readonly Result[]
  readonly skipped: readonly Skipped[]
  /** By result; undefined for one whose perturbed run did not finish. Only with --noise. */
  readonly noise?: readonly (Noise | undefined)[]
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

export function comparisonText(
  { results, skipped, noise }: Comparison,
  paint: Paint = PLAIN,
  widthMax: number = Infinity,
): string {
  const columns: Column[] = [
    { title: 'scheme', align: 'left' },
    ...measures.map(({ title, dropOrder }): Column => ({ title, align: 'right', dropOrder })),
    ...noiseColumns(noise).map(({ title }): Column => ({ title, align: 'right' })),
    { title: 'fingerprint', align: 'left', dropOrder: 4 },
  ]
  const summaries = results.map((result) => result.summary)
  const best = measures.map((measure) => bestOf(measure, summaries))
  const rows = results.map((result, row): Cell[] => [
    { text: result.spec.scheme.name },
    ...measures.map((measure, index): Cell => {
      const text = measure.text(result.summary)
      return best[index]!.has(row) ? { text, paint: paint.best } : { text }
    }),
    ...noiseColumns(noise).map(({ text }): Cell => ({ text: text(row) })),
    { text: result.fingerprint, paint: paint.dim },
  ])
  const table = results.length === 0 ? '' : renderTable(columns, rows, widthMax)
  return table + skippedText(skipped, paint) + comparisonWarnings(results)
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
  const { scenario, seed, results, skipped, noise } = comparison
  const runs = results.map(({ spec, fingerprint, summary, warnings }, row) => ({
    scheme: spec.scheme.name,
    fingerprint,
    summary,
    warnings,
    ...(noise === undefined ? {} : { noise: noise[row] ?? null }),
  }))
  return JSON.stringify({ scenario, seed, runs, skipped }, null, 2) + '\n'
}

/** One sentence on who did best, for the foot of the table; '' when nothing tells them apart. */
export function verdict(results: readonly Result[]): string {
  const summaries: readonly Summary[] = results.map((result) => result.summary)
  const parts: string[] = []
  for (const [key, phrase] of [
    ['slowdownP99', 'lowest p99 slowdown'],
    ['goodputBps', 'highest goodput'],
    ['queueBytesMax', 'shallowest queue'],
  ] as const) {
    const measure = measures.find((candidate) => candidate.key === key)!
    const [first, ...others] = [...bestOf(measure, summaries)]
    if (first === undefined) continue
    const names = [first, ...others].map((index) => results[index]!.spec.scheme.name)
    parts.push(`${phrase}: ${names.join(', ')} (${measure.text(summaries[first]!)})`)
  }
  return parts.join('; ')
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
function comparisonWarnings(results: readonly Result[]): string {
  const schemesOf = new Map<string, string[]>()
  for (const { warnings, spec } of results) {
    for (const text of warnings) {
      schemesOf.set(text, [...(schemesOf.get(text) ?? []), spec.scheme.name])
    }
  }
  return warningsText([...schemesOf].map(([text, names]) => `${names.join(', ')}: ${text}`))
}
