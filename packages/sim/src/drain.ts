/**
 * The drain: after `until` nothing arrives any more, and flows that have begun may end, so that
 * slow ones are counted and not only those that were quick. What is measured over time (goodput,
 * utilisation, sampled series and queues) is of the time before, which is the same for every
 * scheme; this keeps how things stood then.
 */
import type { Run } from './run.ts'

export class Drain {
  /** Flows with an end that were under way. */
  readonly flows: number
  /** The backlog was growing, and most flows were late: more was offered than carried. */
  readonly isSaturated: boolean
  readonly deliveredBytes: number
  /** By row of the flow table. */
  readonly deliveredByRow: Float64Array
  /** Wire bytes that had left each port. */
  readonly departedBytes: Float64Array
  /** Time in which some flow was active. */
  readonly activePs: number

  constructor(run: Run, nowPs: number, isSaturated: boolean) {
    const { fabric, hosts, observer } = run.network
    const { count } = fabric.ports
    this.flows = run.active.ending
    this.activePs = run.active.activePs(nowPs)
    this.isSaturated = isSaturated
    this.deliveredBytes = run.deliveredBytes
    this.departedBytes = new Float64Array(count)
    for (let port = 0; port < count; port++) {
      this.departedBytes[port] = observer.departedBytes(port, nowPs)
    }
    this.deliveredByRow = run.rows.deliveredBytes.slice(0, run.rows.count)
    for (const flow of hosts.flows) {
      if (flow !== undefined) this.deliveredByRow[flow.row] = flow.receiver.deliveredBytes
    }
  }
}
