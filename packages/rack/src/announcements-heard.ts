/**
 * Which announcements of each source have come: the latest number and the 31 before it. A gap may
 * be one that is only late, since announcements take different trees; one that lasts is a loss.
 *
 * Eight bits of a number travel with an announcement, and 24 with digests and snapshots; here
 * they are whole numbers again, each the nearest to the latest that fits.
 */
import { COME, LATEST, MISSING_SINCE, RECORD_TIMES, RECORD_WORDS } from './source-records.ts'
import type { SourceRecords } from './source-records.ts'

export class AnnouncementsHeard {
  readonly sources: number
  readonly #words: Uint32Array
  readonly #times: Float64Array
  /** A digest differs from what is known, and nothing has put it right yet. */
  readonly #isSuspect: Uint8Array

  constructor({ sources, words, times }: SourceRecords) {
    this.sources = sources
    this.#words = words
    this.#times = times
    this.#isSuspect = new Uint8Array(sources)
    for (let source = 0; source < sources; source++) this.caughtUp(source, 0)
  }

  /** The latest number of a source; they begin to count at 1. */
  latest(source: number): number {
    return this.#words[source * RECORD_WORDS + LATEST]!
  }

  /** Since when one is missing; Infinity if none is. */
  missingSincePs(source: number): number {
    return this.#times[source * RECORD_TIMES + MISSING_SINCE]!
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
    const at = source * RECORD_WORDS
    const since = source * RECORD_TIMES + MISSING_SINCE
    const latest = words[at + LATEST]!
    const ahead = ((low - latest + 128) & 255) - 128
    const number = latest + ahead
    let come = words[at + COME]! | 0
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
    this.#words[source * RECORD_WORDS + LATEST] = number
    this.#words[source * RECORD_WORDS + COME] = -1
    this.#times[source * RECORD_TIMES + MISSING_SINCE] = Infinity
    this.#isSuspect[source] = 0
  }
}
