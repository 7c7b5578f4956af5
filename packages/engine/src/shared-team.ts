/**
 * A team whose members share memory: each has a box for each other one, and they meet at a barrier
 * (one a round, since boxes are double: nobody fills a box that another may still be reading). A
 * member that waits looks a while and then sleeps. One that fails, or that is told to, ends the
 * meeting for all with its reason.
 */
import { wordsForAll } from './team.ts'
import type { Team, Words } from './team.ts'

/** Words that a box holds: of longer letters there are several rounds. */
const BOX = 1 << 14
/** A box's count of words, in front of them. */
const COUNT = 1
const REASON_BYTES = 4096

/** Places in the control words. */
const ARRIVED = 0
const GENERATION = 1
const IS_OVER = 2
const REASON_LENGTH = 3
const CONTROL = 4

/** Times that a member looks before it sleeps, and how long it sleeps at the most. */
const LOOKS = 20_000
const SLEEP_MS = 200

/** The team is no more: with a reason if it failed, without if it was dismissed. */
export class TeamOver extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'TeamOver'
  }
}

export class SharedTeam implements Team {
  readonly me: number
  readonly size: number
  readonly out: readonly Words[]
  readonly in: readonly Words[]
  readonly #control: Int32Array
  readonly #reason: Uint8Array
  /** By parity and member: it has more words than its boxes held. */
  readonly #hasMore: Int32Array
  readonly #boxes: Float64Array
  #parity: number = 0
  /** By member: words of the letter under way that are in boxes or were. */
  readonly #sent: Int32Array

  constructor(buffer: SharedArrayBuffer, me: number, size: number) {
    this.me = me
    this.size = size
    this.#sent = new Int32Array(size)
    this.out = wordsForAll(size)
    this.in = wordsForAll(size)
    this.#control = new Int32Array(buffer, 0, CONTROL)
    this.#hasMore = new Int32Array(buffer, CONTROL * 4, 2 * size)
    this.#reason = new Uint8Array(buffer, reasonAt(size), REASON_BYTES)
    this.#boxes = new Float64Array(buffer, reasonAt(size) + REASON_BYTES)
  }

  /** The memory that a team of this size shares. */
  static memoryFor(size: number): SharedArrayBuffer {
    const boxes = 2 * size * size * (COUNT + BOX)
    return new SharedArrayBuffer(reasonAt(size) + REASON_BYTES + 8 * boxes)
  }

  meet(): void {
    const sent = this.#sent.fill(0)
    for (const words of this.in) words.length = 0
    do {
      this.#parity ^= 1
      this.#hasMore[this.#parity * this.size + this.me] = this.#fill(sent) ? 1 : 0
      this.#wait()
      this.#empty()
    } while (this.#anyHasMore())
    for (const words of this.out) words.length = 0
  }

  /** Puts what is to be sent into the boxes, as far as it goes; true if there is more. */
  #fill(sent: Int32Array): boolean {
    let hasMore = false
    for (let to = 0; to < this.size; to++) {
      if (to === this.me) continue
      const { array, length } = this.out[to] as Words
      const from = sent[to]
      const count = Math.min(BOX, length - from)
      const box = this.#box(this.me, to)
      this.#boxes[box] = count
      const boxes = this.#boxes
      for (let i = 0; i < count; i++) boxes[box + COUNT + i] = array[from + i]
      sent[to] = from + count
      if (from + count < length) hasMore = true
    }
    return hasMore
  }

  #empty(): void {
    for (let from = 0; from < this.size; from++) {
      if (from === this.me) continue
      const box = this.#box(from, this.me)
      const count = this.#boxes[box]
      const words = this.in[from] as Words
      const at = words.extend(count)
      const { array } = words
      const boxes = this.#boxes
      for (let i = 0; i < count; i++) array[at + i] = boxes[box + COUNT + i]
    }
  }

  #anyHasMore(): boolean {
    for (let i = 0; i < this.size; i++) {
      if (this.#hasMore[this.#parity * this.size + i] === 1) return true
    }
    return false
  }

  #box(from: number, to: number): number {
    return ((this.#parity * this.size + from) * this.size + to) * (COUNT + BOX)
  }

  /** Until all are here. */
  #wait(): void {
    const control = this.#control
    this.#endIfOver()
    const generation = Atomics.load(control, GENERATION)
    if (Atomics.add(control, ARRIVED, 1) === this.size - 1) {
      Atomics.store(control, ARRIVED, 0)
      Atomics.add(control, GENERATION, 1)
      Atomics.notify(control, GENERATION)
      return
    }
    for (let look = 0; Atomics.load(control, GENERATION) === generation; look++) {
      this.#endIfOver()
      if (look > LOOKS) Atomics.wait(control, GENERATION, generation, SLEEP_MS)
    }
  }

  #endIfOver(): void {
    if (Atomics.load(this.#control, IS_OVER) === 0) return
    const length = Atomics.load(this.#control, REASON_LENGTH)
    throw new TeamOver(new TextDecoder().decode(this.#reason.slice(0, length)))
  }
}

/** How often all have met, for those who watch a team from outside. */
export function meetings(memory: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(memory, 0, CONTROL), GENERATION)
}

/** The team is no more, from here on: whoever waits, or comes to a meeting, hears why. */
export function dismiss(memory: SharedArrayBuffer, size: number, reason: string): void {
  const control = new Int32Array(memory, 0, CONTROL)
  // The first reason is the one that counts.
  if (Atomics.compareExchange(control, IS_OVER, 0, 1) !== 0) return
  const bytes = new TextEncoder().encode(reason).subarray(0, REASON_BYTES)
  new Uint8Array(memory, reasonAt(size), REASON_BYTES).set(bytes)
  Atomics.store(control, REASON_LENGTH, bytes.length)
  Atomics.notify(control, GENERATION)
}

function reasonAt(size: number): number {
  return 8 * Math.ceil((CONTROL + 2 * size) / 2)
}
