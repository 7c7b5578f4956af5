/**
 * A fingerprint of a trajectory: 64 bits that change if any packet arrives anywhere else or at
 * another time. Each node mixes what it sees, in its own order; the fingerprint is the sum over
 * nodes. So it does not depend on the order in which nodes that cannot see each other act, only on
 * what each of them saw.
 *
 * Two 32-bit lanes per node of multiply-and-rotate (the round of MurmurHash3), integer arithmetic
 * only. It is no cryptographic hash. A few nanoseconds a call; allocates nothing.
 */
import type { Account } from './team.ts'

export class Fingerprint {
  readonly #lanes: Int32Array

  constructor(nodes: number) {
    this.#lanes = new Int32Array(2 * nodes)
    // Nodes begin differently, so that two of them cannot change places unseen.
    for (let node = 0; node < nodes; node++) {
      this.#lanes[2 * node] = 0x243f6a88 ^ Math.imul(node, 0x9e3779b1)
      this.#lanes[2 * node + 1] = 0x13198a2e ^ Math.imul(node, 0x85ebca6b)
    }
  }

  /** Mixes into a node's lanes a time (ps, below 2^53; its low 32 bits) and two integers. */
  add(node: number, timePs: number, x: number, y: number): void {
    const lanes = this.#lanes
    let a = lanes[2 * node]
    let b = lanes[2 * node + 1]
    a = Math.imul(a ^ (timePs | 0), 0xcc9e2d51)
    a = ((a << 15) | (a >>> 17)) + x
    b = Math.imul(b ^ y ^ a, 0x1b873593)
    b = (b << 13) | (b >>> 19)
    lanes[2 * node] = a + b
    lanes[2 * node + 1] = b
  }

  /** What one node has seen, for finding where two runs part: sixteen hex digits. */
  ofNode(node: number): string {
    return hex(this.#lanes[2 * node]) + hex(this.#lanes[2 * node + 1])
  }

  /** What this thread's nodes have seen; and what others' have, to be added to it. */
  account(isMine: (node: number) => boolean): Account {
    const lanes = this.#lanes
    // Nodes that others run have seen nothing here: only what their own thread says counts.
    const isOurs = lanes.map((_, i) => (isMine(i >> 1) ? 1 : 0))
    const begun = new Uint8Array(lanes.length)
    return {
      read: () => lanes.map((lane, i) => (isOurs[i] === 1 ? lane : 0)),
      add: (words) => {
        words.forEach((word, i) => {
          if (isOurs[i] === 1 || word === 0) return
          lanes[i] = begun[i] === 1 ? lanes[i] + word : word
          begun[i] = 1
        })
      },
    }
  }

  /** Sixteen hex digits. */
  toString(): string {
    let a = 0
    let b = 0
    for (let i = 0; i < this.#lanes.length; i += 2) {
      a = (a + this.#lanes[i]) | 0
      b = (b + this.#lanes[i + 1]) | 0
    }
    return hex(a) + hex(b)
  }
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}
