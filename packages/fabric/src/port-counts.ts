/**
 * What a port has done by now, for those who measure: bytes that have left it and time that it was
 * paused, exact at the picosecond although ports count in advance.
 */
import type { Fabric } from './fabric.ts'
import { BYTES, NEXT, PAYLOAD } from './packets.ts'
import { CLASSES, CONTROL_BYTES, FAST, FREE, HELD, HELD_MAX, MODE, PS_PER_BYTE } from './ports.ts'
import { QUEUE_HEAD, SENT_BYTES } from './ports.ts'

/** Wire bytes that have left the port by now, whatever is committed beyond. */
export function departedBytes(fabric: Fabric, port: number, nowPs: number): number {
  fabric.settle(port, nowPs)
  const { cut, packets, ports } = fabric
  const sentBytes = ports.float[(port << 4) + SENT_BYTES]
  const i = port << 5
  if (ports.int[i + MODE] === FAST) return sentBytes - ports.int[i + HELD]
  if (cut.tailPs[port] < Infinity) return sentBytes - cut.bytes[port]
  const serving = ports.int[i + QUEUE_HEAD]
  return sentBytes - (serving < 0 ? 0 : packets.int[serving + BYTES])
}

/** Of those, what is no payload of a flow. */
export function departedControlBytes(fabric: Fabric, port: number, nowPs: number): number {
  fabric.settle(port, nowPs)
  const { cut, packets, ports } = fabric
  let bytes = ports.float[(port << 4) + CONTROL_BYTES]
  if (cut.tailPs[port] < Infinity) bytes -= cut.controlBytes[port]
  for (let p = ports.int[(port << 5) + QUEUE_HEAD]; p >= 0; p = packets.int[p + NEXT]) {
    bytes -= packets.int[p + BYTES] - packets.int[p + PAYLOAD]
  }
  return bytes
}

/** Time that a class of this port has been paused, up to now. */
export function pausedForPs(
  { ports }: Fabric,
  port: number,
  trafficClass: number,
  nowPs: number,
): number {
  const i = port * CLASSES + trafficClass
  const isPaused = (ports.paused[port] >> trafficClass) & 1
  return ports.pausedPs[i] + (isPaused ? nowPs - ports.pausedSincePs[i] : 0)
}

/** Bytes that a port holds, and no more than a packet too many: what is yet to be sent tells. */
export function mostHeld({ longestBytes, ports }: Fabric, port: number, nowPs: number): number {
  const { float, int } = ports
  const held = int[(port << 5) + HELD]
  if (int[(port << 5) + MODE] !== FAST) return held
  const aheadPs = float[(port << 4) + FREE] - nowPs
  if (aheadPs <= 0) return 0
  // Rounding may have cut half a picosecond off each packet, and so off each byte at the most.
  const leastPsPerByte = float[(port << 4) + PS_PER_BYTE] - 0.5
  if (leastPsPerByte <= 0) return held
  const most = aheadPs / leastPsPerByte + longestBytes
  return held < most ? held : most
}

/** A port may hold more than ever before: settles it, and sees. */
export function lookAtMax(fabric: Fabric, port: number, nowPs: number): void {
  const { int } = fabric.ports
  const i = port << 5
  fabric.settle(port, nowPs)
  if (int[i + HELD] > int[i + HELD_MAX]) int[i + HELD_MAX] = int[i + HELD]
}

/** Takes back that a packet was counted as sent when its departure was fixed. */
export function uncount({ packets, ports }: Fabric, port: number, p: number): void {
  const f = port << 4
  const bytes = packets.int[p + BYTES]
  ports.float[f + SENT_BYTES] -= bytes
  ports.float[f + CONTROL_BYTES] -= bytes - packets.int[p + PAYLOAD]
}
