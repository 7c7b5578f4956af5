/**
 * The spread: what chooses a path for each packet of one flow, at its sender, and hears what became
 * of them. One object per flow. It does not know paths, only entropy values, as a sender that
 * writes another UDP port into each packet does: equal values take the same path, others perhaps
 * not. The acknowledgement of a packet says its value again.
 */
import type { Random } from '@weir/engine'

export interface SpreadContext {
  /** A stream of this flow's own. */
  readonly random: Random
  /** Its nodes. */
  readonly source: number
  readonly target: number
  /** Full packets that a round trip on the empty fabric holds, at line rate; at least 1. */
  readonly windowPackets: number
}

export interface Spread {
  /** The value of the next packet: 0 .. ENTROPIES - 1. */
  next(nowPs: number): number
  /** A packet of this value has arrived; `isMarked`: it met congestion, or lost its payload. */
  onAck(entropy: number, isMarked: boolean, nowPs: number): void
  /** Something was lost, and nobody knows on which path. */
  onLoss(nowPs: number): void
}

/** Values that a sender may write, at most: those of a 16-bit port. */
export const ENTROPIES = 65536
