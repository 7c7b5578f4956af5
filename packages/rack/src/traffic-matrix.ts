/**
 * A node's view of all flows in the rack, by announcements. Announcements of one source may arrive
 * out of order (they take different trees) and more than once; each flow keeps the sequence
 * number of what it last heard, and what is older says nothing. Ends are remembered for as long
 * as an older start could still be under way; not at all where nothing older is missing.
 *
 * Each source's flows have a digest, their number and a hash of them, that does not depend on their
 * order: if it is that of the source itself, the views are equal (but for one case in 2^32).
 *
 * A rack of 512 nodes has 512 of these, and each hears of every flow: flows are records of half a
 * cache line in one table with open addressing, by source and number, and nothing is allocated
 * when one is heard of. With a log that they share, what is heard is noted, and taken in when
 * somebody asks for what is known.
 */
import { DEMAND as LOG_DEMAND, IN_ORDER, IS_END, KEY as LOG_KEY } from './announcement-log.ts'
import { NUMBER as LOG_NUMBER, WORD as LOG_WORD } from './announcement-log.ts'
import type { AnnouncementLog } from './announcement-log.ts'
import { hashOf, keyOf, NO_LIMIT, placeOf, wordFields, wordOf } from './flow-words.ts'
import { TYPE_FINISH } from './wire/packet.ts'
import type { FlowColumns } from './flow-columns.ts'
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

/** Lanes of a record: four words, then two times. NUMBER is 24 bits and one more; 0: empty. */
const KEY = 0
const NUMBER = 1
/** Target, weight code, priority, protocol. */
const WORD = 2
/** Kb/s; NO_LIMIT: none. */
const DEMAND = 3
const WORDS = 8
const HEARD = 2
/** OVER: it has ended. */
const SINCE = 3
const TIMES = 4
const RECORD_BYTES = 32

/** Numbers of announcements go round: a node may say more, and be heard first before its 0. */
const NUMBERS = 0xffffff
const OVER = -1
const SMALLEST = 64

export interface MatrixOptions {
  /** Somebody asks what has changed. */
  readonly isWatched?: boolean
  /** Somebody asks for digests so often that they are kept. */
  readonly isDigested?: boolean
  /** For how long ends are remembered when room is short. */
  readonly endPs?: number
  /** One that nodes share, and whose notes there are this node's; without it nothing waits. */
  readonly log?: AnnouncementLog
  readonly member?: number
}

export class TrafficMatrix {
  /** Flows that came, changed or went since somebody asked; undefined: nobody ever does. */
  readonly changed: Set<number> | undefined
  readonly #endPs: number
  #words = new Uint32Array(SMALLEST * WORDS)
  #times = new Float64Array(this.#words.buffer)
  #mask = SMALLEST - 1
  #used = 0
  /** Of each source, how many flows it has, and their hash; undefined: found when asked for. */
  readonly #digests: Uint32Array | undefined
  readonly #log: AnnouncementLog | undefined
  readonly #member: number

  constructor(nodes: number, options: MatrixOptions = {}) {
    const { isWatched = true, isDigested = true, endPs = Infinity, log, member = 0 } = options
    this.changed = isWatched ? new Set() : undefined
    this.#endPs = endPs
    this.#digests = isDigested ? new Uint32Array(2 * nodes) : undefined
    this.#log = log
    this.#member = member
    log?.join(() => this.#takeIn())
  }

  /** `number` is that of the announcement, whole. */
  apply(a: Announcement, number: number, nowPs: number): void {
    const key = keyOf(a.source, a.flow)
    const demand = Math.min(a.demandKbps, NO_LIMIT)
    const isEnd = a.type === TYPE_FINISH ? 1 : 0
    const log = this.#log
    if (log === undefined) return this.#take(key, wordOf(a), demand, number, isEnd, nowPs)
    if (!log.hasRoom(this.#member, nowPs)) this.#takeIn()
    log.note(this.#member, log.add(key, wordOf(a), demand, number, isEnd), nowPs)
  }

  /** What was heard and only noted. */
  #takeIn(): void {
    const log = this.#log
    if (log === undefined) return
    const { words, numbers } = log
    const count = log.noted(this.#member)
    for (let note = 0; note < count; note++) {
      const word = log.noteOf(this.#member, note)
      const at = word & ~IN_ORDER
      const number = numbers[at + LOG_NUMBER]!
      if ((word & words[at + IS_END]!) === 1) {
        this.#end(words[at + LOG_KEY]!, number)
        continue
      }
      this.#take(
        words[at + LOG_KEY]!,
        words[at + LOG_WORD]!,
        words[at + LOG_DEMAND]!,
        number,
        words[at + IS_END]!,
        log.heardPs(this.#member, note),
      )
    }
    log.clear(this.#member)
  }

  /** A flow has ended, and nothing that was said of it before can still come. */
  #end(key: number, number: number): void {
    const place = this.#find(key)
    const known = this.#words[place * WORDS + NUMBER]!
    if (known === 0 || !isLater(number, known)) return
    this.#remove(place)
    this.changed?.add(key)
  }

  #take(
    key: number,
    word: number,
    demand: number,
    number: number,
    isEnd: number,
    nowPs: number,
  ): void {
    let place = this.#find(key)
    const known = this.#words[place * WORDS + NUMBER]!
    if (known !== 0 && !isLater(number, known)) return
    if (known === 0) place = this.#claim(key, place, nowPs)
    const sincePs = this.#times[place * TIMES + SINCE]!
    const livePs = sincePs === OVER ? nowPs : sincePs
    this.#write(place, word, demand, number, nowPs, isEnd === 1 ? OVER : livePs)
    this.changed?.add(key)
  }

  /** Gives a flow another routing protocol; false if it is not known. */
  reroute(source: number, flow: number, protocol: number): boolean {
    this.#takeIn()
    const place = this.#find(keyOf(source, flow))
    if (!this.#isLive(place)) return false
    const at = place * WORDS + WORD
    this.#count(place, -1)
    this.#words[at] = ((this.#words[at]! & ~15) | protocol) >>> 0
    this.#count(place, 1)
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
    this.#takeIn()
    const since = new Map<number, number>()
    const keys: number[] = []
    for (let place = 0; place <= this.#mask; place++) {
      if (this.#words[place * WORDS + NUMBER] === 0) continue
      const key = this.#words[place * WORDS + KEY]!
      if (key >>> 16 !== source) continue
      keys.push(key)
      const sincePs = this.#times[place * TIMES + SINCE]!
      if (sincePs !== OVER) since.set(key, sincePs)
    }
    for (const key of keys) {
      this.#remove(this.#find(key))
      this.changed?.add(key)
    }
    for (const a of announcements) {
      const key = keyOf(source, a.flow)
      const place = this.#claim(key, this.#find(key), nowPs)
      const demand = Math.min(a.demandKbps, NO_LIMIT)
      this.#write(place, wordOf(a), demand, number, nowPs, since.get(key) ?? nowPs)
      this.changed?.add(key)
    }
  }

  /** Forgets a source that is gone, or ends that nothing can contradict any more. */
  forget(source: number): void {
    this.replace(source, [], 0, 0)
  }

  forgetEnds(beforePs: number): void {
    this.#takeIn()
    this.#rebuild(this.#mask + 1, beforePs)
  }

  get(source: number, flow: number): KnownFlow | undefined {
    this.#takeIn()
    const place = this.#find(keyOf(source, flow))
    return this.#isLive(place) ? this.#flowAt(place) : undefined
  }

  of(source: number): KnownFlow[] {
    return this.all().filter((flow) => flow.source === source)
  }

  /** In the order of their keys. */
  all(): KnownFlow[] {
    this.#takeIn()
    const flows: KnownFlow[] = []
    for (let place = 0; place <= this.#mask; place++) {
      if (this.#isLive(place)) flows.push(this.#flowAt(place))
    }
    return flows.sort((a, b) => keyOf(a.source, a.flow) - keyOf(b.source, b.flow))
  }

  /** The flows that were heard of at this time or before, into columns. */
  collect(sincePs: number, into: FlowColumns): void {
    this.#takeIn()
    const words = this.#words
    into.count = 0
    into.hash = 0
    for (let place = 0; place <= this.#mask; place++) {
      if (!this.#isLive(place) || this.#times[place * TIMES + SINCE]! > sincePs) continue
      const at = place * WORDS
      const demand = words[at + DEMAND]!
      into.push(words[at + KEY]!, words[at + WORD]!, demand === NO_LIMIT ? Infinity : demand)
      into.hash = (into.hash + hashOf(words[at + KEY]!, words[at + WORD]!, demand)) >>> 0
    }
  }

  digestOf(source: number): { count: number; hash: number } {
    this.#takeIn()
    const digests = this.#digests
    if (digests === undefined) return this.#digestNow(source)
    return { count: digests[2 * source]!, hash: digests[2 * source + 1]! }
  }

  #digestNow(source: number): { count: number; hash: number } {
    const words = this.#words
    let count = 0
    let hash = 0
    for (let place = 0; place <= this.#mask; place++) {
      const at = place * WORDS
      if (!this.#isLive(place) || words[at + KEY]! >>> 16 !== source) continue
      count++
      hash = (hash + hashOf(words[at + KEY]!, words[at + WORD]!, words[at + DEMAND]!)) >>> 0
    }
    return { count, hash }
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

  #flowAt(place: number): KnownFlow {
    const at = place * WORDS
    const key = this.#words[at + KEY]!
    const demand = this.#words[at + DEMAND]!
    return {
      source: key >>> 16,
      flow: key & 0xffff,
      ...wordFields(this.#words[at + WORD]!),
      demandKbps: demand === NO_LIMIT ? Infinity : demand,
      sincePs: this.#times[place * TIMES + SINCE]!,
    }
  }

  #isLive(place: number): boolean {
    return this.#words[place * WORDS + NUMBER] !== 0 && this.#times[place * TIMES + SINCE] !== OVER
  }

  /** Where a key's record is, or would be. */
  #find(key: number): number {
    const words = this.#words
    const mask = this.#mask
    let place = placeOf(key) & mask
    for (;;) {
      const at = place * WORDS
      if (words[at + NUMBER] === 0 || words[at + KEY] === key) return place
      place = (place + 1) & mask
    }
  }

  /** A record for a key that has none; `place` is where `find` says it would be. */
  #claim(key: number, place: number, nowPs: number): number {
    let free = place
    if (4 * (this.#used + 1) > 3 * (this.#mask + 1)) {
      this.#rebuild(this.#mask + 1, nowPs - this.#endPs)
      if (2 * this.#used > this.#mask + 1) this.#rebuild(2 * (this.#mask + 1), -Infinity)
      free = this.#find(key)
    }
    this.#used++
    this.#words[free * WORDS + KEY] = key
    this.#times[free * TIMES + SINCE] = OVER
    return free
  }

  /** What an announcement says of the flow whose place this is; since OVER: it has ended. */
  #write(
    place: number,
    word: number,
    demand: number,
    number: number,
    nowPs: number,
    sincePs: number,
  ): void {
    const words = this.#words
    const at = place * WORDS
    this.#count(place, -1)
    words[at + NUMBER] = (number & NUMBERS) + 1
    words[at + WORD] = word
    words[at + DEMAND] = demand
    this.#times[place * TIMES + HEARD] = nowPs
    this.#times[place * TIMES + SINCE] = sincePs
    this.#count(place, 1)
  }

  /** The records that follow may have wanted this place: each moves up if it did. */
  #remove(gone: number): void {
    const words = this.#words
    this.#count(gone, -1)
    this.#used--
    let hole = gone
    for (let place = (hole + 1) & this.#mask; ; place = (place + 1) & this.#mask) {
      if (words[place * WORDS + NUMBER] === 0) break
      const home = placeOf(words[place * WORDS + KEY]!) & this.#mask
      if (((place - home) & this.#mask) < ((place - hole) & this.#mask)) continue
      words.copyWithin(hole * WORDS, place * WORDS, (place + 1) * WORDS)
      hole = place
    }
    words[hole * WORDS + NUMBER] = 0
  }

  /** Without the ends that were heard of before a time. */
  #rebuild(places: number, endsBeforePs: number): void {
    const [old, oldTimes] = [this.#words, this.#times]
    const count = this.#mask + 1
    const buffer = new ArrayBuffer(places * RECORD_BYTES)
    this.#words = new Uint32Array(buffer)
    this.#times = new Float64Array(buffer)
    this.#mask = places - 1
    this.#used = 0
    for (let place = 0; place < count; place++) {
      if (old[place * WORDS + NUMBER] === 0) continue
      const times = place * TIMES
      if (oldTimes[times + SINCE] === OVER && oldTimes[times + HEARD]! < endsBeforePs) continue
      this.#used++
      const to = this.#find(old[place * WORDS + KEY]!)
      for (let lane = 0; lane < WORDS; lane++) {
        this.#words[to * WORDS + lane] = old[place * WORDS + lane]!
      }
    }
  }

  /** Adds a flow to the digest of its source, or takes it off. */
  #count(place: number, sign: 1 | -1): void {
    const digests = this.#digests
    if (digests === undefined || this.#times[place * TIMES + SINCE] === OVER) return
    const words = this.#words
    const at = place * WORDS
    const hash = sign * hashOf(words[at + KEY]!, words[at + WORD]!, words[at + DEMAND]!)
    const source = words[at + KEY]! >>> 16
    digests[2 * source]! += sign
    digests[2 * source + 1] = (digests[2 * source + 1]! + hash) >>> 0
  }
}

/** Of two numbers of a source that are less than half a round apart; `lane` is of a record. */
function isLater(number: number, lane: number): boolean {
  return (number + 1 - lane) << 8 > 0
}
