/**
 * How much payload each port carries at the most: what max-min rates are reckoned with. Headers
 * take their share of a link; a host's rate cap counts payload or all bytes, as it says.
 */
import type { Network } from './network.ts'
import type { ValidSpec } from './spec/valid-spec.ts'

export function payloadCapacities({ hosts }: ValidSpec, { control, fabric }: Network): number[] {
  const { ports } = fabric
  const { mtuBytes, headerBytes, rateCap } = hosts
  const share = mtuBytes / (mtuBytes + headerBytes + control.dataHeaderBytes)
  return Array.from(ports.rateBps, (rateBps, port) => {
    const sendBps = ports.fromHost[port] === 1 ? rateCap.sendBps : 0
    const takeBps = ports.toHost[port] === 1 ? rateCap.takeBps : 0
    const caps = [sendBps, takeBps].filter((bps) => bps > 0)
    const counted = rateCap.counts === 'payload' ? 1 : share
    return Math.min(rateBps * share, ...caps.map((bps) => bps * counted))
  })
}
