/**
 * What a node keeps of each source, in a record of half a cache line: an announcement touches one,
 * at each of many nodes. Lanes are words, but for the time.
 */
export const RECORD_WORDS = 8
/** How many flows the source has, and their hash. */
export const COUNT = 0
export const HASH = 1
/** The latest number that was heard; bit k: the one that is k before it has come. */
export const LATEST = 2
export const COME = 3
export const RECORD_TIMES = 4
/** Since when an announcement is missing; Infinity if none is. */
export const MISSING_SINCE = 2

export class SourceRecords {
  readonly sources: number
  readonly words: Uint32Array
  readonly times: Float64Array

  constructor(sources: number) {
    this.sources = sources
    this.words = new Uint32Array(sources * RECORD_WORDS)
    this.times = new Float64Array(this.words.buffer)
  }
}
