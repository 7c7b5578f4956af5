/**
 * Which announcements of a source have come: the latest number and the 31 before it. A gap may be
 * one that is only late, since announcements take different trees; one that lasts is a loss.
 *
 * Eight bits of a number travel with an announcement, and 24 with digests and snapshots; here
 * they are whole numbers again, each the nearest to the latest that fits.
 */

export class AnnouncementsHeard {
  /** The latest number; sources begin to count at 1. */
  latest = 0
  /** Since when one is missing; Infinity if none is. */
  missingSincePs: number = Infinity
  /** A digest differs from what is known, and nothing has put it right yet. */
  isSuspect = false
  /** Bit k: the one that is k before the latest has come. */
  #come = -1

  /** Takes note of one by its last eight bits; returns its number. */
  hear(low: number, nowPs: number): number {
    const ahead = ((low - this.latest + 128) & 255) - 128
    const number = this.latest + ahead
    if (ahead > 0) {
      this.#come = (ahead > 31 ? 0 : this.#come << ahead) | 1
      this.latest = number
    } else if (ahead > -32) this.#come |= 1 << -ahead
    if (this.#come === -1) this.missingSincePs = Infinity
    else if (this.missingSincePs === Infinity) this.missingSincePs = nowPs
    return number
  }

  /** Everything up to this one is known by other means. */
  caughtUp(number: number): void {
    this.latest = number
    this.#come = -1
    this.missingSincePs = Infinity
    this.isSuspect = false
  }
}
