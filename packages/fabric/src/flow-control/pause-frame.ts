/** An 802.3x PAUSE or PFC frame: hop by hop, of no flow, and held by nobody's buffer. */
import {
  FIELD_A,
  BYTES,
  CLASS,
  CODE,
  FLAGS,
  FLOW,
  INGRESS,
  KIND,
  PATH,
  PAUSE,
  PAYLOAD,
  SEQ,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'
import { CLASSES } from '../ports.ts'

/** XOFF or XON for a class of what comes by `link`. */
export function pauseFrame(
  packets: Packets,
  link: number,
  trafficClass: number,
  isOff: boolean,
  bytes: number,
): number {
  const p = packets.allocate()
  const { cold, int } = packets
  int[p + KIND] = PAUSE
  int[p + CLASS] = CLASSES - 1
  cold[(p >> 1) + CODE] = trafficClass
  cold[(p >> 1) + FIELD_A] = isOff ? 1 : 0
  int[p + BYTES] = bytes
  int[p + PAYLOAD] = 0
  int[p + FLAGS] = 0
  int[p + FLOW] = -1
  int[p + SEQ] = (link << 1) | (isOff ? 1 : 0)
  int[p + PATH] = -1
  int[p + INGRESS] = -1
  cold[(p >> 1) + TELEMETRY] = -1
  return p
}
