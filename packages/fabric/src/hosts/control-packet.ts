/** A scheme's own packet (a CNP, an FRP, a congestion notification message), without a way yet. */
import type { Control } from '../contract/control.ts'
import {
  A,
  B,
  BACKWARD,
  BYTES,
  CLASS,
  CODE,
  CONTROL,
  FLAGS,
  FLOW,
  INGRESS,
  KIND,
  PAYLOAD,
  SEQ,
  TELEMETRY,
} from '../packets.ts'
import type { Packets } from '../packets.ts'

export function controlPacket(
  packets: Packets,
  control: Control,
  flow: number,
  trafficClass: number,
  isBackward: boolean,
  code: number,
  bytes: number,
  a: number,
  b: number,
): number {
  const most = control.controlBytesMax ?? 0
  if (bytes > most) throw new Error(tooLong(bytes, most))
  const p = packets.allocate()
  const { cold, int } = packets
  int[p + KIND] = CONTROL
  int[p + CLASS] = trafficClass
  int[p + FLAGS] = isBackward ? BACKWARD : 0
  cold[(p >> 1) + CODE] = code
  int[p + BYTES] = bytes
  int[p + PAYLOAD] = 0
  int[p + FLOW] = flow
  int[p + SEQ] = 0
  int[p + INGRESS] = -1
  cold[(p >> 1) + TELEMETRY] = -1
  cold[(p >> 1) + A] = a
  cold[(p >> 1) + B] = b
  return p
}

/** Headroom was reckoned without such a packet: it would be lost where nothing may be. */
function tooLong(bytes: number, most: number): string {
  return (
    `the scheme sends a control packet of ${bytes} bytes, and its controlBytesMax says ${most}; ` +
    'let create() return the longest that its points send'
  )
}
