/**
 * The event-driven form of every switch port: no port is ever FAST, so each departure is an event.
 * A run in this form must have the trajectory of the run in the fast form.
 */
import { FAST, SLOW } from '@weir/fabric'
import type { Run } from '../run.ts'

/** Makes a run that has not begun drive its switches by events only. Returns the run. */
export function eventDriven(run: Run): Run {
  const { ports } = run.network.fabric
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    ports.watched[port] = 1
    if (ports.mode[port] === FAST) ports.mode[port] = SLOW
  }
  return run
}
