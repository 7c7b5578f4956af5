/** What a port is given before a run begins: who watches its departures, marks, and contends. */
import type { ContentionPoint } from './contract/contention-point.ts'
import type { Fabric } from './fabric.ts'
import type { Marker } from './marking/marker.ts'
import { FAST, MARK_ABOVE, MODE, SLOW } from './ports.ts'

/** Something must see each departure of this port: it never goes FAST. */
export function watchDepartures({ ports }: Fabric, port: number): void {
  ports.watched[port] = 1
  if (ports.int[(port << 5) + MODE] === FAST) ports.int[(port << 5) + MODE] = SLOW
}

/** Packets are considered for marking as they arrive, when the queue is above so many bytes. */
export function markArrivals({ ports }: Fabric, port: number, aboveBytes: number): void {
  ports.int[(port << 5) + MARK_ABOVE] = Math.min(aboveBytes, 0x7fffffff)
}

/** Packets are considered for marking as they leave. */
export function markDepartures(fabric: Fabric, port: number, marker: Marker): void {
  fabric.markAtDeparture[port] = marker
  watchDepartures(fabric, port)
}

/** A scheme's contention point is at this port. */
export function contend(fabric: Fabric, port: number, point: ContentionPoint): void {
  fabric.contention[port] = point
  fabric.isContended = true
  if (point.sees === 'departures' || point.sees === 'both') watchDepartures(fabric, port)
}
