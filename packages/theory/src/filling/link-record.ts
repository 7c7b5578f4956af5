/**
 * A link is a record of eight numbers, one cache line, since a computation touches many links
 * briefly: capacity, load of all flows, how many have their bottleneck here; and of the set that is
 * filled: what is left for it, the weight of the flows that rise, how many there are, one of them,
 * and the computation that this is of.
 */
export const RECORD = 8
export const CAPACITY = 0
export const LOAD = 1
export const LEFT = 2
export const WEIGHT = 3
export const HELD = 4
export const RISING = 5
export const LAST = 6
export const STAMP = 7

/**
 * A layer that keeps rates within a tolerance remembers in the last two how high the flows stand
 * that a link holds (Infinity: it holds nobody), and their weight on it.
 */
export const WATER = 6
export const HELD_WEIGHT = 7
