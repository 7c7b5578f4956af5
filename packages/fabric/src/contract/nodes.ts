/**
 * What the fabric asks of the nodes at the ends of its links: switches of one organisation or the
 * other, and hosts.
 */

/** What a kind of node does when a packet reaches it, and when one has left it. */
export interface Switches {
  receive(node: number, link: number, packet: number, nowPs: number): void
  /**
   * Bytes that came by an ingress (`link * CLASSES + class`) have left `node`. Called from
   * `settle`: must not touch ports.
   */
  release(node: number, ingress: number, bytes: number): void
  /** After a settling: sends what `release` found due (XON frames). */
  afterSettle(nowPs: number): void
  /**
   * The packet that goes next by an ARBITRATED port, taken from its input queue; -1 if none may.
   */
  arbitrate(port: number, nowPs: number): number
  /** A packet that `arbitrate` gave is on its way out, and will have left at `departPs`. */
  afterArbitration(packet: number, departPs: number, nowPs: number): void
  /** A packet that waited at an ARBITRATED output itself is on its way out. */
  afterQueue(port: number, packet: number, nowPs: number): void
  /** Departures of this node are wanted at their time, not when somebody looks. */
  isEager(node: number): boolean
}

export interface HostsSide {
  receive(host: number, link: number, packet: number, nowPs: number): void
  /** A class of the host's link may send again. */
  onUnblocked(host: number, nowPs: number): void
  /** The far end of the host's link takes no more of a flow, or takes it again. */
  onFlowPaused(flow: number, trafficClass: number, isOff: boolean, nowPs: number): void
  /** A packet that a switch threw away, or that nobody wanted. */
  discard(packet: number): void
}
