/**
 * Ports: a port is one direction of a link, seen from the end that sends. Link i of the
 * graph is port 2i from a to b and port 2i + 1 from b to a, so the way back is `port ^ 1`, and a
 * port's number also names the ingress at its far end.
 *
 * What every hop touches is in the first of a record's two cache lines, one field per lane:
 * `int[(port << 5) + HELD]`, `float[(port << 4) + FREE_PS]`. The rest are columns by port.
 *
 * What a port has committed is on its wire (`wires.ts`), from the packet in service (`SETTLED`) to
 * the last one behind it; what has left is there until its far end has taken it.
 *
 * This file imports types alone: after an import that runs, bundlers no longer inline the lanes
 * below, which costs every run 5% (`scripts/inlined.test.ts`).
 */
import type { Graph } from './topologies/graph.ts'

/** All packets are committed as they join, one class, nothing paused: departures need no events. */
export const FAST = 0
/** Packets wait in class queues, and each departure is an event that picks the next. */
export const SLOW = 1
/** Packets wait at the switch's inputs, and each departure is an event that arbitrates. */
export const ARBITRATED = 2

export const CLASSES = 16
/** An ingress, or an output, is a port and a class: `port * CLASSES + class`. */
export const CLASS_BITS = 4
export const CLASS_MASK = 15
/** Of a FAST port that has sent nothing yet. */
export const NO_CLASS = 255
/** Wait queues per port: one per class, and one for PAUSE frames, which precede everything. */
export const QUEUES = 17
export const FRAMES = 16

/** Lanes of `int`, first line. */
/** Entries of the port's wire whose departures are accounted for. */
export const SETTLED = 0
/** Most bytes ever held. */
export const HELD_MAX = 1
/** Arriving packets are considered for marking when the queue is above this. */
export const MARK_ABOVE = 2
/** FAST, SLOW or ARBITRATED. */
export const MODE = 3
/** The class that a FAST port sends. */
export const FAST_CLASS = 4
/** Bytes held for this output in all, the packet in service included. */
export const HELD = 5
/** The wire's `TAIL` at which its ring may be full. */
export const LIMIT = 6
export const FROM = 7
/** Lanes of `float`, first line. */
/** End of the last committed transmission. */
export const FREE_PS = 4
/** When the packet in service has left; Infinity if there is none. */
export const LEAVES = 5
/** Propagation, and the far switch's own delay. */
export const DELAY = 6
export const PS_PER_BYTE = 7
/** Lanes of `float`, second line: what most hops do not touch. */
/** What has left, as far as departures are accounted for; and of that, what is no payload. */
export const SENT_BYTES = 8
export const CONTROL_BYTES = 9

/** Int32 words per record. */
const WORDS = 32
const NEVER_BYTES = 0x7fffffff

/** What the graph says of its ports, and nothing of what they do. */
export class PortEnds {
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

export class Ports extends PortEnds {
  readonly int: Int32Array
  readonly float: Float64Array

  /** Longest packet that has joined any of them; a bound on what counts may be late by. */
  longestBytes: number = 0
  /** The port never goes FAST: something must see each departure. */
  readonly watched: Uint8Array
  /** A PORT event is scheduled. */
  readonly armed: Uint8Array

  /** Bytes held by class, by port and class. A FAST port has but one, and counts `HELD` alone. */
  readonly queued: Int32Array
  readonly waitHead: Int32Array
  readonly waitTail: Int32Array
  /** Bit q: wait queue q is not empty. */
  readonly waiting: Int32Array
  /** Bit c: the far end has paused class c. */
  readonly paused: Uint16Array
  /**
   * For how long a class was paused; while it is, less the time at which that began. Empty until
   * `countPauses`: a fabric that never pauses keeps nothing.
   */
  pausedPs: Float64Array = new Float64Array(0)
  /** Class last served, for round robin. */
  readonly turn: Uint8Array

  readonly pauseFrames: Int32Array
  readonly marks: Int32Array
  readonly drops: Int32Array
  /** Packets whose payload was cut off. */
  readonly trims: Int32Array
  /** Packets that left here and were lost on the link. */
  readonly lost: Int32Array

  constructor(graph: Graph, switchDelayPs: number) {
    super(graph, switchDelayPs)
    const { count } = this
    const buffer = new ArrayBuffer(count * WORDS * 4)
    this.int = new Int32Array(buffer)
    this.float = new Float64Array(buffer)
    this.watched = new Uint8Array(count)
    this.armed = new Uint8Array(count)
    this.queued = new Int32Array(count * CLASSES)
    this.waitHead = new Int32Array(count * QUEUES).fill(-1)
    this.waitTail = new Int32Array(count * QUEUES).fill(-1)
    this.waiting = new Int32Array(count)
    this.paused = new Uint16Array(count)
    this.turn = new Uint8Array(count)
    this.pauseFrames = new Int32Array(count)
    this.marks = new Int32Array(count)
    this.drops = new Int32Array(count)
    this.trims = new Int32Array(count)
    this.lost = new Int32Array(count)
    for (let port = 0; port < count; port++) this.#begin(port)
  }

  /** Bytes of a class that are held for this output, the packet in service included. */
  queuedBytes(port: number, trafficClass: number): number {
    const i = port << 5
    if (this.int[i + MODE] !== FAST) return this.queued[port * CLASSES + trafficClass]
    return this.int[i + FAST_CLASS] === trafficClass ? this.int[i + HELD] : 0
  }

  isPaused(port: number, trafficClass: number): boolean {
    return ((this.paused[port] >> trafficClass) & 1) === 1
  }

  /** The far end pauses a class that is not paused, or lets it go on. */
  setPaused(port: number, trafficClass: number, isOff: boolean, nowPs: number): void {
    this.countPauses()
    this.paused[port] ^= 1 << trafficClass
    this.pausedPs[port * CLASSES + trafficClass] += isOff ? -nowPs : nowPs
  }

  /** For how long a class has been paused by now. */
  pausedForPs(port: number, trafficClass: number, nowPs: number): number {
    if (this.pausedPs.length === 0) return 0
    const beforePs = this.pausedPs[port * CLASSES + trafficClass]
    return this.isPaused(port, trafficClass) ? beforePs + nowPs : beforePs
  }

  /** From the first pause on, times are kept. */
  countPauses(): void {
    if (this.pausedPs.length === 0) this.pausedPs = new Float64Array(this.count * CLASSES)
  }

  #begin(port: number): void {
    const i = port << 5
    this.int[i + FAST_CLASS] = NO_CLASS
    this.int[i + FROM] = this.from[port]
    this.int[i + MARK_ABOVE] = NEVER_BYTES
    const f = port << 4
    this.float[f + LEAVES] = Infinity
    this.float[f + DELAY] = this.delayPs[port]
    this.float[f + PS_PER_BYTE] = this.psPerByte[port]
  }
}
