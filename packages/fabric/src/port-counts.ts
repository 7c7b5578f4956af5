/** What a port has done by now, for those who measure: bytes that have left it, and most held. */
import type { Fabric } from './fabric.ts'
import { CONTROL_BYTES, FAST, FREE_PS, HELD, HELD_MAX, MODE } from './ports.ts'
import { PS_PER_BYTE, SENT_BYTES } from './ports.ts'

/** Wire bytes that have left the port by now. */
export function departedBytes(fabric: Fabric, port: number, nowPs: number): number {
  fabric.settle(port, nowPs)
  return fabric.ports.float[(port << 4) + SENT_BYTES]
}

/** Of those, what is no payload of a flow. */
export function departedControlBytes(fabric: Fabric, port: number, nowPs: number): number {
  fabric.settle(port, nowPs)
  return fabric.ports.float[(port << 4) + CONTROL_BYTES]
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
  const most = aheadPs / leastPsPerByte + ports.longestBytes
  return held < most ? held : most
}

/** A port may hold more than ever before: settles it if that can be, and sees. */
export function lookAtMax(fabric: Fabric, port: number, nowPs: number): void {
  const { int } = fabric.ports
  const i = port << 5
  if (mostHeld(fabric, port, nowPs) <= int[i + HELD_MAX]) return
  fabric.settle(port, nowPs)
  if (int[i + HELD] > int[i + HELD_MAX]) int[i + HELD_MAX] = int[i + HELD]
}
