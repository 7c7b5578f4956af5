/**
 * Message programs on a run's clock and network: drivers' messages are flows, begun as arrivals
 * are, and a receiver that has the last byte of one tells its driver.
 */
import type { Flow } from '@weir/fabric'
import { MessageDriver } from '@weir/workloads'
import type { Arrival, Host, MessagesReport } from '@weir/workloads'
import type { ValidSpec } from './spec/valid-spec.ts'

/** Processes of a job stay below this: an event's target is job * PROCESSES_MAX + process. */
const PROCESSES_MAX = 65_536

interface Addressee {
  readonly job: MessageDriver
  readonly from: number
  readonly to: number
}

export class MessageJobs {
  readonly #jobs: readonly MessageDriver[]
  readonly #addressees: Map<number, Addressee> = new Map()

  constructor(
    spec: ValidSpec,
    hosts: readonly Host[],
    wakeAt: (target: number, atPs: number) => void,
    begin: (arrival: Arrival, nowPs: number) => Flow,
  ) {
    const inputs = spec.workload.filter((item) => item.kind === 'messages')
    this.#jobs = inputs.map((input, i) => {
      const item = spec.workload.indexOf(input)
      const job: MessageDriver = new MessageDriver(input, hosts, spec.seed, {
        send: (message, from, to) => {
          const flow = begin({ ...message, item }, message.startPs)
          flow.receiver.tellsDelivery = true
          this.#addressees.set(flow.flow, { job, from, to })
        },
        wakeAt: (process, atPs) => wakeAt(i * PROCESSES_MAX + process, atPs),
      })
      return job
    })
    for (const job of this.#jobs) job.start()
  }

  get count(): number {
    return this.#jobs.length
  }

  /** No job has anything left to do. */
  get isOver(): boolean {
    return this.#jobs.every((job) => job.isOver)
  }

  /** MESSAGE */
  onWake(target: number, nowPs: number): void {
    this.#jobs[Math.floor(target / PROCESSES_MAX)]?.onWake(target % PROCESSES_MAX, nowPs)
  }

  onDelivered(flow: number, nowPs: number): void {
    const addressee = this.#addressees.get(flow)
    if (addressee === undefined) return
    this.#addressees.delete(flow)
    addressee.job.onDelivered(addressee.from, addressee.to, nowPs)
  }

  reports(): MessagesReport[] {
    return this.#jobs.map((job) => job.report())
  }
}
