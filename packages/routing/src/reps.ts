/**
 * REPS, recycled entropy packet spraying: a sender writes an entropy value into each packet, by
 * which switches hash it to a path; values whose packets came through without a mark are used
 * again, those that met congestion are forgotten.
 *
 * T. Bonato et al., "REPS: Recycled Entropy Packet Spraying for Adaptive Load Balancing and Failure
 * Mitigation", 2024. Of a flow 8 values are kept; the packets of the first round trip draw theirs.
 * After a timeout the sender is frozen for a while: rather than draw values that may lead into the
 * failure it repeats old ones that once came through. That time is ours: five timeouts are too long
 * for the fabrics here, so it is a parameter. The paper's text was not at hand: the abstract and
 * the size of the buffer were looked up, the rest is from memory.
 *
 * Needs ECN marks (or trimmed packets) to see congestion, and ACKs of each packet; with one ACK for
 * several the latest packet's value comes back. Put a transport behind it that takes packets in any
 * order.
 */
import { ENTROPIES } from '@weir/fabric'
import type { Graph, IsDown, Routing, RoutingKind, Spread, SpreadContext } from '@weir/fabric'
import { as, count, is, otherwise, section, time } from '@weir/engine/codec'
import { hashedPath } from './ecmp.ts'
import { flowHash } from './flow-hash.ts'
import { NextHops } from './next-hops.ts'
import { sprayed } from './packet-spray.ts'

export interface RepsParams {
  readonly hashSeed: number
  /** Values that a sender keeps. */
  readonly kept: number
  readonly frozenPs: number
}

export const reps: RoutingKind<RepsParams> = {
  name: 'reps',
  summary: 'each packet takes a path that lately was free, or a random one (REPS)',
  codec: section('REPS routing', {
    kind: is('reps'),
    hashSeed: otherwise(count(0, 2 ** 31 - 1, 1), 1),
    kept: otherwise(count(1, 1024, 8), 8),
    frozenPs: as('frozen', otherwise(time(), '1ms')),
  }),
  reorders: true,
  create(graph: Graph, { frozenPs, hashSeed, kept }: RepsParams, isDown?: IsDown): Routing {
    const nextHops = new NextHops(graph, isDown)
    return {
      ...sprayed('reps', nextHops, 'ports'),
      path: (source, target, flowKey, entropy = 0) =>
        hashedPath(nextHops, source, target, flowHash(flowKey, entropy, hashSeed), hashSeed),
      spread: (context) => new RecycledEntropies(context, kept, frozenPs),
    }
  },
}

export class RecycledEntropies implements Spread {
  readonly #context: SpreadContext
  readonly #frozenPs: number
  /** A ring of values, the next to be written at `#head`; the latest `#fresh` are unused. */
  readonly #values: Int32Array
  #head: number = 0
  #fresh: number = 0
  #known: number = 0
  /** Packets that still explore. */
  #exploring: number
  #frozenUntilPs: number = -Infinity

  constructor(context: SpreadContext, kept: number, frozenPs: number) {
    this.#context = context
    this.#frozenPs = frozenPs
    this.#values = new Int32Array(kept)
    this.#exploring = context.windowPackets
  }

  next(nowPs: number): number {
    const values = this.#values
    if (this.#exploring > 0) {
      this.#exploring--
      return this.#draw()
    }
    if (this.#fresh > 0) {
      // The oldest of those that have not been used again.
      const at = (this.#head - this.#fresh + values.length) % values.length
      this.#fresh--
      return values[at]!
    }
    if (nowPs >= this.#frozenUntilPs || this.#known === 0) return this.#draw()
    const value = values[this.#head % this.#known]!
    this.#head = (this.#head + 1) % this.#known
    return value
  }

  onAck(entropy: number, isMarked: boolean): void {
    if (isMarked) return
    const values = this.#values
    values[this.#head] = entropy
    this.#head = (this.#head + 1) % values.length
    this.#fresh = Math.min(this.#fresh + 1, values.length)
    this.#known = Math.min(this.#known + 1, values.length)
  }

  onLoss(nowPs: number): void {
    if (nowPs < this.#frozenUntilPs) return
    this.#frozenUntilPs = nowPs + this.#frozenPs
    this.#exploring = 0
  }

  #draw(): number {
    return this.#context.random.below(ENTROPIES)
  }
}
