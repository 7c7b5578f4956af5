/**
 * A capped host's intake: a server behind its link that takes packets in at the host's own rate
 * (Gran et al. 2010: PCIe). What waits holds its credits, or pauses the link.
 */
import type { Fabric } from '../fabric.ts'
import { IngressPause } from '../flow-control/ingress-pause.ts'
import { TAKE_IN } from '../kinds.ts'
import {
  FIELD_B,
  BYTES,
  CLASS,
  CONTROL,
  TAKEN_IN,
  INGRESS,
  KIND,
  NEXT,
  PAYLOAD,
} from '../packets.ts'
import { CLASSES, CLASS_BITS, CLASS_MASK } from '../ports.ts'

export interface IntakeParams {
  readonly takeCapBps: number
  /** The cap counts payload, not bytes on the wire. */
  readonly capsPayload: boolean
  /** A class pauses its link when so many of its bytes wait; 0: never. */
  readonly takeInXoffBytes: number
  readonly pauseFrameBytes: number
}

export class Intake {
  readonly #fabric: Fabric
  readonly #psPerByte: number
  /** The packets' lane that the cap counts. */
  readonly #counted: number
  readonly #xoffBytes: number
  readonly #head: Int32Array
  readonly #tail: Int32Array
  readonly #freePs: Float64Array
  readonly #bytes: Int32Array
  readonly #pauses: IngressPause

  constructor(fabric: Fabric, params: IntakeParams) {
    const hosts = fabric.hostNodes.length
    this.#fabric = fabric
    this.#psPerByte = 8e12 / params.takeCapBps
    this.#counted = params.capsPayload ? PAYLOAD : BYTES
    this.#xoffBytes = params.takeInXoffBytes
    this.#head = new Int32Array(hosts).fill(-1)
    this.#tail = new Int32Array(hosts).fill(-1)
    this.#freePs = new Float64Array(hosts)
    this.#bytes = new Int32Array(hosts * CLASSES)
    this.#pauses = new IngressPause(fabric, params.pauseFrameBytes, (ingress) => {
      const host = fabric.hostOf[fabric.ports.to[ingress >> CLASS_BITS]]
      return this.#bytes[host * CLASSES + (ingress & CLASS_MASK)] <= this.#xoffBytes / 2
    })
  }

  add(host: number, link: number, p: number, nowPs: number): void {
    const packets = this.#fabric.packets
    const ingress = link * CLASSES + packets.int[p + CLASS]
    packets.int[p + INGRESS] = ingress
    packets.int[p + NEXT] = -1
    const bytes = packets.int[p + BYTES]
    const takesPs = Math.ceil(packets.int[p + this.#counted] * this.#psPerByte)
    const donePs = Math.max(nowPs, this.#freePs[host]) + takesPs
    this.#freePs[host] = donePs
    packets.float[(p >> 1) + TAKEN_IN] = donePs
    // Control packets have a field of their own there.
    if (packets.int[p + KIND] !== CONTROL) packets.cold[(p >> 1) + FIELD_B] += donePs - nowPs
    if (this.#head[host] < 0) {
      this.#head[host] = p
      this.#awaitNext(host, donePs)
    } else packets.int[this.#tail[host] + NEXT] = p
    this.#tail[host] = p
    const i = host * CLASSES + packets.int[p + CLASS]
    this.#bytes[i] += bytes
    if (this.#xoffBytes === 0 || this.#bytes[i] <= this.#xoffBytes) return
    this.#pauses.stop(ingress, nowPs)
  }

  /** TAKE_IN: the host has taken in the first packet that waits, which is returned. */
  take(host: number, nowPs: number): number {
    const packets = this.#fabric.packets
    const p = this.#head[host]
    const next = packets.int[p + NEXT]
    this.#head[host] = next
    if (next >= 0) this.#awaitNext(host, packets.float[(next >> 1) + TAKEN_IN])
    const ingress = packets.int[p + INGRESS]
    const i = host * CLASSES + packets.int[p + CLASS]
    this.#bytes[i] -= packets.int[p + BYTES]
    this.#fabric.gate.returnCreditsFor(ingress >> CLASS_BITS, p, nowPs)
    this.#pauses.hasLeft(ingress)
    this.#pauses.goOn(nowPs)
    return p
  }

  #awaitNext(host: number, donePs: number): void {
    this.#fabric.windows.post(donePs, TAKE_IN, host, this.#fabric.cellOfHost(host))
  }

  /** Calls back for each packet that waits, for audits. */
  eachHeld(visit: (packet: number, host: number) => void): void {
    const { int } = this.#fabric.packets
    for (let host = 0; host < this.#head.length; host++) {
      for (let p = this.#head[host]; p >= 0; p = int[p + NEXT]) visit(p, host)
    }
  }
}
