/**
 * Which ingresses have sent XOFF and no XON since: the one machine of PAUSE and PFC for shared
 * memories, input buffers and hosts that take in slowly, which differ only in when an ingress is
 * full and when it has room again. An ingress is a link and a class.
 *
 * XOFF is sent when the owner says so. XON is looked at when bytes of the ingress have left, once
 * its ports have been settled: sending a frame touches a port.
 */
import type { Fabric } from '../fabric.ts'
import { CLASSES, CLASS_BITS, CLASS_MASK } from '../ports.ts'

export class IngressPause {
  /** By link and class. */
  readonly isOff: Uint8Array
  readonly #fabric: Fabric
  readonly #frameBytes: number
  /** May an ingress that is off go on? One that may is on when this returns. */
  readonly #mayGoOn: (ingress: number) => boolean
  /** Ingresses that bytes have left since XOFF. */
  readonly #due: number[] = []

  constructor(fabric: Fabric, frameBytes: number, mayGoOn: (ingress: number) => boolean) {
    this.#fabric = fabric
    this.#frameBytes = frameBytes
    this.#mayGoOn = mayGoOn
    this.isOff = new Uint8Array(fabric.ports.count * CLASSES)
  }

  /** An ingress is full: XOFF, unless it has been sent. True if it had not been. */
  stop(ingress: number, nowPs: number): boolean {
    if (this.isOff[ingress] === 1) return false
    this.isOff[ingress] = 1
    this.#send(ingress, true, nowPs)
    this.#fabric.links?.pauseTimes?.renewLater(ingress, this, nowPs)
    return true
  }

  /** XOFF again, if it still holds. */
  renew(ingress: number, nowPs: number): void {
    if (this.isOff[ingress] === 0) return
    this.say(ingress, nowPs)
    this.#fabric.links?.pauseTimes?.renewLater(ingress, this, nowPs)
  }

  /** XOFF once more, if it holds: the far end may not know of it. */
  say(ingress: number, nowPs: number): void {
    if (this.isOff[ingress] === 1) this.#send(ingress, true, nowPs)
  }

  /** Bytes of an ingress have left. */
  hasLeft(ingress: number): void {
    if (this.isOff[ingress] === 1) this.#due.push(ingress)
  }

  /** XON for those that bytes have left and that may go on. */
  goOn(nowPs: number): void {
    while (this.#due.length > 0) {
      const ingress = this.#due.pop() as number
      if (this.isOff[ingress] === 0 || !this.#mayGoOn(ingress)) continue
      this.isOff[ingress] = 0
      this.#send(ingress, false, nowPs)
    }
  }

  get isAnyDue(): boolean {
    return this.#due.length > 0
  }

  #send(ingress: number, isOff: boolean, nowPs: number): void {
    const link = ingress >> CLASS_BITS
    const trafficClass = ingress & CLASS_MASK
    this.#fabric.sendPause(link, trafficClass, isOff, this.#frameBytes, nowPs)
  }
}
