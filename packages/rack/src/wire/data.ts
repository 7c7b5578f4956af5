/**
 * A packet that is source-routed: data of a flow, and what one node has to say to another.
 *
 *     byte  0      type (4 bits), 0
 *           1      rlen, hops of the route
 *           2      ridx, the hop that comes next
 *           3      bits per hop: 3 for up to eight links, as in the paper; more on wider switches
 *           4-5    source        6-7  destination       8-9  flow
 *           10-13  sequence number of the packet in its flow
 *           14-15  plen, bytes of the payload
 *           16-17  checksum of everything but ridx, which every hop changes
 *           18-    the route, up to 128 bits, then the payload
 *
 * A hop names the output of the node that forwards. With 3 bits a route has up to 42 hops.
 */
import { crc16 } from './crc16.ts'
import {
  get16,
  get32,
  put16,
  put32,
  TYPE_DATA,
  TYPE_DROPPED,
  TYPE_REQUEST,
  TYPE_SNAPSHOT,
  typeOf,
} from './packet.ts'
import type { Decoded } from './packet.ts'

export const HEADER_BYTES = 18
export const ROUTE_BITS_MAX = 128
const RIDX = 2
const CHECKSUM = 16

export interface RoutedPacket {
  readonly type: number
  readonly source: number
  readonly target: number
  readonly flow: number
  readonly sequence: number
  /** Outputs, one for each node that it leaves. */
  readonly route: readonly number[]
  readonly payload: Uint8Array
}

/** Bits that an output's number takes in a fabric of this degree. */
export function hopBitsOf(degree: number): number {
  let bits = 3
  while (2 ** bits < degree) bits++
  return bits
}

export function hopsMax(hopBits: number): number {
  return Math.floor(ROUTE_BITS_MAX / hopBits)
}

export function encodeRouted(packet: RoutedPacket, hopBits: number): Uint8Array {
  const { route, payload } = packet
  if (route.length > hopsMax(hopBits)) {
    throw new RangeError(
      `A route of ${route.length} hops does not fit; ${hopsMax(hopBits)} of ${hopBits} bits do.`,
    )
  }
  const routeBytes = Math.ceil((route.length * hopBits) / 8)
  const bytes = new Uint8Array(HEADER_BYTES + routeBytes + payload.length)
  bytes[0] = packet.type << 4
  bytes[1] = route.length
  bytes[3] = hopBits
  put16(bytes, 4, packet.source)
  put16(bytes, 6, packet.target)
  put16(bytes, 8, packet.flow)
  put32(bytes, 10, packet.sequence)
  put16(bytes, 14, payload.length)
  route.forEach((port, hop) => putHop(bytes, hop, hopBits, port))
  bytes.set(payload, HEADER_BYTES + routeBytes)
  put16(bytes, CHECKSUM, checksumOf(bytes))
  return bytes
}

const ROUTED: readonly number[] = [TYPE_DATA, TYPE_REQUEST, TYPE_SNAPSHOT, TYPE_DROPPED]

/**
 * All that a node on the way looks at: the output to take, or 'arrived'. Counts the hop. All nodes
 * of a rack have hops of the same width.
 */
export function nextHop(bytes: Uint8Array, hopBits: number): Decoded<number | 'arrived'> {
  if (bytes.length < HEADER_BYTES) return 'length'
  if (!ROUTED.includes(typeOf(bytes))) return 'type'
  const [hops, hop] = [bytes[1]!, bytes[RIDX]!]
  if (bytes[3] !== hopBits || hops > hopsMax(hopBits) || hop > hops) return 'field'
  if (bytes.length < HEADER_BYTES + Math.ceil((hops * hopBits) / 8)) return 'length'
  if (hop === hops) return 'arrived'
  bytes[RIDX] = hop + 1
  return getHop(bytes, hop, hopBits)
}

/** At the destination: everything is checked. */
export function decodeRouted(bytes: Uint8Array, nodes: number): Decoded<RoutedPacket> {
  if (bytes.length < HEADER_BYTES) return 'length'
  if (!ROUTED.includes(typeOf(bytes))) return 'type'
  const [hops, hopBits] = [bytes[1]!, bytes[3]!]
  if (hopBits < 1 || hopBits > 16 || hops > hopsMax(hopBits)) return 'field'
  const begin = HEADER_BYTES + Math.ceil((hops * hopBits) / 8)
  if (bytes.length !== begin + get16(bytes, 14)) return 'length'
  if (checksumOf(bytes) !== get16(bytes, CHECKSUM)) return 'checksum'
  const [source, target] = [get16(bytes, 4), get16(bytes, 6)]
  if (source >= nodes || target >= nodes) return 'field'
  return {
    type: typeOf(bytes),
    source,
    target,
    flow: get16(bytes, 8),
    sequence: get32(bytes, 10),
    route: Array.from({ length: hops }, (_, hop) => getHop(bytes, hop, hopBits)),
    payload: bytes.subarray(begin),
  }
}

/** Over all bytes but ridx and the checksum itself. */
function checksumOf(bytes: Uint8Array): number {
  const head = crc16(bytes, 0, RIDX)
  return crc16(bytes, CHECKSUM + 2, bytes.length, crc16(bytes, RIDX + 1, CHECKSUM, head))
}

function putHop(bytes: Uint8Array, hop: number, hopBits: number, port: number): void {
  if (port >= 2 ** hopBits) throw new RangeError(`Output ${port} needs more than ${hopBits} bits.`)
  for (let bit = 0; bit < hopBits; bit++) {
    if ((port & (1 << bit)) === 0) continue
    const at = hop * hopBits + bit
    bytes[HEADER_BYTES + (at >> 3)]! |= 1 << (at & 7)
  }
}

function getHop(bytes: Uint8Array, hop: number, hopBits: number): number {
  let port = 0
  for (let bit = 0; bit < hopBits; bit++) {
    const at = hop * hopBits + bit
    if ((bytes[HEADER_BYTES + (at >> 3)]! & (1 << (at & 7))) !== 0) port |= 1 << bit
  }
  return port
}
