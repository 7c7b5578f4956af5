/**
 * Chance: named, seeded streams. Every consumer of randomness has its own stream, so adding a draw
 * in one place never changes what another place draws. The generator is sfc32 (PractRand passes it;
 * 128 bits of state, integer arithmetic only), seeded by a hash of (seed, name): the same on every
 * machine and in every browser.
 */
import { ln } from './portable-math.ts'

export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  /** `seed` is any integer; `name` says who draws: `marking.leaf0->spine1`. */
  constructor(seed: number, name: string) {
    let h = mix((seed | 0) ^ 0x9e3779b9)
    h = mix(h ^ Math.floor(seed / 4294967296))
    for (let i = 0; i < name.length; i++) h = mix(h ^ Math.imul(name.charCodeAt(i) + i, 0x85ebca6b))
    this.#a = h
    this.#b = mix(h + 1)
    this.#c = mix(h + 2)
    this.#d = 1
    for (let i = 0; i < 12; i++) this.uint32()
  }

  uint32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (this.#c << 21) | (this.#c >>> 11)
    this.#c = (this.#c + t) | 0
    return t >>> 0
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    const high = this.uint32() >>> 5
    const low = this.uint32() >>> 6
    return (high * 67108864 + low) / 9007199254740992
  }

  /** Uniform in 0 .. n-1; n at most 2^32. Bias below 2^-32 is accepted for speed. */
  below(n: number): number {
    return Math.floor((this.uint32() / 4294967296) * n)
  }

  /** Exponential with this mean. */
  exponential(mean: number): number {
    return -mean * ln(1 - this.uniform())
  }

  /** Shuffles in place (Fisher-Yates). */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const held = items[i] as T
      items[i] = items[j] as T
      items[j] = held
    }
    return items
  }
}

/** A uint32 of a name, the same on every machine. */
export function hashOf(name: string): number {
  let h = 0x9e3779b9
  for (let i = 0; i < name.length; i++) h = mix(h ^ Math.imul(name.charCodeAt(i) + i, 0x85ebca6b))
  return h >>> 0
}

/** The finalizer of MurmurHash3: every input bit reaches every output bit. */
function mix(h: number): number {
  h |= 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
