/**
 * The node agent: what a host or a switch does that is no flow's and no port's. One object per
 * node, if the scheme asks for it: a pull pacer, a granter, a control plane.
 *
 * Agents talk to each other by packets of their own, which belong to no flow: to a neighbour over
 * one link, or to another host as routing goes; and, if the scheme declares it, by numbers that
 * are published to all at certain times. What an agent knows of the flows at its host it is
 * told by their points, which have it as `agent`. Everything defaults to nothing.
 */
import type { Random } from '@weir/engine'

/** A link that leaves the node. */
export interface NodeLink {
  /** Its number, as contention points know it. */
  readonly port: number
  /** The node at its far end, and its name. */
  readonly to: number
  readonly name: string
  readonly rateBps: number
  readonly delayPs: number
}

/** The world as one agent sees it. */
export interface NodeContext {
  readonly node: number
  readonly name: string
  /** Number among the hosts; -1: a switch. */
  readonly host: number
  readonly links: readonly NodeLink[]
  /** Bytes on the wire of a full data packet. */
  readonly packetBytes: number
  /** A stream of this node's own. */
  readonly random: Random
  /** (Re)arms timer `which` (0..3) of this node. */
  setTimer(which: number, atPs: number): void
  cancelTimer(which: number): void
  /** Writes a number of this node's own that others see when it is published (`Control.shared`). */
  publish(word: number, value: number): void
  /** A number of any node, this one included, as it was published last. */
  published(node: number, word: number): number
  /** Sends a packet to the agent at the far end of a link, in the class of control packets. */
  sendBy(port: number, code: number, bytes: number, a: number, b: number): void
  /** Sends one to the agent of another host, as routing goes. */
  sendTo(host: number, code: number, bytes: number, a: number, b: number): void
}

/** A packet that has come for an agent. Reused: do not keep it. */
export interface AgentPacket {
  code: number
  bytes: number
  a: number
  b: number
  /** The node that sent it, and the link by which it came here. */
  source: number
  link: number
}

export abstract class NodeAgent {
  onStart(_nowPs: number): void {}
  onTimer(_which: number, _nowPs: number): void {}
  onPacket(_packet: Readonly<AgentPacket>, _nowPs: number): void {}
  /**
   * Routes have been found anew, as links are now (`links:` in a spec); `isDown` is of links of the
   * graph. It happens to all nodes at once, outside of them: take note, and arm a timer.
   */
  onRoutes(_isDown: (link: number) => boolean, _nowPs: number): void {}
}
