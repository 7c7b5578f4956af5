/**
 * Between FAST and SLOW: what a pause, a second class or a watch of departures does to a port that
 * has committed all it has, and when it may do so again.
 */
import type { Fabric } from './fabric.ts'
import {
  CLASSES,
  FAST,
  FAST_CLASS,
  FREE_PS,
  HELD,
  LEAVES,
  MODE,
  NO_CLASS,
  SETTLED,
  SLOW,
} from './ports.ts'
import type { Ports } from './ports.ts'
import { AWAITED, ELSEWHERE, PACKET, RING, TAIL, TAKEN, entryOf } from './wires.ts'

/** What has not begun to leave goes back to its class queue. What is in service stays. */
export function slowDown(fabric: Fabric, port: number, nowPs: number): void {
  const { ports, scheduler } = fabric
  const i = port << 5
  const f = port << 4
  fabric.settle(port, nowPs)
  ports.int[i + MODE] = SLOW
  const trafficClass = ports.int[i + FAST_CLASS]
  if (trafficClass !== NO_CLASS) {
    // The scheduler has not been asked while there was nothing to choose from.
    scheduler.choose(ports, port, 1 << trafficClass)
    scheduler.charge(ports, port, trafficClass, 0)
    ports.queued[port * CLASSES + trafficClass] = ports.int[i + HELD]
  }
  if (ports.float[f + LEAVES] === Infinity) return
  ports.float[f + FREE_PS] = ports.float[f + LEAVES]
  takeBack(fabric, port, trafficClass)
  fabric.arm(port)
}

/** What is committed behind the packet in service waits again. */
function takeBack(fabric: Fabric, port: number, trafficClass: number): void {
  const { arrivals, ports, waits, wires } = fabric
  const e = port << 2
  const tail = wires.ends[e + TAIL]
  const first = (ports.int[(port << 5) + SETTLED] + 1) | 0
  if (first === tail) return
  for (let n = first; n !== tail; n = (n + 1) | 0) {
    const p = wires.int[(entryOf(wires.ends[e + RING], n) << 3) + PACKET]
    waits.add(port, trafficClass, p)
  }
  wires.ends[e + TAIL] = first
  // Cut-through: the head of the packet in service is ahead of its tail, and was awaited no more.
  if (wires.ends[e + TAKEN] !== first || wires.ends[e + AWAITED] === ELSEWHERE) return
  if (arrivals.takes(port)) arrivals.expectNone(port)
  else fabric.windows.cancel(wires.handle[port])
  wires.ends[e + AWAITED] = 0
}

/** From SLOW to FAST, if nothing is held, nothing is paused and nobody watches. */
export function speedUp({ int, paused, waiting, watched }: Ports, port: number): void {
  if ((waiting[port] | paused[port] | watched[port] | int[(port << 5) + HELD]) !== 0) return
  int[(port << 5) + MODE] = FAST
  int[(port << 5) + FAST_CLASS] = NO_CLASS
}
