/**
 * Which channel a NIC serves next: the contract, one object for each host and class. Whatever the
 * order, a flow whose next service time (`flow.nstPs`, set by `pacing.ts`) lies ahead waits.
 *
 *   next-service-time  the flow with the least NST (ACCurate, section IV-B): `flow-heap.ts`
 *   round-robin        those that are due in turn: `round-robin-nic.ts`
 *   shortest-first     of those, the one with the fewest bytes left: `shortest-first-nic.ts`
 */
import { FlowHeap } from './flow-heap.ts'
import type { Flow } from './flow.ts'
import { RoundRobinNic } from './round-robin-nic.ts'
import { ShortestFirstNic } from './shortest-first-nic.ts'

export type Service = 'next-service-time' | 'round-robin' | 'shortest-first'

export interface Nic {
  /** Flows that have something to send. */
  readonly count: number
  /** Least NST of them; Infinity: there is none. */
  readonly duePs: number
  /** The flow whose turn it is; if none is due, the one that is due first; undefined: no flow. */
  next(nowPs: number): Flow | undefined
  add(flow: Flow): void
  remove(flow: Flow): void
  /** A packet was taken from this flow; `moved` or `remove` follows. */
  served(flow: Flow): void
  /** Its NST has changed. */
  moved(flow: Flow): void
}

export function nicOf(service: Service): Nic {
  if (service === 'shortest-first') return new ShortestFirstNic()
  return service === 'round-robin' ? new RoundRobinNic() : new FlowHeap()
}
