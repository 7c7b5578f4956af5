/**
 * How much of a flow may wait at an output before the flow is stopped. Where a spec says nothing,
 * it is what keeps the output busy with that flow alone. The flow goes on when no more than this
 * waits, which the neighbour hears a link's delay later; its next packet is here a packet's time
 * and a link's delay after that. The output meanwhile ends the packet that it has begun, and sends
 * what its rate makes of the two delays, in whole packets; and the queue may have been up to a
 * packet below the threshold. So: the bytes of the round trip, and two packets.
 *
 * With other flows at the output it is enough too: a flow that has its bottleneck here waits for no
 * more turns upstream than here. The longest of the node's links counts.
 */
import type { Fabric } from '@weir/fabric'

export function perFlowXoffBytes(
  { ports, portsOf }: Pick<Fabric, 'ports' | 'portsOf'>,
  xoffBytes: number | 'auto',
  packetBytes: number,
): Float64Array {
  return Float64Array.from({ length: ports.count }, (_, out) => {
    if (xoffBytes !== 'auto') return xoffBytes
    let roundTripPs = 0
    for (const port of portsOf[ports.from[out]!]!) {
      roundTripPs = Math.max(roundTripPs, ports.delayPs[port]! + ports.delayPs[port ^ 1]!)
    }
    return Math.ceil((ports.rateBps[out]! * roundTripPs) / 8e12) + 2 * packetBytes
  })
}
