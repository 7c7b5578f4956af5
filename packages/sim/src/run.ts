/**
 * A run: the network, its traffic and its clock. It can be advanced by events or to a time, looked
 * at in between, and asked for its result at any point; several can live in one process.
 *
 * Time is half-open: samples, changes, arrivals and the run's end at t see everything before t and
 * nothing at t. A run whose last flow has ended goes on to the next multiple of the fabric's
 * shortest link delay, and stops there; so does one that has had its events.
 */
import { hashOf } from '@weir/engine'
import { arrivals, itemNames } from '@weir/workloads'
import type { Arrival, ArrivalStream } from '@weir/workloads'
import { ExplicitPaths } from '@weir/routing'
import { ENDS, FLOW_ARRIVAL, FLOW_STOP, MANAGE, MESSAGE, PORT, SAMPLE, WATCH } from '@weir/fabric'
import type { Flow, FlowSink } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'
import { ActiveFlows } from './active-flows.ts'
import { Drain } from './drain.ts'
import { whyNow } from './ending.ts'
import { FlowRows } from './flow-rows.ts'
import { shortestDelayPs } from './grid.ts'
import { idealFctOf } from './ideal-fct.ts'
import { MessageJobs } from './message-jobs.ts'
import { buildNetwork } from './network.ts'
import type { Network } from './network.ts'
import { onNodeEvent } from './node-events.ts'
import type { Ended, Result } from './result.ts'
import { Sampler } from './sampler.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { makeResult } from './summary.ts'
import { workloadHosts } from './workload-hosts.ts'

/** A prime apart: the keys by which the pieces of a split transfer are routed. */
const PIECE_STRIDE = 1_000_003

export class Run implements FlowSink {
  readonly spec: ValidSpec
  readonly network: Network
  readonly rows: FlowRows = new FlowRows()
  readonly sampler: Sampler
  /** What each item of the workload is called. */
  readonly itemNames: readonly string[]
  /** Programs whose messages depend on each other. */
  readonly jobs: MessageJobs
  /** Flows that are under way. */
  readonly active: ActiveFlows
  /** How things stood at `until`, if flows were left and have time to end; undefined before. */
  drain: Drain | undefined = undefined
  /** Bytes asked for and not delivered, when half the time was over. */
  backlogHalfway: number = 0
  readonly #stream: ArrivalStream
  readonly #explicit: ExplicitPaths
  /** Flows that have a stop: by number, since slots of flows that have ended are used again. */
  readonly #stopping: Flow[] = []
  /** Rows of flows whose path the spec gives: it is never another. */
  readonly #explicitRows: Set<number> = new Set()
  /** Runs stop at multiples of this. */
  readonly #gridPs: number
  /** When ENDS is on the calendar. */
  #endsDuePs: number = -1
  #nextSamplePs: number = Infinity
  /** Where a run that has had its events stops. */
  #stopPs: number = Infinity
  #endPs: number = NaN
  #ended: Ended | undefined = undefined

  constructor(spec: ValidSpec, scheme?: Scheme) {
    this.spec = spec
    this.itemNames = itemNames(spec.workload)
    this.network = buildNetwork(spec, this, scheme)
    const { graph, calendar, fabric } = this.network
    this.#gridPs = shortestDelayPs(graph)
    this.sampler = new Sampler(this.network, spec)
    this.active = new ActiveFlows(this.network.hosts, this.rows, this.sampler)
    this.#explicit = new ExplicitPaths(graph)
    const hosts = workloadHosts(this.network)
    this.#stream = arrivals(spec.workload, { hosts, seed: spec.seed, untilPs: spec.run.untilPs })
    this.jobs = new MessageJobs(spec, hosts, calendar, (arrival, nowPs) =>
      this.#begin(arrival, nowPs),
    )
    spec.scheme.changes?.forEach(({ atPs }, i) => {
      if (atPs === 0) this.#manage(i, 0)
      else calendar.schedule(atPs, MANAGE, i)
    })
    for (let port = 0; port < fabric.ports.count; port++) fabric.contention[port]?.onStart(0)
    if (this.#stream.peekPs() < Infinity) {
      calendar.schedule(this.#stream.peekPs(), FLOW_ARRIVAL, 0)
    }
    const { intervalPs } = spec.metrics
    if (intervalPs > 0) this.#sampleAt(intervalPs)
    calendar.schedule(Math.ceil(spec.run.untilPs / 2), WATCH, 0)
  }

  /** Time of the last event; of a run that is over, its end. */
  get nowPs(): number {
    return this.#ended === undefined ? this.network.calendar.nowPs : this.#endPs
  }

  get events(): number {
    return this.network.calendar.popped
  }

  get packetHops(): number {
    return this.network.fabric.packetHops
  }

  get isOver(): boolean {
    return this.#ended !== undefined
  }

  /** The run has had the events that its spec allows. */
  get hasHadItsEvents(): boolean {
    return this.#stopPs < Infinity
  }

  /** More flows will arrive. */
  get isExpecting(): boolean {
    return this.#stream.peekPs() < Infinity
  }

  /** Below 1 until the run is over: how long a drain takes is not known before. */
  get progress(): number {
    return this.isOver ? 1 : Math.min(0.99, this.nowPs / this.spec.run.untilPs)
  }

  /** The run's end at the latest: `until`, and the drain after it. */
  get lastPs(): number {
    return this.spec.run.untilPs + this.spec.run.drainPs
  }

  /** Handles up to so many events; true while there is more. */
  advance(eventsMax: number): boolean {
    return this.#loop(eventsMax, this.lastPs)
  }

  /** Handles every event before a time; true while there is more. */
  step(untilPs: number): boolean {
    return this.#loop(Infinity, Math.min(untilPs, this.lastPs))
  }

  /** The result so far; of a run that is over, the result. */
  result(): Result {
    return makeResult(this, this.#ended ?? whyNow(this))
  }

  #loop(eventsMax: number, limitPs: number): boolean {
    const { calendar } = this.network
    const bound = this.spec.run.eventsMax
    for (let n = 0; n < eventsMax && !this.isOver; n++) {
      const stopPs = this.#nextStopPs()
      if (!calendar.popBefore(Math.min(limitPs, stopPs))) {
        if (calendar.pending === 0) this.#endAt(calendar.nowPs)
        else if (limitPs < stopPs || (limitPs === stopPs && limitPs < this.lastPs)) break
        else this.#stopAt(stopPs)
        continue
      }
      const { kind, target, nowPs } = calendar
      if (kind < PORT || kind === MESSAGE) this.#dispatch(kind, target, nowPs)
      else onNodeEvent(this.network, kind, target, nowPs)
      if (bound > 0 && calendar.popped >= bound && this.#stopPs === Infinity) {
        this.#stopPs = this.#gridAfter(calendar.nowPs)
      }
    }
    this.active.fold()
    return !this.isOver
  }

  /** Up to here nothing stops the run but its own end. */
  #nextStopPs(): number {
    const { untilPs } = this.spec.run
    return Math.min(this.#stopPs, this.drain === undefined ? untilPs : this.lastPs)
  }

  /** The time, or the bound on events, has come: the run ends, or drains. */
  #stopAt(nowPs: number): void {
    const { untilPs } = this.spec.run
    const mayDrain = nowPs === untilPs && untilPs < this.lastPs && nowPs < this.#stopPs
    if (mayDrain) this.#beginDrain()
    else this.#endAt(nowPs)
  }

  /** The first multiple of the shortest link delay after a time. */
  #gridAfter(nowPs: number): number {
    return (Math.floor(nowPs / this.#gridPs) + 1) * this.#gridPs
  }

  /** Nothing arrives any more: what has begun may end. A program, too, goes on. */
  #beginDrain(): void {
    const { untilPs } = this.spec.run
    this.active.fold()
    const ended = whyNow(this)
    if (ended.why !== 'time') {
      this.#endAt(untilPs)
      return
    }
    this.#lastSample(untilPs)
    this.drain = new Drain(this, untilPs, ended.saturated)
    this.sampler.close()
  }

  /** What is no single node's business, and message programs. */
  #dispatch(kind: number, target: number, nowPs: number): void {
    switch (kind) {
      case FLOW_ARRIVAL:
        this.#onArrivals(nowPs)
        return
      case MESSAGE:
        this.jobs.onWake(target, nowPs)
        if (this.jobs.isOver) this.#lookForEnd(nowPs)
        return
      case ENDS:
        this.active.fold()
        this.network.hosts.forgetEnded()
        if (this.#isDone()) this.#endAt(nowPs)
        return
      case MANAGE:
        this.#manage(target, nowPs)
        return
      case FLOW_STOP:
        this.active.fold()
        this.network.hosts.stopFlow(this.#stopping[target] as Flow, nowPs)
        return
      case SAMPLE:
        if (this.drain !== undefined) return
        this.active.fold()
        this.sampler.sample(nowPs)
        this.#sampleAt(nowPs + this.spec.metrics.intervalPs)
        return
      case WATCH:
        this.backlogHalfway = this.backlogBytes()
        return
      default:
        throw new Error(`no such kind of event: ${kind}`)
    }
  }

  #sampleAt(atPs: number): void {
    this.#nextSamplePs = atPs
    this.network.calendar.schedule(atPs, SAMPLE, 0)
  }

  /** A sample that is due just where the samples end. */
  #lastSample(nowPs: number): void {
    if (this.#nextSamplePs === nowPs && this.drain === undefined) this.sampler.sample(nowPs)
  }

  #onArrivals(nowPs: number): void {
    const stream = this.#stream
    this.active.fold()
    while (stream.peekPs() <= nowPs) this.#begin(stream.next() as Arrival, nowPs)
    const nextPs = stream.peekPs()
    if (nextPs < Infinity) this.network.calendar.schedule(nextPs, FLOW_ARRIVAL, 0)
    else this.#lookForEnd(nowPs)
  }

  #begin(arrival: Arrival, nowPs: number): Flow {
    const { calendar, fabric, graph, hosts, routing } = this.network
    const { hosts: hostsSpec } = this.spec
    const source = fabric.hostNodes[arrival.source]
    const target = fabric.hostNodes[arrival.target]
    const row = this.rows.rows.length
    const isExplicit = arrival.path.length > 0
    if (isExplicit) this.#explicitRows.add(row)
    const ports = isExplicit
      ? this.#explicit.path(source, target, arrival.path)
      : routing.path(source, target, hashOf(arrival.key))
    const ends = { source, target }
    const isFixed = isExplicit || !routing.perPacket
    const path = isFixed ? ports : undefined
    // The hash of what the ACKs are, which is not what the data is.
    const ownBack =
      isFixed && !isExplicit && hostsSpec.ack.path === 'own'
        ? routing.path(target, source, hashOf(`${arrival.key}.ack`))
        : undefined
    // A spec is JSON and says 0 for 'no size'; from here on a flow without end has no bound.
    const sizeBytes = arrival.sizeBytes === 0 ? Infinity : arrival.sizeBytes
    this.rows.add({
      name: arrival.name,
      item: this.itemNames[arrival.item],
      source: graph.nodes[source].name,
      target: graph.nodes[target].name,
      class: arrival.class < 0 ? hostsSpec.dataClass : arrival.class,
      sizeBytes,
      startPs: nowPs,
      idealFctPs: idealFctOf(this.network, this.spec, ends, sizeBytes, path, ownBack),
    })
    const flow = hosts.startFlow(
      {
        row,
        key: arrival.key,
        source: arrival.source,
        target: arrival.target,
        sizeBytes,
        class: arrival.class < 0 ? hostsSpec.dataClass : arrival.class,
        weight: arrival.weight,
        path,
        pathBack: ownBack,
        timingPath: ports,
      },
      nowPs,
    )
    this.sampler.onFlowStart(flow, arrival.name)
    this.active.begin(flow, arrival.name, ports, arrival.stopPs > 0, nowPs)
    if (arrival.stopPs > 0) {
      calendar.schedule(arrival.stopPs, FLOW_STOP, this.#stopping.push(flow) - 1)
    }
    return flow
  }

  /** A large transfer in pieces, each by a path of its own (document A, section V). */
  anotherPath(flow: Flow): readonly number[] | undefined {
    const { fabric, routing } = this.network
    if (this.#explicitRows.has(flow.row)) return undefined
    const piece = 1 + flow.pathsLeft
    const key = hashOf(flow.key) + piece * PIECE_STRIDE
    return routing.path(fabric.hostNodes[flow.source], fabric.hostNodes[flow.target], key)
  }

  /** A flow has ended, at its source: the run hears of it between the nodes' doings. */
  onFlowEnd(flow: number, nowPs: number): void {
    this.active.noteEnd(flow, nowPs)
    this.#lookForEnd(nowPs)
  }

  #lookForEnd(nowPs: number): void {
    const atPs = this.#gridAfter(nowPs)
    if (this.#endsDuePs === atPs) return
    this.#endsDuePs = atPs
    this.network.calendar.schedule(atPs, ENDS, 0)
  }

  onDelivered(flow: number, nowPs: number): void {
    this.jobs.onDelivered(flow, nowPs)
  }

  /** Nothing that ends is left; flows without end go on alone unless a program was the purpose. */
  #isDone(): boolean {
    if (this.active.ending > 0 || this.isExpecting || !this.jobs.isOver) return false
    return this.active.endless === 0 || this.jobs.count > 0 || this.drain !== undefined
  }

  #manage(change: number, nowPs: number): void {
    const { changes } = this.spec.scheme
    if (changes !== undefined) this.network.control.manage?.(changes[change], nowPs)
  }

  /** Undelivered bytes of flows with a size. */
  backlogBytes(): number {
    return this.active.arrivedBytes - this.network.hosts.deliveredBytes
  }

  #endAt(nowPs: number): void {
    this.active.fold()
    this.#lastSample(nowPs)
    const ended = whyNow(this)
    this.#endPs = ended.why === 'time' ? this.#nextStopPs() : nowPs
    this.#ended = ended
  }
}

/** With `scheme`, that one is used instead of the registered one: a person's own, in the lab. */
export function createRun(spec: ValidSpec, scheme?: Scheme): Run {
  return new Run(spec, scheme)
}

export function simulate(spec: ValidSpec): Result {
  const run = new Run(spec)
  while (run.advance(1e6)) continue
  return run.result()
}
