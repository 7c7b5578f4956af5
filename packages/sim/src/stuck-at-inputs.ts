/**
 * What is stuck at input buffers: packets whose output is paused for good or never has credits for
 * them, and packets behind those. Outputs serve their inputs round robin, and one whose turn it is
 * and which may not go keeps the others waiting.
 */
import { BYTES, CLASSES, NEXT, OUT } from '@weir/fabric'
import type { Fabric, InputBuffered } from '@weir/fabric'
import { isPaused } from './deadlock.ts'
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

/** The input queues, from which packets are taken in the order in which outputs would take them. */
class LeftAtInputs {
  readonly #fabric: Fabric
  readonly #switches: InputBuffered
  /** First packets of queues that are not empty, by link and class: one (FIFO), or more (VOQ). */
  readonly #first: Map<number, number[]> = new Map()
  /** Bytes left, by link and class. */
  readonly #stuckBytes: Float64Array
  readonly #served: Int32Array

  constructor(fabric: Fabric, switches: InputBuffered) {
    const { packets, ports } = fabric
    this.#fabric = fabric
    this.#switches = switches
    this.#stuckBytes = new Float64Array(ports.count * CLASSES)
    this.#served = Int32Array.from({ length: ports.count }, (_, port) => switches.servedLast(port))
    switches.eachQueue((link, trafficClass, first) => {
      const i = link * CLASSES + trafficClass
      const heads = this.#first.get(i)
      if (heads === undefined) this.#first.set(i, [first])
      else heads.push(first)
      for (let p = first; p >= 0; p = packets.int[p + NEXT]) {
        this.#stuckBytes[i] += packets.int[p + BYTES]
      }
    })
  }

  /** Takes the packet whose turn it is at an output; false if there is none, or it may not go. */
  take(out: number, trafficClass: number): boolean {
    const { packets, ports, portsOf } = this.#fabric
    const inputs = portsOf[ports.from[out]]
    for (let n = 1; n <= inputs.length; n++) {
      const input = (this.#served[out] + n) % inputs.length
      const i = ((inputs[input] as number) ^ 1) * CLASSES + trafficClass
      const heads = this.#first.get(i)
      const place = heads?.findIndex((p) => packets.cold[(p >> 1) + OUT] === out) ?? -1
      if (heads === undefined || place < 0) continue
      const p = heads[place] as number
      const bytes = packets.int[p + BYTES]
      if (!this.#mayGo(out, trafficClass, bytes)) return false
      this.#served[out] = input
      this.#stuckBytes[i] -= bytes
      const next = packets.int[p + NEXT]
      if (next >= 0) heads[place] = next
      else heads.splice(place, 1)
      return true
    }
    return false
  }

  #mayGo(out: number, trafficClass: number, bytes: number): boolean {
    const { credits, ports } = this.#fabric
    if (ports.toHost[out] === 1) return true
    if (credits !== undefined) {
      const stuck = this.#stuckBytes[out * CLASSES + trafficClass]
      return bytes <= credits.availableAfter(out, trafficClass, stuck)
    }
    if (!isPaused(this.#fabric, out, trafficClass)) return true
    return this.#switches.canResume(out, trafficClass, this.#stuckBytes)
  }

  /** Outputs that what is left wants, and the outputs that what is at their far end wants. */
  waits(): Stuck {
    const { cold } = this.#fabric.packets
    const stuck: Stuck = new Map()
    const wantedBy = (i: number): number[] => {
      return (this.#first.get(i) ?? []).map((p) => cold[(p >> 1) + OUT] * CLASSES + (i % CLASSES))
    }
    for (const i of this.#first.keys()) {
      for (const output of wantedBy(i)) stuck.set(output, new Set(wantedBy(output)))
    }
    return stuck
  }
}
