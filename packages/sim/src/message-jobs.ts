/**
 * Message programs on a run's clock and network: drivers' messages are flows, begun as arrivals
 * are, and a receiver that has the last byte of one tells its driver. Flows are numbered by
 * process, so that it does not matter which process is carried out first.
 */
import type { FlowStart } from '@weir/fabric'
import { MessageDriver } from '@weir/workloads'
import type { Arrival, Host, MessagesReport } from '@weir/workloads'
import type { ValidSpec } from './spec/valid-spec.ts'

/** Processes of a job stay below this: an event's target is job * PROCESSES_MAX + process. */
const PROCESSES_MAX = 65_536

/** What jobs ask of the run. */
export interface JobsWorld {
  /** MESSAGE is due, at a host. */
  wakeAt(target: number, host: number, atPs: number): void
  begin(arrival: Arrival, flow: FlowStart['flow'], nowPs: number): void
}

interface Addressee {
  readonly from: number
  readonly to: number
}

interface Job {
  readonly driver: MessageDriver
  /** Number of its first flow. */
  readonly first: number
  /** Of messages that are under way, by number. */
  readonly addressees: (Addressee | undefined)[]
}

export class MessageJobs {
  /** Numbers of flows that are theirs: those below this. */
  readonly flows: number
  readonly #jobs: readonly Job[]

  constructor(spec: ValidSpec, hosts: readonly Host[], world: JobsWorld) {
    const inputs = spec.workload.filter((item) => item.kind === 'messages')
    let flows = 0
    this.#jobs = inputs.map((input, i) => {
      const item = spec.workload.indexOf(input)
      const first = flows
      const addressees: (Addressee | undefined)[] = []
      const driver: MessageDriver = new MessageDriver(input, hosts, spec.seed, {
        send: ({ number, ...message }, from, to) => {
          addressees[number] = { from, to }
          world.begin({ ...message, item }, first + number, message.startPs)
        },
        wakeAt: (process, atPs) => {
          world.wakeAt(i * PROCESSES_MAX + process, driver.hostOf(process), atPs)
        },
      })
      flows += driver.messagesMax
      return { driver, first, addressees }
    })
    this.flows = flows
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
    const { addressees, driver, first } = this.#jobs.findLast((job) => job.first <= flow) as Job
    const { from, to } = addressees[flow - first] as Addressee
    addressees[flow - first] = undefined
    driver.onDelivered(from, to, nowPs)
  }

  reports(): MessagesReport[] {
    return this.#jobs.map(({ driver }) => driver.report())
  }
}
