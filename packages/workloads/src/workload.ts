/**
 * The seam between a workload and a run: one stream of arrivals in the order of time, merged over
 * all items of the workload and drawn lazily. A million flows cost no more memory than ten; only
 * explicit flows are held, because the spec holds them already.
 *
 * Each generator has random streams of its own, named after it (`workload.<name>.sizes`), so that a
 * second generator, or another pattern, never changes what the first one draws. Arrivals at the
 * same picosecond come in the order of the items, then in the order within their item.
 */
import { loadIntervalPs, poisson } from './arrivals/poisson.ts'
import { periodic } from './arrivals/periodic.ts'
import type {
  Arrival,
  Clock,
  FlowInput,
  FlowsInput,
  GenerateInput,
  Host,
  Pair,
  Pattern,
  Sizes,
  WorkloadInput,
} from './contract.ts'
import { WorkloadError } from './contract.ts'
import { makePattern } from './patterns/patterns.ts'
import { Sources } from './patterns/sources.ts'
import { hostIndex, indexHosts, selectHosts } from './select-hosts.ts'
import { makeSizes } from './sizes/sizes.ts'
import { Random } from '@weir/engine'

export interface ArrivalsOptions {
  /** `source` and `target` of an arrival are indices into these. */
  readonly hosts: readonly Host[]
  readonly seed: number
  /** The run's end: no arrival is at or after it. */
  readonly untilPs: number
}

/** The stream of a workload. Throws a WorkloadError if an item cannot be made. */
export function arrivals(
  workload: readonly WorkloadInput[],
  options: ArrivalsOptions,
): ArrivalStream {
  const names = new Set<string>()
  const items = workload.flatMap((item, i): Item | Item[] => {
    if (item.kind === 'messages') return []
    if (item.kind === 'flows') return new ExplicitFlows(item, i, options)
    if (names.has(item.name)) {
      throw new WorkloadError(
        `Two generators of the workload are named '${item.name}'; give each a name of its own.`,
      )
    }
    names.add(item.name)
    try {
      return new Generator(item, i, options)
    } catch (error) {
      if (!(error instanceof WorkloadError)) throw error
      throw new WorkloadError(`Workload '${item.name}': ${error.message}`)
    }
  })
  return new ArrivalStream(items)
}

/** What results call the items of a workload: generators and programs by name, lists by number. */
export function itemNames(workload: readonly WorkloadInput[]): string[] {
  let lists = 0
  return workload.map((item) => {
    if (item.kind !== 'flows') return item.name
    return ++lists === 1 ? 'flows' : `flows-${lists}`
  })
}

/** Flows that are listed one by one: all of a run's, where nothing else is in the workload. */
export function listedFlows(workload: readonly WorkloadInput[]): number {
  return workload.reduce((sum, item) => sum + (item.kind === 'flows' ? item.flows.length : 0), 0)
}

/**
 * How many flows a generator makes in a run, or in a part of it where they are most, in the mean;
 * more than `most` need not be exact.
 */
export function expectedFlows(
  input: GenerateInput,
  options: ArrivalsOptions,
  most: number = Infinity,
  partPs: number = Infinity,
): number {
  return new Generator(input, 0, options).expectedFlows(most, partPs)
}

/** Arrivals of one item, in the order of time. */
interface Item {
  next(): Arrival | undefined
}

export class ArrivalStream {
  readonly #items: readonly Item[]
  /** The next arrival of each item. */
  readonly #heads: (Arrival | undefined)[]
  /** The item whose head is earliest; -1 when all have ended. */
  #earliest: number

  constructor(items: readonly Item[]) {
    this.#items = items
    this.#heads = items.map((item) => item.next())
    this.#earliest = this.#findEarliest()
  }

  /** Takes the earliest arrival that is left; undefined when there is none. */
  next(): Arrival | undefined {
    const i = this.#earliest
    if (i < 0) return undefined
    const arrival = this.#heads[i]
    this.#heads[i] = this.#items[i]!.next()
    this.#earliest = this.#findEarliest()
    return arrival
  }

  /** When the next arrival is; Infinity when there is none. */
  peekPs(): number {
    return this.#earliest < 0 ? Infinity : this.#heads[this.#earliest]!.startPs
  }

  /** Workloads have few items: a linear search is as fast as a heap. The first wins a tie. */
  #findEarliest(): number {
    let earliest = -1
    let startPs = Infinity
    for (let i = 0; i < this.#heads.length; i++) {
      const head = this.#heads[i]
      if (head !== undefined && head.startPs < startPs) {
        earliest = i
        startPs = head.startPs
      }
    }
    return earliest
  }
}

/** The flows that a spec lists, by order of start; those of one time in the order of the list. */
class ExplicitFlows implements Item {
  readonly #input: FlowsInput
  readonly #item: number
  readonly #hosts: readonly Host[]
  readonly #indices: ReadonlyMap<string, number>
  /** Numbers of flows in the list. An arrival is made when its time comes. */
  readonly #order: Uint32Array
  #position = 0

  constructor(input: FlowsInput, item: number, { hosts, untilPs }: ArrivalsOptions) {
    this.#input = input
    this.#item = item
    this.#hosts = hosts
    this.#indices = indexHosts(hosts)
    const { flows } = input
    let within = 0
    let isSorted = true
    const order = new Uint32Array(flows.length)
    const startPs = new Float64Array(flows.length)
    let row = 0
    for (const flow of flows) {
      this.#check(flow)
      startPs[row] = flow.startPs
      if (flow.startPs < untilPs) {
        if (within > 0 && flow.startPs < startPs[order[within - 1]!]!) isSorted = false
        order[within++] = row
      }
      row++
    }
    const listed = order.subarray(0, within)
    this.#order = isSorted ? listed : listed.sort((a, b) => startPs[a]! - startPs[b]! || a - b)
  }

  next(): Arrival | undefined {
    if (this.#position === this.#order.length) return undefined
    return this.#arrivalOf(this.#input.flows.at(this.#order[this.#position++]!)!)
  }

  #arrivalOf(flow: FlowInput): Arrival {
    const { startPs, sizeBytes, stopPs, weight, name, path } = flow
    return {
      startPs,
      source: hostIndex(this.#hosts, this.#indices, flow.from),
      target: hostIndex(this.#hosts, this.#indices, flow.to),
      sizeBytes,
      stopPs,
      class: flow.class,
      weight,
      name,
      key: name,
      path,
      item: this.#item,
    }
  }

  #check({ from, to, name }: FlowInput): void {
    try {
      const source = hostIndex(this.#hosts, this.#indices, from)
      const target = hostIndex(this.#hosts, this.#indices, to)
      if (source !== target) return
      throw new WorkloadError(`It goes from '${from}' to itself; give another host.`)
    } catch (error) {
      if (!(error instanceof WorkloadError)) throw error
      throw new WorkloadError(`Flow '${name}': ${error.message}`)
    }
  }
}

const NO_PATH: readonly string[] = []

/** Flows drawn one by one: a clock says when, a pattern between whom, sizes how much. */
class Generator implements Item {
  readonly #input: GenerateInput
  readonly #item: number
  readonly #clock: Clock
  readonly #intervalPs: number
  readonly #pattern: Pattern
  readonly #sizes: Sizes
  readonly #patternRandom: Random
  readonly #sizesRandom: Random
  readonly #stopPs: number
  readonly #flowsMax: number
  #flows = 0
  #ended = false
  /** The event under way: its time, and the pairs that are left of it. */
  #eventPs = 0
  #pairs: Iterator<Pair> | undefined

  constructor(input: GenerateInput, item: number, { hosts, seed, untilPs }: ArrivalsOptions) {
    const stream = (use: string): Random => new Random(seed, `workload.${input.name}.${use}`)
    this.#input = input
    this.#item = item
    this.#stopPs = input.stopPs === 0 ? untilPs : Math.min(input.stopPs, untilPs)
    this.#flowsMax = input.flowsMax === 0 ? Infinity : input.flowsMax
    this.#patternRandom = stream('pattern')
    this.#sizesRandom = stream('sizes')
    this.#sizes = makeSizes(input.sizes)
    const selected = selectHosts(hosts, input.hosts)
    const sources = new Sources(
      selected,
      selected.map((i) => hosts[i]!.rateBps),
    )
    this.#pattern = makePattern(input.pattern, {
      hosts,
      sources,
      random: stream('partners'),
    })
    const { clock, intervalPs } = makeClock(
      input,
      this.#pattern,
      this.#sizes,
      sources,
      stream('arrivals'),
    )
    this.#clock = clock
    this.#intervalPs = intervalPs
  }

  /** Flows in the run, or a part of it, in the mean; a round is counted up to `most`. */
  expectedFlows(most: number, partPs: number): number {
    const { arrivals: when, startPs } = this.#input
    const spanPs = Math.min(partPs, Math.max(0, this.#stopPs - startPs))
    if (when.kind !== 'periodic') {
      const flows = (spanPs / this.#intervalPs) * this.#pattern.flowsPerArrival
      return Math.min(flows, this.#flowsMax)
    }
    const rounds = when.periodPs > 0 ? Math.ceil(spanPs / when.periodPs) : Infinity
    const pairs = this.#pattern.round(this.#patternRandom)[Symbol.iterator]()
    let flows = 0
    while (flows <= most && pairs.next().done !== true) flows++
    return Math.min(flows * Math.min(rounds, when.count || Infinity), this.#flowsMax)
  }

  next(): Arrival | undefined {
    if (this.#ended || this.#flows >= this.#flowsMax) return undefined
    for (;;) {
      const pair = this.#pairs?.next()
      if (pair !== undefined && pair.done !== true) return this.#arrival(pair.value)
      this.#eventPs = this.#clock.next()
      if (!(this.#eventPs < this.#stopPs)) {
        this.#ended = true
        return undefined
      }
      this.#pairs = this.#event()[Symbol.iterator]()
    }
  }

  #event(): Iterable<Pair> {
    return this.#input.arrivals.kind === 'periodic'
      ? this.#pattern.round(this.#patternRandom)
      : this.#pattern.arrival(this.#patternRandom)
  }

  #arrival([source, target]: Pair): Arrival {
    const name = `${this.#input.name}.${this.#flows++}`
    return {
      startPs: this.#eventPs,
      source,
      target,
      sizeBytes: this.#sizes.sample(this.#sizesRandom),
      stopPs: 0,
      class: this.#input.class,
      weight: 1,
      name,
      key: name,
      path: NO_PATH,
      item: this.#item,
    }
  }
}

/** When events come, and the time between two of them, in the mean. */
function makeClock(
  { arrivals: when, startPs }: GenerateInput,
  pattern: Pattern,
  sizes: Sizes,
  sources: Sources,
  random: Random,
): { readonly clock: Clock; readonly intervalPs: number } {
  switch (when.kind) {
    case 'poisson': {
      const flows = pattern.flowsPerArrival
      const intervalPs = loadIntervalPs(when.load, sources.rateBps, sizes.mean(), flows)
      return { clock: poisson(intervalPs, startPs, random), intervalPs }
    }
    case 'poisson-rate': {
      const intervalPs = when.meanIntervalPs
      return { clock: poisson(intervalPs, startPs, random), intervalPs }
    }
    case 'periodic':
      return { clock: periodic(when.periodPs, when.count, startPs), intervalPs: when.periodPs }
  }
}
