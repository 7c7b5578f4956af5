/** The far end of a wire: what is first on it is awaited there, and taken off. */
import type { Fabric } from './fabric.ts'
import { LINK } from './kinds.ts'
import { ARRIVES, AWAITED, PACKET, RING, TAIL, TAKEN, entryOf } from './wires.ts'

/** What is first on a wire will be there: an event, or one of what its cell takes in a window. */
export function awaitArrival(fabric: Fabric, port: number, arrivePs: number): void {
  const { arrivals, toCell, wires, windows } = fabric
  wires.ends[(port << 2) + AWAITED] = 1
  if (arrivals.takes(port)) arrivals.expect(port, arrivePs)
  else if (fabric.cutThroughBytes === 0) windows.post(arrivePs, LINK, port, toCell[port])
  else wires.handle[port] = windows.schedule(arrivePs, LINK, port, toCell[port])
}

/** Takes the packet that is there off a wire; the one behind it is next. */
export function takeOffWire(fabric: Fabric, port: number): number {
  const { wires } = fabric
  const e = port << 2
  const ring = wires.ends[e + RING]
  const n = wires.ends[e + TAKEN]
  const next = (n + 1) | 0
  wires.ends[e + TAKEN] = next
  if (next === wires.ends[e + TAIL]) wires.ends[e + AWAITED] = 0
  else awaitArrival(fabric, port, wires.float[(entryOf(ring, next) << 2) + ARRIVES])
  return wires.int[(entryOf(ring, n) << 3) + PACKET]
}
