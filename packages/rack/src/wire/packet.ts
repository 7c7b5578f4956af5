/**
 * What rack nodes say to each other. P. Costa et al., "R2C2", SIGCOMM 2015, section 4.2 and Fig.
 * 6 (of which the text keeps the fields): node addresses of 16 bits, routes of up to 128 bits,
 * broadcasts of 16 bytes with the demand in Kb/s, 5 bytes per announced routing. All other widths
 * are ours; numbers are big-endian.
 *
 * The first four bits of a packet are its type. Bytes come from a network that loses and corrupts
 * them: decoders check every field and say in a word what is wrong.
 */

export const TYPE_DATA = 1
export const TYPE_START = 2
export const TYPE_FINISH = 3
export const TYPE_DIGEST = 4
export const TYPE_LINKS = 5
export const TYPE_ROUTES = 6
export const TYPE_REQUEST = 7
export const TYPE_SNAPSHOT = 8
export const TYPE_DROPPED = 9

/** Why bytes are no packet. */
export type Malformed = 'length' | 'type' | 'checksum' | 'field'

export type Decoded<Packet> = Packet | Malformed

export function typeOf(bytes: Uint8Array): number {
  return bytes.length === 0 ? 0 : bytes[0]! >> 4
}

export function put16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8
  bytes[at + 1] = value & 0xff
}

export function get16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!
}

export function put32(bytes: Uint8Array, at: number, value: number): void {
  put16(bytes, at, value >>> 16)
  put16(bytes, at + 2, value & 0xffff)
}

export function get32(bytes: Uint8Array, at: number): number {
  return get16(bytes, at) * 65536 + get16(bytes, at + 2)
}
