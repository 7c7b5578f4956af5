/** Room on wires: each port has a ring, and a ring that is full of what is under way grows. */
import type { Fabric } from './fabric.ts'
import { LIMIT, SETTLED } from './ports.ts'
import type { Ports } from './ports.ts'
import { awaitArrival } from './wire-ends.ts'
import { ARRIVES, AWAITED, PACKET, RING, TAIL, TAKEN, Wires, entryOf } from './wires.ts'

/** Rings of 2 to this power of entries become no smaller. */
const SMALL_BITS = 3

export function layWires(ports: Ports): Wires {
  const wires = new Wires(ports.count)
  for (let port = 0; port < ports.count; port++) {
    ports.int[(port << 5) + LIMIT] = Wires.firstCapacity
  }
  return wires
}

/**
 * A ring has been filled once: what has left and is taken makes room, or a larger ring does. One
 * that is nearly empty, after a burst, gives way to a smaller one: entries are written all round,
 * and the less that is, the more of it stays in the cache.
 */
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
  const used = (tail - oldest) | 0
  const bits = ring & 31
  let room = ring
  if (used * 4 > 3 << bits) room = wires.resize(ring, bits + 1, oldest, tail)
  else if (bits > SMALL_BITS && used * 8 < 1 << bits)
    room = wires.resize(ring, bits - 1, oldest, tail)
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
  const bits = ring & 31
  if (((tail - taken) | 0) === 1 << bits) {
    wires.ends[e + RING] = wires.resize(ring, bits + 1, taken, tail)
  }
  const entry = entryOf(wires.ends[e + RING], tail)
  wires.float[(entry << 2) + ARRIVES] = arrivePs
  wires.int[(entry << 3) + PACKET] = p
  wires.ends[e + TAIL] = tail + 1
  if (wires.ends[e + AWAITED] === 0) awaitArrival(fabric, port, arrivePs)
}
