/**
 * One queue for each flow at each output: those that have something to send and may are served in
 * turn, by bytes (M. Shreedhar and G. Varghese, "Efficient Fair Queueing using Deficit Round
 * Robin", SIGCOMM 1995), each class by itself.
 *
 * A queue is the offset of its record: `int[q + HEAD]`. It is found by its port and its key, which
 * says the flow, the class and whether it is data (`keyOf`), and exists as long as something waits
 * in it or its far end has stopped it. No allocation but the columns' growth.
 *
 * A turn begins behind all who wait, with a quantum as long as the longest packet, so that every
 * turn sends one at least; what is left of it counts in the next turn, unless the queue runs empty.
 */
import { BYTES, CLASS, DATA, FLAGS, FLOW, KIND, NEXT, TRIMMED } from '../packets.ts'
import type { Packets } from '../packets.ts'
import { CLASSES, CLASS_BITS, CLASS_MASK } from '../ports.ts'
import { PairMap } from './pair-map.ts'

/** Lanes of a record. */
const HEAD = 0
const TAIL = 1
/** Bytes that wait: a packet leaves its queue when it begins to be sent. */
const WAITING = 2
const DEFICIT = 3
/** The queue behind it in its port's list; of a free record, the next free one. */
const BEHIND = 4
const STATE = 5
const PORT = 6
const KEY = 7
const WORDS = 8

/** Bits of `STATE`. */
/** In its port's list. A queue that is stopped may still be there, until its turn comes. */
const LISTED = 1
/** Its far end takes no more of this flow. */
const STOPPED = 2
/** Above its threshold. */
const FULL = 4

export class FlowQueues {
  #int: Int32Array = new Int32Array(WORDS * 64)
  #used: number = 0
  #free: number = -1
  readonly #packets: Packets
  readonly #quantum: number
  readonly #map: PairMap = new PairMap()
  /** Lists of those to be served, by port and class. */
  readonly #first: Int32Array
  readonly #last: Int32Array
  /** By port: classes whose list is not empty, as bits. */
  readonly #listed: Uint16Array

  constructor(packets: Packets, ports: number, quantumBytes: number) {
    this.#packets = packets
    this.#quantum = quantumBytes
    this.#first = new Int32Array(ports * CLASSES).fill(-1)
    this.#last = new Int32Array(ports * CLASSES).fill(-1)
    this.#listed = new Uint16Array(ports)
  }

  /** Queues that exist. */
  get count(): number {
    return this.#map.size
  }

  keyOf(q: number): number {
    return this.#int[q + KEY]
  }

  waitingBytes(q: number): number {
    return this.#int[q + WAITING]
  }

  isFull(q: number): boolean {
    return (this.#int[q + STATE] & FULL) !== 0
  }

  setFull(q: number, isFull: boolean): void {
    if (isFull) this.#int[q + STATE] |= FULL
    else this.#int[q + STATE] &= ~FULL
  }

  /** Does nobody wait at a port, and nothing say that this flow must? */
  isClear(port: number, key: number): boolean {
    return this.#listed[port] === 0 && this.#map.find(port, key) < 0
  }

  /** A packet goes behind the others of its flow; returns the queue. */
  add(port: number, key: number, p: number): number {
    const packets = this.#packets
    const q = this.#open(port, key)
    const int = this.#int
    packets.int[p + NEXT] = -1
    if (int[q + HEAD] < 0) int[q + HEAD] = p
    else packets.int[int[q + TAIL] + NEXT] = p
    int[q + TAIL] = p
    int[q + WAITING] += packets.int[p + BYTES]
    if ((int[q + STATE] & (LISTED | STOPPED)) === 0) this.#list(q)
    return q
  }

  /** Classes of a port of which something may go, as bits. */
  ready(port: number): number {
    for (let bits = this.#listed[port]; bits !== 0; bits &= bits - 1) {
      const list = port * CLASSES + 31 - Math.clz32(bits & -bits)
      let q = this.#first[list]
      while (q >= 0 && (this.#int[q + STATE] & STOPPED) !== 0) q = this.#unlistFirst(list, q)
    }
    return this.#listed[port]
  }

  /** The queue whose turn it is, of a class that is ready. */
  choose(port: number, trafficClass: number): number {
    const list = port * CLASSES + trafficClass
    for (;;) {
      const int = this.#int
      const q = this.#first[list]
      if ((int[q + STATE] & STOPPED) !== 0) this.#unlistFirst(list, q)
      else if (int[q + DEFICIT] >= this.#packets.int[int[q + HEAD] + BYTES]) return q
      else {
        int[q + DEFICIT] += this.#quantum
        this.#toTheEnd(list, q)
      }
    }
  }

  /** Takes the first packet of the queue whose turn it is. */
  take(q: number): number {
    const int = this.#int
    const p = int[q + HEAD]
    const bytes = this.#packets.int[p + BYTES]
    const next = this.#packets.int[p + NEXT]
    int[q + HEAD] = next
    int[q + WAITING] -= bytes
    int[q + DEFICIT] -= bytes
    if (next < 0) this.#unlistFirst(int[q + PORT] * CLASSES + classOf(int[q + KEY]), q)
    return p
  }

  /** The far end of a port takes no more of a flow. */
  stop(port: number, key: number): void {
    this.#int[this.#open(port, key) + STATE] |= STOPPED
  }

  /** It takes more of it; true if something has waited for that. */
  goOn(port: number, key: number): boolean {
    const q = this.#map.find(port, key)
    if (q < 0) return false
    const int = this.#int
    int[q + STATE] &= ~STOPPED
    if (int[q + HEAD] < 0) {
      this.close(q)
      return false
    }
    if ((int[q + STATE] & LISTED) === 0) this.#list(q)
    return true
  }

  /** Forgets a queue that is empty, unless it is stopped. */
  close(q: number): void {
    const int = this.#int
    if (int[q + HEAD] >= 0 || (int[q + STATE] & STOPPED) !== 0) return
    this.#map.remove(int[q + PORT], int[q + KEY])
    int[q + BEHIND] = this.#free
    this.#free = q
  }

  #open(port: number, key: number): number {
    const found = this.#map.find(port, key)
    if (found >= 0) return found
    let q = this.#free
    if (q >= 0) this.#free = this.#int[q + BEHIND]
    else {
      q = this.#used
      this.#used += WORDS
      if (q === this.#int.length) this.#grow()
    }
    const int = this.#int
    int[q + HEAD] = -1
    int[q + WAITING] = 0
    int[q + STATE] = 0
    int[q + PORT] = port
    int[q + KEY] = key
    this.#map.add(port, key, q)
    return q
  }

  #grow(): void {
    const larger = new Int32Array(this.#int.length * 2)
    larger.set(this.#int)
    this.#int = larger
  }

  /** Its turn comes when those have had theirs who are there. */
  #list(q: number): void {
    const int = this.#int
    const list = int[q + PORT] * CLASSES + classOf(int[q + KEY])
    int[q + STATE] |= LISTED
    int[q + DEFICIT] = this.#quantum
    int[q + BEHIND] = -1
    if (this.#first[list] < 0) {
      this.#first[list] = q
      this.#listed[list >> CLASS_BITS] |= 1 << (list & CLASS_MASK)
    } else int[this.#last[list] + BEHIND] = q
    this.#last[list] = q
  }

  #toTheEnd(list: number, q: number): void {
    const int = this.#int
    if (this.#last[list] === q) return
    this.#first[list] = int[q + BEHIND]
    int[q + BEHIND] = -1
    int[this.#last[list] + BEHIND] = q
    this.#last[list] = q
  }

  /** The first queue of a list leaves it; returns the one behind it, -1: none. */
  #unlistFirst(list: number, q: number): number {
    const int = this.#int
    const behind = int[q + BEHIND]
    int[q + STATE] &= ~LISTED
    this.#first[list] = behind
    if (behind < 0) this.#listed[list >> CLASS_BITS] &= ~(1 << (list & CLASS_MASK))
    return behind
  }

  /** Calls back for each queue, for those who look from outside. */
  each(visit: (queue: FlowQueue) => void): void {
    this.#map.each((q) => {
      const int = this.#int
      visit({
        port: int[q + PORT],
        key: int[q + KEY],
        first: int[q + HEAD],
        bytes: int[q + WAITING],
        isStopped: (int[q + STATE] & STOPPED) !== 0,
        isFull: (int[q + STATE] & FULL) !== 0,
      })
    })
  }
}

/** A queue as it is at this moment. */
export interface FlowQueue {
  readonly port: number
  readonly key: number
  /** -1: it is empty. */
  readonly first: number
  readonly bytes: number
  readonly isStopped: boolean
  readonly isFull: boolean
}

/**
 * What goes in one queue: packets of a flow and class, data apart from all else. A header whose
 * payload was cut off is no data: it says what its flow has lost, and stopping it would not help.
 */
export function keyOf({ int }: Packets, p: number): number {
  const isData = int[p + KIND] === DATA && (int[p + FLAGS] & TRIMMED) === 0
  return (int[p + FLOW] << 5) | (int[p + CLASS] << 1) | (isData ? 0 : 1)
}

/** Data of a flow, which its far end may stop. */
export function isStoppable(key: number): boolean {
  return (key & 1) === 0
}

export function flowOf(key: number): number {
  return key >> 5
}

export function classOf(key: number): number {
  return (key >> 1) & CLASS_MASK
}
