/**
 * Links with state: up or down, with or without errors. What is on a link while it is down is lost,
 * and so is what is sent by it: nodes do not know until routing does. A bit that is wrong costs its
 * packet. What is lost is counted at the port that sent it; a receiver's room that it had been
 * promised is free again, as credits that are counted from the beginning make it.
 */
import { exp, ln } from '@weir/engine'
import type { Random } from '@weir/engine'
import type { Fabric } from './fabric.ts'
import type { PauseTimes } from './flow-control/pause-times.ts'
import { BYTES, KIND, PAUSE } from './packets.ts'
import { DELAY, FAST, MODE, PS_PER_BYTE } from './ports.ts'
import { slowDown } from './slow-ports.ts'

export class Links {
  /** undefined: a pause lasts until XON. */
  readonly pauseTimes: PauseTimes | undefined
  readonly #fabric: Fabric
  /** By port: when it last went down, and when it was up again; Infinity: it is down. */
  readonly #downPs: Float64Array
  readonly #upPs: Float64Array
  /** By port: the logarithm of a bit's chance to arrive as it was sent. */
  readonly #lnIntact: Float64Array
  readonly #stream: (name: string) => Random
  /** By port: a stream of its own, once it has errors. */
  readonly #random: Random[] = []

  constructor(
    fabric: Fabric,
    pauseTimes: PauseTimes | undefined,
    stream: (name: string) => Random,
  ) {
    const { count } = fabric.ports
    this.#fabric = fabric
    this.pauseTimes = pauseTimes
    this.#downPs = new Float64Array(count).fill(Infinity)
    this.#upPs = new Float64Array(count).fill(-Infinity)
    this.#lnIntact = new Float64Array(count)
    this.#stream = stream
  }

  /** Of link i of the graph, which is two ports. */
  isDown(link: number): boolean {
    return this.#upPs[2 * link] === Infinity
  }

  setDown(port: number, nowPs: number): void {
    if (this.#upPs[port] === Infinity) return
    this.#downPs[port] = nowPs
    this.#upPs[port] = Infinity
  }

  /** True if it was down. */
  setUp(port: number, nowPs: number): boolean {
    if (this.#upPs[port] !== Infinity) return false
    this.#upPs[port] = nowPs
    return true
  }

  /** Of all bits that pass, this share is wrong. */
  setErrors(port: number, rate: number): void {
    this.#lnIntact[port] = rate > 0 ? ln(1 - rate) : 0
    this.#random[port] ??= this.#stream(`errors.${port}`)
  }

  /** From now on what begins to leave does so at another rate. Of a port that is this thread's. */
  setRate(port: number, rateBps: number, isMine: boolean, nowPs: number): void {
    const fabric = this.#fabric
    const { ports } = fabric
    if (isMine && ports.int[(port << 5) + MODE] === FAST) slowDown(fabric, port, nowPs)
    ports.rateBps[port] = rateBps
    ports.psPerByte[port] = 8e12 / rateBps
    ports.float[(port << 4) + PS_PER_BYTE] = 8e12 / rateBps
    if (isMine) fabric.unblock(port, nowPs)
  }

  /** A packet would be at the far end of `port` now: true if it is not. */
  loses(port: number, p: number, nowPs: number): boolean {
    if (!this.#wasDown(port, p, nowPs) && !this.#isWrong(port, p)) return false
    const fabric = this.#fabric
    fabric.ports.lost[port]++
    if (fabric.packets.int[p + KIND] !== PAUSE) fabric.gate.returnCreditsFor(port, p, nowPs)
    fabric.hosts.discard(p)
    return true
  }

  /** Was the link down at any time since the packet began to leave? */
  #wasDown(port: number, p: number, nowPs: number): boolean {
    if (this.#downPs[port] >= nowPs) return false
    const { packets, ports } = this.#fabric
    const servicePs = packets.int[p + BYTES] * ports.float[(port << 4) + PS_PER_BYTE]
    return nowPs - ports.float[(port << 4) + DELAY] - servicePs < this.#upPs[port]
  }

  #isWrong(port: number, p: number): boolean {
    const lnIntact = this.#lnIntact[port]
    if (lnIntact === 0) return false
    const bits = 8 * this.#fabric.packets.int[p + BYTES]
    return this.#random[port].uniform() >= exp(bits * lnIntact)
  }
}
