/**
 * A team whose members share memory: each has a box for each other one, and they meet at a barrier
 * (one a round, since boxes are double: nobody fills a box that another may still be reading). A
 * member that waits looks a while and then sleeps. One that fails, or that is told to, ends the
 * meeting for all with its reason.
 *
 * At the barrier a member says which round it has come to, in a cache line of its own, and looks at
 * the others' lines: one store, and one line to fetch for each other member.
 */
import { Patience } from './patience.ts'
import { intsOf, wordsForAll } from './team.ts'
import type { Team, Words } from './team.ts'

/** Words that a box holds: of longer letters there are several rounds. */
const BOX = 1 << 16
/** A box's count of words, in front of them. */
const COUNT = 1
const EMPTY = new Float64Array(1)
const NO_INTS = new Int32Array(2)
const REASON_BYTES = 4096

/** Places in the control words: how many sleep, and how the team came to its end. */
const SLEEPERS = 0
const IS_OVER = 1
const REASON_LENGTH = 2
/** From here on, the round that each member has come to, two cache lines apart. */
const ROUNDS = 32
const STRIDE = 32

/** Times that a member looks between looks at whether the team is over. */
const LOOKS_FOR_END = 256
/** How long it sleeps at the most. */
const SLEEP_MS = 200

/** The team is no more: with a reason if it failed, without if it was dismissed. */
export class TeamOver extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'TeamOver'
  }
}

/** A box: its count of words, and the words. */
interface Box {
  readonly count: Float64Array
  readonly array: Float64Array
  readonly int: Int32Array
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
  /** By parity, sender and receiver. */
  readonly #boxes: readonly Box[]
  /** By member: words of the letter under way that have been in boxes. */
  readonly #sent: Int32Array
  /** The round that this member has come to. */
  #round: number = 0
  readonly #patience: Patience = new Patience()
  /** Which boxes are filled now. */
  #parity: number = 0

  constructor(buffer: SharedArrayBuffer, me: number, size: number) {
    this.me = me
    this.size = size
    this.out = wordsForAll(size)
    this.in = wordsForAll(size)
    this.#sent = new Int32Array(size)
    this.#control = controlOf(buffer, size)
    this.#hasMore = new Int32Array(buffer, roundAt(size) * 4, 2 * size)
    this.#reason = new Uint8Array(buffer, reasonAt(size), REASON_BYTES)
    const at = reasonAt(size) + REASON_BYTES
    this.#boxes = Array.from({ length: 2 * size * size }, (_, i) => {
      const count = new Float64Array(buffer, at + 8 * i * (COUNT + BOX), COUNT)
      const array = new Float64Array(buffer, count.byteOffset + 8 * COUNT, BOX)
      return { count, array, int: intsOf(array) }
    })
    this.#lendBoxes()
  }

  /** The memory that a team of this size shares. */
  static memoryFor(size: number): SharedArrayBuffer {
    const boxes = 2 * size * size * (COUNT + BOX)
    return new SharedArrayBuffer(reasonAt(size) + REASON_BYTES + 8 * boxes)
  }

  meet(): void {
    this.#sent.fill(0)
    for (let round = 0; ; round++) {
      this.#hasMore[this.#parity * this.size + this.me] = this.#fill() ? 1 : 0
      this.#wait()
      const isLast = !this.#anyHasMore()
      if (round === 0 && isLast) this.#readBoxes()
      else this.#copyBoxes(round === 0)
      this.#parity ^= 1
      if (isLast) break
    }
    this.#lendBoxes()
  }

  /** What is put down next is put into boxes at once. */
  #lendBoxes(): void {
    for (let to = 0; to < this.size; to++) {
      const { array, int } = this.#box(this.me, to)
      this.out[to]?.lend(array, int, 0)
    }
  }

  /** What did not fit into a box when it was put down is put there, as far as it goes. */
  #fill(): boolean {
    let hasMore = false
    for (let to = 0; to < this.size; to++) {
      const { array, length } = this.out[to] as Words
      const from = this.#sent[to]
      const box = this.#box(this.me, to)
      const left = array.length === BOX ? (from === 0 ? length : 0) : Math.min(BOX, length - from)
      if (array.length !== BOX) box.array.set(array.subarray(from, from + left))
      box.count[0] = left
      this.#sent[to] = from + left
      if (from + left < length) hasMore = true
    }
    return hasMore
  }

  /** All is in boxes: it can be read there until all meet again. */
  #readBoxes(): void {
    for (let from = 0; from < this.size; from++) {
      const { array, count, int } = this.#box(from, this.me)
      this.in[from]?.lend(array, int, count[0])
    }
  }

  #copyBoxes(isFirst: boolean): void {
    for (let from = 0; from < this.size; from++) {
      const { array, count } = this.#box(from, this.me)
      const words = this.in[from] as Words
      if (isFirst) words.lend(EMPTY, NO_INTS, 0)
      words.putAll(array.subarray(0, count[0]))
    }
  }

  #anyHasMore(): boolean {
    for (let i = 0; i < this.size; i++) {
      if (this.#hasMore[this.#parity * this.size + i] === 1) return true
    }
    return false
  }

  #box(from: number, to: number): Box {
    return this.#boxes[(this.#parity * this.size + from) * this.size + to] as Box
  }

  /** Until all are here. */
  #wait(): void {
    const control = this.#control
    this.#endIfOver()
    const before = this.#round
    this.#round = (before + 1) | 0
    Atomics.store(control, roundAt(this.me), this.#round)
    if (Atomics.load(control, SLEEPERS) > 0) Atomics.notify(control, roundAt(this.me))
    // One that is here already may have come to the next round by now, but no further.
    for (let member = 0; member < this.size; member++) this.#await(roundAt(member), before)
  }

  #await(at: number, before: number): void {
    const control = this.#control
    if (Atomics.load(control, at) !== before) return
    const looks = this.#patience.next()
    for (let look = 1; look < looks; look++) {
      if (Atomics.load(control, at) !== before) {
        this.#patience.note(looks, true)
        return
      }
      if (look % LOOKS_FOR_END === 0) this.#endIfOver()
    }
    this.#patience.note(looks, false)
    while (Atomics.load(control, at) === before) {
      Atomics.add(control, SLEEPERS, 1)
      Atomics.wait(control, at, before, SLEEP_MS)
      Atomics.sub(control, SLEEPERS, 1)
      this.#endIfOver()
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
  return Atomics.load(controlOf(memory, 1), roundAt(0))
}

/** The team is no more, from here on: whoever waits, or comes to a meeting, hears why. */
export function dismiss(memory: SharedArrayBuffer, size: number, reason: string): void {
  const control = controlOf(memory, size)
  // The first reason is the one that counts.
  if (Atomics.compareExchange(control, IS_OVER, 0, 1) !== 0) return
  const bytes = new TextEncoder().encode(reason).subarray(0, REASON_BYTES)
  new Uint8Array(memory, reasonAt(size), REASON_BYTES).set(bytes)
  Atomics.store(control, REASON_LENGTH, bytes.length)
  for (let member = 0; member < size; member++) Atomics.notify(control, roundAt(member))
}

function controlOf(memory: SharedArrayBuffer, size: number): Int32Array {
  return new Int32Array(memory, 0, roundAt(size))
}

function roundAt(member: number): number {
  return ROUNDS + member * STRIDE
}

function reasonAt(size: number): number {
  return 8 * Math.ceil((roundAt(size) + 2 * size) / 2)
}
