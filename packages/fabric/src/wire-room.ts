/** Room on wires: each port has a ring, and a ring that is full of what is under way grows. */
import type { Fabric } from './fabric.ts'
import { LIMIT, SETTLED } from './ports.ts'
import type { Ports } from './ports.ts'
import { ARRIVES, AWAITED, PACKET, RING, TAIL, TAKEN, Wires, entryOf } from './wires.ts'

export function layWires(ports: Ports): Wires {
  const wires = new Wires(ports.count)
  for (let port = 0; port < ports.count; port++) {
    ports.int[(port << 5) + LIMIT] = Wires.firstCapacity
  }
  return wires
}

/** A ring may be full: what has left and is taken makes room, or a larger ring does. */
export function makeRoom(fabric: Fabric, port: number, nowPs: number): void {
  const { ports, wires } = fabric
  const i = port << 5
  fabric.settle(port, nowPs)
  const e = port << 2
  const tail = wires.ends[e + TAIL]
  const settled = ports.int[i + SETTLED]
  const taken = wires.ends[e + TAKEN]
  const oldest = ((settled - taken) | 0) < 0 ? settled : taken
  const ring = wires.ends[e + RING]
  const isCrowded = ((tail - oldest) | 0) * 4 > 3 << (ring & 31)
  const room = isCrowded ? wires.grow(ring, oldest, tail) : ring
  wires.ends[e + RING] = room
  ports.int[i + LIMIT] = oldest + (1 << (room & 31))
}

/** A packet that another thread has sent is on the wire of its `port`, for a node of this one. */
export function layEntry(fabric: Fabric, port: number, p: number, arrivePs: number): void {
  const { wires } = fabric
  const e = port << 2
  const tail = wires.ends[e + TAIL]
  const taken = wires.ends[e + TAKEN]
  const ring = wires.ends[e + RING]
  if (((tail - taken) | 0) === 1 << (ring & 31))
    wires.ends[e + RING] = wires.grow(ring, taken, tail)
  const entry = entryOf(wires.ends[e + RING], tail)
  wires.float[(entry << 2) + ARRIVES] = arrivePs
  wires.int[(entry << 3) + PACKET] = p
  wires.ends[e + TAIL] = tail + 1
  if (wires.ends[e + AWAITED] === 0) fabric.awaitArrival(port, arrivePs)
}
