/**
 * A window of the host's own: a bound on what any flow may have in flight, whatever its scheme, so
 * that schemes can be compared with the same one (HPCC's "+win", SIGCOMM 2019, section 5.1, not
 * verified; HAS_WIN in its artifact). The null member is no window.
 */
import type { Ports } from '../ports.ts'

export interface WindowParams {
  /** Payload bytes; 0: `bdps` of each flow's own path. */
  readonly bytes: number
  readonly bdps: number
  /** The window follows the rate: W R / C, with C the rate of the host's link. */
  readonly followsRate: boolean
}

/** What the slowest link of a path carries in a round trip. */
export function bdpBytes(ports: Ports, path: ArrayLike<number>, rttPs: number): number {
  let rateBps = Infinity
  for (let i = 0; i < path.length; i++) {
    rateBps = Math.min(rateBps, ports.rateBps[path[i] as number] as number)
  }
  return (rateBps * rttPs) / 8e12
}

/** A flow's own window at full rate. */
export function windowOfPath(
  window: WindowParams | undefined,
  ports: Ports,
  path: ArrayLike<number>,
  rttPs: number,
): number {
  if (window === undefined) return Infinity
  return window.bytes > 0 ? window.bytes : window.bdps * bdpBytes(ports, path, rttPs)
}
