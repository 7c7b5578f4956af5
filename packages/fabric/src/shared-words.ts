/**
 * State of a scheme that spans nodes, as it declares it (`Control.shared`): some numbers of each
 * node. A node writes its own, and all read what was last published. That happens outside of nodes,
 * at multiples of a time, in all threads at once; in between the published numbers stand still, so
 * that the order in which nodes run decides nothing. No allocation.
 */
import type { Shared } from './contract/control.ts'

interface ThreadShare {
  isMine(node: number): boolean
  tell(node: number, word: number, value: number): void
}

export class SharedWords {
  readonly everyPs: number
  /** Of several threads: which nodes this one runs, and how others hear of what those write. */
  share: ThreadShare | undefined = undefined
  readonly #words: number
  /** By node and word. */
  readonly #written: Float64Array
  readonly #published: Float64Array

  constructor({ everyPs, words }: Shared, nodes: number) {
    this.everyPs = everyPs
    this.#words = words
    this.#written = new Float64Array(nodes * words)
    this.#published = new Float64Array(nodes * words)
  }

  /** A thread knows agents of others' nodes, too, which do not act: what they write is nothing. */
  write(node: number, word: number, value: number): void {
    if (this.share?.isMine(node) === false) return
    this.note(node, word, value)
    this.share?.tell(node, word, value)
  }

  /** What a node has written, in this thread or in another. */
  note(node: number, word: number, value: number): void {
    this.#written[this.#at(node, word)] = value
  }

  read(node: number, word: number): number {
    return this.#published[this.#at(node, word)]
  }

  publish(): void {
    this.#published.set(this.#written)
  }

  #at(node: number, word: number): number {
    const i = node * this.#words + word
    const isThere = word >= 0 && word < this.#words && i >= 0 && i < this.#written.length
    if (isThere && Number.isInteger(i)) return i
    throw new Error(`word ${word} of node ${node} is not among the shared ${this.#words} per node`)
  }
}
