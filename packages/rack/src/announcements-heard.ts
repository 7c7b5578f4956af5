/**
 * Which announcements of each source have come: the latest number and the 31 before it. A gap may
 * be one that is only late, since announcements take different trees; one that lasts is a loss.
 *
 * Eight bits of a number travel with an announcement, and 24 with digests and snapshots; here
 * they are whole numbers again, each the nearest to the latest that fits. A source is a record of
 * half a cache line: each announcement touches one, at each of many nodes.
 */

const LATEST = 0
/** Bit k: the one that is k before the latest has come. */
const COME = 1
const MISSING_SINCE = 2
const SUSPECT = 3
const LANES = 4

export class AnnouncementsHeard {
  readonly sources: number
  readonly #records: Float64Array

  constructor(sources: number) {
    this.sources = sources
    this.#records = new Float64Array(sources * LANES)
    for (let source = 0; source < sources; source++) this.caughtUp(source, 0)
  }

  /** The latest number of a source; they begin to count at 1. */
  latest(source: number): number {
    return this.#records[source * LANES + LATEST]!
  }

  /** Since when one is missing; Infinity if none is. */
  missingSincePs(source: number): number {
    return this.#records[source * LANES + MISSING_SINCE]!
  }

  /** A digest differs from what is known, and nothing has put it right yet. */
  isSuspect(source: number): boolean {
    return this.#records[source * LANES + SUSPECT] === 1
  }

  suspect(source: number): void {
    this.#records[source * LANES + SUSPECT] = 1
  }

  /** Takes note of one by its last eight bits; returns its number. */
  hear(source: number, low: number, nowPs: number): number {
    const records = this.#records
    const at = source * LANES
    const latest = records[at + LATEST]!
    const ahead = ((low - latest + 128) & 255) - 128
    const number = latest + ahead
    let come = records[at + COME]! | 0
    if (ahead > 0) {
      come = (ahead > 31 ? 0 : come << ahead) | 1
      records[at + LATEST] = number
    } else if (ahead > -32) come |= 1 << -ahead
    records[at + COME] = come
    if (come === -1) records[at + MISSING_SINCE] = Infinity
    else if (records[at + MISSING_SINCE] === Infinity) records[at + MISSING_SINCE] = nowPs
    return number
  }

  /** Everything up to this one is known by other means. */
  caughtUp(source: number, number: number): void {
    const at = source * LANES
    this.#records[at + LATEST] = number
    this.#records[at + COME] = -1
    this.#records[at + MISSING_SINCE] = Infinity
    this.#records[at + SUSPECT] = 0
  }
}
