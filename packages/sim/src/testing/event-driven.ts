/**
 * The event-driven form of every switch port: no port is ever FAST, so each departure is an event.
 * A run in this form must have the trajectory of the run in the fast form.
 */
import { watchDepartures } from '@weir/fabric'
import type { Run } from '../run.ts'

/** Makes a run that has not begun drive its switches by events only. Returns the run. */
export function eventDriven(run: Run): Run {
  const { fabric } = run.network
  for (let port = 0; port < fabric.ports.count; port++) {
    if (fabric.ports.fromHost[port] === 0) watchDepartures(fabric, port)
  }
  return run
}

/**
 * Notes what the links of a run that has not begun bring: when, by which port, what. Sorted, for
 * the order of arrivals at different nodes within a picosecond is the engine's choice, and means
 * nothing.
 */
export function watchArrivals(run: Run): () => string[] {
  const { fingerprint } = run.network.fabric
  const arrivals: string[] = []
  const add = fingerprint.add.bind(fingerprint)
  fingerprint.add = (node, nowPs, port, what) => {
    arrivals.push(`${nowPs} ${port} ${what}`)
    add(node, nowPs, port, what)
  }
  return () => arrivals.sort()
}
