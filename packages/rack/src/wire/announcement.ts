/**
 * The broadcast of 16 bytes: a flow starts (or is announced again), a flow has finished, a digest
 * of all flows of a node, or which of a node's links are down.
 *
 *     byte  0      type (4 bits), priority (4 bits)
 *           1      tree (4), routing protocol (4)
 *           2-3    source
 *           4-5    destination; of a digest: how many flows the source has
 *           6-7    number of the flow at its source; with the source the paper's 4-byte identifier;
 *                  of a digest: the upper bits of the sequence number; of links: which word it is
 *           8-11   demand in Kb/s, all ones for 'as much as it gets'; of a digest: hash of the
 *                  flows; of links: a bit for each output that is down
 *           12     weight: (16 + low 4 bits) / 16 x 2^(high 4 bits - 8), from 1/256 to 248
 *           13     sequence number of the source's announcements
 *           14-15  checksum of bytes 0 to 13
 */
import { PROTOCOL_NAMES } from '../protocols.ts'
import { crc16 } from './crc16.ts'
import {
  get16,
  get32,
  put16,
  put32,
  TYPE_DIGEST,
  TYPE_FINISH,
  TYPE_LINKS,
  TYPE_START,
  typeOf,
} from './packet.ts'
import type { Decoded } from './packet.ts'

export const ANNOUNCEMENT_BYTES = 16
export const PROTOCOLS_MAX = 16
export const PRIORITY_MAX = 15
export const TREES_MAX = 16
const NO_LIMIT = 0xffffffff

export type AnnouncementType =
  typeof TYPE_START | typeof TYPE_FINISH | typeof TYPE_DIGEST | typeof TYPE_LINKS

export interface Announcement {
  readonly type: AnnouncementType
  readonly priority: number
  readonly tree: number
  readonly protocol: number
  readonly source: number
  readonly target: number
  readonly flow: number
  /** Kb/s, Infinity for no limit; or the word of a digest or of links. */
  readonly demandKbps: number
  /** As it travels: see `weightOf`. */
  readonly weightCode: number
  readonly sequence: number
}

/** By code: four bits of mantissa, and the exponent above them. */
const WEIGHTS = Float64Array.from({ length: 256 }, (_, code) => {
  return ((16 + (code & 15)) / 16) * 2 ** ((code >> 4) - 8)
})

const TYPES: readonly number[] = [TYPE_START, TYPE_FINISH, TYPE_DIGEST, TYPE_LINKS]

export function encodeAnnouncement(a: Announcement): Uint8Array {
  const bytes = new Uint8Array(ANNOUNCEMENT_BYTES)
  bytes[0] = (a.type << 4) | a.priority
  bytes[1] = (a.tree << 4) | a.protocol
  put16(bytes, 2, a.source)
  put16(bytes, 4, a.target)
  put16(bytes, 6, a.flow)
  put32(bytes, 8, a.demandKbps === Infinity ? NO_LIMIT : Math.min(a.demandKbps, NO_LIMIT - 1))
  bytes[12] = a.weightCode
  bytes[13] = a.sequence
  put16(bytes, 14, crc16(bytes, 0, 14))
  return bytes
}

/** `nodes` bounds the addresses that can be. */
export function decodeAnnouncement(
  bytes: Uint8Array,
  nodes: number,
  at = 0,
): Decoded<Announcement> {
  if (bytes.length < at + ANNOUNCEMENT_BYTES) return 'length'
  const own = bytes.subarray(at, at + ANNOUNCEMENT_BYTES)
  if (!TYPES.includes(typeOf(own))) return 'type'
  if (crc16(own, 0, 14) !== get16(own, 14)) return 'checksum'
  const word = get32(own, 8)
  const type = typeOf(own) as AnnouncementType
  const isFlow = type === TYPE_START || type === TYPE_FINISH
  const announcement: Announcement = {
    type,
    priority: own[0]! & 15,
    tree: own[1]! >> 4,
    protocol: own[1]! & 15,
    source: get16(own, 2),
    target: get16(own, 4),
    flow: get16(own, 6),
    demandKbps: isFlow && word === NO_LIMIT ? Infinity : word,
    weightCode: own[12]!,
    sequence: own[13]!,
  }
  if (announcement.source >= nodes || (isFlow && announcement.target >= nodes)) return 'field'
  if (isFlow && announcement.source === announcement.target) return 'field'
  if (isFlow && announcement.protocol >= PROTOCOL_NAMES.length) return 'field'
  return announcement
}

export function weightOf(code: number): number {
  return WEIGHTS[code]!
}

/** The code of the nearest weight that is not below; the ends of the range beyond it. */
export function weightCodeOf(weight: number): number {
  if (!(weight > 0)) throw new RangeError(`A flow has weight ${weight}; give one above 0.`)
  for (let code = 0; code < 255; code++) if (WEIGHTS[code]! >= weight) return code
  return 255
}
