/** Departures that were fixed when packets were committed, accounted for when somebody looks. */
import type { Fabric } from './fabric.ts'
import { CLASSES, CONTROL_BYTES, FAST, FRAMES, FROM } from './ports.ts'
import { HELD, LEAVES, MODE, SENT_BYTES, SETTLED } from './ports.ts'
import { DEPARTS, RING, TAIL, WIRE_BYTES, WIRE_CLASS, WIRE_INGRESS, entryOf } from './wires.ts'

/** The packet in service, and maybe more, has left by now; the next one is in service. */
export function settleDue({ ports, switches, wires }: Fabric, port: number, nowPs: number): void {
  const i = port << 5
  const f = port << 4
  const node = ports.int[i + FROM]
  const isFast = ports.int[i + MODE] === FAST
  const ring = wires.ends[(port << 2) + RING]
  const tail = wires.ends[(port << 2) + TAIL]
  let n = ports.int[i + SETTLED]
  let leavesPs = 0
  let sentBytes = 0
  let controlBytes = 0
  let freedBytes = 0
  do {
    const entry = entryOf(ring, n) << 3
    const bytes = wires.int[entry + WIRE_BYTES]
    const what = wires.int[entry + WIRE_CLASS]
    sentBytes += bytes
    controlBytes += what >> 5
    const trafficClass = what & 31
    if (trafficClass !== FRAMES) {
      freedBytes += bytes
      if (!isFast) ports.queued[port * CLASSES + trafficClass] -= bytes
      const ingress = wires.int[entry + WIRE_INGRESS]
      if (ingress >= 0) switches.release(node, ingress, bytes)
    }
    n = (n + 1) | 0
    leavesPs = n === tail ? Infinity : wires.float[(entryOf(ring, n) << 2) + DEPARTS]
  } while (leavesPs <= nowPs)
  ports.int[i + SETTLED] = n
  ports.float[f + LEAVES] = leavesPs
  ports.int[i + HELD] -= freedBytes
  ports.float[f + SENT_BYTES] += sentBytes
  ports.float[f + CONTROL_BYTES] += controlBytes
}
