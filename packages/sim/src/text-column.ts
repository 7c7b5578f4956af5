/**
 * Columns of texts, each row of which is a number or two: a million names as strings are 32 MB, and
 * each list of a million strings 8 MB more.
 */

/** Texts that recur, such as hosts; plain values, which can be sent to a thread. */
export interface Words {
  readonly words: readonly string[]
  /** By row: which of them. */
  readonly numbers: Uint32Array
}

export function wordAt({ words, numbers }: Words, row: number): string {
  return words[numbers[row]!]!
}

/** Names, most of which end in a number: f0, f1, ..., websearch.0 ... */
export interface Names {
  /** All before the number. */
  readonly heads: Words
  /** By row; NONE: it ends in no number. */
  readonly numbers: Uint32Array
}

export function nameAt({ heads, numbers }: Names, row: number): string {
  const number = numbers[row]!
  return number === NONE ? wordAt(heads, row) : `${wordAt(heads, row)}${number}`
}

const NONE = 0xffffffff
/** Numbers of so many digits are below NONE. */
const DIGITS_MAX = 9
/** More different words hardly recur: to look for them would take more than they do. */
const WORDS_KNOWN = 100_000

export class WordColumn {
  length: number = 0
  /** Only ever longer: who has looked at it may keep it. */
  readonly words: string[] = []
  numbers: Uint32Array
  readonly #known: Map<string, number> = new Map()

  constructor(rows: number) {
    this.numbers = new Uint32Array(rows)
  }

  push(word: string): void {
    const row = this.length++
    if (row === this.numbers.length) this.numbers = grown(this.numbers)
    this.numbers[row] = this.#numberOf(word)
  }

  at(row: number): string {
    return wordAt(this, row)
  }

  #numberOf(word: string): number {
    const known = this.#known.get(word)
    if (known !== undefined) return known
    const number = this.words.push(word) - 1
    if (this.#known.size < WORDS_KNOWN) this.#known.set(word, number)
    return number
  }
}

export class NameColumn {
  readonly heads: WordColumn
  numbers: Uint32Array

  constructor(rows: number) {
    this.heads = new WordColumn(rows)
    this.numbers = new Uint32Array(rows)
  }

  push(name: string): void {
    const row = this.heads.length
    if (row === this.numbers.length) this.numbers = grown(this.numbers)
    const from = numberFrom(name)
    this.heads.push(name.slice(0, from))
    this.numbers[row] = from === name.length ? NONE : Number(name.slice(from))
  }

  at(row: number): string {
    return nameAt(this, row)
  }
}

/** Where the number at the end of a name begins that would be written as it is there. */
function numberFrom(name: string): number {
  let from = name.length
  const least = Math.max(0, name.length - DIGITS_MAX)
  while (from > least && isDigit(name, from - 1)) from--
  // Of '007' only the 7 is a number.
  while (from < name.length - 1 && name[from] === '0') from++
  return from
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function grown(column: Uint32Array): Uint32Array {
  const more = new Uint32Array(2 * column.length)
  more.set(column)
  return more
}
