/**
 * Announcements written down once for all nodes that hear them, and what each of those has heard
 * and not taken in yet. A simulator of 512 nodes has each announcement come to 512 traffic
 * matrices, of which none is in the cache; a node looks at its own a few times per millisecond. So
 * hearing is a note in the node's journal, eight bytes behind the last one, and a matrix takes its
 * notes in when somebody asks it, all at once, while it is in the cache.
 */

/** Lanes of a record of the log. NUMBER is signed. */
export const KEY = 0
export const WORD = 1
export const DEMAND = 2
export const NUMBER = 3
export const IS_END = 4
const LANES = 8

const RECORDS = 8192
/** Where to look for a record that may be there already. */
const SLOTS = 1024
const FIRST_NOTES = 16
const MOST_NOTES = 512
/** Notes say how long after the first of them they are, in ps. */
const SPAN_PS = 2 ** 32

export class AnnouncementLog {
  readonly words: Uint32Array = new Uint32Array(RECORDS * LANES)
  readonly numbers: Int32Array = new Int32Array(this.words.buffer)
  readonly #slots = new Int32Array(SLOTS).fill(-1)
  readonly #readers: (() => void)[] = []
  #records = 0

  /** `takeIn`: its notes are about to mean nothing. */
  join(takeIn: () => void): void {
    this.#readers.push(takeIn)
  }

  /** Where the record of an announcement begins. */
  add(key: number, word: number, demand: number, number: number, isEnd: 0 | 1): number {
    const { words } = this
    const slot = ((key >>> 16) * 31 + number) & (SLOTS - 1)
    const known = this.#slots[slot]!
    if (
      known >= 0 &&
      words[known + KEY] === key &&
      this.numbers[known + NUMBER] === number &&
      words[known + WORD] === word &&
      words[known + DEMAND] === demand &&
      words[known + IS_END] === isEnd
    ) {
      return known
    }
    if (this.#records === RECORDS) this.#beginAnew()
    const at = this.#records++ * LANES
    words[at + KEY] = key
    words[at + WORD] = word
    words[at + DEMAND] = demand
    this.numbers[at + NUMBER] = number
    words[at + IS_END] = isEnd
    this.#slots[slot] = at
    return at
  }

  #beginAnew(): void {
    for (const takeIn of this.#readers) takeIn()
    this.#records = 0
    this.#slots.fill(-1)
  }
}

/** What one node has heard and not taken in. */
export class Journal {
  readonly log: AnnouncementLog
  length = 0
  #firstPs = 0
  /** Where the record is, and when it was heard. */
  #notes = new Uint32Array(2 * FIRST_NOTES)

  constructor(log: AnnouncementLog) {
    this.log = log
  }

  /** One more may be noted at this time. */
  hasRoom(nowPs: number): boolean {
    return this.length < MOST_NOTES && (this.length === 0 || nowPs - this.#firstPs < SPAN_PS)
  }

  note(record: number, nowPs: number): void {
    if (this.length === 0) this.#firstPs = nowPs
    const at = 2 * this.length++
    if (at === this.#notes.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#notes)
      this.#notes = larger
    }
    this.#notes[at] = record
    this.#notes[at + 1] = nowPs - this.#firstPs
  }

  record(note: number): number {
    return this.#notes[2 * note]!
  }

  heardPs(note: number): number {
    return this.#firstPs + this.#notes[2 * note + 1]!
  }

  clear(): void {
    this.length = 0
  }
}
