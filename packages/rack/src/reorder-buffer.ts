/**
 * Puts the packets of a flow in order again: sprayed packets overtake each other. R2C2 has no
 * retransmission, so a packet that does not come would hold up all that follow: beyond a bound, or
 * when its flow is silent, the gap is given up. `packetsMax` is how many ever waited at once (P.
 * Costa et al., "R2C2", SIGCOMM 2015, section 5.2: 51 at most, 30 at the 95th percentile). Numbers
 * of packets go round after 2^32, an hour and a half at 10 Gb/s: each is the one nearest to the
 * next that is due.
 */
export class ReorderBuffer {
  /** Packets that were given up. */
  lost = 0
  /** Most packets that ever waited. */
  packetsMax = 0
  /** When a packet last came. */
  heardPs = 0
  readonly #bound: number
  readonly #waiting = new Map<number, Uint8Array>()
  #next = 0

  constructor(bound = 256) {
    this.#bound = bound
  }

  /** The payloads that can go on, in order; none if one before them is missing. */
  take(number: number, payload: Uint8Array, nowPs: number): Uint8Array[] {
    this.heardPs = nowPs
    const sequence = this.#next + ((number - this.#next) | 0)
    if (sequence < this.#next || this.#waiting.has(sequence)) return []
    this.#waiting.set(sequence, payload)
    if (sequence !== this.#next && this.#waiting.size > this.#bound) {
      const oldest = Math.min(...this.#waiting.keys())
      this.lost += oldest - this.#next
      this.#next = oldest
    }
    return this.#ready()
  }

  /** Whatever has come, without what is missing. */
  giveUp(): Uint8Array[] {
    const ready: Uint8Array[] = []
    while (this.#waiting.size > 0) {
      const oldest = Math.min(...this.#waiting.keys())
      this.lost += oldest - this.#next
      this.#next = oldest
      ready.push(...this.#ready())
    }
    return ready
  }

  #ready(): Uint8Array[] {
    const ready: Uint8Array[] = []
    for (let bytes = this.#waiting.get(this.#next); bytes !== undefined;) {
      ready.push(bytes)
      this.#waiting.delete(this.#next++)
      bytes = this.#waiting.get(this.#next)
    }
    this.packetsMax = Math.max(this.packetsMax, this.#waiting.size)
    return ready
  }
}
