/**
 * A deadline that moves. One that moves back leaves its event where it is, and is looked at when
 * that comes: a timeout that every ACK renews costs no event per ACK. Its owner schedules the
 * events, since only that knows their kind, target and cell. Allocates nothing.
 */
import type { Windows } from '@weir/engine'

export class Deadline {
  /** Infinity: it does not come. */
  duePs: number = Infinity
  /** Of the event that will look at it; -1: none will. */
  handle: number = -1

  /** Sets it anew; true: no event comes by then, and `handle` has to be that of a new one. */
  move(windows: Windows, atPs: number): boolean {
    this.duePs = atPs
    if (atPs === Infinity) return false
    if (this.handle < 0) return true
    if (windows.timeOf(this.handle) <= atPs) return false
    windows.cancel(this.handle)
    return true
  }

  /** Its event has come: true if it is due, and not only its event. */
  isDue(nowPs: number): boolean {
    this.handle = -1
    if (this.duePs > nowPs) return false
    this.duePs = Infinity
    return true
  }

  /** Neither it nor its event comes any more. */
  cancel(windows: Windows): void {
    this.duePs = Infinity
    if (this.handle >= 0) windows.cancel(this.handle)
    this.handle = -1
  }
}
