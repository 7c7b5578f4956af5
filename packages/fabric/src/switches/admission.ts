/**
 * Admission: what a contention point says of a data packet that wants to join its output is carried
 * out before the switch asks whether there is room for it, at every kind of switch.
 *
 * Credits have nothing to admit: a packet is sent when there is room for it, and what was cut off
 * would be in a buffer that its credits do not speak of. Such a run is refused.
 *
 * No allocation.
 */
import { DROP, MARK, TRIM } from '../contract/contention-point.ts'
import type { ContentionPoint } from '../contract/contention-point.ts'
import type { Fabric } from '../fabric.ts'
import { changeLane } from '../lanes.ts'
import {
  BACKWARD,
  BYTES,
  CLASS,
  CONTROL,
  DATA,
  FLAGS,
  INGRESS,
  KIND,
  MARKED,
  PAYLOAD,
  TRIMMED,
} from '../packets.ts'
import { CLASS_MASK } from '../ports.ts'

/** What is left of a packet whose payload is cut off, and the class that it goes on in. */
export interface Trimmed {
  readonly bytes: number
  readonly class: number
}

/**
 * A packet has come to an output with a contention point: a control packet on its way from source
 * to target is shown to it, a data packet judged, unless it was cut before. False: it is to be
 * dropped.
 */
export function consult(
  fabric: Fabric,
  trimmed: Trimmed,
  contention: ContentionPoint,
  out: number,
  p: number,
  nowPs: number,
): boolean {
  const { int } = fabric.packets
  const flags = int[p + FLAGS]
  if (int[p + KIND] === CONTROL && (flags & BACKWARD) === 0) contention.onControl(p, nowPs)
  if (!contention.admits || int[p + KIND] !== DATA || (flags & TRIMMED) !== 0) return true
  const { ports } = fabric
  const verdict = contention.admit(p, ports.queuedBytes(out, int[p + CLASS]), nowPs)
  if (verdict === TRIM) {
    trim(fabric, trimmed, out, p)
    ports.trims[out]++
  } else if (verdict === MARK) {
    int[p + FLAGS] |= MARKED
    ports.marks[out]++
  }
  return verdict !== DROP
}

function trim({ lanes, packets }: Fabric, trimmed: Trimmed, out: number, p: number): void {
  const { int } = packets
  int[p + FLAGS] |= TRIMMED
  int[p + BYTES] = Math.min(int[p + BYTES], trimmed.bytes)
  int[p + PAYLOAD] = 0
  int[p + CLASS] = trimmed.class
  int[p + INGRESS] = (int[p + INGRESS] & ~CLASS_MASK) | trimmed.class
  if (lanes !== undefined) changeLane(lanes, packets, out, p)
}
