/**
 * Packets in records of one cache line: a packet is the offset of its record, and a field is a
 * lane: `int[p + BYTES]`, `float[(p >> 1) + TAKEN_IN]`. What most hops do not touch is apart:
 * `cold[(p >> 1) + SENT]`. `NEXT` chains a packet in whichever queue holds it, and the free ones.
 *
 * Room is reserved for as many as a fabric of this size is likely to hold: a system gives memory
 * when it is first touched, and columns that are never replaced are constants to V8 (1.07 times as
 * fast on websearch-320). More than that allocates in `grow`, which replaces them: read them anew
 * after `allocate`.
 *
 * This file imports nothing that runs, as `ports.ts` does and for its reason.
 */

/** Ports that a written route may have, at most. */
export const ROUTE_MAX = 64

/** Lanes of `int`. */
export const BYTES = 0
export const PAYLOAD = 1
export const KIND = 2
export const CLASS = 3
export const FLAGS = 4
export const FLOW = 5
/** Packet number within the flow; of an ACK, the next one that the receiver expects. */
export const SEQ = 6
/**
 * Offset of its port list in the path store, and how far along it is; HOP_BY_HOP, or ROUTED: the
 * list is its own.
 */
export const PATH = 7
export const HOP = 8
/** The ingress of the switch that holds it, link and class, by which it came; -1 at its source. */
export const INGRESS = 9
export const NEXT = 10
/** What its sender chose its path by; an ACK says that of the packet which it answers. -1: none. */
export const ENTROPY = 14

/** Values of PATH. */
export const HOP_BY_HOP = -1
export const ROUTED = -2

/** A lane of `float`, behind those of `int`: when a capped host will have taken it in. */
export const TAKEN_IN = 6

/** Lanes of `cold`: what most hops do not touch. */
/** Number of the host that sent it. */
export const SOURCE = 0
/** End of the data packet's transmission by its source; an ACK carries it back. */
export const SENT = 1
/**
 * Fields of control packets, and their code. Of data and ACKs, `FIELD_B`: ps that hosts took it
 * in, and `CODE`: what the sender wrote into the data packet.
 */
export const FIELD_A = 2
export const FIELD_B = 3
export const CODE = 4
/** The node it is going to. */
export const TARGET = 5
/** Row in the telemetry pool, -1 if none. */
export const TELEMETRY = 6
/** Input-buffered switches: the port it wants to leave by. */
export const OUT = 7

/** Int32 words per record. */
const WORDS = 16
/** Packets that there is room for at first: at least, at the most, and per link. */
const FIRST = 4096
const MOST = 2 ** 21
const PER_LINK = 64

/** What a packet is. */
export const DATA = 0
export const ACK = 1
/** An ACK that says what is missing. */
export const NACK = 2
/** A scheme's own packet: CNP, heartbeat, QCN message; `CODE` is the scheme's. */
export const CONTROL = 3
/** 802.3x PAUSE or PFC frame; hop by hop. `CODE`: the class; `FIELD_A`: 1 is XOFF, 0 is XON. */
export const PAUSE = 4

/** From one node's agent to another's, of no flow; its code and fields are the scheme's. */
export const AGENT = 5

/** Flags. */
export const CAPABLE = 1
export const MARKED = 2
export const LAST = 4
/** On its way to the source of its flow, not to the target. */
export const BACKWARD = 8
export const AGAIN = 16
/** The sender has reduced its window (RFC 3168). */
export const CWR = 32
/** An ACK's: the receiver saw congestion experienced. `MARKED` is what the ACK itself has met. */
export const ECHO = 64
/** A switch has cut its payload off; an ACK's: that of the packet which it answers. */
export const TRIMMED = 128

export class Packets {
  int: Int32Array<ArrayBuffer>
  float: Float64Array<ArrayBuffer>
  cold: Float64Array<ArrayBuffer>
  /** Of a packet that is ROUTED, port i of its way is `routes[(p << 2) + i]`. Empty: none is. */
  routes: Int32Array<ArrayBuffer>
  #free: number = -1
  #used: number = 0
  #held: number = 0

  /** How many a fabric with so many links has room for at first. */
  static roomFor(links: number): number {
    const likely = Math.min(MOST, Math.max(FIRST, links * PER_LINK))
    return 2 ** (32 - Math.clz32(likely - 1))
  }

  constructor(capacity: number = FIRST, hasRoutes: boolean = false) {
    const buffer = new ArrayBuffer(capacity * WORDS * 4)
    this.int = new Int32Array(buffer)
    this.float = new Float64Array(buffer)
    this.cold = new Float64Array(this.float.length)
    this.routes = new Int32Array(hasRoutes ? capacity * ROUTE_MAX : 0)
  }

  /** Packets that exist now. */
  get held(): number {
    return this.#held
  }

  allocate(): number {
    let p = this.#free
    if (p >= 0) this.#free = this.int[p + NEXT]
    else {
      p = this.#used
      this.#used += WORDS
      if (p === this.int.length) this.#grow()
    }
    this.#held++
    return p
  }

  free(p: number): void {
    this.int[p + NEXT] = this.#free
    this.#free = p
    this.#held--
  }

  /** Records that hold no packet, for audits. */
  freeList(): Set<number> {
    const free = new Set<number>()
    for (let p = this.#free; p >= 0; p = this.int[p + NEXT]) free.add(p)
    return free
  }

  #grow(): void {
    const buffer = new ArrayBuffer(this.int.byteLength * 2)
    const int = new Int32Array(buffer)
    int.set(this.int)
    this.int = int
    this.float = new Float64Array(buffer)
    const cold = new Float64Array(this.float.length)
    cold.set(this.cold)
    this.cold = cold
    const routes = new Int32Array(this.routes.length * 2)
    routes.set(this.routes)
    this.routes = routes
  }
}
