/**
 * The workload, with its files read and its names looked up in the topology. Every flow must have
 * somewhere to go, at a time within the run, by a path that exists. Throws a `Refusal`.
 */
import { formatTime } from '@weir/engine'
import type { Graph, NodeNames } from '@weir/fabric'
import {
  arrivals,
  makeSizes,
  parseCdf,
  parseFlowsCsv,
  selectHosts,
  sizeTables,
} from '@weir/workloads'
import type { Host } from '@weir/workloads'
import { checkClass } from './complete-fabric.ts'
import { Refusal } from './spec-error.ts'
import type { SpecPath } from './spec-error.ts'
import type { FlowSpec, GenerateSpec, SizesSpec, WorkloadSpec } from './valid-spec.ts'
import { either, show } from './words.ts'
import type { FlowDraft, GenerateDraft, SizesDraft, WorkloadDraft } from './workload-schema.ts'

export interface WorkloadContext {
  readonly graph: Graph
  readonly names: NodeNames
  readonly classes: number
  readonly untilPs: number
  readonly seed: number
  readonly files: (name: string) => string | undefined
}

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
          flows: fromList(draft.flows, [...path, 'flows'], flowNames, context),
        }
      case 'flows-file':
        return {
          kind: 'flows',
          flows: fromFile(draft.file, [...path, 'flowsFile'], flowNames, context),
        }
      case 'generate':
        return completeGenerate(draft.generate, [...path, 'generate'], generatorNames, context)
    }
  })
  // The stream itself has the last word, so that a run cannot find what was not found here.
  const { seed, untilPs } = context
  refusing(['workload'], () => arrivals(workload, { hosts: hostsOf(context.graph), seed, untilPs }))
  return workload
}

/** Hosts as workloads want them; hosts come first in a graph and have one link. */
function hostsOf({ nodes, links }: Graph): Host[] {
  const rates = new Map<number, number>()
  for (const { a, b, rateBps } of links) {
    rates.set(a, rateBps)
    rates.set(b, rateBps)
  }
  return nodes
    .filter(({ kind }) => kind === 'host')
    .map(({ name, aliases }, i) => ({ name, aliases, rateBps: rates.get(i) ?? 0 }))
}

/** Gives names by number, past those that are written, and refuses one that is written twice. */
class Namer {
  readonly #letter: string
  readonly #what: string
  readonly #written: ReadonlySet<string>
  readonly #seen = new Set<string>()
  #count = -1

  constructor(letter: string, what: string, written: readonly string[]) {
    this.#letter = letter
    this.#what = what
    this.#written = new Set(written)
  }

  name(given: string | undefined, path: SpecPath): string {
    if (given === undefined) {
      let counted: string
      do counted = `${this.#letter}${++this.#count}`
      while (this.#written.has(counted) || this.#seen.has(counted))
      this.#seen.add(counted)
      return counted
    }
    if (this.#seen.has(given)) {
      throw new Refusal(
        path,
        `a ${this.#what} named ${show(given)} exists already; give another name`,
      )
    }
    this.#seen.add(given)
    return given
  }
}

const writtenFlows = (draft: WorkloadDraft): string[] =>
  draft.kind === 'flows' ? draft.flows.flatMap(({ name }) => name ?? []) : []
const writtenGenerators = (draft: WorkloadDraft): string[] =>
  draft.kind === 'generate' ? [draft.generate.name ?? []].flat() : []

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
function fromFile(
  file: string,
  path: SpecPath,
  names: Namer,
  context: WorkloadContext,
): FlowSpec[] {
  const text = readFile(file, path, context)
  const drafts = refusing(path, () => parseFlowsCsv(text, file))
  if (drafts.length === 0) throw new Refusal(path, `${file} has no flows; write one on each line`)
  return drafts.map((draft, i) => {
    // The reader calls a flow without a name by its row; over several files those would clash.
    const written = draft.name === `f${i}` ? undefined : draft.name
    const label = written === undefined ? `flow ${i + 1}` : `flow ${i + 1} (${written})`
    try {
      const flow: FlowSpec = { ...draft, name: names.name(written, path) }
      checkFlow(flow, () => path, context)
      return flow
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal(path, `${file}, ${label}: ${error.message}`)
    }
  })
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

function checkTimes(
  { startPs, stopPs }: { startPs: number; stopPs: number },
  at: (key: string) => SpecPath,
  untilPs: number,
): void {
  if (startPs >= untilPs) {
    throw new Refusal(
      at('start'),
      `it starts at ${formatTime(startPs)}, and the run ends at ${formatTime(untilPs)}; ` +
        'start it sooner or raise run.until',
    )
  }
  if (stopPs !== 0 && stopPs <= startPs) {
    throw new Refusal(
      at('stop'),
      `it stops at ${formatTime(stopPs)}, not after its start at ${formatTime(startPs)}; ` +
        'write a later stop or an earlier start',
    )
  }
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

function completeGenerate(
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
  return { ...draft, name, sizes: completeSizes(draft.sizes, at('sizes'), context) }
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

/** The text of a file that a spec names. */
export function readFile(
  file: string,
  path: SpecPath,
  { files }: Pick<WorkloadContext, 'files'>,
): string {
  const text = files(file)
  if (text === undefined) {
    throw new Refusal(
      path,
      `the file ${show(file)} cannot be read; give its path from the spec's folder`,
    )
  }
  if (text.trim() === '')
    throw new Refusal(path, `the file ${show(file)} is empty; was it cut off?`)
  return text
}

/** Runs a check of a lower layer; what it throws is said at this place. */
export function refusing<T>(path: SpecPath, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal || !(error instanceof Error)) throw error
    // Sentences of lower layers begin with a capital; here they follow the place.
    throw new Refusal(
      path,
      error.message.replace(/^[A-Z](?=[a-z ])/u, (c) => c.toLowerCase()),
    )
  }
}
