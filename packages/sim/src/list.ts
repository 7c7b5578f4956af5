/** Columns that are read like arrays and need not be any: kept in fewer bytes, or computed. */

/** What arrays and typed arrays are too. */
export interface List<T> extends Iterable<T> {
  readonly length: number
  at(row: number): T | undefined
}

/** Its values are computed whenever somebody reads them. */
export class ComputedList<T> implements List<T> {
  readonly length: number
  readonly #of: (row: number) => T

  constructor(length: number, of: (row: number) => T) {
    this.length = length
    this.#of = of
  }

  at(row: number): T | undefined {
    const from = row < 0 ? row + this.length : row
    return from >= 0 && from < this.length ? this.#of(from) : undefined
  }

  *[Symbol.iterator](): Generator<T> {
    for (let row = 0; row < this.length; row++) yield this.#of(row)
  }
}
