/**
 * Which announcements of each source have come: the latest number and the 31 before it. A gap may
 * be one that is only late, since announcements take different trees; one that lasts is a loss.
 *
 * Eight bits of a number travel with an announcement, and 24 with digests and snapshots; here
 * they are whole numbers again, each the nearest to the latest that fits.
 *
 * Nearly always the next one comes, and nothing is missing. So that a simulator of many nodes does
 * little then, their latest numbers of one source are side by side (`LatestHeard`): a broadcast
 * touches the same few cache lines at all of them. What is missing is kept apart.
 */

/** The latest number of each source that each of several nodes has heard. */
export class LatestHeard {
  readonly sources: number
  readonly members: number
  /** By source, then by member: the number twice, and one more if something is missing. */
  readonly words: Uint32Array

  constructor(sources: number, members: number = 1) {
    this.sources = sources
    this.members = members
    this.words = new Uint32Array(sources * members)
  }
}

interface Gap {
  /** Bit k: the one that is k before the latest has come. */
  come: number
  readonly sincePs: number
}

export class AnnouncementsHeard {
  readonly #latest: Uint32Array
  readonly #members: number
  readonly #member: number
  readonly #gaps = new Map<number, Gap>()
  /** A digest differs from what is known, and nothing has put it right yet. */
  readonly #suspects = new Set<number>()

  constructor({ words, members }: LatestHeard, member: number = 0) {
    this.#latest = words
    this.#members = members
    this.#member = member
  }

  /** The latest number of a source; they begin to count at 1. */
  latest(source: number): number {
    return this.#latest[this.#at(source)]! >>> 1
  }

  /** Since when one is missing; Infinity if none is. */
  missingSincePs(source: number): number {
    return this.#gaps.size === 0 ? Infinity : (this.#gaps.get(source)?.sincePs ?? Infinity)
  }

  /** Sources of which something is amiss, in the order of their numbers. */
  amiss(): number[] {
    return [...new Set([...this.#gaps.keys(), ...this.#suspects])].sort((a, b) => a - b)
  }

  isSuspect(source: number): boolean {
    return this.#suspects.has(source)
  }

  suspect(source: number): void {
    this.#suspects.add(source)
  }

  /** Takes note of one by its last eight bits; returns its number. */
  hear(source: number, low: number, nowPs: number): number {
    const at = this.#at(source)
    const word = this.#latest[at]!
    if ((word & 1) === 0 && (((word >>> 1) + 1) & 255) === low) {
      this.#latest[at] = word + 2
      return (word >>> 1) + 1
    }
    return this.#hearOther(source, low, nowPs)
  }

  /** Not the next one, or something is missing. */
  #hearOther(source: number, low: number, nowPs: number): number {
    const latest = this.latest(source)
    const ahead = ((low - latest + 128) & 255) - 128
    const gap = this.#gaps.get(source)
    let come = gap?.come ?? -1
    if (ahead > 0) come = (ahead > 31 ? 0 : come << ahead) | 1
    else if (ahead > -32) come |= 1 << -ahead
    if (come === -1) this.#gaps.delete(source)
    else if (gap !== undefined) gap.come = come
    else this.#gaps.set(source, { come, sincePs: nowPs })
    this.#latest[this.#at(source)] = 2 * Math.max(latest, latest + ahead) + (come === -1 ? 0 : 1)
    return latest + ahead
  }

  /** Everything up to this one is known by other means. */
  caughtUp(source: number, number: number): void {
    this.#latest[this.#at(source)] = 2 * number
    this.#gaps.delete(source)
    this.#suspects.delete(source)
  }

  #at(source: number): number {
    return source * this.#members + this.#member
  }
}
