/**
 * PFC headroom: what may still arrive once an ingress has decided to send XOFF (IEEE 802.1Qbb,
 * Annex O; Y. Zhu et al., SIGCOMM 2015, section 4).
 *
 * The packet that crosses the threshold is already here. The frame may have to wait for a packet of
 * full length on the way back, is sent, crosses the link; then the far end finishes the packet that
 * it has begun, and that crosses the link. Packets come back to back from the one after the
 * trigger, which left one link delay ago. One that begins in the very picosecond in which the frame
 * arrives counts as begun.
 */
export interface HeadroomLink {
  readonly rateBps: number
  /** One way, with the switch's own delay. */
  readonly delayPs: number
  /** Longest packet in either direction, on the wire. */
  readonly packetBytes: number
  readonly frameBytes: number
}

export function headroomBytes(link: HeadroomLink, back: HeadroomLink): number {
  const packetPs = Math.round((link.packetBytes * 8e12) / link.rateBps)
  const waitPs = Math.round((back.packetBytes * 8e12) / back.rateBps)
  const framePs = Math.round((back.frameBytes * 8e12) / back.rateBps)
  const spanPs = link.delayPs + waitPs + framePs + back.delayPs
  const begun = Math.floor(spanPs / packetPs) + 1
  return (1 + begun) * link.packetBytes
}
