/**
 * Channel loads, and the throughput that they allow: with every node injecting at rate 1 the most
 * loaded channel carries `maxLoad`, so nodes can inject 1 / maxLoad of a link's rate before it is
 * full (W. J. Dally and B. Towles, 2003, section 3.3.1). As a fraction of capacity it is divided by
 * what uniform traffic could get.
 */
import type { Channels } from './channels.ts'
import type { Cube } from './cube.ts'
import type { ObliviousRouting } from './oblivious.ts'
import type { Demand } from './patterns.ts'

export function channelLoads(
  channels: Channels,
  routing: ObliviousRouting,
  demands: readonly Demand[],
): Float64Array {
  const loads = new Float64Array(channels.count)
  for (const { source, target, fraction } of demands) {
    routing.addLoads(source, target, fraction, loads)
  }
  return loads
}

export function maxLoad(loads: Float64Array): number {
  return loads.reduce((most, load) => Math.max(most, load), 0)
}

/** Injection per node at saturation as a fraction of the network's capacity. */
export function throughput(
  cube: Cube,
  routing: ObliviousRouting,
  demands: readonly Demand[],
): number {
  return 1 / maxLoad(channelLoads(cube, routing, demands)) / cube.capacity
}
