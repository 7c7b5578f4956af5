/** A scheme's own packet (a CNP, an FRP, a grant, an agent's word), without a way yet. */
import type { Control } from '../contract/control.ts'
import {
  FIELD_A,
  AGENT,
  FIELD_B,
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
  const p = schemePacket(packets, control, CONTROL, trafficClass, code, bytes, a, b)
  const { int } = packets
  int[p + FLAGS] = isBackward ? BACKWARD : 0
  int[p + FLOW] = flow
  return p
}

/** A packet from one node's agent to another's: of no flow. */
export function agentPacket(
  packets: Packets,
  control: Control,
  trafficClass: number,
  code: number,
  bytes: number,
  a: number,
  b: number,
): number {
  const p = schemePacket(packets, control, AGENT, trafficClass, code, bytes, a, b)
  packets.int[p + FLAGS] = 0
  packets.int[p + FLOW] = -1
  return p
}

function schemePacket(
  packets: Packets,
  control: Control,
  kind: number,
  trafficClass: number,
  code: number,
  bytes: number,
  a: number,
  b: number,
): number {
  const most = control.controlBytesMax ?? 0
  if (bytes > most) throw new Error(tooLong(bytes, most))
  const p = packets.allocate()
  const { cold, int } = packets
  int[p + KIND] = kind
  int[p + CLASS] = trafficClass
  cold[(p >> 1) + CODE] = code
  int[p + BYTES] = bytes
  int[p + PAYLOAD] = 0
  int[p + SEQ] = 0
  int[p + INGRESS] = -1
  cold[(p >> 1) + TELEMETRY] = -1
  cold[(p >> 1) + FIELD_A] = a
  cold[(p >> 1) + FIELD_B] = b
  return p
}

/** Headroom was reckoned without such a packet: it would be lost where nothing may be. */
function tooLong(bytes: number, most: number): string {
  return (
    `the scheme sends a control packet of ${bytes} bytes, and its controlBytesMax says ${most}; ` +
    'let create() return the longest that its points send'
  )
}
