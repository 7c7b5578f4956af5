/** No congestion control: every flow sends at its line's rate, and the queue grows. */
import type { FixedPoint, FluidModel } from './model.ts'
import { queueSlope, SharedQueue } from './shared-queue.ts'

export const noneFluid: FluidModel = {
  name: 'none',
  title: 'No control',
  cite: 'the queue alone',
  defaults: {},
  leavesOut: ['Flow control, which would stop the senders when the buffer is full.'],
  create: (network, _values, groups) =>
    new Unlimited(network, groups, {
      each: [],
      firstBps: network.lineRateBps ?? network.rateBps,
      waits: [],
    }),
}

class Unlimited extends SharedQueue {
  override derivative(
    state: Float64Array,
    _lagged: readonly Float64Array[],
    since: Float64Array,
    slope: Float64Array,
  ): void {
    const arriving = this.groups.reduce(
      (sum, { flows, rateBps }, g) => sum + (since[g]! < 0 ? 0 : (flows * rateBps) / 8),
      0,
    )
    slope[0] = queueSlope(state[0]!, arriving, this.capacity)
  }

  override rateBps(_state: Float64Array, group: number): number {
    return this.groups[group]!.rateBps
  }

  override fixedPoint(): FixedPoint {
    const why = 'None: nothing tells senders of the queue.'
    return { state: undefined, why, quantities: [], frozen: [], opened: 0 }
  }
}
