/** Orders in which dimensions may be taken, and choices that may be made in each: few of them. */
export function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  )
}

/** All ways to take one item of each list. */
export function product<T>(lists: readonly (readonly T[])[]): T[][] {
  return lists.reduce<T[][]>(
    (some, list) => some.flatMap((head) => list.map((item) => [...head, item])),
    [[]],
  )
}
