/**
 * Switches with buffers at their inputs, as in InfiniBand and in ACCurate's network: each output
 * serves the inputs round robin. The parking lot and head-of-line blocking come from here.
 *
 * An input has a buffer for each class (virtual lane). With plain FIFOs only the head of each may
 * go; with virtual output queues (VOQ) the first packet for each output may. A packet leaves its
 * queue when its transmission starts, so the one behind it can go to another output at once: the
 * crossbar itself is never short of capacity. Its bytes are held until its last bit has left.
 *
 * An output may have a short FIFO for each class behind the crossbar. A packet crosses as soon as
 * there is room for all of it, which frees its input; there it waits in order, whatever it waits
 * for: one that finds no credits holds up those behind it. The packet in service does not count.
 *
 * Flow control: credits (exact), PAUSE/PFC (XOFF and XON by input), or none: tail drop at the
 * input.
 *
 * With lanes by hop a packet waits in the class in which it came, its ingress, and asks for its
 * output in the one in which it goes on (`CLASS`).
 */
import type { Switches } from '../contract/nodes.ts'
import type { Fabric } from '../fabric.ts'
import { IngressPause } from '../flow-control/ingress-pause.ts'
import type { Marker } from '../marking/marker.ts'
import { BYTES, CLASS, DATA, INGRESS, KIND, NEXT, OUT } from '../packets.ts'
import { consult } from './admission.ts'
import type { Trimmed } from './admission.ts'
import type { Forwarding } from './forwarding.ts'
import { LaneTurns } from './lane-turns.ts'
import { ARBITRATED, CLASSES, CLASS_BITS, CLASS_MASK, FREE_PS } from '../ports.ts'
import { HELD, HELD_MAX, MODE } from '../ports.ts'
import { WaitQueues } from '../queues/wait-queues.ts'

export interface InputBufferedParams {
  /** Bytes an input and class. */
  readonly bufferBytes: number
  readonly queue: 'fifo' | 'voq'
  /** Bytes of an output's FIFO for each class; 0: packets leave straight from their inputs. */
  readonly outputBytes: number
  readonly trimmed: Trimmed
  readonly pfc:
    | {
        /** By link: above this XOFF is sent, with room for what still comes. */
        readonly xoffBytes: Float64Array
        readonly xonGapBytes: number
        readonly frameBytes: number
      }
    | undefined
}

export class InputBuffered implements Switches {
  readonly #fabric: Fabric
  readonly #params: InputBufferedParams
  readonly #forwarding: Forwarding
  readonly #markers: readonly (Marker | undefined)[]
  /** By link and class. */
  readonly inputBytes: Int32Array
  readonly inputBytesMax: Int32Array
  readonly pauses: IngressPause

  // Input queues: one per link and class (FIFO), or one per link, output and class (VOQ).
  readonly #queueBase: Int32Array
  readonly #head: Int32Array
  readonly #tail: Int32Array
  /** Number of a port among its node's. */
  readonly #local: Int32Array
  /** Heads that want this port, by port and the class in which they go on. */
  readonly #wanted: Int32Array
  /** By port: classes of which there are any, as bits. */
  readonly #wants: Uint16Array
  /** Input that this port served last, by port: its number among the node's. */
  readonly #served: Int32Array
  /** Where packets change their class. */
  readonly laneTurns: LaneTurns | undefined
  /** Outputs that a new head wants, to be tried once the packet before it is on its way. */
  readonly #offered: number[] = []
  /** Output FIFOs: a SLOW port's wait queues, and what came by the crossbar, by port and class. */
  readonly #fifos: WaitQueues
  readonly #fifoBytes: Int32Array

  constructor(
    fabric: Fabric,
    params: InputBufferedParams,
    forwarding: Forwarding,
    markers: readonly (Marker | undefined)[],
  ) {
    this.#fabric = fabric
    this.#params = params
    this.#forwarding = forwarding
    this.#markers = markers
    const { ports, portsOf } = fabric
    this.inputBytes = new Int32Array(ports.count * CLASSES)
    this.inputBytesMax = new Int32Array(ports.count * CLASSES)
    this.pauses = new IngressPause(fabric, params.pfc?.frameBytes ?? 0, (input) => {
      return this.inputBytes[input] <= this.#xonBytes(input >> CLASS_BITS)
    })
    this.#local = new Int32Array(ports.count)
    for (const list of portsOf) list.forEach((port, i) => (this.#local[port] = i))
    this.#queueBase = new Int32Array(ports.count)
    let queues = 0
    for (let link = 0; link < ports.count; link++) {
      this.#queueBase[link] = queues
      const outputs = params.queue === 'voq' ? portsOf[ports.to[link]].length : 1
      if (ports.toHost[link] === 0) queues += outputs * CLASSES
    }
    this.#head = new Int32Array(queues).fill(-1)
    this.#tail = new Int32Array(queues).fill(-1)
    this.#wanted = new Int32Array(ports.count * CLASSES)
    this.#wants = new Uint16Array(ports.count)
    this.#fifos = new WaitQueues(ports, fabric.packets)
    this.#fifoBytes = new Int32Array(ports.count * CLASSES)
    this.#served = new Int32Array(ports.count)
    this.laneTurns = forwarding.lanes === undefined ? undefined : new LaneTurns(fabric)
    for (let port = 0; port < ports.count; port++) {
      if (ports.fromHost[port] === 0) ports.int[(port << 5) + MODE] = ARBITRATED
    }
  }

  receive(node: number, link: number, p: number, nowPs: number): void {
    const fabric = this.#fabric
    const { packets, ports } = fabric
    const out = this.#forwarding.outputOf(node, link, p)
    fabric.settle(out, nowPs)
    const contention = fabric.contention[out]
    const kind = packets.int[p + KIND]
    const isKept =
      contention === undefined || consult(fabric, this.#params.trimmed, contention, out, p, nowPs)
    const input = packets.int[p + INGRESS]
    const trafficClass = packets.int[p + CLASS]
    const bytes = packets.int[p + BYTES]
    if (!isKept || this.inputBytes[input] + bytes > this.#params.bufferBytes) {
      ports.drops[out]++
      fabric.hosts.discard(p)
      return
    }
    this.#hold(input, bytes, nowPs)
    const queueBytes = ports.queued[out * CLASSES + trafficClass]
    this.#markers[out]?.consider(out, p, queueBytes)
    if (kind === DATA && contention !== undefined && contention.sees !== 'departures') {
      contention.onArrival(p, queueBytes, nowPs)
    }
    ports.queued[out * CLASSES + trafficClass] += bytes
    const held = (ports.int[(out << 5) + HELD] += bytes)
    if (held > ports.int[(out << 5) + HELD_MAX]) ports.int[(out << 5) + HELD_MAX] = held

    if (this.#enqueue(input, out, p)) this.#offer(out, trafficClass, nowPs)
  }

  #hold(input: number, bytes: number, nowPs: number): void {
    const held = (this.inputBytes[input] += bytes)
    if (held > this.inputBytesMax[input]) this.inputBytesMax[input] = held
    const pfc = this.#params.pfc
    if (pfc === undefined) return
    if (held > pfc.xoffBytes[input >> CLASS_BITS]) this.pauses.stop(input, nowPs)
  }

  /** Appends to the input queue; true if the packet is now the head of it. */
  #enqueue(input: number, out: number, p: number): boolean {
    const packets = this.#fabric.packets
    packets.cold[(p >> 1) + OUT] = out
    packets.int[p + NEXT] = -1
    const queue = this.#queueOf(input, out)
    if (this.#head[queue] < 0) {
      this.#head[queue] = p
      this.#tail[queue] = p
      return true
    }
    packets.int[this.#tail[queue] + NEXT] = p
    this.#tail[queue] = p
    return false
  }

  #queueOf(input: number, out: number): number {
    const output = this.#params.queue === 'voq' ? this.#local[out] : 0
    return this.#queueBase[input >> CLASS_BITS] + output * CLASSES + (input & CLASS_MASK)
  }

  /** A head wants this output: it goes at once if the output is free. */
  #offer(out: number, trafficClass: number, nowPs: number): void {
    this.#want(out, trafficClass)
    this.#start(out, nowPs)
    this.#startOffered(nowPs)
  }

  #want(out: number, trafficClass: number): void {
    this.#wanted[out * CLASSES + trafficClass]++
    this.#wants[out] |= 1 << trafficClass
  }

  #startOffered(nowPs: number): void {
    while (this.#offered.length > 0) this.#start(this.#offered.pop() as number, nowPs)
  }

  #start(out: number, nowPs: number): void {
    const fabric = this.#fabric
    if (this.#params.outputBytes > 0) this.#fill(out, nowPs)
    if (fabric.ports.float[(out << 4) + FREE_PS] <= nowPs) {
      fabric.settle(out, nowPs)
      fabric.sendNext(out, nowPs)
    }
    fabric.arm(out)
  }

  /** Moves what fits into an output's FIFOs, the inputs in turn. */
  #fill(out: number, nowPs: number): void {
    for (let bits = this.#wants[out]; bits !== 0; bits &= bits - 1) {
      const c = 31 - Math.clz32(bits & -bits)
      while (this.#wanted[out * CLASSES + c] > 0 && this.#cross(out, c, nowPs));
    }
    this.afterSettle(nowPs)
  }

  /** The next packet for an output crosses to its FIFO; false if there is no room for it. */
  #cross(out: number, trafficClass: number, nowPs: number): boolean {
    const { gate, packets, ports } = this.#fabric
    const input = this.#nextInput(out, trafficClass)
    if (input < 0) return false
    const bytes = packets.int[this.#head[this.#queueOf(input, out)] + BYTES]
    const fifo = out * CLASSES + trafficClass
    if (this.#fifoBytes[fifo] + bytes > this.#params.outputBytes) return false
    const p = this.#take(input, out)
    this.#fifoBytes[fifo] += bytes
    this.#fifos.add(out, trafficClass, p)
    this.inputBytes[input] -= bytes
    this.pauses.hasLeft(input)
    if (this.#fabric.credits !== undefined) {
      const link = input >> CLASS_BITS
      gate.returnCredits(link, input & CLASS_MASK, bytes, nowPs + ports.delayPs[link ^ 1])
    }
    return true
  }

  arbitrate(port: number, nowPs: number): number {
    if (this.#params.outputBytes > 0) return -1
    const fabric = this.#fabric
    const ports = fabric.ports
    let eligible = this.#wants[port] & ~ports.paused[port]
    while (eligible !== 0) {
      const trafficClass = fabric.scheduler.choose(ports, port, eligible)
      // The head of the input whose turn it is, if it may go.
      const input = this.#nextInput(port, trafficClass)
      const p = input < 0 ? -1 : this.#head[this.#queueOf(input, port)]
      const bytes = p < 0 ? 0 : fabric.packets.int[p + BYTES]
      if (p >= 0 && !fabric.gate.isBlocked(port, trafficClass, bytes, nowPs)) {
        fabric.scheduler.charge(ports, port, trafficClass, bytes)
        return this.#take(input, port)
      }
      eligible &= ~(1 << trafficClass)
    }
    return -1
  }

  /** The next input, link and class, after the one served last that wants this port; -1: none. */
  #nextInput(port: number, trafficClass: number): number {
    const fabric = this.#fabric
    const inputs = fabric.portsOf[fabric.ports.from[port]]
    const count = inputs.length
    let i = this.#served[port]
    for (let n = 0; n < count; n++) {
      if (++i >= count) i = 0
      let input = ((inputs[i] ^ 1) << CLASS_BITS) | trafficClass
      if (this.laneTurns !== undefined) input = this.#nextLane(input, port, i)
      const p = input < 0 ? -1 : this.#head[this.#queueOf(input, port)]
      if (p >= 0 && fabric.packets.cold[(p >> 1) + OUT] === port) return input
    }
    return -1
  }

  /** Of the lanes of an input, the one whose turn it is to go on by `port` in this class. */
  #nextLane(input: number, port: number, turn: number): number {
    const { cold, int } = this.#fabric.packets
    const last = this.laneTurns!.last(port, turn)
    for (let n = 1; n <= CLASSES; n++) {
      const lane = (input & ~CLASS_MASK) | ((last + n) & CLASS_MASK)
      const p = this.#head[this.#queueOf(lane, port)]
      if (p < 0 || cold[(p >> 1) + OUT] !== port) continue
      if (int[p + CLASS] === (input & CLASS_MASK)) return lane
    }
    return -1
  }

  /** Takes the head; the packet behind it may want another output, which is offered it later. */
  #take(input: number, port: number): number {
    const packets = this.#fabric.packets
    const turn = this.#local[(input >> CLASS_BITS) ^ 1]
    this.#served[port] = turn
    this.laneTurns?.took(port, turn, input & CLASS_MASK)
    const queue = this.#queueOf(input, port)
    const p = this.#head[queue]
    const next = packets.int[p + NEXT]
    this.#head[queue] = next
    const trafficClass = packets.int[p + CLASS]
    if (--this.#wanted[port * CLASSES + trafficClass] === 0) {
      this.#wants[port] &= ~(1 << trafficClass)
    }
    if (next < 0) return p
    const out = packets.cold[(next >> 1) + OUT]
    this.#want(out, packets.int[next + CLASS])
    if (out !== port) this.#offered.push(out)
    return p
  }

  /**
   * Its bytes leave at a known time, so the credits for them can be sent on their way already; and
   * outputs that have come to the head of an input may start.
   */
  afterArbitration(p: number, departPs: number, nowPs: number): void {
    const fabric = this.#fabric
    const { packets, ports } = fabric
    if (fabric.credits !== undefined) {
      const input = packets.int[p + INGRESS]
      const link = input >> CLASS_BITS
      const duePs = departPs + ports.delayPs[link ^ 1]
      fabric.gate.returnCredits(link, input & CLASS_MASK, packets.int[p + BYTES], duePs)
    }
    this.#startOffered(nowPs)
  }

  /** A packet leaves its output's FIFO: others may cross. */
  afterQueue(port: number, p: number, nowPs: number): void {
    const { packets } = this.#fabric
    // What the switch sends of its own has not crossed.
    if (this.#params.outputBytes === 0 || packets.int[p + INGRESS] < 0) return
    this.#fifoBytes[port * CLASSES + packets.int[p + CLASS]] -= packets.int[p + BYTES]
    this.#fill(port, nowPs)
    this.#startOffered(nowPs)
  }

  release(_node: number, input: number, bytes: number): void {
    // What has crossed to an output's FIFO has left its input already.
    if (this.#params.outputBytes > 0) return
    this.inputBytes[input] -= bytes
    this.pauses.hasLeft(input)
  }

  afterSettle(nowPs: number): void {
    this.pauses.goOn(nowPs)
  }

  /** Calls back for each output, port and class, that a head of this input and class wants. */
  eachWanted(link: number, trafficClass: number, visit: (output: number) => void): void {
    const { packets, ports, portsOf } = this.#fabric
    const outputs = this.#params.queue === 'voq' ? portsOf[ports.to[link]].length : 1
    for (let i = 0; i < outputs; i++) {
      const p = this.#head[this.#queueBase[link] + i * CLASSES + trafficClass]
      if (p >= 0) visit(packets.cold[(p >> 1) + OUT] * CLASSES + packets.int[p + CLASS])
    }
  }

  /** Calls back for each packet at an input that has not begun to leave, for audits. */
  eachQueued(visit: (packet: number, out: number) => void): void {
    const { cold, int } = this.#fabric.packets
    for (const head of this.#head) {
      for (let p = head; p >= 0; p = int[p + NEXT]) visit(p, cold[(p >> 1) + OUT])
    }
  }

  /** Calls back for each input queue that is not empty, with its first packet. */
  eachQueue(visit: (input: number, first: number, queue: number) => void): void {
    const { int } = this.#fabric.packets
    this.#head.forEach((first, queue) => {
      if (first >= 0) visit(int[first + INGRESS], first, queue)
    })
  }

  /** Bytes of an output's FIFO for each class; 0: there are none. */
  get outputBytes(): number {
    return this.#params.outputBytes
  }

  /** The input that this output served last, as its number among the node's ports. */
  servedLast(port: number): number {
    return this.#served[port]
  }

  /** An input sends XON when it holds no more than these bytes; Infinity: it has sent no XOFF. */
  resumeBytes(link: number, trafficClass: number): number {
    const isOff = this.pauses.isOff[link * CLASSES + trafficClass] === 1
    return isOff ? this.#xonBytes(link) : Infinity
  }

  #xonBytes(link: number): number {
    const { pfc } = this.#params
    return pfc === undefined ? 0 : Math.max(0, pfc.xoffBytes[link] - pfc.xonGapBytes)
  }

  isEager(): boolean {
    return false
  }
}
