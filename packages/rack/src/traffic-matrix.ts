/**
 * A node's view of all flows in the rack, by announcements. Announcements of one source may arrive
 * out of order (they take different trees) and more than once; each flow keeps the sequence
 * number of what it last heard, and what is older says nothing. Ends are remembered for as long
 * as an older start could still be under way.
 *
 * Each source's flows have a digest, their number and a hash of them, that does not depend on their
 * order: if it is that of the source itself, the views are equal (but for one case in 2^32).
 *
 * A rack of 512 nodes has 512 of these, and each hears of every flow: flows are records in one
 * table with open addressing, by source and number, and nothing is allocated when one is heard of.
 */
import { TYPE_FINISH } from './wire/packet.ts'
import type { Announcement } from './wire/announcement.ts'

export interface KnownFlow {
  readonly source: number
  readonly target: number
  readonly flow: number
  readonly priority: number
  readonly protocol: number
  readonly demandKbps: number
  readonly weightCode: number
  /** When this node first heard of it. */
  readonly sincePs: number
}

/** Lanes of a record. KEY is the flow's key and one: 0 is an empty place. */
const KEY = 0
const NUMBER = 1
const HEARD = 2
/** OVER: it has ended. */
const SINCE = 3
const DEMAND = 4
/** Target, weight code, priority, protocol. */
const WORD = 5
const LANES = 6

const OVER = -1
const SMALLEST = 64

export class TrafficMatrix {
  /** Flows that came, changed or went since somebody asked; undefined: nobody ever does. */
  readonly changed: Set<number> | undefined
  readonly #endPs: number
  #records = new Float64Array(SMALLEST * LANES)
  #mask = SMALLEST - 1
  #used = 0
  /** Of each source: how many flows it has, and their hash. */
  readonly #digests: Float64Array

  /** `endPs`: for how long ends are remembered when room is short. */
  constructor(
    nodes: number,
    { isWatched = true, endPs = Infinity }: { isWatched?: boolean; endPs?: number } = {},
  ) {
    this.changed = isWatched ? new Set() : undefined
    this.#endPs = endPs
    this.#digests = new Float64Array(2 * nodes)
  }

  /** `number` is that of the announcement, whole. */
  apply(a: Announcement, number: number, nowPs: number): void {
    const key = keyOf(a.source, a.flow)
    let at = this.#find(key)
    const isKnown = this.#records[at + KEY] !== 0
    if (isKnown && number <= this.#records[at + NUMBER]!) return
    if (!isKnown) at = this.#claim(key, at, nowPs)
    const records = this.#records
    const sincePs = isKnown && records[at + SINCE]! !== OVER ? records[at + SINCE]! : nowPs
    this.#uncount(at)
    records[at + NUMBER] = number
    records[at + HEARD] = nowPs
    records[at + SINCE] = a.type === TYPE_FINISH ? OVER : sincePs
    records[at + DEMAND] = a.demandKbps
    records[at + WORD] = wordOf(a)
    this.#count(at)
    this.changed?.add(key)
  }

  /** Gives a flow another routing protocol; false if it is not known. */
  reroute(source: number, flow: number, protocol: number): boolean {
    const at = this.#find(keyOf(source, flow))
    const records = this.#records
    if (records[at + KEY] === 0 || records[at + SINCE] === OVER) return false
    this.#uncount(at)
    records[at + WORD] = records[at + WORD]! - (records[at + WORD]! % 16) + protocol
    this.#count(at)
    this.changed?.add(keyOf(source, flow))
    return true
  }

  /** Takes these for all flows that a source has, as of the announcement with this number. */
  replace(
    source: number,
    announcements: readonly Announcement[],
    number: number,
    nowPs: number,
  ): void {
    const since = new Map<number, number>()
    const keys: number[] = []
    for (let at = 0; at < this.#records.length; at += LANES) {
      const key = this.#records[at + KEY]! - 1
      if (key < 0 || Math.floor(key / 65536) !== source) continue
      keys.push(key)
      if (this.#records[at + SINCE] !== OVER) since.set(key, this.#records[at + SINCE]!)
    }
    for (const key of keys) {
      this.#remove(this.#find(key))
      this.changed?.add(key)
    }
    for (const a of announcements) {
      const key = keyOf(source, a.flow)
      const at = this.#claim(key, this.#find(key), nowPs)
      this.#uncount(at)
      this.#records[at + NUMBER] = number
      this.#records[at + HEARD] = nowPs
      this.#records[at + SINCE] = since.get(key) ?? nowPs
      this.#records[at + DEMAND] = a.demandKbps
      this.#records[at + WORD] = wordOf(a)
      this.#count(at)
      this.changed?.add(key)
    }
  }

  /** Forgets a source that is gone, or ends that nothing can contradict any more. */
  forget(source: number): void {
    this.replace(source, [], 0, 0)
  }

  forgetEnds(beforePs: number): void {
    this.#rebuild(this.#mask + 1, beforePs)
  }

  get(source: number, flow: number): KnownFlow | undefined {
    const at = this.#find(keyOf(source, flow))
    const isKnown = this.#records[at + KEY] !== 0 && this.#records[at + SINCE] !== OVER
    return isKnown ? this.#flowAt(at) : undefined
  }

  of(source: number): KnownFlow[] {
    return this.all().filter((flow) => flow.source === source)
  }

  all(): KnownFlow[] {
    const flows: KnownFlow[] = []
    for (let at = 0; at < this.#records.length; at += LANES) {
      const isKnown = this.#records[at + KEY] !== 0 && this.#records[at + SINCE] !== OVER
      if (isKnown) flows.push(this.#flowAt(at))
    }
    return flows
  }

  /** The flows that were heard of at this time or before, into columns. */
  collect(sincePs: number, into: FlowColumns): void {
    const records = this.#records
    into.count = 0
    into.hash = 0
    for (let at = 0; at < records.length; at += LANES) {
      const isKnown = records[at + KEY] !== 0 && records[at + SINCE] !== OVER
      if (!isKnown || records[at + SINCE]! > sincePs) continue
      const key = records[at + KEY]! - 1
      into.push(key, records[at + WORD]!, records[at + DEMAND]!)
      into.hash = (into.hash + hashOf(key, records[at + WORD]!, records[at + DEMAND]!)) >>> 0
    }
  }

  digestOf(source: number): { count: number; hash: number } {
    return { count: this.#digests[2 * source]!, hash: this.#digests[2 * source + 1]! }
  }

  /** The whole view as text, to set two of them side by side. */
  toString(): string {
    return this.all()
      .map(
        (f) =>
          `${f.source}/${f.flow}>${f.target} p${f.priority} w${f.weightCode} ${f.demandKbps} ` +
          `r${f.protocol}`,
      )
      .sort()
      .join('\n')
  }

  #flowAt(at: number): KnownFlow {
    const records = this.#records
    const key = records[at + KEY]! - 1
    return {
      source: Math.floor(key / 65536),
      flow: key % 65536,
      ...wordFields(records[at + WORD]!),
      demandKbps: records[at + DEMAND]!,
      sincePs: records[at + SINCE]!,
    }
  }

  /** Where a key's record is, or would be. */
  #find(key: number): number {
    const records = this.#records
    const mask = this.#mask
    let place = placeOf(key) & mask
    for (;;) {
      const held = records[place * LANES + KEY]!
      if (held === 0 || held === key + 1) return place * LANES
      place = (place + 1) & mask
    }
  }

  /** A record for a key that has none; `at` is where `find` says it would be. */
  #claim(key: number, at: number, nowPs: number): number {
    let free = at
    if (4 * (this.#used + 1) > 3 * (this.#mask + 1)) {
      this.#rebuild(this.#mask + 1, nowPs - this.#endPs)
      if (2 * this.#used > this.#mask + 1) this.#rebuild(2 * (this.#mask + 1), -Infinity)
      free = this.#find(key)
    }
    this.#used++
    this.#records[free + KEY] = key + 1
    this.#records[free + SINCE] = OVER
    return free
  }

  /** The records that follow may have wanted this place: each moves up if it did. */
  #remove(at: number): void {
    const records = this.#records
    this.#uncount(at)
    this.#used--
    let hole = at / LANES
    for (let place = (hole + 1) & this.#mask; ; place = (place + 1) & this.#mask) {
      const held = records[place * LANES + KEY]!
      if (held === 0) break
      const home = placeOf(held - 1) & this.#mask
      if (((place - home) & this.#mask) < ((place - hole) & this.#mask)) continue
      records.copyWithin(hole * LANES, place * LANES, (place + 1) * LANES)
      hole = place
    }
    records[hole * LANES + KEY] = 0
  }

  /** Without the ends that were heard of before a time. */
  #rebuild(places: number, endsBeforePs: number): void {
    const old = this.#records
    this.#records = new Float64Array(places * LANES)
    this.#mask = places - 1
    this.#used = 0
    for (let at = 0; at < old.length; at += LANES) {
      if (old[at + KEY] === 0) continue
      if (old[at + SINCE] === OVER && old[at + HEARD]! < endsBeforePs) continue
      this.#used++
      this.#records.set(old.subarray(at, at + LANES), this.#find(old[at + KEY]! - 1))
    }
  }

  #count(at: number): void {
    this.#add(at, 1)
  }

  #uncount(at: number): void {
    this.#add(at, -1)
  }

  #add(at: number, sign: 1 | -1): void {
    const records = this.#records
    if (records[at + SINCE] === OVER) return
    const key = records[at + KEY]! - 1
    const digest = 2 * (key >>> 16)
    const hash = sign * hashOf(key, records[at + WORD]!, records[at + DEMAND]!)
    this.#digests[digest]! += sign
    this.#digests[digest + 1] = (this.#digests[digest + 1]! + hash) >>> 0
  }
}

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

export function keyOf(source: number, flow: number): number {
  return source * 65536 + flow
}

function wordOf(a: Announcement): number {
  return a.target * 65536 + a.weightCode * 256 + a.priority * 16 + a.protocol
}

/** What a word of `FlowColumns` says. */
export function wordFields(
  word: number,
): Pick<KnownFlow, 'target' | 'weightCode' | 'priority' | 'protocol'> {
  return {
    target: Math.floor(word / 65536),
    weightCode: (word >>> 8) & 255,
    priority: (word >>> 4) & 15,
    protocol: word & 15,
  }
}

function placeOf(key: number): number {
  const mixed = Math.imul(key ^ (key >>> 15), 0x9e3779b1)
  return mixed ^ (mixed >>> 16)
}

function hashOf(key: number, word: number, demandKbps: number): number {
  const demand = demandKbps === Infinity ? 0xffffffff : demandKbps
  return mix(mix(mix(0x9e3779b9, key), word), demand) >>> 0
}

function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
