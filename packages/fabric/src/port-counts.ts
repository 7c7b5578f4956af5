/**
 * What a port has done by now, for those who measure: bytes that have left it, exact at the
 * picosecond although ports count in advance.
 */
import type { Fabric } from './fabric.ts'
import { BYTES, PAYLOAD } from './packets.ts'
import { CONTROL_BYTES, FAST, FREE_PS, HELD, HELD_MAX, LONGEST, MODE } from './ports.ts'
import { PS_PER_BYTE, SENT_BYTES, SETTLED } from './ports.ts'
import { RING, TAIL, WIRE_BYTES, WIRE_CLASS, entryOf } from './wires.ts'

/** Wire bytes that have left the port by now, whatever is committed beyond. */
export function departedBytes(fabric: Fabric, port: number, nowPs: number): number {
  fabric.settle(port, nowPs)
  let bytes = fabric.ports.float[(port << 4) + SENT_BYTES]
  eachCommitted(fabric, port, (wireBytes) => (bytes -= wireBytes))
  return bytes
}

/** Of those, what is no payload of a flow. */
export function departedControlBytes(fabric: Fabric, port: number, nowPs: number): number {
  fabric.settle(port, nowPs)
  let bytes = fabric.ports.float[(port << 4) + CONTROL_BYTES]
  eachCommitted(fabric, port, (_, overheadBytes) => (bytes -= overheadBytes))
  return bytes
}

/** Calls back for the packet in service and each one committed behind it. */
function eachCommitted(
  { ports, wires }: Fabric,
  port: number,
  visit: (bytes: number, overheadBytes: number) => void,
): void {
  const tail = wires.ends[(port << 2) + TAIL]
  const ring = wires.ends[(port << 2) + RING]
  for (let n = ports.int[(port << 5) + SETTLED]; n !== tail; n = (n + 1) | 0) {
    const entry = entryOf(ring, n) << 3
    visit(wires.int[entry + WIRE_BYTES], wires.int[entry + WIRE_CLASS] >> 5)
  }
}

/** Bytes that a port holds, and no more than a packet too many: what is yet to be sent tells. */
export function mostHeld({ ports }: Fabric, port: number, nowPs: number): number {
  const { float, int } = ports
  const held = int[(port << 5) + HELD]
  if (int[(port << 5) + MODE] !== FAST) return held
  const aheadPs = float[(port << 4) + FREE_PS] - nowPs
  if (aheadPs <= 0) return 0
  // Rounding may have cut half a picosecond off each packet, and so off each byte at the most.
  const leastPsPerByte = float[(port << 4) + PS_PER_BYTE] - 0.5
  if (leastPsPerByte <= 0) return held
  const most = aheadPs / leastPsPerByte + int[(port << 5) + LONGEST]
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
