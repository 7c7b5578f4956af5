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
 *
 * Where routing draws an output for every packet, a flow's queues at a node are not equally long,
 * and the longest of them stops it while others may run empty. A lone flow over three links of a
 * torus (1,500 B, 10 Gb/s, 100 ns) then fills 80% of them with two packets, 91% with eight, 94%
 * with sixteen and 97% with thirty-two: sixteen.
 */
import type { Fabric } from '@weir/fabric'

const PACKETS = 2
const PACKETS_SPRAYED = 16

export function perFlowXoffBytes(
  { ports, portsOf }: Pick<Fabric, 'ports' | 'portsOf'>,
  xoffBytes: number | 'auto',
  packetBytes: number,
  sprays: boolean,
): Float64Array {
  const packets = sprays ? PACKETS_SPRAYED : PACKETS
  return Float64Array.from({ length: ports.count }, (_, out) => {
    if (xoffBytes !== 'auto') return xoffBytes
    let roundTripPs = 0
    for (const port of portsOf[ports.from[out]!]!) {
      roundTripPs = Math.max(roundTripPs, ports.delayPs[port]! + ports.delayPs[port ^ 1]!)
    }
    return Math.ceil((ports.rateBps[out]! * roundTripPs) / 8e12) + packets * packetBytes
  })
}
