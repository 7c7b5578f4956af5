/**
 * How high water may stand at a link whose flows, in the order of its entries, have these bounds
 * elsewhere, so that it is full: Infinity if all have their bounds. What flows carry grows ever
 * more slowly with the level, so that Newton's steps come from below after the first, and pass a
 * bound each.
 */
import type { Incidence } from './incidence.ts'

export function waterLevel(
  { heads, next, shares }: Incidence,
  link: number,
  bounds: readonly number[],
  capacity: number,
  guess: number,
): number {
  let total = 0
  let highest = 0
  let i = 0
  for (let entry = heads[link]!; entry >= 0; entry = next[entry]!, i++) {
    total += bounds[i]! * shares[entry]!
    highest = Math.max(highest, bounds[i]!)
  }
  if (total <= capacity) return Infinity
  let level = Math.min(guess, highest)
  if (level === Infinity) level = 0
  for (let isFirst = true; ; isFirst = false) {
    let left = capacity
    let weight = 0
    i = 0
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!, i++) {
      if (bounds[i]! < level) left -= shares[entry]! * bounds[i]!
      else weight += shares[entry]!
    }
    const risen = Math.max(0, left / weight)
    // Above all bounds only by rounding, which leaves no weight.
    if (weight === 0 || (!isFirst && !(risen > level))) return level
    level = risen
  }
}
