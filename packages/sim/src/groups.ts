/** Flows taken apart: an incast beside its background, one traffic class beside another. */
import { flowStats, type FlowColumns } from '@weir/metrics'
import type { FlowTable, Group } from './result.ts'

/** How much each flow had delivered in the measured time, by row, and how long any was active. */
export interface Delivered {
  readonly bytes: ArrayLike<number>
  readonly activePs: number
}

/** In the order in which the items stand in the workload. */
export function byItem(
  flows: FlowTable,
  columns: FlowColumns,
  delivered: Delivered,
  names: readonly string[],
): Group[] {
  return groups(flows.item, names, (name) => name, columns, delivered)
}

export function byClass(flows: FlowTable, columns: FlowColumns, delivered: Delivered): Group[] {
  const classes = [...new Set(flows.class)].sort((a, b) => a - b)
  return groups(flows.class, classes, (one) => `class ${one}`, columns, delivered)
}

function groups<K>(
  keys: readonly K[],
  order: readonly K[],
  nameOf: (key: K) => string,
  columns: FlowColumns,
  { bytes, activePs }: Delivered,
): Group[] {
  const members = new Map<K, number[]>(order.map((key) => [key, []]))
  keys.forEach((key, row) => members.get(key)?.push(row))
  return [...members].flatMap(([key, rows]) => {
    if (rows.length === 0) return []
    const sized = rows.filter((row) => columns.sizeBytes[row]! < Infinity)
    const sum = rows.reduce((total, row) => total + bytes[row]!, 0)
    return {
      name: nameOf(key),
      ...flowStats(columns, sized),
      flowsUnsized: rows.length - sized.length,
      goodputBps: activePs > 0 ? (sum * 8e12) / activePs : NaN,
    }
  })
}
