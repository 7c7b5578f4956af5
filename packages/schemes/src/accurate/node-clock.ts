/**
 * A node's copy of the common RRP clock (ACCurate, section V: 50 kHz, good to about 2 us): a
 * constant offset and a jitter of each tick, both drawn once and for all from the seed, so that
 * every port of a node, and its flows, tick together.
 */

export interface ClockSettings {
  readonly rrpPs: number
  /** Offsets of nodes lie in 0..skew, the jitter of each tick in 0..jitter. */
  readonly skewPs: number
  readonly jitterPs: number
}

export class NodeClock {
  readonly #s: ClockSettings
  readonly #offsetPs: number
  readonly #seed: number

  constructor(settings: ClockSettings, seed: number) {
    this.#s = settings
    this.#seed = seed
    this.#offsetPs = Math.floor(fraction(seed, 0) * settings.skewPs)
  }

  /** When period k begins. */
  tickPs(k: number): number {
    const { rrpPs, jitterPs } = this.#s
    const jitter = jitterPs > 0 ? Math.floor(fraction(this.#seed, k + 1) * jitterPs) : 0
    return k * rrpPs + this.#offsetPs + jitter
  }

  /** The period that `nowPs` lies in; -1 before the first. */
  periodAt(nowPs: number): number {
    const { rrpPs, jitterPs } = this.#s
    let k = Math.floor((nowPs - this.#offsetPs - jitterPs) / rrpPs)
    while (this.tickPs(k + 1) <= nowPs) k++
    return k
  }
}

/** Uniform in [0, 1) from two integers: the finalizer of MurmurHash3. */
function fraction(seed: number, index: number): number {
  let h = (seed ^ Math.imul(index + 1, 0x9e3779b9)) | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}
