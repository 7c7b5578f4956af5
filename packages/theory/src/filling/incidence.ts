/**
 * Which flows cross which links. A flow has a run of entries, one for each of its links, in
 * columns; the entries of a link are chained both ways, so that a flow comes and goes in a step
 * per link.
 */

const NONE = -1

export class Incidence {
  /** Of each link: its first entry; -1 if no flow crosses it. */
  readonly heads: Int32Array
  /** Of each entry: the next one of its link, the flow that it is of, and that flow's share. */
  next: Int32Array = new Int32Array(1024)
  owners: Int32Array = new Int32Array(1024)
  shares: Float64Array = new Float64Array(1024)
  #before: Int32Array = new Int32Array(1024)
  #used = 0
  /** Runs that are free, by their length. */
  readonly #free = new Map<number, number[]>()

  constructor(links: number) {
    this.heads = new Int32Array(links).fill(NONE)
  }

  /** Returns the first entry of the flow's run. `share` is weight times fraction. */
  add(owner: number, links: Int32Array, fractions: Float64Array, weight: number): number {
    const run = this.#free.get(links.length)?.pop() ?? this.#extend(links.length)
    for (let k = 0; k < links.length; k++) {
      const entry = run + k
      const head = this.heads[links[k]!]!
      this.owners[entry] = owner
      this.shares[entry] = weight * fractions[k]!
      this.next[entry] = head
      this.#before[entry] = NONE
      if (head !== NONE) this.#before[head] = entry
      this.heads[links[k]!] = entry
    }
    return run
  }

  remove(run: number, links: Int32Array): void {
    for (let k = 0; k < links.length; k++) {
      const next = this.next[run + k]!
      const before = this.#before[run + k]!
      if (before === NONE) this.heads[links[k]!] = next
      else this.next[before] = next
      if (next !== NONE) this.#before[next] = before
    }
    const free = this.#free.get(links.length)
    if (free === undefined) this.#free.set(links.length, [run])
    else free.push(run)
  }

  #extend(length: number): number {
    const run = this.#used
    this.#used += length
    if (this.#used > this.next.length) {
      const size = Math.max(this.#used, 2 * this.next.length)
      this.next = grown(this.next, new Int32Array(size))
      this.owners = grown(this.owners, new Int32Array(size))
      this.#before = grown(this.#before, new Int32Array(size))
      this.shares = grown(this.shares, new Float64Array(size))
    }
    return run
  }
}

function grown<Column extends Int32Array | Float64Array>(old: Column, next: Column): Column {
  next.set(old)
  return next
}
