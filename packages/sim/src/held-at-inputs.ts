/**
 * What input-buffered switches hold, and what keeps their outputs from sending, in plain numbers:
 * each thread of a run writes down what its own nodes know, and whoever has all of it can tell what
 * is stuck.
 */
import { CLASSES } from '@weir/fabric'
import type { Fabric, InputBuffered } from '@weir/fabric'

/** A packet in a queue: its output, port and class, and the ingress by which it came. */
export interface Held {
  readonly bytes: number
  readonly output: number
  readonly ingress: number
}

/** Kinds of record. Each begins with its length. */
const QUEUE = 1
const FIFO = 2
const SERVED = 3
const NEAR = 4
const FAR = 5
const LANE_TURNS = 6

/** What the nodes know that `isMine` says yes to. */
export function holdings(
  fabric: Fabric,
  switches: InputBuffered,
  classesUsed: readonly number[],
  isMine: (node: number) => boolean,
): number[] {
  const { inventory, ports } = fabric
  const words: number[] = []
  const record = (kind: number, numbers: readonly number[]): void => {
    words.push(numbers.length + 2, kind)
    for (const number of numbers) words.push(number)
  }
  const packets = (list: readonly number[]): number[] =>
    list.flatMap((p) => {
      const output = inventory.output(p) * CLASSES + inventory.trafficClass(p)
      return [inventory.bytes(p), output, inventory.ingress(p)]
    })
  switches.eachQueue((input, first, queue) => {
    record(QUEUE, [queue, input, ...packets(inventory.chain(first))])
  })
  for (let port = 0; port < ports.count; port++) {
    const isNear = isMine(ports.from[port])
    const isFar = isMine(ports.to[port])
    if (ports.fromHost[port] === 0 && isNear) {
      record(SERVED, [port, switches.servedLast(port)])
      const turns = switches.laneTurns?.ofPort(port)
      if (turns !== undefined) record(LANE_TURNS, [port, ...turns])
    }
    for (const c of ports.fromHost[port] === 0 ? classesUsed : []) {
      const i = port * CLASSES + c
      const waiting = inventory.waiting(port, c)
      if (switches.outputBytes > 0 && waiting.length > 0) record(FIFO, [i, ...packets(waiting)])
      const isPaused = (ports.paused[port] >> c) & 1
      const xon = inventory.isXonOnItsWay(port, c) ? 1 : 0
      const kept = fabric.credits?.keptBytes(port, c) ?? 0
      const pending = (fabric.credits?.pendingBytes(port, c) ?? 0) - kept
      const available = fabric.credits?.available[i] ?? 0
      if (isNear) record(NEAR, [i, isPaused, xon, available + pending])
      if (isFar && ports.toHost[port] === 0)
        record(FAR, [i, xon, kept, switches.resumeBytes(port, c)])
    }
  }
  return words
}

/** All holdings, read. */
export class HeldAtInputs {
  /** Queues that are not empty, in the switches' own order: their ingress, and its packets. */
  readonly queues: { readonly order: number; readonly i: number; readonly packets: Held[] }[] = []
  /** FIFOs of outputs that are not empty, by port * CLASSES + class. */
  readonly fifos: Map<number, Held[]> = new Map()
  /** By port: the input served last. */
  readonly served: Int32Array
  /** By port, of each input: the lane served last; none: packets keep their class. */
  readonly lanes: Map<number, number[]> = new Map()
  /** By port * CLASSES + class. */
  readonly #isPaused: Set<number> = new Set()
  readonly #isResumed: Set<number> = new Set()
  readonly #promised: Float64Array
  readonly #kept: Float64Array
  readonly #resumeBytes: Float64Array
  readonly #fabric: Fabric

  constructor(fabric: Fabric, words: readonly number[]) {
    const { count } = fabric.ports
    this.#fabric = fabric
    this.served = new Int32Array(count)
    this.#promised = new Float64Array(count * CLASSES)
    this.#kept = new Float64Array(count * CLASSES)
    this.#resumeBytes = new Float64Array(count * CLASSES).fill(Infinity)
    for (let at = 0; at < words.length; at += words[at]!) {
      this.#read(words.slice(at + 1, at + words[at]!))
    }
    this.queues.sort((a, b) => a.order - b.order)
  }

  #read([kind, ...rest]: readonly number[]): void {
    const [a, b, c, d] = rest as [number, number, number, number]
    if (kind === QUEUE) this.queues.push({ order: a, i: b, packets: packetsOf(rest.slice(2)) })
    else if (kind === FIFO) this.fifos.set(a, packetsOf(rest.slice(1)))
    else if (kind === SERVED) this.served[a] = b
    else if (kind === LANE_TURNS) this.lanes.set(a, rest.slice(1))
    else if (kind === NEAR) {
      if (b === 1) this.#isPaused.add(a)
      if (c === 1) this.#isResumed.add(a)
      this.#promised[a] = d
    } else {
      if (b === 1) this.#isResumed.add(a)
      this.#kept[a] = c
      this.#resumeBytes[a] = d
    }
  }

  get isAnythingPaused(): boolean {
    return this.#isPaused.size > 0
  }

  /** May an output send so many bytes in the end, if these stay at its far end? */
  mayGo(out: number, trafficClass: number, bytes: number, stuckBytes: number): boolean {
    const { credits, ports } = this.#fabric
    const i = out * CLASSES + trafficClass
    if (ports.toHost[out] === 1) return true
    if (credits !== undefined) {
      return bytes <= credits.after(this.#promised[i] + this.#kept[i], this.#kept[i], stuckBytes)
    }
    if (!this.#isPaused.has(i) || this.#isResumed.has(i)) return true
    return stuckBytes <= this.#resumeBytes[i]
  }
}

function packetsOf(words: readonly number[]): Held[] {
  const packets: Held[] = []
  for (let i = 0; i < words.length; i += 3) {
    packets.push({ bytes: words[i]!, output: words[i + 1]!, ingress: words[i + 2]! })
  }
  return packets
}
