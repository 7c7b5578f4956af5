/**
 * The table of flows of a result: arrays for whoever looks, each made when it is first asked for. A
 * million flows as arrays take 200 MB; who reads all of them to write them down reads `flowLists`,
 * which makes none.
 */
import { ComputedList } from './list.ts'
import type { List } from './list.ts'
import type { FlowTable } from './result.ts'
import { nameAt, wordAt } from './text-column.ts'
import type { Names, Words } from './text-column.ts'

/** What rows of flows leave, to make the table from: plain values, to be sent to a thread too. */
export interface KeptFlows {
  readonly count: number
  readonly simulatedPs: number
  readonly name: Names
  readonly item: Words
  readonly source: Words
  readonly target: Words
  readonly class: Uint8Array
  readonly sizeBytes: Float64Array
  readonly startPs: Float64Array
  readonly endPs: Float64Array
  readonly idealFctPs: Float64Array
  readonly deliveredBytes: Float64Array
  readonly retransmittedPackets: Uint32Array
  readonly notifications: Uint32Array
  readonly reorderPackets: Uint32Array
  readonly unfinished: ReadonlyMap<number, string>
}

/** The columns of the table, in its order, to be read by row or from end to end. */
export type FlowLists = {
  readonly [Key in keyof FlowTable]: FlowTable[Key] extends readonly (infer V)[] ? List<V> : never
}

export function listsOf(kept: KeptFlows): FlowLists {
  const { count, deliveredBytes, endPs, idealFctPs, simulatedPs, startPs, unfinished } = kept
  const each = <T>(of: (row: number) => T): ComputedList<T> => new ComputedList(count, of)
  const words = (of: Words): ComputedList<string> => each((row) => wordAt(of, row))
  return {
    name: each((row) => nameAt(kept.name, row)),
    item: words(kept.item),
    source: words(kept.source),
    target: words(kept.target),
    class: kept.class,
    sizeBytes: kept.sizeBytes,
    startPs,
    endPs,
    fctPs: each((row) => endPs[row]! - startPs[row]!),
    idealFctPs,
    slowdown: each((row) => (endPs[row]! - startPs[row]!) / idealFctPs[row]!),
    deliveredBytes,
    retransmittedPackets: kept.retransmittedPackets,
    notifications: kept.notifications,
    reorderPackets: kept.reorderPackets,
    throughputBps: each((row) => {
      const fromPs = startPs[row]!
      const toPs = Number.isNaN(endPs[row]!) ? simulatedPs : endPs[row]!
      return toPs > fromPs ? (deliveredBytes[row]! * 8e12) / (toPs - fromPs) : NaN
    }),
    unfinished: each((row) => unfinished.get(row) ?? ''),
  }
}

const KEPT = Symbol('kept')
const LISTS = Symbol('lists')

/** What a table of a run has besides its columns; copied by hand or by JSON it has it no more. */
interface Hidden {
  readonly [KEPT]?: KeptFlows
  readonly [LISTS]?: FlowLists
}

/** A table whose columns are arrays. */
export function flowTable(kept: KeptFlows): FlowTable {
  const lists = listsOf(kept)
  const table = Object.defineProperties({}, { [KEPT]: { value: kept }, [LISTS]: { value: lists } })
  for (const [key, list] of Object.entries<List<unknown>>(lists)) {
    const get = (): readonly unknown[] => {
      const value = arrayOf(list)
      const plain = { value, writable: true, enumerable: true, configurable: true }
      Object.defineProperty(table, key, plain)
      return value
    }
    Object.defineProperty(table, key, { get, enumerable: true, configurable: true })
  }
  return table as FlowTable
}

/** Of a plain table its arrays. */
export function flowLists(table: FlowTable): FlowLists {
  return (table as Hidden)[LISTS] ?? table
}

/** What the table was made from; undefined: it is a plain one. */
export function keptFlows(table: FlowTable): KeptFlows | undefined {
  return (table as Hidden)[KEPT]
}

function arrayOf<T>(list: List<T>): readonly T[] {
  const array = new Array<T>(list.length)
  let row = 0
  for (const value of list) array[row++] = value
  return array
}
