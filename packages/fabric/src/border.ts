/**
 * The border between what this thread runs of a fabric and what others do: the links that cross it,
 * in both directions. Every thread has the whole fabric, and moves packets of its own nodes only.
 * What has begun to leave by the end of a window is handed over in words, all that the packet says;
 * what waits behind it stays, and may still be taken back.
 *
 * Of a link that crosses, each side has a ring of its own: the sender's says what has been handed
 * over where the receiver's would say what it has taken.
 */
import type { Team, Words } from '@weir/engine'
import type { Fabric } from './fabric.ts'
import { BYTES, CLASS, CODE, ENTROPY, FIELD_A, FIELD_B, FLAGS, FLOW, HOP } from './packets.ts'
import { INGRESS, KIND, PATH, PAYLOAD, ROUTED, SENT, SEQ, SOURCE } from './packets.ts'
import { TARGET, TELEMETRY } from './packets.ts'
import { PS_PER_BYTE, SETTLED } from './ports.ts'
import { layEntry } from './wire-room.ts'
import { ARRIVES, AWAITED, DEPARTS, ELSEWHERE, PACKET, RING, TAIL, TAKEN } from './wires.ts'
import { WIRE_BYTES, entryOf } from './wires.ts'

/** Kinds of record, their first word. Others may follow: those of a run. */
const PATH_OF = 2
const CREDITS = 3
const OF_FLOW = 4
export const FIRST_OTHER = 5

/**
 * A packet's record, one cache line: in integers its port as -1 - port, which the low half of no
 * other record's first word is, since that is a small whole number; and its lanes. In words when it
 * arrives and when it was sent. Fields of which one says something follow, then telemetry.
 */
const PORT_LANE = 0
const BYTES_LANE = 1
const PAYLOAD_LANE = 2
const WHAT_LANE = 3
const FLOW_LANE = 4
const SEQ_LANE = 5
const PATH_LANE = 6
const HOP_LANE = 7
const SOURCE_LANE = 8
const TARGET_LANE = 9
/** Hops of its telemetry, and 1 more, in the low bits; its entropy above them. */
const HOPS_LANE = 10
const HOPS_BITS = 8
const ARRIVAL_AT = 6
const SENT_AT = 7
const RECORD = 8
const FIELDS = 3
const HOP_WORDS = 4
/** What a packet is: its kind in the low bits, its class, whether fields follow, and its flags. */
const CLASS_SHIFT = 3
const HAS_FIELDS = 1 << 8
const FLAGS_SHIFT = 9

export class Border {
  readonly #fabric: Fabric
  readonly #team: Team
  /** By node: the member that runs it. */
  readonly #memberOf: Int32Array
  /** Ports of this member's nodes whose far end is another's. */
  readonly #outs: Int32Array
  #sentPs: number = Infinity
  #reachedPs: number = 0
  #unsentPs: number = Infinity
  /** By member: paths that it has been told of; and, of its paths, which of ours they are. */
  readonly #isTold: Uint8Array[]
  readonly #ours: Int32Array[]

  constructor(fabric: Fabric, team: Team, memberOf: Int32Array) {
    this.#fabric = fabric
    this.#team = team
    this.#memberOf = memberOf
    const { from, to, count } = fabric.ports
    const outs: number[] = []
    for (let port = 0; port < count; port++) {
      if (memberOf[from[port]] !== team.me || memberOf[to[port]] === team.me) continue
      outs.push(port)
      fabric.wires.ends[(port << 2) + AWAITED] = ELSEWHERE
    }
    this.#outs = Int32Array.from(outs)
    this.#isTold = Array.from({ length: team.size }, () => new Uint8Array(4096))
    this.#ours = Array.from({ length: team.size }, () => new Int32Array(4096))
  }

  isMine(node: number): boolean {
    return this.#memberOf[node] === this.#team.me
  }

  /** When the first of what is committed and was not handed over is there; Infinity: none is. */
  get unsentPs(): number {
    return this.#unsentPs
  }

  /** When the first of what has been handed over since the last meeting is there. */
  get sentPs(): number {
    return this.#sentPs
  }

  /** All have met, and have run up to a time: nothing arrives before it. */
  hasMet(reachedPs: number): void {
    this.#sentPs = Infinity
    this.#reachedPs = reachedPs
  }

  /** Hands over what has begun to leave before a time. */
  handOver(beforePs: number): void {
    const { ports, wires } = this.#fabric
    let unsentPs = Infinity
    for (const port of this.#outs) {
      const e = port << 2
      const tail = wires.ends[e + TAIL]
      let n = wires.ends[e + TAKEN]
      if (n === tail) continue
      const psPerByte = ports.float[(port << 4) + PS_PER_BYTE]
      const ring = wires.ends[e + RING]
      for (; n !== tail; n = (n + 1) | 0) {
        const entry = entryOf(ring, n)
        const arrivePs = wires.float[(entry << 2) + ARRIVES]
        const servicePs = Math.round(wires.int[(entry << 3) + WIRE_BYTES] * psPerByte)
        if (wires.float[(entry << 2) + DEPARTS] - servicePs >= beforePs) {
          if (arrivePs < unsentPs) unsentPs = arrivePs
          break
        }
        this.#write(port, arrivePs, wires.int[(entry << 3) + PACKET])
      }
      wires.ends[e + TAKEN] = n
    }
    this.#unsentPs = unsentPs
  }

  #write(port: number, arrivePs: number, p: number): void {
    const { hosts, packets, ports, telemetry } = this.#fabric
    const member = this.#memberOf[ports.to[port]]
    const words = this.#team.out[member] as Words
    const path = packets.int[p + PATH]
    // Beyond the array's end there is nothing, which is not 1 either.
    if (path >= 0 && this.#isTold[member]![path] !== 1) this.#tell(member, path)
    const cold = p >> 1
    const row = packets.cold[cold + TELEMETRY]
    const hops = row < 0 ? 0 : telemetry.hops(row)
    const fieldA = packets.cold[cold + FIELD_A]
    const fieldB = packets.cold[cold + FIELD_B]
    const code = packets.cold[cold + CODE]
    const fields = fieldA !== 0 || fieldB !== 0 || code !== 0 ? FIELDS : 0
    const at = words.extend(RECORD + fields + hops * HOP_WORDS)
    const { array, int } = words
    const i = 2 * at
    int[i + PORT_LANE] = -1 - port
    int[i + BYTES_LANE] = packets.int[p + BYTES]
    int[i + PAYLOAD_LANE] = packets.int[p + PAYLOAD]
    int[i + WHAT_LANE] =
      packets.int[p + KIND] |
      (packets.int[p + CLASS] << CLASS_SHIFT) |
      (fields === 0 ? 0 : HAS_FIELDS) |
      (packets.int[p + FLAGS] << FLAGS_SHIFT)
    int[i + FLOW_LANE] = packets.int[p + FLOW]
    int[i + SEQ_LANE] = packets.int[p + SEQ]
    int[i + PATH_LANE] = path
    int[i + HOP_LANE] = packets.int[p + HOP]
    int[i + SOURCE_LANE] = packets.cold[cold + SOURCE]
    int[i + TARGET_LANE] = packets.cold[cold + TARGET]
    int[i + HOPS_LANE] = (packets.int[p + ENTROPY] << HOPS_BITS) | (row < 0 ? 0 : hops + 1)
    array[at + ARRIVAL_AT] = arrivePs
    array[at + SENT_AT] = packets.cold[cold + SENT]
    if (arrivePs < this.#sentPs) this.#sentPs = arrivePs
    if (fields > 0) {
      array[at + RECORD] = fieldA
      array[at + RECORD + 1] = fieldB
      array[at + RECORD + 2] = code
    }
    for (let hop = 0; hop < hops; hop++) {
      const word = at + RECORD + fields + hop * HOP_WORDS
      array[word] = telemetry.queueBytes(row, hop)
      array[word + 1] = telemetry.sentBytes(row, hop)
      array[word + 2] = telemetry.rateBps(row, hop)
      array[word + 3] = telemetry.timePs(row, hop)
    }
    if (path === ROUTED) this.#writeRoute(words, p)
    hosts.discard(p)
  }

  /** What is left of its route, and how many ports that is. */
  #writeRoute(words: Words, p: number): void {
    const { packets, ports } = this.#fabric
    const target = packets.cold[(p >> 1) + TARGET]
    const first = (p << 2) + packets.int[p + HOP] + 1
    let last = first - 1
    while (ports.to[packets.routes[last]] !== target) last++
    words.put(last + 1 - first)
    words.putAll(packets.routes.subarray(first, last + 1))
  }

  #readRoute(array: Float64Array, at: number, p: number): number {
    const { packets } = this.#fabric
    const count = array[at]
    const first = (p << 2) + packets.int[p + HOP] + 1
    for (let i = 0; i < count; i++) packets.routes[first + i] = array[at + 1 + i]
    return at + 1 + count
  }

  /** A member learns of a path, under the number that it has here. */
  #tell(member: number, path: number): void {
    const { paths } = this.#fabric
    const length = paths.lengthOf(path)
    const words = this.#team.out[member] as Words
    words.put(PATH_OF, path, length)
    words.putAll(paths.ports.subarray(path, path + length))
    const isTold = (this.#isTold[member] = withRoomFor(this.#isTold[member]!, path))
    isTold[path] = 1
  }

  /** Room at the far end of `port` is free for another member's port; true if it is another's. */
  returnCredits(port: number, trafficClass: number, bytes: number, duePs: number): boolean {
    const member = this.#memberOf[this.#fabric.ports.from[port]]
    if (member === this.#team.me) return false
    this.#team.out[member]?.put(CREDITS, port, trafficClass, bytes, duePs)
    if (duePs < this.#sentPs) this.#sentPs = duePs
    return true
  }

  /** A flow is to stop at another member's port, or may go on; true if it is another's. */
  sayOfFlow(port: number, key: number, isOff: boolean, duePs: number): boolean {
    const member = this.#memberOf[this.#fabric.ports.from[port]]
    if (member === this.#team.me) return false
    this.#team.out[member]?.put(OF_FLOW, port, key, isOff ? 1 : 0, duePs)
    if (duePs < this.#sentPs) this.#sentPs = duePs
    return true
  }

  /** Reads a record of another member; where the next one is, or -1: it is none of the border's. */
  take(member: number, words: Words, at: number): number {
    const { array, int } = words
    if (int[2 * at + PORT_LANE] < 0) return this.#takePacket(member, words, at)
    switch (array[at]) {
      case PATH_OF:
        return this.#learn(member, array, at)
      case CREDITS:
        this.#fabric.gate.takeCredits(array[at + 1], array[at + 2], array[at + 3], array[at + 4])
        return at + 5
      case OF_FLOW:
        this.#fabric.gate.flowMessages?.lay(
          array[at + 1],
          array[at + 2],
          array[at + 3] === 1,
          array[at + 4],
        )
        return at + 5
      default:
        return -1
    }
  }

  #takePacket(member: number, { array, int }: Words, at: number): number {
    const { packets, ports, telemetry } = this.#fabric
    const p = packets.allocate()
    const cold = p >> 1
    const i = 2 * at
    const what = int[i + WHAT_LANE]
    const path = int[i + PATH_LANE]
    packets.int[p + BYTES] = int[i + BYTES_LANE]
    packets.int[p + PAYLOAD] = int[i + PAYLOAD_LANE]
    packets.int[p + KIND] = what & ((1 << CLASS_SHIFT) - 1)
    packets.int[p + CLASS] = (what & (HAS_FIELDS - 1)) >> CLASS_SHIFT
    packets.int[p + FLAGS] = what >> FLAGS_SHIFT
    packets.int[p + FLOW] = int[i + FLOW_LANE]
    packets.int[p + SEQ] = int[i + SEQ_LANE]
    packets.int[p + PATH] = path >= 0 ? this.#ours[member]![path]! : path
    packets.int[p + HOP] = int[i + HOP_LANE]
    packets.int[p + INGRESS] = -1
    packets.int[p + ENTROPY] = int[i + HOPS_LANE] >> HOPS_BITS
    packets.cold[cold + SOURCE] = int[i + SOURCE_LANE]
    packets.cold[cold + TARGET] = int[i + TARGET_LANE]
    packets.cold[cold + SENT] = array[at + SENT_AT]
    const fields = (what & HAS_FIELDS) === 0 ? 0 : FIELDS
    packets.cold[cold + FIELD_A] = fields === 0 ? 0 : array[at + RECORD]
    packets.cold[cold + FIELD_B] = fields === 0 ? 0 : array[at + RECORD + 1]
    packets.cold[cold + CODE] = fields === 0 ? 0 : array[at + RECORD + 2]
    const hops = (int[i + HOPS_LANE] & ((1 << HOPS_BITS) - 1)) - 1
    const row = hops < 0 ? -1 : telemetry.allocate()
    packets.cold[cold + TELEMETRY] = row
    for (let hop = 0; hop < hops; hop++) {
      const word = at + RECORD + fields + hop * HOP_WORDS
      telemetry.stamp(row, array[word], array[word + 1], array[word + 2], array[word + 3])
    }
    const port = -1 - int[i + PORT_LANE]
    const arrivePs = array[at + ARRIVAL_AT]
    if (arrivePs < this.#reachedPs) throw new Error(`a packet by port ${port} comes too late`)
    layEntry(this.#fabric, port, p, arrivePs)
    ports.int[(port << 5) + SETTLED] = this.#fabric.wires.ends[(port << 2) + TAIL]
    const end = at + RECORD + fields + Math.max(0, hops) * HOP_WORDS
    return path === ROUTED ? this.#readRoute(array, end, p) : end
  }

  #learn(member: number, array: Float64Array, at: number): number {
    const from = at + 3
    const to = from + array[at + 2]
    const path = this.#fabric.paths.add(Array.from(array.subarray(from, to)))
    const ours = (this.#ours[member] = withRoomFor(this.#ours[member]!, array[at + 1]))
    ours[array[at + 1]] = path
    return to
  }
}

/** The same, or a larger one with the same at its beginning, which has a place `index`. */
function withRoomFor<A extends Uint8Array | Int32Array>(array: A, index: number): A {
  if (index < array.length) return array
  const Same = array.constructor as new (length: number) => A
  const larger = new Same(2 * index)
  larger.set(array)
  return larger
}
