/**
 * The whole user-facing schema, and the way from a tree to a draft: shape, words and units are
 * right, and what the sections say of one another is still to be checked by `validateSpec`.
 */
import type { z } from 'zod'
import { defaults } from './defaults.ts'
import { fabricSchema } from './fabric-schema.ts'
import type { FabricDraft } from './fabric-schema.ts'
import { hostsSchema, routingSchema } from './hosts-schema.ts'
import type { HostsDraft } from './hosts-schema.ts'
import { name, text } from './quantities.ts'
import { metricsSchema, runSchema, schemeSchema, seedSchema } from './run-schema.ts'
import type { MetricsDraft, RunDraft, SchemeDraft } from './run-schema.ts'
import { section } from './sections.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import { topologySchema } from './topology-schema.ts'
import type { TopologyDraft } from './topology-schema.ts'
import type { RoutingSpec } from './valid-spec.ts'
import { show } from './words.ts'
import { workloadSchema } from './workload-schema.ts'
import type { WorkloadDraft } from './workload-schema.ts'

export interface SpecDraft {
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly seed?: number | undefined
  readonly chanceSeed?: number | undefined
  readonly topology: TopologyDraft
  readonly fabric: FabricDraft
  readonly hosts: HostsDraft
  readonly routing: RoutingSpec
  readonly workload: WorkloadDraft[]
  readonly scheme: SchemeDraft
  readonly run: RunDraft
  readonly metrics: MetricsDraft
}

export const specSchema: z.ZodType<SpecDraft> = section('a spec', {
  name: name('a name', 'incast').optional(),
  title: text('a title', 'Sixteen to one').optional(),
  description: text('a description', 'what to look for').optional(),
  seed: seedSchema.optional(),
  chanceSeed: seedSchema.optional(),
  topology: topologySchema,
  fabric: fabricSchema.prefault({}),
  hosts: hostsSchema.prefault({}),
  routing: routingSchema.prefault(defaults.routing),
  workload: workloadSchema,
  scheme: schemeSchema.prefault(defaults.scheme),
  run: runSchema.prefault({}),
  metrics: metricsSchema.prefault({}),
})

/** Throws a `Refusal` for the first thing that is wrong. */
export function readTree(tree: unknown): SpecDraft {
  if (tree === null || tree === undefined) {
    throw new Refusal([], 'the spec is empty; write at least a topology and a workload')
  }
  const read = specSchema.safeParse(tree, { error: plainSentence })
  if (read.success) return read.data
  const problems = read.error.issues.flatMap((issue) => unfold(issue, []))
  // A misspelt key often makes a required one missing: the spelling is the news.
  throw problems.find((problem) => problem.part === 'key') ?? problems[0]!
}

/** What a union reports for each of its forms, as what is wrong with the form that was meant. */
function unfold(issue: z.core.$ZodIssue, base: SpecPath): Refusal[] {
  const path = [...base, ...(issue.path as (string | number)[])]
  if (issue.code === 'unrecognized_keys') {
    return [new Refusal([...path, issue.keys[0]!], issue.message, 'key')]
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.filter((form) => !form.some(isOfAnotherForm))
    if (meant.length > 0) return meant.at(-1)!.flatMap((inner) => unfold(inner, path))
  }
  return [new Refusal(path, issue.message)]
}

/** A list where a word can stand, or the other way round: that form was not meant. */
function isOfAnotherForm(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') return true
  return (
    issue.code === 'invalid_union' &&
    issue.errors.length > 0 &&
    issue.errors.every((form) => form.some(isOfAnotherForm))
  )
}

/** For what no leaf or section has a sentence of its own. */
function plainSentence(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'missing; write a value'
  if (issue.input === null) return 'there is no value here; write one, or leave the key out'
  return `${show(issue.input)} does not belong here; see docs/spec.md for what does`
}
