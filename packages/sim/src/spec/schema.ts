/**
 * A whole spec as it is written, and the way from a tree to a draft: shape, words and units are
 * right, and what the sections say of one another is still to be checked by `validateSpec`.
 */
import { name, optional, otherwise, readWhole, section, text } from '@weir/engine/codec'
import type { Codec } from '@weir/engine/codec'
import { topologyCodec } from '@weir/fabric'
import type { TopologyDraft } from '@weir/fabric'
import { routingCodec } from '@weir/routing'
import type { RoutingSpec } from '@weir/routing'
import { workloadCodec } from '@weir/workloads'
import type { WorkloadDraft } from '@weir/workloads'
import { fabricCodec } from './fabric.ts'
import type { FabricDraft } from './fabric.ts'
import { hostsCodec } from './hosts.ts'
import type { HostsDraft } from './hosts.ts'
import { linksCodec } from './links.ts'
import type { LinksDraft } from './links.ts'
import { metricsCodec, runCodec, seedCodec } from './run.ts'
import type { MetricsDraft, RunDraft } from './run.ts'
import { DEFAULT_SCHEME, schemeCodec } from './scheme.ts'
import type { SchemeDraft } from './scheme.ts'
import { Refusal } from './spec-error.ts'

export interface SpecDraft {
  readonly name: string | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  readonly seed: number | undefined
  readonly chanceSeed: number | undefined
  readonly topology: TopologyDraft
  readonly fabric: FabricDraft
  readonly hosts: HostsDraft
  readonly routing: RoutingSpec
  readonly links: LinksDraft | undefined
  readonly workload: readonly WorkloadDraft[]
  readonly scheme: SchemeDraft
  readonly run: RunDraft
  readonly metrics: MetricsDraft
}

export const specCodec: Codec<SpecDraft> = section<SpecDraft>('a spec', {
  name: optional(name('a name', 'incast')),
  title: optional(text('a title', 'Sixteen to one')),
  description: optional(text('a description', 'what to look for')),
  seed: optional(seedCodec),
  chanceSeed: optional(seedCodec),
  topology: topologyCodec,
  fabric: otherwise(fabricCodec, {}),
  hosts: otherwise(hostsCodec, {}),
  routing: routingCodec,
  links: optional(linksCodec),
  workload: workloadCodec,
  scheme: otherwise(schemeCodec, DEFAULT_SCHEME),
  run: otherwise(runCodec, {}),
  metrics: otherwise(metricsCodec, {}),
})

/** Throws a `Refusal` for what is most wrong. */
export function readTree(tree: unknown): SpecDraft {
  if (tree === null || tree === undefined) {
    throw new Refusal([], 'the spec is empty; write at least a topology and a workload')
  }
  return readWhole(specCodec, tree)
}
