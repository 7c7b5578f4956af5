/**
 * A generator of flows, completed: its hosts exist, its pattern fits them, its sizes can be drawn.
 */
import { expectedFlows, makeSizes, parseCdf, selectHosts, sizeTables } from '@weir/workloads'
import { checkClass } from './complete-fabric.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { GenerateSpec, SizesSpec } from './valid-spec.ts'
import { checkTimes, hostsOf, readFile, refusing } from './workload-context.ts'
import type { Namer, WorkloadContext } from './workload-context.ts'
import type { GenerateDraft, SizesDraft } from './workload-schema.ts'

export function completeGenerate(
  draft: GenerateDraft,
  path: SpecPath,
  generatorNames: Namer,
  context: WorkloadContext,
): GenerateSpec {
  const at = (key: string): SpecPath => [...path, key]
  const name = generatorNames.name(draft.name, at('name'))
  checkTimes(draft, at, context.untilPs)
  if (draft.class !== -1) checkClass(draft.class, context.classes, [...at('class')])
  const hosts = chosenHosts(draft.hosts, at('hosts'), context)
  checkPattern(draft, hosts, at('pattern'), context)
  const generate = { ...draft, name, sizes: completeSizes(draft.sizes, at('sizes'), context) }
  checkCount(generate, at('arrivals'), context)
  return generate
}

/** Every flow has a row in the result: so many that memory would end are a mistake. */
const FLOWS_MAX = 2_000_000

function checkCount(generate: GenerateSpec, path: SpecPath, context: WorkloadContext): void {
  const { graph, seed, untilPs, eventsMax } = context
  const options = { hosts: hostsOf(graph), seed, untilPs }
  const flows = refusing(path, () => expectedFlows(generate, options, FLOWS_MAX))
  if (flows <= FLOWS_MAX || (eventsMax > 0 && eventsMax <= FLOWS_MAX)) return
  throw new Refusal(
    path,
    `this is about ${Math.round(flows)} flows, and a result holds at most ${FLOWS_MAX}; ` +
      'let them come less often or for a shorter time, or set flowsMax',
  )
}

/** Indices of the hosts that names and ranges stand for; all where none is written. */
function chosenHosts(
  ranges: readonly string[],
  path: SpecPath,
  { graph, names }: WorkloadContext,
): Set<number> {
  const hosts = hostsOf(graph)
  if (ranges.length === 0) return new Set(hosts.keys())
  const chosen = ranges.flatMap((range, i) =>
    refusing([...path, i], () => {
      // Looked up first for the sentence that says which name was meant.
      for (const end of range.split('..')) names.hostIndex(end)
      return selectHosts(hosts, [range])
    }),
  )
  return new Set(chosen)
}

function checkPattern(
  { pattern }: GenerateDraft,
  hosts: ReadonlySet<number>,
  path: SpecPath,
  { names }: WorkloadContext,
): void {
  if (hosts.size < 2) {
    throw new Refusal(path, 'the generator has one host; give it two or more to send between')
  }
  if (pattern.kind === 'hot-spot') refusing([...path, 'host'], () => names.hostIndex(pattern.host))
  if (pattern.kind !== 'incast') return
  const { receiver, senders } = pattern
  const target =
    receiver === ''
      ? [...hosts][0]!
      : refusing([...path, 'receiver'], () => names.hostIndex(receiver))
  const others = hosts.size - (hosts.has(target) ? 1 : 0)
  if (senders <= others) return
  throw new Refusal(
    [...path, 'senders'],
    `there are ${senders} senders, and besides the receiver ${others} hosts; ` +
      `write at most ${others}`,
  )
}

function completeSizes(draft: SizesDraft, path: SpecPath, context: WorkloadContext): SizesSpec {
  const sizes: SizesSpec = draft.kind === 'cdf' ? completeCdf(draft, path, context) : draft
  refusing(path, () => makeSizes(sizes))
  return sizes
}

function completeCdf(
  draft: Extract<SizesDraft, { kind: 'cdf' }>,
  path: SpecPath,
  context: WorkloadContext,
): SizesSpec {
  const { file, rows } = draft
  if (file !== undefined) {
    const text = readFile(file, [...path, 'file'], context)
    const read = refusing([...path, 'file'], () => parseCdf(text, file))
    return { kind: 'cdf', source: draft.source ?? file, rows: read }
  }
  if (rows !== undefined) return { kind: 'cdf', source: draft.source ?? 'rows of the spec', rows }
  const table = sizeTables.find(({ name }) => name === draft.table)!
  return { kind: 'cdf', source: table.name, rows: table.rows }
}
