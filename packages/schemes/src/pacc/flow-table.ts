/**
 * PACC's flow table (Table I): one entry for each source and target that an output carries, with
 * the bytes and the congested packets of this period, and the CNPs that are due.
 *
 * Entries are rows of columns, found by their key; a row that is struck out is used again. The key
 * is the pair of addresses, as in the paper, so that flows of one pair share an entry. A CNP needs
 * a flow to go to: the last one that was seen of the pair, whose number is never another's.
 *
 * Table I adds up to 112 bits, 14 B; section III-C says 21 B. Both are said in the scheme's page.
 * Allocates when it grows.
 */

/** N_cong has 8 bits, and stays at its most: 250 packets of 1 KB fit into 80 us at 25 Gb/s. */
export const CONGESTED_MAX = 255

export class FlowTable {
  readonly #rowOf: Map<number, number> = new Map()
  readonly #free: number[] = []
  #flow: Int32Array = new Int32Array(16)
  #bytes: Float64Array = new Float64Array(16)
  #congested: Uint8Array = new Uint8Array(16)
  #due: Int32Array = new Int32Array(16)
  #rows: number = 0

  /** Entries that there are. */
  get size(): number {
    return this.#rowOf.size
  }

  /** Lines 28 to 31: a packet of this pair has come; `isCongested`: it met a long queue. */
  count(key: number, flow: number, bytes: number, isCongested: boolean): void {
    const row = this.#rowOf.get(key) ?? this.#add(key)
    this.#flow[row] = flow
    this.#bytes[row]! += bytes
    if (isCongested && this.#congested[row]! < CONGESTED_MAX) this.#congested[row]!++
  }

  /** Lines 2 to 8: shares CNPs by congested packets, rounded down, at most `most` for an entry. */
  allocate(all: number, most: number): boolean {
    let sum = 0
    for (const row of this.#rowOf.values()) sum += this.#congested[row]!
    // PktAll = 0: nothing has met a long queue, and there is nothing to divide by.
    if (sum === 0) return false
    let hasAny = false
    for (const row of this.#rowOf.values()) {
      const due = Math.min(most, Math.floor((all * this.#congested[row]!) / sum))
      this.#due[row] = due
      if (due > 0) hasAny = true
    }
    return hasAny
  }

  /** One CNP for each entry that has any due; true if some are left. */
  send(notify: (flow: number) => void): boolean {
    let isLeft = false
    for (const row of this.#rowOf.values()) {
      if (this.#due[row]! <= 0) continue
      this.#due[row]!--
      notify(this.#flow[row]!)
      if (this.#due[row]! > 0) isLeft = true
    }
    return isLeft
  }

  /** Line 33: entries that sent fewer bytes are struck out, the others begin anew. */
  age(bytesLeast: number): void {
    for (const [key, row] of this.#rowOf) {
      // What is due goes to whoever sent: an entry leaves when it has been told.
      if (this.#bytes[row]! < bytesLeast && this.#due[row]! === 0) {
        this.#rowOf.delete(key)
        this.#free.push(row)
      }
      this.#bytes[row] = 0
      this.#congested[row] = 0
    }
  }

  #add(key: number): number {
    const row = this.#free.pop() ?? this.#rows++
    if (row >= this.#flow.length) this.#grow()
    this.#rowOf.set(key, row)
    this.#bytes[row] = 0
    this.#congested[row] = 0
    this.#due[row] = 0
    return row
  }

  #grow(): void {
    const length = this.#flow.length * 2
    this.#flow = grown(this.#flow, new Int32Array(length))
    this.#bytes = grown(this.#bytes, new Float64Array(length))
    this.#congested = grown(this.#congested, new Uint8Array(length))
    this.#due = grown(this.#due, new Int32Array(length))
  }
}

function grown<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
