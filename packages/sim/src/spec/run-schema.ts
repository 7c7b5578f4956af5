/** `scheme:`, `run:` and `metrics:` as users write them. */
import { z } from 'zod'
import { defaults } from './defaults.ts'
import { bound, count, list, name, orAuto, ratio, size, text, time, wrong } from './quantities.ts'
import { section } from './sections.ts'
import type { MetricsSpec, RunSpec } from './valid-spec.ts'

/** Names and values are checked against the scheme's own card by `complete-scheme.ts`. */
export interface SchemeDraft {
  readonly name: string
  readonly preset: string
  readonly params: Readonly<Record<string, unknown>>
  readonly changes: readonly ChangeDraft[]
}

export interface ChangeDraft {
  readonly atPs: number
  readonly where: readonly string[]
  readonly params: Readonly<Record<string, unknown>>
}

export type RunDraft = Omit<RunSpec, 'drainPs'> & {
  readonly drainPs: number | 'auto'
  readonly seed: number | undefined
}

export type MetricsDraft = Omit<MetricsSpec, 'intervalPs' | 'series'> & {
  readonly intervalPs: number | 'auto'
  readonly series: readonly string[] | undefined
}

export const seedSchema: z.ZodType<number> = count(0, 2 ** 31 - 1, 1)

interface WrittenScheme {
  readonly name: string
  readonly preset?: string | undefined
  readonly params?: object | undefined
  readonly changes?: readonly ChangeDraft[] | undefined
}

const schemeParams = z.record(z.string(), z.unknown(), {
  error: (issue) => wrong(issue.input, 'a mapping', 'write parameters such as {g: 1/256}'),
})

const change: z.ZodType<ChangeDraft> = section('a change', {
  at: time({ zero: true }).prefault('0us'),
  where: list(name('a place', 'S2'), 'switches, hosts or ports, such as [S1, S2->H5]').optional(),
  params: schemeParams,
}).transform((t) => ({ atPs: t.at, where: t.where ?? [], params: t.params }))

export const schemeSchema: z.ZodType<SchemeDraft> = z
  .union(
    [
      name('a scheme', 'dcqcn').transform((given) => ({ name: given })),
      section('the scheme', {
        name: name('a scheme', 'dcqcn'),
        preset: text('a preset', 'the name of one').optional(),
        params: schemeParams.optional(),
        changes: list(change, 'changes such as {at: 5ms, params: {cctiTimer: 300us}}').optional(),
      }),
    ],
    {
      error: (issue) =>
        wrong(issue.input, 'a scheme', 'write its name, or a mapping with name and params'),
    },
  )
  .transform((t: WrittenScheme) => ({
    name: t.name,
    preset: t.preset ?? '',
    params: (t.params ?? {}) as Record<string, unknown>,
    changes: t.changes ?? [],
  }))

export const runSchema: z.ZodType<RunDraft> = section('the run', {
  until: time({ example: '5ms' }).prefault(defaults.until),
  drain: orAuto(time({ none: true, example: '50ms' })).prefault('auto'),
  eventsMax: bound(Number.MAX_SAFE_INTEGER, 1_000_000).prefault('none'),
  seed: seedSchema.optional(),
}).transform((t) => ({
  untilPs: t.until,
  drainPs: t.drain,
  eventsMax: t.eventsMax,
  seed: t.seed,
}))

export const metricsSchema: z.ZodType<MetricsDraft> = section('the metrics', {
  interval: orAuto(time({ none: true })).prefault('auto'),
  series: list(
    name('a series', 'queue.*'),
    'names or patterns, such as [rate.*, queue.leaf0*]',
  ).optional(),
  buckets: list(size(), 'sizes such as [10KB, 1MB]').prefault([...defaults.buckets]),
  convergenceWithin: ratio(0, 1, '10%').prefault(defaults.convergenceWithin),
}).transform((t, context) => {
  const edges = t.buckets
  const falls = edges.findIndex((edge, i) => i > 0 && edge <= edges[i - 1]!)
  if (falls !== -1) {
    const message = 'an edge is not above the one before it; sort the edges and write each once'
    context.addIssue({ code: 'custom', path: ['buckets', falls], message })
  }
  return {
    intervalPs: t.interval,
    series: t.series,
    bucketsBytes: edges,
    convergenceFraction: t.convergenceWithin,
  }
})
