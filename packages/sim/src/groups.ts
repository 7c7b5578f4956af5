/** Flows taken apart: an incast beside its background, one traffic class beside another. */
import { flowStats, type FlowColumns } from '@weir/metrics'
import type { FlowLists } from './flow-table.ts'
import type { List } from './list.ts'
import type { Group } from './result.ts'

/** How much each flow had delivered in the measured time, by row, and how long any was active. */
export interface Delivered {
  readonly bytes: ArrayLike<number>
  readonly activePs: number
}

/** In the order in which the items stand in the workload. */
export function byItem(
  flows: FlowLists,
  columns: FlowColumns,
  delivered: Delivered,
  names: readonly string[],
): Group[] {
  return groups(flows.item, names, (name) => name, columns, delivered)
}

export function byClass(flows: FlowLists, columns: FlowColumns, delivered: Delivered): Group[] {
  const classes = [...new Set(flows.class)].sort((a, b) => a - b)
  return groups(flows.class, classes, (one) => `class ${one}`, columns, delivered)
}

function groups<K>(
  keys: List<K>,
  order: readonly K[],
  nameOf: (key: K) => string,
  columns: FlowColumns,
  { bytes, activePs }: Delivered,
): Group[] {
  const counts = new Map<K, number>(order.map((key) => [key, 0]))
  for (const key of keys) {
    const count = counts.get(key)
    if (count !== undefined) counts.set(key, count + 1)
  }
  const members = new Map<K, Members>()
  for (const [key, count] of counts) if (count > 0) members.set(key, new Members(count))
  let row = 0
  for (const key of keys) {
    members.get(key)?.add(row, columns.sizeBytes[row]! < Infinity, bytes[row]!)
    row++
  }
  return Array.from(members, ([key, { count, sized, sum }]) => ({
    name: nameOf(key),
    ...flowStats(columns, sized),
    flowsUnsized: count - sized.length,
    goodputBps: activePs > 0 ? (sum * 8e12) / activePs : NaN,
  }))
}

/** Flows of one group. */
class Members {
  readonly count: number
  /** Delivered by all of them. */
  sum: number = 0
  /** Rows of those with a size, of which `#sized` are known. */
  readonly #rows: Uint32Array
  #sized: number = 0

  constructor(count: number) {
    this.count = count
    this.#rows = new Uint32Array(count)
  }

  get sized(): Uint32Array {
    return this.#rows.subarray(0, this.#sized)
  }

  add(row: number, hasSize: boolean, bytes: number): void {
    this.sum += bytes
    if (hasSize) this.#rows[this.#sized++] = row
  }
}
