/**
 * PAUSE with a time (IEEE 802.3, annex 31B; 802.1Q for PFC): a pause that is not renewed ends by
 * itself, so that an XON that is lost does not stop a link for ever; who has sent XOFF renews it at
 * half of that time. The frame has room for 65,535 quanta of 512 bits.
 */
import type { Fabric } from '../fabric.ts'
import { PAUSE_AGAIN, PAUSE_ENDS } from '../kinds.ts'
import { CLASSES } from '../ports.ts'
import type { IngressPause } from './ingress-pause.ts'

const QUANTA_MAX = 65_535
const QUANTUM_BITS = 512

export class PauseTimes {
  readonly #fabric: Fabric
  /** 0: as long as a frame can say. */
  readonly #pausePs: number
  /** By port and class: when the pause ends; and whether there is an event for it. */
  readonly #endsPs: Float64Array
  readonly #isAwaited: Uint8Array
  /** By ingress: who has sent XOFF and renews it. */
  readonly #owners: (IngressPause | undefined)[] = []
  /** By ingress: there is an event for the renewal. */
  readonly #isRenewed: Uint8Array
  /** By ingress: when it is to be renewed. */
  readonly #renewPs: Float64Array

  constructor(fabric: Fabric, pausePs: number) {
    this.#fabric = fabric
    this.#pausePs = pausePs
    this.#endsPs = new Float64Array(fabric.ports.count * CLASSES)
    this.#isAwaited = new Uint8Array(fabric.ports.count * CLASSES)
    this.#isRenewed = new Uint8Array(fabric.ports.count * CLASSES)
    this.#renewPs = new Float64Array(fabric.ports.count * CLASSES)
  }

  #lengthPs(port: number): number {
    if (this.#pausePs > 0) return this.#pausePs
    return Math.round((QUANTA_MAX * QUANTUM_BITS * 1e12) / this.#fabric.ports.rateBps[port])
  }

  /** XOFF for a class of `port` has come: for the first time, or again. */
  onXoff(port: number, trafficClass: number, nowPs: number): void {
    const i = port * CLASSES + trafficClass
    this.#endsPs[i] = nowPs + this.#lengthPs(port)
    this.#await(i)
  }

  #await(i: number): void {
    if (this.#isAwaited[i] === 1) return
    this.#isAwaited[i] = 1
    const { fromCell, windows } = this.#fabric
    windows.post(this.#endsPs[i], PAUSE_ENDS, i, fromCell[i >> 3])
  }

  /** PAUSE_ENDS */
  onEnd(i: number, nowPs: number): void {
    this.#isAwaited[i] = 0
    const port = i >> 3
    if (((this.#fabric.ports.paused[port] >> (i & 7)) & 1) === 0) return
    if (this.#endsPs[i] > nowPs) this.#await(i)
    else this.#fabric.setPaused(port, i & 7, false, nowPs)
  }

  /** An ingress has sent XOFF. */
  renewLater(ingress: number, owner: IngressPause, nowPs: number): void {
    this.#owners[ingress] = owner
    this.#renewPs[ingress] = nowPs + Math.ceil(this.#lengthPs(ingress >> 3) / 2)
    this.#awaitRenewal(ingress)
  }

  #awaitRenewal(ingress: number): void {
    if (this.#isRenewed[ingress] === 1) return
    this.#isRenewed[ingress] = 1
    const { toCell, windows } = this.#fabric
    windows.post(this.#renewPs[ingress], PAUSE_AGAIN, ingress, toCell[ingress >> 3])
  }

  /** PAUSE_AGAIN: of an ingress that has sent XON and XOFF since, the later one counts. */
  onRenewal(ingress: number, nowPs: number): void {
    this.#isRenewed[ingress] = 0
    if (this.#renewPs[ingress] > nowPs) this.#awaitRenewal(ingress)
    else this.#owners[ingress]?.renew(ingress, nowPs)
  }

  /** The link of an ingress is up again: its far end has forgotten that it was paused. */
  sayAgain(ingress: number, nowPs: number): void {
    this.#owners[ingress]?.say(ingress, nowPs)
  }
}
