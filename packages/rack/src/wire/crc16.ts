/**
 * The checksum of every packet: CRC-16/CCITT-FALSE (polynomial 0x1021, initially 0xffff). It finds
 * every error of up to 16 bits in a row, and misses one of 65,536 others. The paper has 'a packet
 * checksum' and no more.
 */
export function crc16(
  bytes: Uint8Array,
  from: number = 0,
  to: number = bytes.length,
  start: number = 0xffff,
): number {
  let crc = start
  for (let i = from; i < to; i++) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >> 8) ^ bytes[i]!]!
  return crc
}

/** What a byte at the upper end comes to. */
const TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) {
    crc = (crc & 0x8000) !== 0 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
})
