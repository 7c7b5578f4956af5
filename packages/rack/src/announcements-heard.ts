/**
 * Which announcements of each source have come: the latest number and the 31 before it. A gap may
 * be one that is only late, since announcements take different trees; one that lasts is a loss.
 *
 * Eight bits of a number travel with an announcement, and 24 with digests and snapshots; here
 * they are whole numbers again, each the nearest to the latest that fits.
 */

export class AnnouncementsHeard {
  /** The latest number of a source; they begin to count at 1. */
  readonly latest: Int32Array
  /** Since when one is missing; Infinity if none is. */
  readonly missingSincePs: Float64Array
  /** 1: a digest differs from what is known, and nothing has put it right yet. */
  readonly isSuspect: Uint8Array
  /** Bit k: the one that is k before the latest has come. */
  readonly #come: Int32Array

  constructor(sources: number) {
    this.latest = new Int32Array(sources)
    this.missingSincePs = new Float64Array(sources).fill(Infinity)
    this.isSuspect = new Uint8Array(sources)
    this.#come = new Int32Array(sources).fill(-1)
  }

  /** Takes note of one by its last eight bits; returns its number. */
  hear(source: number, low: number, nowPs: number): number {
    const latest = this.latest[source]!
    const ahead = ((low - latest + 128) & 255) - 128
    const number = latest + ahead
    let come = this.#come[source]!
    if (ahead > 0) {
      come = (ahead > 31 ? 0 : come << ahead) | 1
      this.latest[source] = number
    } else if (ahead > -32) come |= 1 << -ahead
    this.#come[source] = come
    if (come === -1) this.missingSincePs[source] = Infinity
    else if (this.missingSincePs[source] === Infinity) this.missingSincePs[source] = nowPs
    return number
  }

  /** Everything up to this one is known by other means. */
  caughtUp(source: number, number: number): void {
    this.latest[source] = number
    this.#come[source] = -1
    this.missingSincePs[source] = Infinity
    this.isSuspect[source] = 0
  }
}
