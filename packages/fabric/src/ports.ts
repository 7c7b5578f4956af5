/**
 * Ports as columns: a port is one direction of a link, seen from the end that sends. Link i of the
 * graph is port 2i from a to b and port 2i + 1 from b to a, so the way back is `port ^ 1`, and a
 * port's number also names the ingress at its far end.
 *
 * The packets of a port form one chain: first those in flight on the wire (from `linkHead`), then
 * the one in service and those committed behind it (from `queueHead`), to `tail`.
 */
import type { Graph } from './topologies/graph.ts'

/** All packets are committed as they join, one class, nothing paused: departures need no events. */
export const FAST = 0
/** Packets wait in class queues, and each departure is an event that picks the next. */
export const SLOW = 1
/** Packets wait at the switch's inputs, and each departure is an event that arbitrates. */
export const ARBITRATED = 2

export const CLASSES = 8
/** Of a FAST port that has sent nothing yet. */
export const NO_CLASS = 255
/** Wait queues a port: one a class, and one for PAUSE frames, which precede everything. */
export const QUEUES = 9
export const FRAMES = 8

export class Ports {
  readonly count: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly rateBps: Float64Array
  readonly psPerByte: Float64Array
  /** Propagation, and the far switch's own delay. */
  readonly delayPs: Float64Array
  /** The port's node and its far end are hosts: 1, else 0. */
  readonly fromHost: Uint8Array
  readonly toHost: Uint8Array

  readonly mode: Uint8Array
  /** The port never goes FAST: something must see each departure. */
  readonly watched: Uint8Array
  readonly fastClass: Uint8Array
  /** End of the last committed transmission. */
  readonly freePs: Float64Array
  readonly linkHead: Int32Array
  readonly queueHead: Int32Array
  readonly tail: Int32Array
  /** A PORT event is on the calendar. */
  readonly armed: Uint8Array

  readonly waitHead: Int32Array
  readonly waitTail: Int32Array
  /** Bit q: wait queue q is not empty. */
  readonly waiting: Uint16Array
  /** Bit c: the far end has paused class c. */
  readonly paused: Uint16Array
  readonly pausedSincePs: Float64Array
  readonly pausedPs: Float64Array
  /** Class last served, for round robin; bytes a class may still send, for the weighted form. */
  readonly turn: Uint8Array
  readonly deficit: Float64Array

  /** Bytes held for this output by class and in all, the packet in service included. */
  readonly queueBytes: Int32Array
  readonly heldBytes: Int32Array
  readonly heldBytesMax: Int32Array
  /** Bytes that may still join before the maximum can be a new one. */
  readonly roomToMax: Float64Array
  readonly sentBytes: Float64Array
  readonly controlBytes: Float64Array
  /** Arriving packets are considered for marking when the queue is above this. */
  readonly markAboveBytes: Float64Array
  readonly pauseFrames: Int32Array
  readonly marks: Int32Array
  readonly drops: Int32Array

  constructor(graph: Graph, switchDelayPs: number) {
    const count = graph.links.length * 2
    this.count = count
    this.from = new Int32Array(count)
    this.to = new Int32Array(count)
    this.rateBps = new Float64Array(count)
    this.psPerByte = new Float64Array(count)
    this.delayPs = new Float64Array(count)
    this.fromHost = new Uint8Array(count)
    this.toHost = new Uint8Array(count)
    this.mode = new Uint8Array(count)
    this.watched = new Uint8Array(count)
    this.fastClass = new Uint8Array(count).fill(NO_CLASS)
    this.freePs = new Float64Array(count)
    this.linkHead = new Int32Array(count).fill(-1)
    this.queueHead = new Int32Array(count).fill(-1)
    this.tail = new Int32Array(count).fill(-1)
    this.armed = new Uint8Array(count)
    this.waitHead = new Int32Array(count * QUEUES).fill(-1)
    this.waitTail = new Int32Array(count * QUEUES).fill(-1)
    this.waiting = new Uint16Array(count)
    this.paused = new Uint16Array(count)
    this.pausedSincePs = new Float64Array(count * CLASSES)
    this.pausedPs = new Float64Array(count * CLASSES)
    this.turn = new Uint8Array(count)
    this.deficit = new Float64Array(count * CLASSES)
    this.queueBytes = new Int32Array(count * CLASSES)
    this.heldBytes = new Int32Array(count)
    this.heldBytesMax = new Int32Array(count)
    this.roomToMax = new Float64Array(count)
    this.sentBytes = new Float64Array(count)
    this.controlBytes = new Float64Array(count)
    this.markAboveBytes = new Float64Array(count).fill(Infinity)
    this.pauseFrames = new Int32Array(count)
    this.marks = new Int32Array(count)
    this.drops = new Int32Array(count)

    graph.links.forEach((link, i) => {
      for (const port of [2 * i, 2 * i + 1]) {
        const from = port === 2 * i ? link.a : link.b
        const to = port === 2 * i ? link.b : link.a
        this.from[port] = from
        this.to[port] = to
        this.fromHost[port] = graph.nodes[from]?.kind === 'host' ? 1 : 0
        this.toHost[port] = graph.nodes[to]?.kind === 'host' ? 1 : 0
        this.rateBps[port] = link.rateBps
        this.psPerByte[port] = 8e12 / link.rateBps
        this.delayPs[port] = link.delayPs + (this.toHost[port] === 1 ? 0 : switchDelayPs)
      }
    })
  }
}
