/**
 * The broadcast that announces which routing protocol flows have from now on: 'four bytes for the
 * flow identifier and one byte for the routing protocol', P. Costa et al., "R2C2", SIGCOMM 2015,
 * section 3.4. 300 pairs would fill 1,500 bytes and leave nothing for a header: 298 fit.
 *
 *     byte  0      type (4 bits), 0
 *           1      tree (4), 0
 *           2-3    source        4   0        5   sequence number of the source's announcements
 *           6-7    how many pairs
 *           8-9    checksum of everything else
 *           10-    pairs: source and number of the flow, 2 bytes each, and the protocol
 */
import { PROTOCOL_NAMES } from '../protocols.ts'
import { crc16 } from './crc16.ts'
import { get16, put16, TYPE_ROUTES, typeOf } from './packet.ts'
import type { Decoded } from './packet.ts'

export const ROUTES_HEAD_BYTES = 10
export const PAIR_BYTES = 5
export const PAIRS_MAX: number = Math.floor((1500 - ROUTES_HEAD_BYTES) / PAIR_BYTES)

export interface RouteChoice {
  readonly source: number
  readonly flow: number
  readonly protocol: number
}

export interface RouteChoices {
  readonly source: number
  readonly tree: number
  readonly sequence: number
  readonly choices: readonly RouteChoice[]
}

export function encodeRouteChoices({ source, tree, sequence, choices }: RouteChoices): Uint8Array {
  if (choices.length > PAIRS_MAX) {
    throw new RangeError(`${choices.length} flows do not fit into a packet; ${PAIRS_MAX} do.`)
  }
  const bytes = new Uint8Array(ROUTES_HEAD_BYTES + PAIR_BYTES * choices.length)
  bytes[0] = TYPE_ROUTES << 4
  bytes[1] = tree << 4
  put16(bytes, 2, source)
  bytes[5] = sequence
  put16(bytes, 6, choices.length)
  choices.forEach((choice, i) => {
    const at = ROUTES_HEAD_BYTES + PAIR_BYTES * i
    put16(bytes, at, choice.source)
    put16(bytes, at + 2, choice.flow)
    bytes[at + 4] = choice.protocol
  })
  put16(bytes, 8, checksumOf(bytes))
  return bytes
}

export function decodeRouteChoices(bytes: Uint8Array, nodes: number): Decoded<RouteChoices> {
  if (bytes.length < ROUTES_HEAD_BYTES) return 'length'
  if (typeOf(bytes) !== TYPE_ROUTES) return 'type'
  const count = get16(bytes, 6)
  if (bytes.length !== ROUTES_HEAD_BYTES + PAIR_BYTES * count) return 'length'
  if (checksumOf(bytes) !== get16(bytes, 8)) return 'checksum'
  const choices = Array.from({ length: count }, (_, i) => {
    const at = ROUTES_HEAD_BYTES + PAIR_BYTES * i
    return { source: get16(bytes, at), flow: get16(bytes, at + 2), protocol: bytes[at + 4]! }
  })
  const source = get16(bytes, 2)
  if (source >= nodes || choices.some((choice) => choice.source >= nodes)) return 'field'
  if (choices.some(({ protocol }) => protocol >= PROTOCOL_NAMES.length)) return 'field'
  return { source, tree: bytes[1]! >> 4, sequence: bytes[5]!, choices }
}

function checksumOf(bytes: Uint8Array): number {
  return crc16(bytes, ROUTES_HEAD_BYTES, bytes.length, crc16(bytes, 0, 8))
}
