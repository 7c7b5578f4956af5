/**
 * Which announcements of each source have come: the latest number and the 31 before it. A gap may
 * be one that is only late, since announcements take different trees; one that lasts is a loss.
 *
 * Eight bits of a number travel with an announcement, and 24 with digests and snapshots; here
 * they are whole numbers again, each the nearest to the latest that fits. A source is a record of
 * a quarter of a cache line: each announcement touches one, at each of many nodes.
 */

/** Lanes of a record: two words, then a time. */
const LATEST = 0
/** Bit k: the one that is k before the latest has come. */
const COME = 1
const WORDS = 4
const MISSING_SINCE = 1
const TIMES = 2
const RECORD_BYTES = 16

export class AnnouncementsHeard {
  readonly sources: number
  readonly #words: Int32Array
  readonly #times: Float64Array
  /** A digest differs from what is known, and nothing has put it right yet. */
  readonly #isSuspect: Uint8Array

  constructor(sources: number) {
    const buffer = new ArrayBuffer(sources * RECORD_BYTES)
    this.sources = sources
    this.#words = new Int32Array(buffer)
    this.#times = new Float64Array(buffer)
    this.#isSuspect = new Uint8Array(sources)
    for (let source = 0; source < sources; source++) this.caughtUp(source, 0)
  }

  /** The latest number of a source; they begin to count at 1. */
  latest(source: number): number {
    return this.#words[source * WORDS + LATEST]!
  }

  /** Since when one is missing; Infinity if none is. */
  missingSincePs(source: number): number {
    return this.#times[source * TIMES + MISSING_SINCE]!
  }

  isSuspect(source: number): boolean {
    return this.#isSuspect[source] === 1
  }

  suspect(source: number): void {
    this.#isSuspect[source] = 1
  }

  /** Takes note of one by its last eight bits; returns its number. */
  hear(source: number, low: number, nowPs: number): number {
    const words = this.#words
    const times = this.#times
    const at = source * WORDS
    const since = source * TIMES + MISSING_SINCE
    const latest = words[at + LATEST]!
    const ahead = ((low - latest + 128) & 255) - 128
    const number = latest + ahead
    let come = words[at + COME]!
    if (ahead > 0) {
      come = (ahead > 31 ? 0 : come << ahead) | 1
      words[at + LATEST] = number
    } else if (ahead > -32) come |= 1 << -ahead
    words[at + COME] = come
    if (come === -1) times[since] = Infinity
    else if (times[since] === Infinity) times[since] = nowPs
    return number
  }

  /** Everything up to this one is known by other means. */
  caughtUp(source: number, number: number): void {
    this.#words[source * WORDS + LATEST] = number
    this.#words[source * WORDS + COME] = -1
    this.#times[source * TIMES + MISSING_SINCE] = Infinity
    this.#isSuspect[source] = 0
  }
}
