/**
 * Announcements written down once for all nodes that hear them, and what each of those has heard
 * and not taken in yet. A simulator of 512 nodes has each announcement come to 512 traffic
 * matrices, of which none is in the cache; a node looks at its own a few times per millisecond. So
 * hearing is a note of eight bytes behind the node's last one, and a matrix takes its notes in when
 * somebody asks it, all at once, while it is in the cache.
 */

/** Lanes of a record of the log. NUMBER is signed. */
export const KEY = 0
export const WORD = 1
export const DEMAND = 2
export const NUMBER = 3
export const IS_END = 4
const LANES = 8
/** Of a note, beside where its record begins: everything that its source said before has come. */
export const IN_ORDER = 1

const RECORDS = 8192
/** Where to look for a record that may be there already. */
const SLOTS = 1024
/** Of each node, before it takes them in. */
const MOST_NOTES = 512
/** Members differ by up to so many, or all would take theirs in with the same announcement. */
const SPREAD = 128
/** Notes say how long after the first of them they are, in ps. */
const SPAN_PS = 2 ** 32

export class AnnouncementLog {
  readonly words: Uint32Array = new Uint32Array(RECORDS * LANES)
  readonly numbers: Int32Array = new Int32Array(this.words.buffer)
  readonly #slots = new Int32Array(SLOTS).fill(-1)
  readonly #readers: (() => void)[] = []
  #records = 0
  /** By member, side by side: how many notes it has, and when it took the first of them. */
  readonly #noted: Int32Array
  readonly #firstPs: Float64Array
  /** Where the record is, and when it was heard. */
  readonly #notes: Uint32Array

  constructor(members: number = 1) {
    this.#noted = new Int32Array(members)
    this.#firstPs = new Float64Array(members)
    this.#notes = new Uint32Array(2 * MOST_NOTES * members)
  }

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

  /** A member may take one more note at this time. */
  hasRoom(member: number, nowPs: number): boolean {
    const noted = this.#noted[member]!
    const most = MOST_NOTES - (member & (SPREAD - 1))
    return noted === 0 || (noted < most && nowPs - this.#firstPs[member]! < SPAN_PS)
  }

  note(member: number, record: number, nowPs: number, order: 0 | typeof IN_ORDER = 0): void {
    const noted = this.#noted[member]!++
    if (noted === 0) this.#firstPs[member] = nowPs
    const at = 2 * (member * MOST_NOTES + noted)
    this.#notes[at] = record | order
    this.#notes[at + 1] = nowPs - this.#firstPs[member]!
  }

  noted(member: number): number {
    return this.#noted[member]!
  }

  /** Where the record of a member's note begins, with IN_ORDER or without. */
  noteOf(member: number, note: number): number {
    return this.#notes[2 * (member * MOST_NOTES + note)]!
  }

  /** When a note was taken. */
  heardPs(member: number, note: number): number {
    return this.#firstPs[member]! + this.#notes[2 * (member * MOST_NOTES + note) + 1]!
  }

  /** A member has taken its notes in. */
  clear(member: number): void {
    this.#noted[member] = 0
  }

  #beginAnew(): void {
    for (const takeIn of this.#readers) takeIn()
    this.#records = 0
    this.#slots.fill(-1)
  }
}
