/**
 * Message programs on a run's clock and network: drivers' messages are flows, begun as arrivals
 * are, and a receiver that has the last byte of one tells its driver. Flows are numbered by
 * process, so that it does not matter which process is carried out first.
 */
import type { Account } from '@weir/engine'
import { MESSAGE } from '@weir/fabric'
import type { FlowStart } from '@weir/fabric'
import { MessageDriver } from '@weir/workloads'
import type { Arrival, Host, Message, MessagesReport } from '@weir/workloads'
import type { FlowStarts } from './flow-starts.ts'
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'
import type { Share } from './threads/share.ts'

/** Processes of a job stay below this: an event's target is job * PROCESSES_MAX + process. */
const PROCESSES_MAX = 65_536

/** What jobs ask of the run. */
export interface JobsWorld {
  /** Is a host this thread's? */
  isMine(host: number): boolean
  /** MESSAGE is due, at a host. */
  wakeAt(target: number, host: number, atPs: number): void
  begin(arrival: Arrival, flow: FlowStart['flow'], nowPs: number): void
  /** The same of a message whose sender is another thread's: it is only known here. */
  follow(arrival: Arrival, flow: FlowStart['flow'], nowPs: number): void
  /** What others have to know: a message of this thread's has begun, a process has ended. */
  tellMessage(job: number, message: Message): void
  tellEnd(job: number, process: number, atPs: number): void
}

/** Those of a run, or of this thread's share of one. */
export function jobsWorld(
  { fabric, windows }: Network,
  starts: FlowStarts,
  share: Share | undefined,
): JobsWorld {
  return {
    isMine: (host) => share?.isMyHost(host) ?? true,
    wakeAt: (target, host, atPs) => {
      windows.post(atPs, MESSAGE, target, fabric.cellOfHost(host))
    },
    begin: (arrival, flow, nowPs) => {
      starts.handOut(arrival, flow, nowPs)
      starts.begin(flow, nowPs).receiver.tellsDelivery = true
    },
    follow: (arrival, flow, nowPs) => {
      starts.handOut(arrival, flow, nowPs)
      starts.know(flow, nowPs).receiver.tellsDelivery = true
    },
    tellMessage: (job, message) => share?.noteMessage(job, message),
    tellEnd: (job, process, atPs) => share?.noteProcessEnd(job, process, atPs),
  }
}

interface Job {
  readonly driver: MessageDriver
  /** Its place in the workload. */
  readonly item: number
  /** Number of its first flow. */
  readonly first: number
  /** Of messages that are under way, by number. */
  readonly messages: (Message | undefined)[]
}

export class MessageJobs {
  /** Numbers of flows that are theirs: those below this. */
  readonly flows: number
  readonly #jobs: readonly Job[]
  readonly #world: JobsWorld

  constructor(spec: ValidSpec, hosts: readonly Host[], world: JobsWorld) {
    this.#world = world
    const inputs = spec.workload.filter((item) => item.kind === 'messages')
    let flows = 0
    this.#jobs = inputs.map((input, i) => {
      const driver: MessageDriver = new MessageDriver(input, hosts, spec.seed, {
        isMine: (host) => world.isMine(host),
        send: (message) => this.#begin(i, message),
        wakeAt: (process, atPs) => {
          world.wakeAt(i * PROCESSES_MAX + process, driver.hostOf(process), atPs)
        },
        onEnd: (process, atPs) => world.tellEnd(i, process, atPs),
      })
      const first = flows
      flows += driver.messagesMax
      return { driver, item: spec.workload.indexOf(input), first, messages: [] }
    })
    this.flows = flows
  }

  #begin(job: number, message: Message): void {
    const { driver, first, item, messages } = this.#jobs[job] as Job
    messages[message.number] = message
    const arrival = { ...driver.flowOf(message), item }
    this.#world.begin(arrival, first + message.number, message.startPs)
    this.#world.tellMessage(job, message)
  }

  /** A message of another thread's process has begun. */
  beganElsewhere(job: number, message: Message): void {
    const { driver, first, item, messages } = this.#jobs[job] as Job
    messages[message.number] = message
    const arrival = { ...driver.flowOf(message), item }
    this.#world.follow(arrival, first + message.number, message.startPs)
  }

  /** A process of another thread's host has ended. */
  endedElsewhere(job: number, process: number, atPs: number): void {
    this.#jobs[job]?.driver.noteEnd(process, atPs)
  }

  start(): void {
    for (const { driver } of this.#jobs) driver.start()
  }

  get count(): number {
    return this.#jobs.length
  }

  /** No job has anything left to do. */
  get isOver(): boolean {
    return this.#jobs.every(({ driver }) => driver.isOver)
  }

  /** MESSAGE */
  onWake(target: number, nowPs: number): void {
    const job = this.#jobs[Math.floor(target / PROCESSES_MAX)]
    job?.driver.onWake(target % PROCESSES_MAX, nowPs)
  }

  onDelivered(flow: number, nowPs: number): void {
    if (flow >= this.flows) return
    const { driver, first, messages } = this.#jobs.findLast((job) => job.first <= flow) as Job
    const { from, to } = messages[flow - first] as Message
    messages[flow - first] = undefined
    driver.onDelivered(from, to, nowPs)
  }

  accounts(): Account[] {
    return this.#jobs.map(({ driver }) => driver.account())
  }

  reports(): MessagesReport[] {
    return this.#jobs.map(({ driver }) => driver.report())
  }
}
