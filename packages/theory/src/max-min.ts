/**
 * Exact max-min fair rates of flows with one path each: no flow can get more without taking it from
 * one that has no more (D. Bertsekas and R. Gallager, "Data Networks", §6.5.2). It is what a
 * perfect congestion control would reach, and what runs are held against. The special case of
 * water-filling in which a link carries the whole of each flow that crosses it.
 */
import type { Allocation } from './water-filling.ts'
import { waterFill } from './water-filling.ts'

export interface MaxMinOptions {
  /** Of each flow: the rate that it never exceeds; Infinity or left out: none. */
  readonly demandsBps?: ArrayLike<number>
  /** Of each flow: its share relative to others; 1 each if left out. */
  readonly weights?: ArrayLike<number>
}

/** `paths` holds, for each flow, the indices of the links that it crosses. */
export function maxMin(
  capacitiesBps: ArrayLike<number>,
  paths: readonly (readonly number[])[],
  { demandsBps, weights }: MaxMinOptions = {},
): Allocation {
  const flows = paths.map((links, i) => ({
    links,
    weight: weights?.[i] ?? 1,
    demandBps: demandsBps?.[i] ?? Infinity,
  }))
  return waterFill(capacitiesBps, flows)
}
