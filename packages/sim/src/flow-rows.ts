/**
 * One row per flow: what the result's flow table is made of. A flow object is gone when its flow
 * has ended; its row stays.
 */
import type { Flow } from '@weir/fabric'
import type { KeptFlows } from './flow-table.ts'
import { NameColumn, WordColumn } from './text-column.ts'
import type { Words } from './text-column.ts'

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

const FIRST_ROWS = 256

/**
 * One column per field: a million flows as objects would take as much again. Columns have room for
 * all flows that a spec lists, since arrays that grow leave their smaller selves.
 */
export class FlowRows {
  count: number = 0
  readonly name: NameColumn
  readonly item: WordColumn
  readonly source: WordColumn
  readonly target: WordColumn
  class: Uint8Array
  sizeBytes: Float64Array
  startPs: Float64Array
  idealFctPs: Float64Array
  endPs: Float64Array
  deliveredBytes: Float64Array
  retransmitted: Uint32Array
  notifications: Uint32Array
  reorderPackets: Uint32Array
  /** Why flows have not ended, by row. */
  readonly unfinished: Map<number, string> = new Map()

  constructor(listed: number = 0) {
    const rows = Math.max(listed, FIRST_ROWS)
    this.name = new NameColumn(rows)
    this.item = new WordColumn(rows)
    this.source = new WordColumn(rows)
    this.target = new WordColumn(rows)
    this.class = new Uint8Array(rows)
    this.sizeBytes = new Float64Array(rows)
    this.startPs = new Float64Array(rows)
    this.idealFctPs = new Float64Array(rows)
    this.endPs = new Float64Array(rows)
    this.deliveredBytes = new Float64Array(rows)
    this.retransmitted = new Uint32Array(rows)
    this.notifications = new Uint32Array(rows)
    this.reorderPackets = new Uint32Array(rows)
  }

  add(row: FlowRow): number {
    const i = this.count++
    if (i === this.class.length) this.#grow(2 * i)
    this.name.push(row.name)
    this.item.push(row.item)
    this.source.push(row.source)
    this.target.push(row.target)
    this.class[i] = row.class
    this.sizeBytes[i] = row.sizeBytes
    this.startPs[i] = row.startPs
    this.idealFctPs[i] = row.idealFctPs
    this.endPs[i] = NaN
    return i
  }

  #grow(rows: number): void {
    this.class = copied(this.class, new Uint8Array(rows))
    this.sizeBytes = copied(this.sizeBytes, new Float64Array(rows))
    this.startPs = copied(this.startPs, new Float64Array(rows))
    this.idealFctPs = copied(this.idealFctPs, new Float64Array(rows))
    this.endPs = copied(this.endPs, new Float64Array(rows))
    this.deliveredBytes = copied(this.deliveredBytes, new Float64Array(rows))
    this.retransmitted = copied(this.retransmitted, new Uint32Array(rows))
    this.notifications = copied(this.notifications, new Uint32Array(rows))
    this.reorderPackets = copied(this.reorderPackets, new Uint32Array(rows))
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

  /** What the result's table is made from; of a run that goes on (`isOver` is false) a copy. */
  kept(simulatedPs: number, isOver: boolean): KeptFlows {
    const { count } = this
    const column = <T extends Uint8Array | Uint32Array | Float64Array>(own: T): T =>
      (isOver ? own.subarray(0, count) : own.slice(0, count)) as T
    const words = ({ words: own, numbers }: WordColumn): Words => ({
      words: own,
      numbers: column(numbers),
    })
    return {
      count,
      simulatedPs,
      name: { heads: words(this.name.heads), numbers: column(this.name.numbers) },
      item: words(this.item),
      source: words(this.source),
      target: words(this.target),
      class: column(this.class),
      sizeBytes: column(this.sizeBytes),
      startPs: column(this.startPs),
      endPs: column(this.endPs),
      idealFctPs: column(this.idealFctPs),
      deliveredBytes: column(this.deliveredBytes),
      retransmittedPackets: column(this.retransmitted),
      notifications: column(this.notifications),
      reorderPackets: column(this.reorderPackets),
      unfinished: new Map(this.unfinished),
    }
  }
}

function copied<T extends Uint8Array | Uint32Array | Float64Array>(column: T, into: T): T {
  into.set(column)
  return into
}
