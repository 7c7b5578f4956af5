/**
 * A node of ACCurate: what its ports and the flows that begin there share. They tick together, and
 * in a NIC a contention point speaks to its reaction points without a packet (section II-A).
 */
import { NodeAgent } from '@weir/fabric'
import type { NodeClock } from './node-clock.ts'

export class AccurateNode extends NodeAgent {
  readonly clock: NodeClock
  /** The answer of the node's own contention point to the FRP that leaves now; NaN: not urgent. */
  promptBps: number = NaN

  constructor(clock: NodeClock) {
    super()
    this.clock = clock
  }
}
