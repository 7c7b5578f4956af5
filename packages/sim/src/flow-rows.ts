/**
 * One row per flow: what the result's flow table is made of. A flow object is gone when its flow
 * has ended; its row stays.
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

/** One column per field: a million flows as objects would take as much again. */
export class FlowRows {
  readonly name: string[] = []
  readonly item: string[] = []
  readonly source: string[] = []
  readonly target: string[] = []
  readonly class: number[] = []
  readonly sizeBytes: number[] = []
  readonly startPs: number[] = []
  readonly idealFctPs: number[] = []
  readonly endPs: number[] = []
  readonly deliveredBytes: number[] = []
  readonly retransmitted: number[] = []
  readonly notifications: number[] = []
  readonly reorderPackets: number[] = []
  readonly unfinished: string[] = []

  get count(): number {
    return this.name.length
  }

  add(row: FlowRow): number {
    this.item.push(row.item)
    this.source.push(row.source)
    this.target.push(row.target)
    this.class.push(row.class)
    this.sizeBytes.push(row.sizeBytes)
    this.startPs.push(row.startPs)
    this.idealFctPs.push(row.idealFctPs)
    this.endPs.push(NaN)
    this.deliveredBytes.push(0)
    this.retransmitted.push(0)
    this.notifications.push(0)
    this.reorderPackets.push(0)
    this.unfinished.push('')
    return this.name.push(row.name) - 1
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

  /** The result's; of a run that goes on (`isOver` is false) a copy. */
  table(simulatedPs: number, isOver: boolean): FlowTable {
    const { startPs, endPs, deliveredBytes, idealFctPs } = this
    const column = <T>(own: T[]): T[] => (isOver ? own : own.slice())
    const fctPs = endPs.map((ps, i) => ps - startPs[i])
    return {
      name: column(this.name),
      item: column(this.item),
      source: column(this.source),
      target: column(this.target),
      class: column(this.class),
      sizeBytes: column(this.sizeBytes),
      startPs: column(startPs),
      endPs: column(endPs),
      fctPs,
      idealFctPs: column(idealFctPs),
      slowdown: fctPs.map((ps, i) => ps / idealFctPs[i]),
      deliveredBytes: column(deliveredBytes),
      retransmittedPackets: column(this.retransmitted),
      notifications: column(this.notifications),
      reorderPackets: column(this.reorderPackets),
      throughputBps: startPs.map((fromPs, i) => {
        const toPs = Number.isNaN(endPs[i]) ? simulatedPs : endPs[i]
        return toPs > fromPs ? (deliveredBytes[i] * 8e12) / (toPs - fromPs) : NaN
      }),
      unfinished: column(this.unfinished),
    }
  }
}
