/**
 * The workload, with its files read and its names looked up in the topology. Every flow must have
 * somewhere to go, at a time within the run, by a path that exists. Throws a `Refusal`.
 */
import { either } from '@weir/engine/codec'
import type { Graph } from '@weir/fabric'
import { arrivals, FlowList, flowsOfCsv, lineOfFlow } from '@weir/workloads'
import type { FlowDraft, WorkloadDraft } from '@weir/workloads'
import { cellsOf } from '../cells.ts'
import { BEGUN_AT_ONCE_MAX, checkBegun } from './begun-at-once.ts'
import { checkClass } from './complete-fabric.ts'
import { completeGenerate } from './complete-generate.ts'
import { completeMessages } from './complete-messages.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { FlowSpec, WorkloadSpec } from './valid-spec.ts'
import { checkTimes, hostsOf, Namer, readFile, refusing } from './workload-context.ts'
import type { WorkloadContext } from './workload-context.ts'

export function completeWorkload(
  drafts: readonly WorkloadDraft[],
  context: WorkloadContext,
): WorkloadSpec[] {
  if (drafts.length === 0) {
    throw new Refusal(['workload'], 'there is no traffic; write an item with flows or generate')
  }
  const flowNames = new Namer('f', 'flow', drafts.flatMap(writtenFlows))
  const generatorNames = new Namer('g', 'generator', drafts.flatMap(writtenGenerators))
  const workload = drafts.map((draft, i): WorkloadSpec => {
    const path: SpecPath = ['workload', i]
    switch (draft.kind) {
      case 'flows':
        return {
          kind: 'flows',
          flows: FlowList.from(fromList(draft.flows, [...path, 'flows'], flowNames, context)),
        }
      case 'flows-file':
        return {
          kind: 'flows',
          flows: longList(draft.file, [...path, 'flowsFile'], flowNames, context),
        }
      case 'generate':
        return completeGenerate(draft, [...path, 'generate'], generatorNames, context)
      case 'messages':
        return completeMessages(draft, [...path, 'messages'], generatorNames, context)
    }
  })
  // The stream itself has the last word, so that a run cannot find what was not found here.
  const { seed, untilPs } = context
  refusing(['workload'], () => arrivals(workload, { hosts: hostsOf(context.graph), seed, untilPs }))
  return workload
}

const writtenFlows = (draft: WorkloadDraft): string[] =>
  draft.kind === 'flows' ? draft.flows.flatMap(({ name }) => name ?? []) : []
const writtenGenerators = (draft: WorkloadDraft): string[] =>
  draft.kind === 'generate' || draft.kind === 'messages' ? [draft.name ?? []].flat() : []

function fromList(
  drafts: readonly FlowDraft[],
  path: SpecPath,
  names: Namer,
  context: WorkloadContext,
): FlowSpec[] {
  if (drafts.length === 0) {
    throw new Refusal(path, 'the list is empty; write a flow such as {from: h0, to: h1, size: 1MB}')
  }
  return drafts.map((draft, i) => {
    const at = (key: string): SpecPath => [...path, i, key]
    const flow = { ...draft, name: names.name(draft.name, at('name')) }
    checkFlow(flow, at, context)
    return flow
  })
}

/** In a file, a flow's place is its own sentence's; the spec's place is where the file is named. */
function longList(
  file: string,
  path: SpecPath,
  names: Namer,
  context: WorkloadContext,
): readonly FlowSpec[] | FlowList {
  const text = readFile(file, path, context)
  const flows = refusing(path, () => FlowList.from(fromFile(text, file, path, names, context)))
  if (flows.length === 0) throw new Refusal(path, `${file} has no flows; write one on each line`)
  if (flows instanceof FlowList && flows.length > BEGUN_AT_ONCE_MAX) {
    const { windowPs } = cellsOf(context.graph)
    checkBegun(flows.mostWithin(windowPs), path, `let those of ${file} start at more times`)
  }
  return flows
}

function* fromFile(
  text: string,
  file: string,
  path: SpecPath,
  names: Namer,
  context: WorkloadContext,
): Generator<FlowSpec> {
  let i = 0
  for (const draft of flowsOfCsv(text, file)) {
    // The reader calls a flow without a name by its row; over several files those would clash.
    const written = draft.name === `f${i}` ? undefined : draft.name
    let flow = draft
    try {
      flow = { ...draft, name: names.name(written, path) }
      checkFlow(flow, () => path, context)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const label = `line ${lineOfFlow(text, i)}${written === undefined ? '' : ` (${written})`}`
      throw new Refusal(path, `${file}, ${label}: ${error.message}`)
    }
    i++
    yield flow
  }
}

function checkFlow(flow: FlowSpec, at: (key: string) => SpecPath, context: WorkloadContext): void {
  const { names, untilPs } = context
  const from = refusing(at('from'), () => names.hostIndex(flow.from))
  const to = refusing(at('to'), () => names.hostIndex(flow.to))
  if (from === to) {
    throw new Refusal(at('to'), `the flow goes from ${flow.from} to itself; name another host`)
  }
  checkTimes(flow, at, untilPs)
  if (flow.sizeBytes > 0 && flow.stopPs > 0) {
    throw new Refusal(at('stop'), 'a flow ends by its size or at a time; keep size or stop')
  }
  if (flow.class !== -1) checkClass(flow.class, context.classes, [...at('class')])
  if (flow.path.length > 0) checkPath(flow, from, to, at('path'), context)
}

/** Each step of a path must be a link. */
function checkPath(
  flow: FlowSpec,
  from: number,
  to: number,
  path: SpecPath,
  { graph, names }: WorkloadContext,
): void {
  const switches = flow.path.map((name, i) => refusing([...path, i], () => names.switchIndex(name)))
  const stops = [from, ...switches, to]
  for (let i = 1; i < stops.length; i++) {
    const [a, b] = [stops[i - 1]!, stops[i]!]
    const next = neighbours(graph, a)
    if (next.includes(b)) continue
    const choices = next.map((index) => names.name(index))
    throw new Refusal(
      i <= switches.length ? [...path, i - 1] : path,
      `no link joins ${names.name(a)} and ${names.name(b)}; ` +
        `from ${names.name(a)} one can go to ${either(choices)}`,
    )
  }
}

function neighbours({ links }: Graph, node: number): number[] {
  const found = new Set<number>()
  for (const { a, b } of links) {
    if (a === node) found.add(b)
    if (b === node) found.add(a)
  }
  return [...found]
}
