/**
 * A fingerprint of a trajectory: 64 bits that change if any packet arrives anywhere else or at
 * another time. Two 32-bit lanes of multiply-and-rotate (the round of MurmurHash3), integer
 * arithmetic only. It is no cryptographic hash. A few nanoseconds a call; allocates nothing.
 */
export class Fingerprint {
  #a: number = 0x243f6a88
  #b: number = 0x13198a2e

  /** Mixes in a time (ps, below 2^53; its low 32 bits) and two integers. */
  add(timePs: number, x: number, y: number): void {
    let a = this.#a
    let b = this.#b
    a = Math.imul(a ^ (timePs | 0), 0xcc9e2d51)
    a = ((a << 15) | (a >>> 17)) + x
    b = Math.imul(b ^ y ^ a, 0x1b873593)
    b = (b << 13) | (b >>> 19)
    this.#a = (a + b) | 0
    this.#b = b
  }

  /** Sixteen hex digits. */
  toString(): string {
    return hex(this.#a) + hex(this.#b)
  }
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}
