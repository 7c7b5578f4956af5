/**
 * The event-driven form of every switch port: no port is ever FAST, so each departure is an event.
 * A run in this form must have the trajectory of the run in the fast form.
 */
import { FREE, MODE, QUEUE_HEAD, DEPART, FAST, NEXT, SLOW } from '@weir/fabric'
import type { Run } from '../run.ts'

/** Makes a run that has not begun drive its switches by events only. Returns the run. */
export function eventDriven(run: Run): Run {
  const { ports } = run.network.fabric
  for (let port = 0; port < ports.count; port++) {
    if (ports.fromHost[port] === 1) continue
    ports.watched[port] = 1
    if (ports.int[(port << 5) + MODE] === FAST) ports.int[(port << 5) + MODE] = SLOW
  }
  return run
}

/**
 * Notes whether a packet ever joins a port in the very picosecond in which another leaves it: which
 * of the two comes first is the calendar's choice, and the two forms may choose differently.
 */
export function watchTies(run: Run): { hasTie: boolean } {
  const { fabric } = run.network
  const seen = { hasTie: false }
  const join = fabric.join.bind(fabric)
  fabric.join = (port, packet, nowPs) => {
    if (fabric.ports.float[(port << 4) + FREE] === nowPs) seen.hasTie = true
    for (
      let p = fabric.ports.int[(port << 5) + QUEUE_HEAD];
      p >= 0;
      p = fabric.packets.int[p + NEXT]
    ) {
      if (fabric.packets.float[(p >> 1) + DEPART] === nowPs) seen.hasTie = true
    }
    fabric.cut.each((leaving, _class, _bytes, _link, tailPs) => {
      if (leaving === port && tailPs === nowPs) seen.hasTie = true
    })
    join(port, packet, nowPs)
  }
  return seen
}
