/**
 * PAUSE with a time (IEEE 802.3, annex 31B; 802.1Q for PFC): a pause that is not renewed ends by
 * itself, so that an XON that is lost does not stop a link for ever; who has sent XOFF renews it at
 * half of that time. The frame has room for 65,535 quanta of 512 bits.
 */
import type { Fabric } from '../fabric.ts'
import { PAUSE_AGAIN, PAUSE_ENDS } from '../kinds.ts'
import { CLASSES, CLASS_BITS, CLASS_MASK } from '../ports.ts'
import type { IngressPause } from './ingress-pause.ts'

const QUANTA_MAX = 65_535
const QUANTUM_BITS = 512

export class PauseTimes {
  readonly #fabric: Fabric
  /** 0: as long as a frame can say. */
  readonly #pausePs: number
  /** By port and class: when the pause ends. */
  readonly #ends: Deadlines
  /** By ingress: when XOFF is renewed, and who has sent it. */
  readonly #renewals: Deadlines
  readonly #owners: (IngressPause | undefined)[] = []

  constructor(fabric: Fabric, pausePs: number) {
    this.#fabric = fabric
    this.#pausePs = pausePs
    this.#ends = new Deadlines(fabric, PAUSE_ENDS, fabric.fromCell)
    this.#renewals = new Deadlines(fabric, PAUSE_AGAIN, fabric.toCell)
  }

  #lengthPs(port: number): number {
    if (this.#pausePs > 0) return this.#pausePs
    return Math.round((QUANTA_MAX * QUANTUM_BITS * 1e12) / this.#fabric.ports.rateBps[port])
  }

  /** XOFF for a class of `port` has come: for the first time, or again. */
  onXoff(port: number, trafficClass: number, nowPs: number): void {
    this.#ends.set(port * CLASSES + trafficClass, nowPs + this.#lengthPs(port))
  }

  /** PAUSE_ENDS */
  onEnd(i: number, nowPs: number): void {
    const port = i >> CLASS_BITS
    const trafficClass = i & CLASS_MASK
    const isPaused = this.#fabric.ports.isPaused(port, trafficClass)
    if (!isPaused) this.#ends.drop(i)
    else if (this.#ends.isDue(i, nowPs)) this.#fabric.setPaused(port, trafficClass, false, nowPs)
  }

  /** An ingress has sent XOFF. */
  renewLater(ingress: number, owner: IngressPause, nowPs: number): void {
    this.#owners[ingress] = owner
    this.#renewals.set(ingress, nowPs + Math.ceil(this.#lengthPs(ingress >> CLASS_BITS) / 2))
  }

  /** PAUSE_AGAIN: of an ingress that has sent XON and XOFF since, the later one counts. */
  onRenewal(ingress: number, nowPs: number): void {
    if (this.#renewals.isDue(ingress, nowPs)) this.#owners[ingress]?.renew(ingress, nowPs)
  }

  /** The link of an ingress is up again: its far end has forgotten that it was paused. */
  sayAgain(ingress: number, nowPs: number): void {
    this.#owners[ingress]?.say(ingress, nowPs)
  }
}

/** A time for each port or link and class, which only moves back, with one event that awaits it. */
class Deadlines {
  readonly #fabric: Fabric
  readonly #kind: number
  readonly #cellOf: Int32Array
  readonly #duePs: Float64Array
  readonly #isAwaited: Uint8Array

  constructor(fabric: Fabric, kind: number, cellOf: Int32Array) {
    this.#fabric = fabric
    this.#kind = kind
    this.#cellOf = cellOf
    this.#duePs = new Float64Array(fabric.ports.count * CLASSES)
    this.#isAwaited = new Uint8Array(fabric.ports.count * CLASSES)
  }

  set(i: number, atPs: number): void {
    this.#duePs[i] = atPs
    if (this.#isAwaited[i] === 1) return
    this.#isAwaited[i] = 1
    this.#fabric.windows.post(atPs, this.#kind, i, this.#cellOf[i >> CLASS_BITS])
  }

  /** Its event has come, and it does not matter any more. */
  drop(i: number): void {
    this.#isAwaited[i] = 0
  }

  /** Its event has come: true if it is due, and not only its event. */
  isDue(i: number, nowPs: number): boolean {
    this.#isAwaited[i] = 0
    if (this.#duePs[i] <= nowPs) return true
    this.set(i, this.#duePs[i])
    return false
  }
}
