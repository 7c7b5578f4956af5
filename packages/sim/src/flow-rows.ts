/**
 * One row a flow: what the result's flow table is made of. A flow object is gone when its flow has
 * ended; its row stays.
 */
import type { Flow } from '@weir/fabric'
import type { FlowTable } from './result.ts'

export interface FlowRow {
  readonly name: string
  readonly item: string
  readonly source: string
  readonly target: string
  readonly class: number
  /** Infinity: without end. */
  readonly sizeBytes: number
  readonly startPs: number
  readonly idealFctPs: number
}

export class FlowRows {
  readonly rows: FlowRow[] = []
  readonly endPs: number[] = []
  readonly deliveredBytes: number[] = []
  readonly retransmitted: number[] = []
  readonly notifications: number[] = []
  readonly reorderPackets: number[] = []
  readonly unfinished: string[] = []

  add(row: FlowRow): number {
    this.endPs.push(NaN)
    this.deliveredBytes.push(0)
    this.retransmitted.push(0)
    this.notifications.push(0)
    this.reorderPackets.push(0)
    this.unfinished.push('')
    return this.rows.push(row) - 1
  }

  /** The flow has begun and not ended. */
  isUnderWay(row: number): boolean {
    return Number.isNaN(this.endPs[row])
  }

  /** Takes over what a flow has done so far. */
  update(flow: Flow): void {
    this.deliveredBytes[flow.row] = flow.receiver.deliveredBytes
    this.retransmitted[flow.row] = flow.retransmitted
    this.notifications[flow.row] = flow.notifications
    this.reorderPackets[flow.row] = flow.receiver.reorder?.most ?? 0
  }

  table(simulatedPs: number): FlowTable {
    const { rows, endPs, deliveredBytes } = this
    const fctPs = rows.map((row, i) => endPs[i] - row.startPs)
    return {
      name: rows.map((row) => row.name),
      item: rows.map((row) => row.item),
      source: rows.map((row) => row.source),
      target: rows.map((row) => row.target),
      class: rows.map((row) => row.class),
      sizeBytes: rows.map((row) => row.sizeBytes),
      startPs: rows.map((row) => row.startPs),
      endPs: [...endPs],
      fctPs,
      idealFctPs: rows.map((row) => row.idealFctPs),
      slowdown: rows.map((row, i) => fctPs[i] / row.idealFctPs),
      deliveredBytes: [...deliveredBytes],
      retransmittedPackets: [...this.retransmitted],
      notifications: [...this.notifications],
      reorderPackets: [...this.reorderPackets],
      throughputBps: rows.map((row, i) => {
        const toPs = Number.isNaN(endPs[i]) ? simulatedPs : endPs[i]
        return toPs > row.startPs ? (deliveredBytes[i] * 8e12) / (toPs - row.startPs) : NaN
      }),
      unfinished: [...this.unfinished],
    }
  }
}
