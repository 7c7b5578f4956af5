/** Flows in columns, in no order, with a hash that does not depend on it. */
export class FlowColumns {
  count = 0
  hash = 0
  keys: Float64Array = new Float64Array(64)
  words: Float64Array = new Float64Array(64)
  demandsKbps: Float64Array = new Float64Array(64)

  push(key: number, word: number, demandKbps: number): void {
    if (this.count === this.keys.length) {
      this.keys = twice(this.keys)
      this.words = twice(this.words)
      this.demandsKbps = twice(this.demandsKbps)
    }
    this.keys[this.count] = key
    this.words[this.count] = word
    this.demandsKbps[this.count++] = demandKbps
  }
}

function twice(column: Float64Array): Float64Array {
  const larger = new Float64Array(2 * column.length)
  larger.set(column)
  return larger
}
