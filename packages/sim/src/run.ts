/**
 * A run: the network, its traffic and its clock. It can be advanced by events or to a time, looked
 * at in between, and asked for its result at any point; several can live in one process.
 *
 * Time is half-open: samples, changes, arrivals and the run's end at t see everything before t and
 * nothing at t. A run whose last flow has ended goes on to the next multiple of the fabric's
 * shortest delay between servers, and stops there; so does one that has had its events.
 */
import type { Team } from '@weir/engine'
import { arrivals, itemNames, listedFlows } from '@weir/workloads'
import type { Arrival, ArrivalStream } from '@weir/workloads'
import { ENDS, FLOW_ARRIVAL, FLOW_STOP, SAMPLE, WATCH } from '@weir/fabric'
import type { FlowSink } from '@weir/fabric'
import type { Scheme } from '@weir/schemes'
import { ActiveFlows } from './active-flows.ts'
import type { cellsOf } from './cells.ts'
import { Changes } from './changes.ts'
import { Drain } from './drain.ts'
import { findDeadlock } from './deadlock.ts'
import { why, whyNow } from './ending.ts'
import { FlowRows } from './flow-rows.ts'
import { FlowStarts } from './flow-starts.ts'
import { specFromThread } from './from-thread.ts'
import { jobsWorld, MessageJobs } from './message-jobs.ts'
import { buildNetwork } from './network.ts'
import type { Network } from './network.ts'
import { cellsRunner } from './run-cells.ts'
import type { Ended, Result } from './result.ts'
import { Sampler } from './sampler.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import { startPoints } from './start-points.ts'
import { makeResult } from './summary.ts'
import { gather } from './threads/gather.ts'
import { Share } from './threads/share.ts'
import type { Elsewhere } from './threads/share.ts'
import { stopFlow } from './threads/stop-flow.ts'
import { workloadHosts } from './workload-hosts.ts'

/** Of a network that is one cell: its windows need not be as short as its links. */
const ONE_CELL_PS = 1e6

export class Run implements FlowSink {
  readonly spec: ValidSpec
  readonly network: Network
  readonly rows: FlowRows
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
  /** Which part of the run is this thread's; undefined: all of it. */
  readonly #share: Share | undefined
  readonly #stream: ArrivalStream
  readonly #starts: FlowStarts
  readonly #changes: Changes
  /** Number of the next flow that arrives. */
  #nextFlow: number
  /** Runs stop at multiples of this. */
  readonly #gridPs: number
  /** How long windows are, at the most: a multiple of that. */
  readonly #windowPs: number
  /** Everything before this time has happened. */
  #reachedPs: number = 0
  /** Time of the last thing that was no node's own. */
  #outsidePs: number = 0
  /** When ENDS is due. */
  #endsDuePs: number = -1
  #nextSamplePs: number = Infinity
  /** Where a run that has had its events stops. */
  #stopPs: number = Infinity
  #endPs: number = NaN
  #ended: Ended | undefined = undefined
  readonly #runCells: () => void

  constructor(given: ValidSpec, scheme?: Scheme, cellsFor?: typeof cellsOf, team?: Team) {
    const spec = specFromThread(given)
    this.spec = spec
    this.rows = new FlowRows(listedFlows(spec.workload))
    this.itemNames = itemNames(spec.workload)
    this.network = buildNetwork(spec, this, scheme, cellsFor)
    this.#share = team && new Share(this.network, team, this.#elsewhere())
    const { outside, windowPs, windows } = this.network
    this.#gridPs = windowPs
    const isOne = windows.cells === 1 && spec.run.eventsMax === 0
    this.#windowPs = isOne ? windowPs * Math.ceil(ONE_CELL_PS / windowPs) : windowPs
    this.sampler = new Sampler(this.network, spec)
    this.sampler.share = this.#share
    this.active = new ActiveFlows(this.network.hosts, this.rows, this.sampler)
    this.#starts = new FlowStarts(this.network, spec, this.active, this.itemNames)
    const hosts = workloadHosts(this.network)
    this.#stream = arrivals(spec.workload, { hosts, seed: spec.seed, untilPs: spec.run.untilPs })
    this.jobs = new MessageJobs(spec, hosts, jobsWorld(this.network, this.#starts, this.#share))
    this.jobs.start()
    this.#nextFlow = this.jobs.flows
    this.#changes = new Changes(this.network, spec, this.#starts, this.#share)
    startPoints(this.network, this.#share)
    const { intervalPs } = spec.metrics
    if (intervalPs > 0) this.#sampleAt(intervalPs)
    outside.schedule(Math.ceil(spec.run.untilPs / 2), WATCH, 0)
    this.#runCells = cellsRunner(this.network, this.#starts, (target, nowPs) =>
      this.#onMessage(target, nowPs),
    )
  }

  #elsewhere(): Elsewhere {
    return {
      onFlowEnd: (flow, endPs) => {
        this.network.hosts.noteEndElsewhere(flow)
        this.active.noteEnd(flow, endPs)
        this.#lookForEnd(endPs)
      },
      onMessage: (job, message) => this.jobs.beganElsewhere(job, message),
      onProcessEnd: (job, process, endPs) => {
        this.jobs.endedElsewhere(job, process, endPs)
        if (this.jobs.isOver) this.#lookForEnd(endPs)
      },
    }
  }

  /** Time of the last event; of a run that is over, its end. */
  get nowPs(): number {
    if (this.#ended !== undefined) return this.#endPs
    return Math.max(this.network.windows.latestPs, this.#share?.latestPs ?? 0)
  }

  get events(): number {
    return (this.#share ?? this.network.windows).popped + this.network.outside.popped
  }

  get packetHops(): number {
    return this.isOver
      ? this.network.fabric.packetHops
      : (this.#share ?? this.network.fabric).packetHops
  }

  get isOver(): boolean {
    return this.#ended !== undefined
  }

  /** It has had the events that its spec allows. */
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

  /** Handles so many events, and those of the window that they end in; true while there is more. */
  advance(eventsMax: number): boolean {
    return this.#drive(this.course(eventsMax, this.lastPs))
  }

  /** Handles every event before a time; true while there is more. */
  step(untilPs: number): boolean {
    return this.#drive(this.course(Infinity, Math.min(untilPs, this.lastPs)))
  }

  /** The result so far; of a run that is over, the result. Of several threads, the first has it. */
  result(): Result {
    if (this.#share !== undefined && !this.isOver) throw new Error('a shared run ends first')
    return makeResult(this, this.#ended ?? whyNow(this, findDeadlock(this.network)))
  }

  #drive(course: Generator<void, boolean>): boolean {
    for (;;) {
      const { done, value } = course.next()
      if (done === true) return value
      this.#share?.team.meet()
    }
  }

  /** The run, up to so many events or a time; at each `yield` all threads that share it meet. */
  *course(eventsMax: number, limitPs: number): Generator<void, boolean> {
    const { outside, windows } = this.network
    const share = this.#share
    const enough = this.events + eventsMax
    let untilPs = limitPs
    while (this.events < enough && !this.isOver) {
      if (share !== undefined) {
        const arrivalPs = this.#stream.peekPs()
        const windowPs = this.#windowPs
        this.#reachedPs = yield* share.meetBefore(this.#reachedPs, limitPs, windowPs, arrivalPs)
        this.#boundEvents()
        untilPs = share.limitPs
      }
      const stopPs = this.#nextStopPs()
      const endPs = Math.min(untilPs, stopPs)
      const firstPs = Math.min((share ?? windows).firstPs, this.#stream.peekPs())
      const outsidePs = outside.peekPs()
      if (Math.min(firstPs, outsidePs) >= endPs) {
        if ((share ?? windows).pending + outside.pending === 0 && !this.isExpecting) {
          yield* this.#endAt(this.nowPs)
        } else if (untilPs < stopPs || (untilPs === stopPs && untilPs < this.lastPs)) break
        else yield* this.#stopAt(stopPs)
      } else if (outsidePs <= firstPs) {
        outside.pop()
        this.#reachedPs = outsidePs
        this.#outsidePs = outsidePs
        yield* this.#dispatch(outside.kind, outside.target, outsidePs)
        if (share === undefined) this.#boundEvents()
      } else this.#window(firstPs, endPs)
    }
    this.active.fold()
    return !this.isOver
  }

  /** Nodes run, each on its own, from the first event to the end of its window. */
  #window(firstPs: number, limitPs: number): void {
    const { outside, windows } = this.network
    const lastPs = (Math.floor(firstPs / this.#windowPs) + 1) * this.#windowPs
    const endPs = Math.min(lastPs, limitPs)
    this.#handOut(endPs)
    this.#reachedPs = Math.min(endPs, outside.peekPs())
    windows.open(this.#reachedPs)
    this.#runCells()
    if (this.#share === undefined) this.#boundEvents()
    else this.#starts.followTo(this.#reachedPs)
  }

  /** A run that has had its events stops. */
  #boundEvents(): void {
    const bound = this.spec.run.eventsMax
    if (bound > 0 && this.events >= bound && this.#stopPs === Infinity) {
      this.#stopPs = this.#gridAfter(Math.max(this.nowPs, this.#outsidePs))
    }
  }

  /** Up to here nothing stops the run but its own end. */
  #nextStopPs(): number {
    const { untilPs } = this.spec.run
    return Math.min(this.#stopPs, this.drain === undefined ? untilPs : this.lastPs)
  }

  /** The time, or the bound on events, has come: the run ends, or drains. */
  *#stopAt(nowPs: number): Generator<void, void> {
    const { untilPs } = this.spec.run
    const mayDrain = nowPs === untilPs && untilPs < this.lastPs && nowPs < this.#stopPs
    if (mayDrain) yield* this.#beginDrain()
    else yield* this.#endAt(nowPs)
  }

  /** The first multiple of the shortest delay between cells after a time. */
  #gridAfter(nowPs: number): number {
    return (Math.floor(nowPs / this.#gridPs) + 1) * this.#gridPs
  }

  /** Nothing arrives any more: what has begun may end. A program, too, goes on. */
  *#beginDrain(): Generator<void, void> {
    const { untilPs } = this.spec.run
    this.active.fold()
    const ended = yield* why(this, this.#share)
    if (ended.why !== 'time') {
      yield* this.#endAt(untilPs)
      return
    }
    this.#lastSample(untilPs)
    this.drain = new Drain(this, untilPs, ended.saturated)
    this.sampler.close()
  }

  /** What is no single node's business. */
  *#dispatch(kind: number, target: number, nowPs: number): Generator<void, void> {
    if (kind === FLOW_STOP) {
      this.active.fold()
      yield* stopFlow(this.network, this.#share, target, nowPs)
    } else this.network.windows.outside(nowPs, () => this.#happen(kind, target, nowPs))
    if (kind === ENDS && this.#isDone()) yield* this.#endAt(nowPs)
  }

  #happen(kind: number, target: number, nowPs: number): void {
    switch (kind) {
      case ENDS:
        this.active.fold()
        this.network.hosts.forgetEnded()
        return
      case SAMPLE:
        if (this.drain !== undefined) return
        this.active.fold()
        this.sampler.sample(nowPs)
        this.#sampleAt(nowPs + this.spec.metrics.intervalPs)
        return
      case WATCH:
        this.active.fold()
        this.backlogHalfway = this.backlogBytes()
        return
      default:
        if (this.#changes.carryOut(kind, target, nowPs)) return
        throw new Error(`no such kind of event: ${kind}`)
    }
  }

  #sampleAt(atPs: number): void {
    this.#nextSamplePs = atPs
    this.network.outside.schedule(atPs, SAMPLE, 0)
  }

  /** A sample that is due just where the samples end. */
  #lastSample(nowPs: number): void {
    if (this.#nextSamplePs === nowPs && this.drain === undefined) this.sampler.sample(nowPs)
  }

  /** Arrivals of the window that begins are handed out to their hosts. */
  #handOut(endPs: number): void {
    const stream = this.#stream
    const { fabric, outside, windows } = this.network
    for (let atPs = stream.peekPs(); atPs < endPs; atPs = stream.peekPs()) {
      const arrival = stream.next() as Arrival
      const flow = this.#nextFlow++
      this.#starts.handOut(arrival, flow, atPs)
      if (this.#share?.isMyHost(arrival.source) ?? true) {
        windows.post(atPs, FLOW_ARRIVAL, flow, fabric.cellOfHost(arrival.source))
      } else this.#starts.follow(flow, atPs)
      if (arrival.stopPs > 0) outside.schedule(arrival.stopPs, FLOW_STOP, flow)
      if (!this.isExpecting) this.#lookForEnd(atPs)
    }
  }

  #onMessage(target: number, nowPs: number): void {
    this.jobs.onWake(target, nowPs)
    if (this.jobs.isOver) this.#lookForEnd(nowPs)
  }

  /** A flow has ended, at its source: the run hears of it between the nodes' doings. */
  onFlowEnd(flow: number, nowPs: number): void {
    this.active.noteEnd(flow, nowPs)
    this.#share?.noteEnd(flow, nowPs)
    this.#lookForEnd(nowPs)
  }

  #lookForEnd(nowPs: number): void {
    const atPs = this.#gridAfter(nowPs)
    if (this.#endsDuePs === atPs) return
    this.#endsDuePs = atPs
    this.network.outside.schedule(atPs, ENDS, 0)
    this.network.windows.endBy(atPs)
  }

  onDelivered(flow: number, nowPs: number): void {
    this.jobs.onDelivered(flow, nowPs)
  }

  /** Nothing that ends is left; flows without end go on alone unless a program was the purpose. */
  #isDone(): boolean {
    if (this.active.ending > 0 || this.isExpecting || !this.jobs.isOver) return false
    return this.active.endless === 0 || this.jobs.count > 0 || this.drain !== undefined
  }

  /** Undelivered bytes of flows with a size. */
  backlogBytes(): number {
    return this.active.arrivedBytes - this.deliveredBytes
  }

  /** Payload that has reached its receivers. */
  get deliveredBytes(): number {
    return (this.#share ?? this.network.hosts).deliveredBytes
  }

  *#endAt(nowPs: number): Generator<void, void> {
    this.active.fold()
    this.#lastSample(nowPs)
    const ended = yield* why(this, this.#share)
    this.#endPs = ended.why === 'time' ? this.#nextStopPs() : nowPs
    this.#ended = ended
    if (this.#share !== undefined) yield* gather(this, this.#share)
  }
}

/** One of several threads that run a spec together; the first of them has the result. */
export function createShare(spec: ValidSpec, team: Team, scheme?: Scheme): Run {
  return new Run(spec, scheme, undefined, team)
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
