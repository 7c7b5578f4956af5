/**
 * PFC headroom: what may still arrive once an ingress has decided to send XOFF (IEEE 802.1Qbb,
 * Annex O; Y. Zhu et al., SIGCOMM 2015, section 4; both not verified).
 *
 * The packet that crosses the threshold is already here. The frame may have to wait for a packet of
 * full length on the way back and for the frames of other classes, is sent, crosses the link; then
 * the far end finishes the packet that it has begun, and that crosses the link. So bytes come for
 * that span, from the first one after the trigger, which left one link delay ago, and then one more
 * packet; packets need not be of one length, so the span is filled to the byte. A packet that
 * begins in the very picosecond in which the frame arrives counts as begun.
 */
export interface HeadroomLink {
  readonly rateBps: number
  /** One way, with the switch's own delay. */
  readonly delayPs: number
  /** Longest packet in either direction, on the wire. */
  readonly packetBytes: number
  readonly frameBytes: number
  /** Classes that are paused each by its own frame. */
  readonly frames: number
}

export function headroomBytes(link: HeadroomLink, back: HeadroomLink): number {
  const waitPs = Math.round((back.packetBytes * 8e12) / back.rateBps)
  const framesPs = back.frames * Math.round((back.frameBytes * 8e12) / back.rateBps)
  const spanPs = link.delayPs + waitPs + framesPs + back.delayPs
  return 2 * link.packetBytes + Math.floor((spanPs * link.rateBps) / 8e12)
}
