/**
 * What is stuck at input buffers: packets whose output is paused for good or never has credits for
 * them, and packets behind those. Outputs serve their inputs round robin, and one whose turn it is
 * and which may not go keeps the others waiting. With FIFOs at outputs the first packet of a FIFO
 * is what may go or not, and what is at the inputs crosses as far as there is room.
 */
import { CLASSES } from '@weir/fabric'
import type { Fabric, InputBuffered } from '@weir/fabric'
import type { Stuck } from './deadlock.ts'
import { HeldAtInputs } from './held-at-inputs.ts'
import type { Held } from './held-at-inputs.ts'

/** Of all that the nodes' `holdings` say. */
export function stuckAtInputs(
  fabric: Fabric,
  switches: InputBuffered,
  classesUsed: readonly number[],
  words: readonly number[],
): Stuck {
  const held = new HeldAtInputs(fabric, words)
  if (fabric.credits === undefined && !held.isAnythingPaused) return new Map()
  const left = new LeftAtInputs(fabric, switches.outputBytes, held)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (let port = 0; port < fabric.ports.count; port++) {
      if (fabric.ports.fromHost[port] === 1) continue
      for (const c of classesUsed) while (left.take(port, c)) isChanged = true
    }
  }
  return left.waits()
}

/** An input whose head an output takes: its number, its ingress, its queues, and which of them. */
interface Turn {
  readonly input: number
  readonly i: number
  readonly queues: Held[][]
  readonly place: number
  readonly bytes: number
}

/** The input queues, from which packets are taken in the order in which outputs would take them. */
class LeftAtInputs {
  readonly #fabric: Fabric
  readonly #held: HeldAtInputs
  /** Bytes of an output's FIFO; 0: there are none. */
  readonly #outputBytes: number
  /** Queues that are not empty, by link and class: one (FIFO), or more (VOQ). */
  readonly #queues: Map<number, Held[][]> = new Map()
  /** Bytes left, by link and class. */
  readonly #stuckBytes: Float64Array
  readonly #served: Int32Array
  /** What waits in the FIFOs of outputs, in order, by port and class. */
  readonly #fifos: Map<number, Held[]>

  constructor(fabric: Fabric, outputBytes: number, held: HeldAtInputs) {
    this.#fabric = fabric
    this.#held = held
    this.#outputBytes = outputBytes
    this.#stuckBytes = new Float64Array(fabric.ports.count * CLASSES)
    this.#served = held.served
    for (const { i, packets } of held.queues) {
      const queues = this.#queues.get(i)
      if (queues === undefined) this.#queues.set(i, [[...packets]])
      else queues.push([...packets])
      for (const { bytes } of packets) this.#stuckBytes[i] += bytes
    }
    this.#fifos = new Map([...held.fifos].sort(([a], [b]) => a - b))
  }

  /** Takes the packet whose turn it is at an output; false if there is none, or it may not go. */
  take(out: number, trafficClass: number): boolean {
    if (this.#outputBytes > 0) return this.#takeFromFifo(out, trafficClass)
    const turn = this.#turn(out, trafficClass)
    if (turn === undefined || !this.#mayGo(out, trafficClass, turn.bytes)) return false
    this.#leaveInput(out, turn)
    return true
  }

  /** The first packet of an output's FIFO goes, or others cross to it; false if nothing moves. */
  #takeFromFifo(out: number, trafficClass: number): boolean {
    const i = out * CLASSES + trafficClass
    const fifo = this.#fifos.get(i) ?? []
    const isChanged = this.#fill(fifo, out, trafficClass)
    if (fifo.length > 0) this.#fifos.set(i, fifo)
    const first = fifo[0]
    if (first === undefined) return isChanged
    if (!this.#mayGo(out, trafficClass, first.bytes)) return isChanged
    fifo.shift()
    if (fifo.length === 0) this.#fifos.delete(i)
    return true
  }

  #fill(fifo: Held[], out: number, trafficClass: number): boolean {
    const before = fifo.length
    for (;;) {
      const turn = this.#turn(out, trafficClass)
      // What the switch sends of its own is in the FIFO beside what has crossed.
      const crossed = fifo.filter(({ ingress }) => ingress >= 0)
      const bytes = crossed.reduce((sum, held) => sum + held.bytes, 0)
      if (turn === undefined || bytes + turn.bytes > this.#outputBytes) break
      fifo.push(this.#leaveInput(out, turn))
    }
    return fifo.length > before
  }

  /** The input whose head an output takes next; undefined if no head wants it. */
  #turn(out: number, trafficClass: number): Turn | undefined {
    const { ports, portsOf } = this.#fabric
    const inputs = portsOf[ports.from[out]]
    const output = out * CLASSES + trafficClass
    for (let n = 1; n <= inputs.length; n++) {
      const input = (this.#served[out] + n) % inputs.length
      const link = (inputs[input] as number) ^ 1
      for (const lane of this.#lanesInTurn(out, input, trafficClass)) {
        const i = link * CLASSES + lane
        const queues = this.#queues.get(i)
        const place = queues?.findIndex((queue) => queue[0]?.output === output) ?? -1
        if (queues === undefined || place < 0) continue
        return { input, i, queues, place, bytes: queues[place]?.[0]?.bytes as number }
      }
    }
    return undefined
  }

  /** Lanes of an input that may want a class of an output: that one, if packets keep theirs. */
  #lanesInTurn(out: number, input: number, trafficClass: number): readonly number[] {
    const last = this.#held.lanes.get(out)?.[input]
    if (last === undefined) return [trafficClass]
    return Array.from({ length: CLASSES }, (_, n) => (last + 1 + n) % CLASSES)
  }

  #leaveInput(out: number, { input, i, queues, place, bytes }: Turn): Held {
    const queue = queues[place] as Held[]
    this.#served[out] = input
    const lanes = this.#held.lanes.get(out)
    if (lanes !== undefined) lanes[input] = i % CLASSES
    this.#stuckBytes[i] -= bytes
    const held = queue.shift() as Held
    if (queue.length === 0) queues.splice(place, 1)
    return held
  }

  #mayGo(out: number, trafficClass: number, bytes: number): boolean {
    const stuck = this.#stuckBytes[out * CLASSES + trafficClass]
    return this.#held.mayGo(out, trafficClass, bytes, stuck)
  }

  /** Outputs that what is left wants, and the outputs that what is at their far end wants. */
  waits(): Stuck {
    const stuck: Stuck = new Map()
    const wantedBy = (i: number): number[] => {
      const heads = (this.#queues.get(i) ?? []).map((queue) => queue[0] as Held)
      return heads.map(({ output }) => output)
    }
    for (const i of this.#queues.keys()) {
      for (const output of wantedBy(i)) stuck.set(output, new Set(wantedBy(output)))
    }
    for (const output of this.#fifos.keys()) stuck.set(output, new Set(wantedBy(output)))
    return stuck
  }
}
