import type { Incidence } from './incidence.ts'

/**
 * The level at which a link is full if a newcomer takes part in it and those who stand higher come
 * down to it; those who stand lower stay. Rises from 0 to the answer in as many steps as there are
 * levels below it.
 */
export function sharedLevel(
  { heads, next, owners, shares }: Incidence,
  levels: readonly number[],
  link: number,
  capacity: number,
  share: number,
  newcomer: number,
): number {
  let level = 0
  for (;;) {
    let left = capacity
    let weight = share
    for (let entry = heads[link]!; entry >= 0; entry = next[entry]!) {
      const other = owners[entry]!
      if (other === newcomer) continue
      if (levels[other]! <= level) left -= shares[entry]! * levels[other]!
      else weight += shares[entry]!
    }
    const risen = left / weight
    if (!(risen > level)) return level
    level = risen
  }
}
