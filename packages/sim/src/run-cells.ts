/** The inner loop of a run: all that cells do in a window. */
import { FLOW_ARRIVAL, LINK, MESSAGE } from '@weir/fabric'
import type { FlowStarts } from './flow-starts.ts'
import type { Network } from './network.ts'
import { onNodeEvent } from './node-events.ts'

/**
 * What runs all cells up to the end of the window that is open. A closure, made once for a run: V8
 * then takes the network in it for a constant, and what is constant in that, too.
 */
export function cellsRunner(
  network: Network,
  starts: FlowStarts,
  onMessage: (process: number, nowPs: number) => void,
): () => void {
  const { fabric, windows } = network
  return () => {
    while (windows.enter()) {
      while (windows.next()) {
        const { kind, target, nowPs } = windows
        if (kind === LINK) fabric.onLink(target, nowPs)
        else if (kind === FLOW_ARRIVAL) starts.begin(target, nowPs)
        else if (kind === MESSAGE) onMessage(target, nowPs)
        else onNodeEvent(network, kind, target, nowPs)
      }
    }
  }
}
