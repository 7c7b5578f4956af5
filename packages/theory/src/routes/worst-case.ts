/**
 * The worst traffic for an oblivious routing. The load of a channel is linear in the traffic, and
 * traffic in which no node sends or receives more than 1 is a mixture of permutations, so the worst
 * for a channel is a permutation: the heaviest perfect matching of sources with targets, weighted
 * by the channel's fractions. The worst of all is the worst over channels (B. Towles and W. J.
 * Dally, "Worst-case Traffic for Oblivious Routing Functions", SPAA 2002).
 */
import { heaviestMatching } from './assignment.ts'
import type { Channels } from './channels.ts'
import type { ObliviousRouting } from './oblivious.ts'

export interface WorstCase {
  readonly load: number
  readonly channel: number
  /** The target of each source. */
  readonly targets: Int32Array
}

/** `among` are the channels to look at: all, or one of each kind where the routing is symmetric. */
export function worstCase(
  channels: Channels,
  routing: ObliviousRouting,
  among: readonly number[] = Array.from({ length: channels.count }, (_, c) => c),
): WorstCase {
  const { nodes, count } = channels
  const weights = among.map(() => new Float64Array(nodes * nodes))
  const loads = new Float64Array(count)
  for (let source = 0; source < nodes; source++) {
    for (let target = 0; target < nodes; target++) {
      loads.fill(0)
      routing.addLoads(source, target, 1, loads)
      among.forEach((channel, i) => {
        weights[i]![source * nodes + target] = loads[channel]!
      })
    }
  }
  let worst: WorstCase = { load: 0, channel: -1, targets: new Int32Array(nodes) }
  weights.forEach((matrix, i) => {
    const { weight, columns } = heaviestMatching(nodes, matrix)
    if (weight > worst.load) worst = { load: weight, channel: among[i]!, targets: columns }
  })
  return worst
}
