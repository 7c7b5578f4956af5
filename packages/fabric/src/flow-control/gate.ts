/**
 * The gate of every port: may it send, as far as its far end goes? PAUSE and PFC say so by class,
 * credits by bytes. A port that finds no credits is woken when the next ones come.
 */
import type { Windows } from '@weir/engine'
import type { Border } from '../border.ts'
import type { Fabric } from '../fabric.ts'
import { CREDIT } from '../kinds.ts'
import { BYTES, CLASS } from '../packets.ts'
import type { Packets } from '../packets.ts'
import { CLASSES, QUEUES } from '../ports.ts'
import type { Ports } from '../ports.ts'
import type { Credits } from './credits.ts'
import type { FlowMessages } from './flow-messages.ts'
import { PauseCauses } from './pause-causes.ts'

/** Without that of PAUSE frames. */
const ALL_CLASSES = (1 << CLASSES) - 1

export class Gate {
  readonly #ports: Ports
  readonly #packets: Packets
  readonly #windows: Windows
  readonly #fromCell: Int32Array
  readonly #credits: Credits | undefined
  /** Who is told to wait, and for which queue. */
  readonly causes: PauseCauses
  /** Of a fabric that stops single flows: its switches ask for themselves which ones. */
  flowMessages: FlowMessages | undefined = undefined
  /** Of a fabric that several threads run. */
  border: Border | undefined = undefined

  constructor(
    ports: Ports,
    packets: Packets,
    windows: Windows,
    fromCell: Int32Array,
    credits: Credits | undefined,
  ) {
    this.#ports = ports
    this.#packets = packets
    this.#windows = windows
    this.#fromCell = fromCell
    this.#credits = credits
    this.causes = new PauseCauses(ports.count)
  }

  /** Is a class of this port kept from sending `bytes` by its far end? */
  isBlocked(port: number, trafficClass: number, bytes: number, nowPs: number): boolean {
    if ((this.#ports.paused[port] >> trafficClass) & 1) return true
    return this.#credits !== undefined && !this.#hasCredits(port, trafficClass, bytes, nowPs)
  }

  /** The same question by somebody who does not want to send: nothing is armed for an answer. */
  isShut(port: number, trafficClass: number, bytes: number, nowPs: number): boolean {
    if ((this.#ports.paused[port] >> trafficClass) & 1) return true
    if (this.#credits === undefined) return false
    this.#credits.collect(port, nowPs)
    return this.#credits.available[port * CLASSES + trafficClass] < bytes
  }

  #hasCredits(port: number, trafficClass: number, bytes: number, nowPs: number): boolean {
    const credits = this.#credits as Credits
    credits.collect(port, nowPs)
    if (credits.available[port * CLASSES + trafficClass] >= bytes) return true
    if (credits.starved[port] === 0) {
      credits.starved[port] = 1
      credits.starvedSincePs[port] = nowPs
    }
    this.#arm(port)
    return false
  }

  /** Room for `bytes` at the far end of `port` will be known here at `duePs`. */
  returnCredits(port: number, trafficClass: number, bytes: number, duePs: number): void {
    const credits = this.#credits as Credits
    if (!credits.isEnough(port, trafficClass, bytes, duePs)) return
    const { bytes: all, duePs: atPs } = credits.enough
    if (this.border?.returnCredits(port, trafficClass, all, atPs) === true) return
    this.takeCredits(port, trafficClass, all, atPs)
  }

  /** Credits are on their way to a port. */
  takeCredits(port: number, trafficClass: number, bytes: number, duePs: number): void {
    this.#credits?.giveBack(port, trafficClass, bytes, duePs)
    this.#arm(port)
  }

  /** A host has taken in a packet that came by `link`. */
  returnCreditsFor(link: number, p: number, nowPs: number): void {
    if (this.#credits === undefined) return
    const { int } = this.#packets
    const duePs = nowPs + this.#ports.delayPs[link ^ 1]
    this.returnCredits(link, int[p + CLASS], int[p + BYTES], duePs)
  }

  /** CREDIT: what a port waited for is here. */
  onCredits(port: number, nowPs: number): void {
    const credits = this.#credits as Credits
    credits.awaitedPs[port] = Infinity
    credits.starvedPs[port] += nowPs - credits.starvedSincePs[port]
    credits.starved[port] = 0
    credits.collect(port, nowPs)
  }

  #arm(port: number): void {
    const credits = this.#credits as Credits
    if (credits.starved[port] === 0) return
    // Credits that a faster output frees may overtake those that are awaited.
    const duePs = credits.nextPs(port)
    if (duePs >= credits.awaitedPs[port]) return
    if (credits.awaitedPs[port] < Infinity) this.#windows.cancel(credits.handle[port])
    credits.awaitedPs[port] = duePs
    credits.handle[port] = this.#windows.schedule(duePs, CREDIT, port, this.#fromCell[port])
  }

  /** Classes that have a packet waiting and may send it, as bits. */
  eligible(port: number, nowPs: number): number {
    const ports = this.#ports
    let eligible = ports.waiting[port] & ~ports.paused[port]
    if (this.#credits === undefined) return eligible
    for (let bits = eligible & ALL_CLASSES; bits !== 0; bits &= bits - 1) {
      const c = 31 - Math.clz32(bits & -bits)
      const bytes = this.#packets.int[ports.waitHead[port * QUEUES + c] + BYTES]
      if (!this.#hasCredits(port, c, bytes, nowPs)) eligible &= ~(1 << c)
    }
    return eligible
  }
}

/** CREDIT: a port that waited for credits tries again. */
export function onCredits(fabric: Fabric, port: number, nowPs: number): void {
  fabric.gate.onCredits(port, nowPs)
  fabric.unblock(port, nowPs)
}
