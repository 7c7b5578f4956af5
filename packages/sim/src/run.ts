/**
 * A run: the network, its traffic and its clock. It can be advanced by events or to a time, looked
 * at in between, and asked for its result at any point; several can live in one process.
 */
import { hashOf } from '@weir/engine'
import { arrivals, itemNames } from '@weir/workloads'
import type { Arrival, ArrivalStream } from '@weir/workloads'
import { ExplicitPaths } from '@weir/routing'
import {
  CREDIT,
  DELAYED_ACK,
  FLOW_ARRIVAL,
  FLOW_STOP,
  FLOW_TIMER,
  LINK,
  MANAGE,
  MESSAGE,
  NIC,
  PORT,
  PORT_TIMER,
  PORT_TIMERS,
  SAMPLE,
  TAKE_IN,
  TIMEOUT,
  WATCH,
} from '@weir/fabric'
import type { Flow, FlowSink } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'
import { findDeadlock } from './deadlock.ts'
import { Drain } from './drain.ts'
import { deadlockNow, whyNow } from './ending.ts'
import { FlowRows } from './flow-rows.ts'
import { idealFctOf } from './ideal-fct.ts'
import { MessageJobs } from './message-jobs.ts'
import { buildNetwork } from './network.ts'
import type { Network } from './network.ts'
import type { Ended, Result } from './result.ts'
import { Sampler } from './sampler.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { makeResult } from './summary.ts'

/** Looks for deadlocks, and for backlog, in so many moments of a run. */
const WATCHES = 20
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
  /** Flows that are active: with a size or a stop, and without any end. */
  activeEnding: number = 0
  activeEndless: number = 0
  /** Time in which at least one flow was active, and since when one is. */
  activePs: number = 0
  arrivedBytes: number = 0
  /** Times at which the set of flows without end changed. */
  readonly endlessChangesPs: number[] = []
  /** Names and paths of flows without size, for max-min: active ones only. */
  readonly endless: Map<Flow, { readonly name: string; readonly path: readonly number[] }> =
    new Map()
  deadlock: string[] | undefined = undefined
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
  #activeSincePs: number = 0
  #isOver: boolean = false
  #ended: Ended | undefined = undefined

  constructor(spec: ValidSpec, scheme?: Scheme) {
    this.spec = spec
    this.itemNames = itemNames(spec.workload)
    this.network = buildNetwork(spec, this, scheme)
    const { graph, calendar, fabric } = this.network
    this.sampler = new Sampler(this.network, spec)
    this.#explicit = new ExplicitPaths(graph)
    const hosts = fabric.hostNodes.map((node) => ({
      name: graph.nodes[node].name,
      aliases: graph.nodes[node].aliases,
      rateBps: fabric.ports.rateBps[fabric.portsOf[node][0]],
    }))
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
    if (intervalPs > 0) calendar.schedule(intervalPs, SAMPLE, 0)
    calendar.schedule(Math.ceil(spec.run.untilPs / WATCHES), WATCH, 1)
  }

  get nowPs(): number {
    return this.network.calendar.nowPs
  }

  get events(): number {
    return this.network.calendar.popped
  }

  get packetHops(): number {
    return this.network.fabric.packetHops
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** More flows will arrive. */
  get isExpecting(): boolean {
    return this.#stream.peekPs() < Infinity
  }

  /** Below 1 until the run is over: how long a drain takes is not known before. */
  get progress(): number {
    return this.#isOver ? 1 : Math.min(0.99, this.nowPs / this.spec.run.untilPs)
  }

  /** The run's end at the latest: `until`, and the drain after it. */
  get lastPs(): number {
    return this.spec.run.untilPs + this.spec.run.drainPs
  }

  /** Handles up to so many events; true while there is more. */
  advance(eventsMax: number): boolean {
    return this.#loop(eventsMax, this.lastPs)
  }

  /** Handles every event up to a time; true while there is more. */
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
    const { untilPs } = this.spec.run
    let stopPs = this.drain === undefined ? Math.min(limitPs, untilPs) : limitPs
    for (let n = 0; n < eventsMax && !this.#isOver; n++) {
      if (!calendar.popUntil(stopPs)) {
        if (stopPs >= this.lastPs || calendar.pending === 0) this.#end()
        if (stopPs >= limitPs || this.#isOver) break
        this.#beginDrain()
        stopPs = limitPs
        continue
      }
      this.#dispatch(calendar.kind, calendar.target, calendar.nowPs)
      if (bound > 0 && calendar.popped >= bound && !this.#isOver) {
        const sentence = `stopped after ${bound} events, as run.events says`
        this.#end(deadlockNow(this) ?? { why: 'events', sentence })
      }
    }
    return !this.#isOver
  }

  /** Nothing arrives any more: what has begun may end. A program, too, goes on. */
  #beginDrain(): void {
    const ended = whyNow(this)
    if (ended.why !== 'time') {
      this.#end(ended)
      return
    }
    const { untilPs } = this.spec.run
    const isActive = this.activeEnding + this.activeEndless > 0
    const activePs = this.activePs + (isActive ? untilPs - this.#activeSincePs : 0)
    this.drain = new Drain(this, untilPs, activePs, ended.saturated)
    this.sampler.close()
  }

  #dispatch(kind: number, target: number, nowPs: number): void {
    const { fabric, hosts } = this.network
    switch (kind) {
      case LINK:
        fabric.onLink(target, nowPs)
        return
      case PORT:
        fabric.onPort(target, nowPs)
        return
      case NIC:
        hosts.onNic(target, nowPs)
        return
      case FLOW_TIMER:
        hosts.onFlowTimer(target, nowPs)
        return
      case CREDIT:
        fabric.onCredits(target, nowPs)
        return
      case TAKE_IN:
        hosts.onTakeIn(target, nowPs)
        return
      case TIMEOUT:
        hosts.onTimeout(target, nowPs)
        return
      case DELAYED_ACK:
        hosts.onDelayedAck(target, nowPs)
        return
      case PORT_TIMER:
        this.#onPortTimer(target, nowPs)
        return
      case FLOW_ARRIVAL:
        this.#onArrivals(nowPs)
        return
      case MESSAGE:
        this.jobs.onWake(target, nowPs)
        if (this.jobs.isOver && this.#isDone()) this.#end()
        return
      case MANAGE:
        this.#manage(target, nowPs)
        return
      case FLOW_STOP:
        hosts.stopFlow(this.#stopping[target] as Flow, nowPs)
        return
      case SAMPLE:
        if (this.drain !== undefined) return
        this.sampler.sample(nowPs)
        this.network.calendar.schedule(nowPs + this.spec.metrics.intervalPs, SAMPLE, 0)
        return
      case WATCH:
        this.#watch(target, nowPs)
        return
      default:
        throw new Error(`no such kind of event: ${kind}`)
    }
  }

  #onPortTimer(target: number, nowPs: number): void {
    const port = Math.floor(target / PORT_TIMERS)
    const which = target % PORT_TIMERS
    this.network.portViews[port]?.timerFired(which)
    this.network.fabric.contention[port]?.onTimer(which, nowPs)
  }

  #onArrivals(nowPs: number): void {
    const stream = this.#stream
    while (stream.peekPs() <= nowPs) this.#begin(stream.next() as Arrival, nowPs)
    const nextPs = stream.peekPs()
    if (nextPs < Infinity) this.network.calendar.schedule(nextPs, FLOW_ARRIVAL, 0)
    else if (this.activeEndless === 0 && this.#isDone()) this.#end()
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
    const isEndless = sizeBytes === Infinity
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
    if (this.activeEnding + this.activeEndless === 0) this.#activeSincePs = nowPs
    const isEnding = !isEndless || arrival.stopPs > 0
    if (isEnding) this.activeEnding++
    else this.activeEndless++
    this.arrivedBytes += arrival.sizeBytes
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
    if (isEndless) {
      this.endlessChangesPs.push(nowPs)
      this.endless.set(flow, { name: arrival.name, path: ports })
    }
    if (arrival.stopPs > 0) {
      calendar.schedule(arrival.stopPs, FLOW_STOP, this.#stopping.push(flow) - 1)
    }
    return flow
  }

  /** A large transfer in pieces, each by a path of its own (document A, section V). */
  anotherPath(flow: Flow): readonly number[] | undefined {
    const { fabric, routing } = this.network
    if (this.#explicitRows.has(flow.row)) return undefined
    const piece = 1 + (flow.formerPaths?.length ?? 0) / 2
    const key = hashOf(flow.key) + piece * PIECE_STRIDE
    return routing.path(fabric.hostNodes[flow.source], fabric.hostNodes[flow.target], key)
  }

  onFlowEnd(flow: Flow, nowPs: number): void {
    this.rows.endPs[flow.row] = nowPs
    this.rows.update(flow)
    this.sampler.onFlowEnd(flow, nowPs)
    if (this.endless.delete(flow)) this.endlessChangesPs.push(nowPs)
    this.activeEnding--
    if (this.activeEnding + this.activeEndless === 0) this.activePs += nowPs - this.#activeSincePs
    if (this.#isDone()) this.#end()
  }

  onDelivered(flow: Flow, nowPs: number): void {
    this.jobs.onDelivered(flow, nowPs)
  }

  /** Nothing that ends is left; flows without end go on alone unless a program was the purpose. */
  #isDone(): boolean {
    if (this.activeEnding > 0 || this.isExpecting || !this.jobs.isOver) return false
    return this.activeEndless === 0 || this.jobs.count > 0 || this.drain !== undefined
  }

  #manage(change: number, nowPs: number): void {
    const { changes } = this.spec.scheme
    if (changes !== undefined) this.network.control.manage?.(changes[change], nowPs)
  }

  /** Undelivered bytes of flows with a size. */
  backlogBytes(): number {
    return this.arrivedBytes - this.network.hosts.deliveredBytes
  }

  #watch(count: number, nowPs: number): void {
    const { untilPs } = this.spec.run
    this.deadlock = findDeadlock(this.network)
    if (count === WATCHES / 2) this.backlogHalfway = this.backlogBytes()
    const nextPs = Math.ceil((untilPs * (count + 1)) / WATCHES)
    if (nextPs < untilPs) {
      this.network.calendar.schedule(Math.max(nextPs, nowPs + 1), WATCH, count + 1)
    }
  }

  #end(why?: Ended): void {
    if (this.activeEnding + this.activeEndless > 0)
      this.activePs += this.nowPs - this.#activeSincePs
    this.#isOver = true
    this.#ended = why ?? whyNow(this)
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
