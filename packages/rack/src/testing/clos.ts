/** A small folded Clos: what of a rack is to hold on any graph is tried on it, too. */
import { buildGraph } from '@weir/fabric'
import type { Channels } from '@weir/theory'
import { graphChannels } from '@weir/theory'

export function clos(): Channels {
  const graph = buildGraph({
    ...{ kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 3 },
    ...{ hostRateBps: 10e9, hostDelayPs: 100e3, fabricRateBps: 10e9, fabricDelayPs: 100e3 },
  })
  return graphChannels(graph).channels
}
