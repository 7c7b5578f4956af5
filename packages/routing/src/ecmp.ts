/**
 * Equal-cost multi-path: a flow keeps to one shortest path, and a hash of it says to which.
 *
 * C. Hopps, "Analysis of an Equal-Cost Multi-Path Algorithm", RFC 2992 (2000): hash-threshold, in
 * which each next hop has an equal region of the hash's range. Each switch hashes for itself
 * (flow-hash.ts), so the choices of the switches on the way are independent. Parallel links are
 * next hops of their own.
 */
import type { Graph, IsDown, Routing, RoutingKind } from '@weir/fabric'
import { count, is, otherwise, section } from '@weir/engine/codec'
import { flowHash } from './flow-hash.ts'
import { NextHops } from './next-hops.ts'

export interface EcmpParams {
  readonly hashSeed: number
}

/** A prime: keys of one flow with different entropy are no other flow's, as far as hashes go. */
const ENTROPY_STRIDE = 1_000_003

export const ecmp: RoutingKind<EcmpParams> = {
  name: 'ecmp',
  summary: 'one shortest path for each flow, chosen switch by switch by a hash of the flow',
  codec: section('ECMP routing', {
    kind: is('ecmp'),
    hashSeed: otherwise(count(0, 2 ** 31 - 1, 1), 1),
  }),
  create(graph: Graph, { hashSeed }: EcmpParams, isDown?: IsDown): Routing {
    const nextHops = new NextHops(graph, isDown)
    return {
      name: 'ecmp',
      perPacket: false,
      path: (source, target, flowKey, entropy = 0) =>
        hashedPath(nextHops, source, target, flowKey + entropy * ENTROPY_STRIDE, hashSeed),
      next() {
        throw new Error('ecmp routes whole flows: ask for a path, not for the next hop of a packet')
      },
    }
  },
}

/** The path that a key is hashed to. */
export function hashedPath(
  nextHops: NextHops,
  source: number,
  target: number,
  key: number,
  hashSeed: number,
): readonly number[] {
  return nextHops.walk(source, target, (node, count) =>
    Math.floor((flowHash(key, node, hashSeed) / 4294967296) * count),
  )
}
