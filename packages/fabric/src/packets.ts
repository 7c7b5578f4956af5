/**
 * Packets as columns: a packet is an index. `next` chains it in whichever queue holds it, and the
 * free ones. Allocates only in `grow`, which replaces the columns: read them anew after `allocate`.
 */

/** What a packet is. */
export const DATA = 0
export const ACK = 1
/** An ACK that says what is missing. */
export const NACK = 2
/** A scheme's own packet: CNP, heartbeat, QCN message; `code` is the scheme's. */
export const CONTROL = 3
/** 802.3x PAUSE or PFC frame; hop by hop. `code`: the class; `a`: 1 is XOFF, 0 is XON. */
export const PAUSE = 4

/** Flags. */
export const CAPABLE = 1
export const MARKED = 2
export const LAST = 4
/** On its way to the source of its flow, not to the target. */
export const BACKWARD = 8
export const AGAIN = 16

export class Packets {
  bytes: Int32Array<ArrayBuffer>
  payload: Int32Array<ArrayBuffer>
  kind: Uint8Array<ArrayBuffer>
  class: Uint8Array<ArrayBuffer>
  flags: Uint8Array<ArrayBuffer>
  code: Uint8Array<ArrayBuffer>
  flow: Int32Array<ArrayBuffer>
  /** Packet number within the flow; of an ACK, the next one that the receiver expects. */
  seq: Int32Array<ArrayBuffer>
  /** Offset of its port list in the path store, and how far along it is; -1: hop by hop. */
  path: Int32Array<ArrayBuffer>
  hop: Uint8Array<ArrayBuffer>
  /** The node it is going to. */
  target: Int32Array<ArrayBuffer>
  /** The link by which it entered the switch that holds it; -1 at its source. */
  ingress: Int32Array<ArrayBuffer>
  /** Row in the telemetry pool, -1 if none. */
  telemetry: Int32Array<ArrayBuffer>
  next: Int32Array<ArrayBuffer>
  /** End of its transmission at the port it is committed to. */
  departPs: Float64Array<ArrayBuffer>
  /** When the next node sees it; with cut-through that is the header. */
  arrivePs: Float64Array<ArrayBuffer>
  /** Cut-through: when its last bit is in. */
  tailPs: Float64Array<ArrayBuffer>
  /** End of the data packet's transmission by its source; an ACK carries it back. */
  sentPs: Float64Array<ArrayBuffer>
  a: Float64Array<ArrayBuffer>
  b: Float64Array<ArrayBuffer>

  #free: number = -1
  #used: number = 0
  #held: number = 0

  constructor(capacity: number = 4096) {
    this.bytes = new Int32Array(capacity)
    this.payload = new Int32Array(capacity)
    this.kind = new Uint8Array(capacity)
    this.class = new Uint8Array(capacity)
    this.flags = new Uint8Array(capacity)
    this.code = new Uint8Array(capacity)
    this.flow = new Int32Array(capacity)
    this.seq = new Int32Array(capacity)
    this.path = new Int32Array(capacity)
    this.hop = new Uint8Array(capacity)
    this.target = new Int32Array(capacity)
    this.ingress = new Int32Array(capacity)
    this.telemetry = new Int32Array(capacity)
    this.next = new Int32Array(capacity)
    this.departPs = new Float64Array(capacity)
    this.arrivePs = new Float64Array(capacity)
    this.tailPs = new Float64Array(capacity)
    this.sentPs = new Float64Array(capacity)
    this.a = new Float64Array(capacity)
    this.b = new Float64Array(capacity)
  }

  /** Packets that exist now. */
  get held(): number {
    return this.#held
  }

  allocate(): number {
    let p = this.#free
    if (p >= 0) this.#free = this.next[p]
    else {
      p = this.#used++
      if (p === this.bytes.length) this.#grow()
    }
    this.#held++
    return p
  }

  free(p: number): void {
    this.next[p] = this.#free
    this.#free = p
    this.#held--
  }

  #grow(): void {
    const size = this.bytes.length * 2
    this.bytes = larger32(this.bytes, size)
    this.payload = larger32(this.payload, size)
    this.kind = larger8(this.kind, size)
    this.class = larger8(this.class, size)
    this.flags = larger8(this.flags, size)
    this.code = larger8(this.code, size)
    this.flow = larger32(this.flow, size)
    this.seq = larger32(this.seq, size)
    this.path = larger32(this.path, size)
    this.hop = larger8(this.hop, size)
    this.target = larger32(this.target, size)
    this.ingress = larger32(this.ingress, size)
    this.telemetry = larger32(this.telemetry, size)
    this.next = larger32(this.next, size)
    this.departPs = larger64(this.departPs, size)
    this.arrivePs = larger64(this.arrivePs, size)
    this.tailPs = larger64(this.tailPs, size)
    this.sentPs = larger64(this.sentPs, size)
    this.a = larger64(this.a, size)
    this.b = larger64(this.b, size)
  }
}

function larger8(column: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(size)
  grown.set(column)
  return grown
}

function larger32(column: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(size)
  grown.set(column)
  return grown
}

function larger64(column: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(size)
  grown.set(column)
  return grown
}
