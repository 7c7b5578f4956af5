/**
 * From a tree to a `ValidSpec`: every default filled in, every quantity in its base unit, and
 * nothing in it that cannot be simulated. The only maker of a `ValidSpec`.
 */
import { formatTime } from '@weir/engine'
import { buildGraph, NodeNames, parseEdgeList } from '@weir/fabric'
import type { Control, Graph, TopologyDraft } from '@weir/fabric'
import { refusesRouting, routings } from '@weir/routing'
import { schemes } from '@weir/schemes'
import type { Scheme } from '@weir/schemes'
import { checkFit } from '../fit.ts'
import { controlOf } from '../network.ts'
import { completeFabric, completeHosts } from './complete-fabric.ts'
import { completeScheme } from './complete-scheme.ts'
import type { Card } from './card.ts'
import { completeWorkload } from './complete-workload.ts'
import { checkLanes } from './lanes.ts'
import { completeLinks } from './links.ts'
import { autoIntervalPs, autoSeries, defaults } from './defaults.ts'
import type { MetricsDraft } from './run.ts'
import { readTree } from './schema.ts'
import type { SpecDraft } from './schema.ts'
import { Refusal, SpecError } from './spec-error.ts'
import type { Locate, SpecPath } from './spec-error.ts'
import type {
  GenerateSpec,
  MetricsSpec,
  TopologySpec,
  ValidSpec,
  WorkloadSpec,
} from './valid-spec.ts'
import { readFile } from './workload-context.ts'

export interface ValidateOptions {
  /** The text of a file that the spec names, or undefined: Weir itself opens none. */
  readonly files?: (name: string) => string | undefined
  /** What sentences call the spec: a file's name. */
  readonly sourceName?: string
  readonly locate?: Locate
  /** The catalogue of schemes; a test may bring its own. */
  readonly schemes?: readonly Card[]
}

/** Throws a `SpecError` for the first thing that is wrong. */
export function validateSpec(tree: unknown, options: ValidateOptions = {}): ValidSpec {
  const sourceName = options.sourceName ?? 'spec'
  try {
    return complete(readTree(tree), options, sourceName)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const place = options.locate?.(error.path, error.part)
    throw new SpecError(sourceName, place, error.path, error.message)
  }
}

function complete(draft: SpecDraft, options: ValidateOptions, sourceName: string): ValidSpec {
  const files = options.files ?? (() => undefined)
  const topology = completeTopology(draft.topology, files)
  const graph = buildChecked(topology)
  const packetBytes = draft.hosts.mtuBytes + draft.hosts.headerBytes
  const fabric = completeFabric(draft.fabric, packetBytes)
  const cards = options.schemes ?? schemes
  const card = cards.find((one) => one.name === draft.scheme.name)
  const { reorders } = routings[draft.routing.kind]
  const whyNot = refusesRouting(graph, draft.routing, card?.routing)
  if (whyNot !== undefined) throw new Refusal(['routing'], whyNot)
  const breaks = draft.links !== undefined
  const hosts = completeHosts(draft.hosts, fabric, card, reorders === true, breaks)
  const { drainPs, seed: _, ...run } = draft.run
  const { untilPs, eventsMax } = run
  const seed = oneSeed(draft)
  const names = new NodeNames(graph)
  checkLanes({ fabric, hosts, topology }, graph, names)
  const workload = completeWorkload(draft.workload, {
    graph,
    names,
    classes: fabric.classes,
    untilPs,
    eventsMax,
    seed,
    files,
  })
  const name = draft.name ?? baseName(sourceName)
  const spec: ValidSpec = {
    name,
    title: draft.title ?? name,
    description: draft.description?.trim() ?? '',
    seed,
    chanceSeed: draft.chanceSeed ?? seed,
    topology,
    fabric,
    hosts,
    routing: draft.routing,
    ...(draft.links !== undefined && {
      links: completeLinks(draft.links, graph, names, fabric.forwarding === 'cut-through'),
    }),
    workload,
    scheme: completeScheme(draft.scheme, cards, fabric, hosts, names),
    run: { ...run, drainPs: completeDrain(drainPs, untilPs, workload) },
    metrics: completeMetrics(draft.metrics, untilPs, graph, workload),
  }
  // Tests bring cards that cannot be run: of those no more can be asked.
  if (canRun(card)) checkFit(spec, graph, schemeAtWork(spec, graph, card))
  return spec
}

/** What a scheme finds wrong in its own parameters is said at the one that it names. */
function schemeAtWork(spec: ValidSpec, graph: Graph, card: Pick<Scheme, 'create'>): Control {
  try {
    return controlOf(spec, graph, card)
  } catch (error) {
    const { message } = error as Error
    const name = /^scheme\.params\.(\w+) /u.exec(message)?.[1]
    const path = ['scheme', ...(name === undefined ? [] : ['params', name])]
    throw new Refusal(path, message.replace(/^scheme\.params\.\w+ /u, 'it '))
  }
}

function canRun(card: Card | undefined): card is Card & Pick<Scheme, 'create'> {
  return card?.create !== undefined
}

function completeTopology(
  draft: TopologyDraft,
  files: (name: string) => string | undefined,
): TopologySpec {
  if (draft.kind !== 'graph-file') return draft
  const path = ['topology', 'file']
  const text = readFile(draft.file, path, { files })
  try {
    return { kind: 'graph', ...parseEdgeList(text, draft) }
  } catch (error) {
    throw new Refusal(path, `${draft.file}, ${(error as Error).message}`)
  }
}

/** More samples than this of one series are a mistake: a picture has a thousand. */
const SAMPLES_MAX = 1_000_000

/** The graph is built to be checked; the network builds its own, since a spec is plain JSON. */
function buildChecked(topology: TopologySpec): Graph {
  try {
    return buildGraph(topology)
  } catch (error) {
    const message = (error as Error).message
    // Sentences about one parameter begin with its name: `topology.k of the fat-tree is 3: ...`.
    const named = /^topology\.([a-zA-Z]+)(?:\[(\d+)\])?/u.exec(message)
    const path: SpecPath = ['topology', ...(named === null ? [] : [named[1]!])]
    const index = named?.[2]
    const sentence = message.replace(/^topology\.\S+( of the \S+)? /u, 'it ')
    throw new Refusal(index === undefined ? path : [...path, Number(index)], sentence)
  }
}

/** Generators that only `until` stops leave flows behind; other traffic is meant as it is. */
function completeDrain(
  drainPs: number | 'auto',
  untilPs: number,
  workload: readonly WorkloadSpec[],
): number {
  const mostPs = Number.MAX_SAFE_INTEGER - untilPs
  if (drainPs === 'auto') {
    const isOpen = workload.some((item) => item.kind === 'generate' && isOpenEnded(item, untilPs))
    return isOpen ? Math.min(defaults.drainTimes * untilPs, mostPs) : 0
  }
  if (drainPs <= mostPs) return drainPs
  throw new Refusal(
    ['run', 'drain'],
    `until and drain together are longer than ${formatTime(Number.MAX_SAFE_INTEGER)}; write less`,
  )
}

function isOpenEnded({ arrivals, stopPs, flowsMax }: GenerateSpec, untilPs: number): boolean {
  const isCounted = flowsMax > 0 || (arrivals.kind === 'periodic' && arrivals.count > 0)
  return !isCounted && (stopPs === 0 || stopPs >= untilPs)
}

/** `seed` may stand at the top or under `run`; twice only if it says the same. */
function oneSeed({ seed, run }: SpecDraft): number {
  if (seed !== undefined && run.seed !== undefined && seed !== run.seed) {
    throw new Refusal(
      ['run', 'seed'],
      `the seed is ${run.seed} here and ${seed} at the top; keep one of them`,
    )
  }
  return seed ?? run.seed ?? defaults.seed
}

function completeMetrics(
  draft: MetricsDraft,
  untilPs: number,
  graph: Graph,
  workload: readonly WorkloadSpec[],
): MetricsSpec {
  const intervalPs = draft.intervalPs === 'auto' ? autoIntervalPs(untilPs) : draft.intervalPs
  if (intervalPs > untilPs) {
    throw new Refusal(
      ['metrics', 'interval'],
      'the interval is longer than the run, so there would be no sample; write a shorter one',
    )
  }
  if (intervalPs > 0 && untilPs / intervalPs > SAMPLES_MAX) {
    const leastPs = Math.ceil(untilPs / SAMPLES_MAX)
    throw new Refusal(
      ['metrics', 'interval'],
      `an interval of ${formatTime(intervalPs)} asks for ${Math.floor(untilPs / intervalPs)} ` +
        `samples of each series in ${formatTime(untilPs)}; write at least ${formatTime(leastPs)}`,
    )
  }
  const hosts = graph.nodes.filter(({ kind }) => kind === 'host').length
  const generates = workload.some(({ kind }) => kind !== 'flows')
  return { ...draft, intervalPs, series: draft.series ?? autoSeries(hosts, generates) }
}

/** `examples/incast.yaml` is `incast`. */
function baseName(sourceName: string): string {
  const last = sourceName.split(/[/\\]/u).at(-1)!
  return last.replace(/\.[^.]+$/u, '').replaceAll(/\s+/gu, '-') || 'spec'
}
