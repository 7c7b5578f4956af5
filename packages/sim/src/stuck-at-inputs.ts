/**
 * What is stuck at input buffers: packets whose output is paused for good or never has credits for
 * them, and packets behind those. Outputs serve their inputs round robin, and one whose turn it is
 * and which may not go keeps the others waiting. With FIFOs at outputs the first packet of a FIFO
 * is what may go or not, and what is at the inputs crosses as far as there is room.
 */
import { CLASSES } from '@weir/fabric'
import type { Fabric, InputBuffered } from '@weir/fabric'
import type { Stuck } from './deadlock.ts'

export function stuckAtInputs(
  fabric: Fabric,
  switches: InputBuffered,
  classesUsed: readonly number[],
): Stuck {
  if (fabric.credits === undefined && !isAnythingPaused(fabric)) return new Map()
  const left = new LeftAtInputs(fabric, switches)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (let port = 0; port < fabric.ports.count; port++) {
      if (fabric.ports.fromHost[port] === 1) continue
      for (const c of classesUsed) while (left.take(port, c)) isChanged = true
    }
  }
  return left.waits()
}

function isAnythingPaused({ ports }: Fabric): boolean {
  return ports.paused.some((classes) => classes !== 0)
}

/** An input whose head an output takes: its number, its queues, and which of them. */
interface Turn {
  readonly input: number
  readonly i: number
  readonly heads: number[]
  readonly place: number
  readonly bytes: number
}

/** The input queues, from which packets are taken in the order in which outputs would take them. */
class LeftAtInputs {
  readonly #fabric: Fabric
  readonly #switches: InputBuffered
  /** First packets of queues that are not empty, by link and class: one (FIFO), or more (VOQ). */
  readonly #first: Map<number, number[]> = new Map()
  /** Bytes left, by link and class. */
  readonly #stuckBytes: Float64Array
  readonly #served: Int32Array
  /** What waits in the FIFOs of outputs, in order, by port and class. */
  readonly #fifos: Map<number, number[]> = new Map()

  constructor(fabric: Fabric, switches: InputBuffered) {
    const { inventory, ports } = fabric
    this.#fabric = fabric
    this.#switches = switches
    this.#stuckBytes = new Float64Array(ports.count * CLASSES)
    this.#served = Int32Array.from({ length: ports.count }, (_, port) => switches.servedLast(port))
    switches.eachQueue((link, trafficClass, first) => {
      const i = link * CLASSES + trafficClass
      const heads = this.#first.get(i)
      if (heads === undefined) this.#first.set(i, [first])
      else heads.push(first)
      for (const p of inventory.chain(first)) this.#stuckBytes[i] += inventory.bytes(p)
    })
    for (let i = 0; i < (switches.outputBytes > 0 ? ports.count * CLASSES : 0); i++) {
      const port = Math.floor(i / CLASSES)
      const fifo = ports.fromHost[port] === 1 ? [] : inventory.waiting(port, i % CLASSES)
      if (fifo.length > 0) this.#fifos.set(i, fifo)
    }
  }

  /** Takes the packet whose turn it is at an output; false if there is none, or it may not go. */
  take(out: number, trafficClass: number): boolean {
    if (this.#switches.outputBytes > 0) return this.#takeFromFifo(out, trafficClass)
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
    const bytes = this.#fabric.inventory.bytes(first)
    if (!this.#mayGo(out, trafficClass, bytes)) return isChanged
    fifo.shift()
    if (fifo.length === 0) this.#fifos.delete(i)
    return true
  }

  #fill(fifo: number[], out: number, trafficClass: number): boolean {
    const { inventory } = this.#fabric
    const before = fifo.length
    for (;;) {
      const turn = this.#turn(out, trafficClass)
      // What the switch sends of its own is in the FIFO beside what has crossed.
      const crossed = fifo.filter((p) => inventory.link(p) >= 0)
      const bytes = crossed.reduce((sum, p) => sum + inventory.bytes(p), 0)
      if (turn === undefined || bytes + turn.bytes > this.#switches.outputBytes) break
      fifo.push(this.#leaveInput(out, turn))
    }
    return fifo.length > before
  }

  /** The input whose head an output takes next; undefined if no head wants it. */
  #turn(out: number, trafficClass: number): Turn | undefined {
    const { inventory, ports, portsOf } = this.#fabric
    const inputs = portsOf[ports.from[out]]
    for (let n = 1; n <= inputs.length; n++) {
      const input = (this.#served[out] + n) % inputs.length
      const i = ((inputs[input] as number) ^ 1) * CLASSES + trafficClass
      const heads = this.#first.get(i)
      const place = heads?.findIndex((p) => inventory.output(p) === out) ?? -1
      if (heads === undefined || place < 0) continue
      return { input, i, heads, place, bytes: inventory.bytes(heads[place] as number) }
    }
    return undefined
  }

  #leaveInput(out: number, turn: Turn): number {
    const { input, i, heads, place, bytes } = turn
    const p = heads[place] as number
    this.#served[out] = input
    this.#stuckBytes[i] -= bytes
    const next = this.#fabric.inventory.chain(p)[1]
    if (next !== undefined) heads[place] = next
    else heads.splice(place, 1)
    return p
  }

  #mayGo(out: number, trafficClass: number, bytes: number): boolean {
    const { credits, ports } = this.#fabric
    if (ports.toHost[out] === 1) return true
    if (credits !== undefined) {
      const stuck = this.#stuckBytes[out * CLASSES + trafficClass]
      return bytes <= credits.availableAfter(out, trafficClass, stuck)
    }
    if (!this.#fabric.inventory.isPaused(out, trafficClass)) return true
    return this.#switches.canResume(out, trafficClass, this.#stuckBytes)
  }

  /** Outputs that what is left wants, and the outputs that what is at their far end wants. */
  waits(): Stuck {
    const { inventory } = this.#fabric
    const stuck: Stuck = new Map()
    const wantedBy = (i: number): number[] => {
      return (this.#first.get(i) ?? []).map((p) => inventory.output(p) * CLASSES + (i % CLASSES))
    }
    for (const i of this.#first.keys()) {
      for (const output of wantedBy(i)) stuck.set(output, new Set(wantedBy(output)))
    }
    for (const output of this.#fifos.keys()) stuck.set(output, new Set(wantedBy(output)))
    return stuck
  }
}
