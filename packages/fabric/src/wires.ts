/**
 * Wires: what each port has committed, in order, from what its far end has yet to see to the last
 * packet that waits for its turn. An entry says by itself what its sender needs to know of the
 * packet: the record may be in other hands by then.
 *
 * A wire is a ring of entries. Its sender appends (`TAIL`), settles what has left (`SETTLED`, a
 * lane of its port), and may take back what has not begun to leave; its receiver takes what has
 * arrived (`TAKEN`). Neither needs the other's position to decide anything: a ring that is full
 * grows.
 *
 * This file imports types alone, as `ports.ts` does and for its reason.
 */
/** Lanes of an entry in `float`: when the far end sees it, and when its last bit has left. */
export const ARRIVES = 0
export const DEPARTS = 1
/** Lanes of an entry in `int`. */
export const PACKET = 4
export const WIRE_BYTES = 5
/** The ingress, link and class, by which it came to the sender; -1: its own. */
export const WIRE_INGRESS = 6
/** Its class, or `FRAMES`; and, from bit 5 on, the bytes that are no payload. */
export const WIRE_CLASS = 7

/** Lanes of `ends`, `wires.ends[(port << 2) + TAIL]`. */
/** All entries that there have been, the sender's; and those that the receiver has taken. */
export const TAIL = 0
export const TAKEN = 1
/** Where the ring is: its first entry, and in the lowest 5 bits those of its size. The sender's. */
export const RING = 2
/** There is an event for the first entry that is not taken: 1, else 0; or it is `ELSEWHERE`. */
export const AWAITED = 3
/** The far end is run by another thread, which awaits what is handed over to it. */
export const ELSEWHERE = 2

/** Entries of a ring at first: 2 to this power. */
const FIRST_BITS = 1
/** Entries that there is room for at first, per port and at the most, as for packets. */
const PER_PORT = 64
const MOST = 2 ** 22

export class Wires {
  int: Int32Array<ArrayBuffer>
  float: Float64Array<ArrayBuffer>
  /** What both ends know of a wire, in records of four lanes. */
  readonly ends: Int32Array
  /** That event, with cut-through: its entry may be taken back. */
  readonly handle: Int32Array
  /** Entries of the arena in use; and rings given up for larger ones, by bits of their size. */
  #used: number
  readonly #spare: number[][] = []

  constructor(ports: number) {
    this.#used = ports << FIRST_BITS
    const reserved = Math.min(MOST, ports * PER_PORT)
    const buffer = new ArrayBuffer(Math.max(this.#used, reserved) * 32)
    this.int = new Int32Array(buffer)
    this.float = new Float64Array(buffer)
    this.ends = new Int32Array(ports << 2)
    for (let port = 0; port < ports; port++) {
      this.ends[(port << 2) + RING] = (port << (FIRST_BITS + 5)) | FIRST_BITS
    }
    this.handle = new Int32Array(ports)
  }

  static get firstCapacity(): number {
    return 1 << FIRST_BITS
  }

  /**
   * A ring of 2 to the power of `bits` entries, with those from `oldest` up to `tail` of the one
   * before.
   */
  resize(ring: number, bits: number, oldest: number, tail: number): number {
    const other = (this.#take(bits) << 5) | bits
    for (let n = oldest; n !== tail; n = (n + 1) | 0) {
      const from = entryOf(ring, n) << 3
      this.int.copyWithin(entryOf(other, n) << 3, from, from + 8)
    }
    ;(this.#spare[ring & 31] ??= []).push(ring >>> 5)
    return other
  }

  #take(bits: number): number {
    const spare = this.#spare[bits]?.pop()
    if (spare !== undefined) return spare
    const base = this.#used
    this.#used += 1 << bits
    if (this.#used << 3 > this.int.length) {
      const buffer = new ArrayBuffer(Math.max(this.#used << 5, this.int.byteLength * 2))
      const int = new Int32Array(buffer)
      int.set(this.int)
      this.int = int
      this.float = new Float64Array(buffer)
    }
    return base
  }
}

/** Number of the entry that is `n`th of its wire. */
export function entryOf(ring: number, n: number): number {
  return (ring >>> 5) + (n & ((1 << (ring & 31)) - 1))
}
