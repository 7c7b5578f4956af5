/**
 * A generator of flows, completed: its hosts exist, its pattern fits them, its sizes can be drawn.
 */
import { checkPattern, expectedFlows, makeSizes, parseCdf, selectHosts } from '@weir/workloads'
import type { CdfFile, GenerateDraft, SizesDraft } from '@weir/workloads'
import { cellsOf } from '../cells.ts'
import { checkBegun } from './begun-at-once.ts'
import { checkClass } from './complete-fabric.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { GenerateSpec, SizesSpec } from './valid-spec.ts'
import { checkTimes, hostsOf, readFile, refusing } from './workload-context.ts'
import type { Namer, WorkloadContext } from './workload-context.ts'

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
  checkHosts(draft, hosts, at('pattern'), context)
  const generate = { ...draft, name, sizes: completeSizes(draft.sizes, at('sizes'), context) }
  checkCount(generate, at('arrivals'), context)
  return generate
}

/** Every flow has a row in the result: so many that memory would end are a mistake. */
const FLOWS_MAX = 2_000_000
/** Of those under way at once, each of which takes about 2 KB. */
const FLOWS_AT_ONCE_MAX = 500_000

function checkCount(generate: GenerateSpec, path: SpecPath, context: WorkloadContext): void {
  const { graph, seed, untilPs, eventsMax } = context
  const options = { hosts: hostsOf(graph), seed, untilPs }
  const flows = refusing(path, () => expectedFlows(generate, options, FLOWS_MAX))
  // A run looks at its events once per window, and all flows of a window begin.
  const { windowPs } = cellsOf(graph)
  const ofOneWindow = refusing(path, () => expectedFlows(generate, options, FLOWS_MAX, windowPs))
  if (flows <= FLOWS_MAX) {
    checkBegun(Math.round(ofOneWindow), path, 'let them come less often, or set flowsMax')
    return
  }
  if (eventsMax > 0 && eventsMax + ofOneWindow <= FLOWS_AT_ONCE_MAX) return
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

function checkHosts(
  { pattern }: GenerateDraft,
  chosen: ReadonlySet<number>,
  path: SpecPath,
  { names }: WorkloadContext,
): void {
  if (chosen.size < 2) {
    throw new Refusal(path, 'the generator has one host; give it two or more to send between')
  }
  const index = (name: string, key: string): number => refusing([key], () => names.hostIndex(name))
  try {
    checkPattern(pattern, { chosen, index })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal([...path, ...error.path], error.message)
  }
}

function completeSizes(draft: SizesDraft, path: SpecPath, context: WorkloadContext): SizesSpec {
  const sizes: SizesSpec = draft.kind === 'cdf-file' ? fromFile(draft, path, context) : draft
  refusing(path, () => makeSizes(sizes))
  return sizes
}

function fromFile({ file, source }: CdfFile, path: SpecPath, context: WorkloadContext): SizesSpec {
  const text = readFile(file, [...path, 'file'], context)
  const rows = refusing([...path, 'file'], () => parseCdf(text, file))
  return { kind: 'cdf', source: source ?? file, rows }
}
