/**
 * Lanes by hop: for each output port, the class in which a packet of each class goes on. W. Dally
 * and C. Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", IEEE
 * Transactions on Computers, 1987: a ring whose packets change to a second lane where they cross
 * one chosen link, the dateline, cannot lock up.
 *
 * A switch looks at the map when it has found a packet's output (`switches/forwarding.ts`). A
 * network without such a map has none of this.
 */
import { CLASS } from './packets.ts'
import type { Packets } from './packets.ts'
import { CLASSES } from './ports.ts'
import type { Graph } from './topologies/graph.ts'
import { cubeCoordinates } from './topologies/k-ary-n-cube.ts'

/** `lanes[port * CLASSES + class]`: the class in which it goes on by `port`. */
export type Lanes = Uint8Array

/** The lanes of one kind of traffic, by dimension: before its dateline, and behind. */
export type LanePairs = readonly (readonly [before: number, behind: number])[]

/** The identity: every packet keeps its class. */
export function sameLanes(ports: number): Lanes {
  return Uint8Array.from({ length: ports * CLASSES }, (_, i) => i % CLASSES)
}

/**
 * Datelines of a torus: the wrap-around links. An output of a dimension takes what comes by another
 * one, or from a host, into the dimension's first lane, and across the dateline into its second.
 * Classes that are no traffic's lanes stay what they are.
 */
export function datelines(
  graph: Graph,
  dimensions: readonly number[],
  traffic: readonly LanePairs[],
): Lanes {
  const lanes = sameLanes(graph.links.length * 2)
  const hosts = graph.nodes.length / 2
  graph.links.forEach(({ a, b }, link) => {
    if (a < hosts || b < hosts) return
    const from = cubeCoordinates(a - hosts, dimensions)
    const to = cubeCoordinates(b - hosts, dimensions)
    const dimension = from.findIndex((at, d) => at !== to[d])
    const isAcross = Math.abs((from[dimension] as number) - (to[dimension] as number)) > 1
    for (const pairs of traffic) {
      const [before, behind] = pairs[dimension] as LanePairs[number]
      for (const lane of pairs.flat()) {
        const next = isAcross || lane === behind ? behind : before
        for (const port of [2 * link, 2 * link + 1]) lanes[port * CLASSES + lane] = next
      }
    }
  })
  return lanes
}

/** A packet that a switch sends by `port` goes on in the class that lanes have there. */
export function changeLane(lanes: Lanes, { int }: Packets, port: number, p: number): void {
  int[p + CLASS] = lanes[port * CLASSES + int[p + CLASS]]
}

/** Every class that a packet of one of these may come to travel in. */
export function lanesReached(lanes: Lanes | undefined, classes: Iterable<number>): Set<number> {
  const reached = new Set(classes)
  if (lanes === undefined) return reached
  // A set that grows while it is walked is walked to its end.
  for (const one of reached) {
    for (let i = one; i < lanes.length; i += CLASSES) reached.add(lanes[i])
  }
  return reached
}
