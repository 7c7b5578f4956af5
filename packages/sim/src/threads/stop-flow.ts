/** A flow is told to stop at both of its ends, whichever threads they are in. */
import type { Network } from '../network.ts'
import type { Share } from './share.ts'

export function* stopFlow(
  { hosts, windows }: Network,
  share: Share | undefined,
  row: number,
  nowPs: number,
): Generator<void, void> {
  const flow = hosts.flows[row]
  if (share === undefined) {
    if (flow !== undefined) windows.outside(nowPs, () => hosts.stopFlow(flow, nowPs))
    return
  }
  if (flow !== undefined && share.isMyHost(flow.source)) {
    windows.outside(nowPs, () => share.noteStop(row, hosts.stopSending(flow, nowPs)))
  }
  yield* share.meet(nowPs, share.limitPs)
  const sent = share.takeStop(row)
  if (flow === undefined || sent < 0) return
  flow.isStopped = true
  if (!share.isMyHost(flow.target)) return
  windows.outside(nowPs, () => hosts.stopReceiving(flow, sent, nowPs))
}
