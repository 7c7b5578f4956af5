/**
 * The contention point with the circuit's arithmetic: rates go in and out in bit/s, and are whole
 * numbers of few bits between. What a switch with `hdl/rtl/contention_point.v` would do, but that
 * its divider answers at once (`array`).
 *
 * A rate that is not a whole number of steps is rounded down on its way in; a rate below one step
 * is one: a CR of 0 would say that nothing is sent.
 */
import { ContentionCircuit, FLOW_INIT, FLOW_STOP, FRP, NO_FRP } from './circuit.ts'
import type { ContentionSettings, Frp, RateCode } from './contention-point.ts'

/** Half a millionth of a step covers the rounding of rate / step for a rate that is a code. */
const ROUNDING = 5e-7

export interface FixedSettings extends ContentionSettings {
  readonly rateBits: number
  readonly countBits: number
  /** The rate that all ones stand for: that of the fastest link in the fabric. */
  readonly topBps: number
}

export class FixedContentionPoint {
  readonly circuit: ContentionCircuit
  readonly #stepBps: number
  readonly #full: number
  /** How the FRP's fields hold a rate, where that is coarser than the circuit. */
  readonly #code: RateCode

  constructor(settings: FixedSettings) {
    const { rateBits, countBits, topBps, capacityBps, alpha } = settings
    this.#full = 2 ** rateBits - 1
    this.#code = settings.code
    this.#stepBps = topBps / this.#full
    this.circuit = new ContentionCircuit({
      rateBits,
      countBits,
      capacity: this.#steps(capacityBps),
      shareable: this.#steps(capacityBps * (1 - alpha)),
      urgent: Math.floor((settings.shortCircuitFraction * capacityBps) / this.#stepBps + ROUNDING),
      remembers: settings.remembers,
      floors: settings.floors,
      divider: 'array',
      stages: 0,
    })
  }

  /** As `AccurateContentionPoint.receive`. */
  receive(frp: Frp): boolean {
    const type = frp.type === 'flow-init' ? FLOW_INIT : frp.type === 'flow-stop' ? FLOW_STOP : FRP
    this.circuit.cycle(false, type, this.#steps(frp.currentBps), this.#steps(frp.desiredBps))
    const { current, desired, isUrgent } = this.circuit.output
    frp.currentBps = this.#code.floor(current * this.#stepBps)
    frp.desiredBps = this.#code.floor(desired * this.#stepBps)
    return isUrgent
  }

  tick(): void {
    this.circuit.cycle(true, NO_FRP, 0, 0)
  }

  #steps(rateBps: number): number {
    return Math.max(1, Math.min(this.#full, Math.floor(rateBps / this.#stepBps + ROUNDING)))
  }

  get fsrBps(): number {
    return this.circuit.fsr * this.#stepBps
  }
  get m(): number {
    return this.circuit.now.m
  }
  get bBps(): number {
    return this.circuit.now.b * this.#stepBps
  }
  get bMaxBps(): number {
    return this.circuit.now.bMax * this.#stepBps
  }
  get elsewhere(): number {
    return this.circuit.now.elsewhere
  }
  get oldFsrBps(): number {
    return this.circuit.oldFsr * this.#stepBps
  }
  get oldM(): number {
    return this.circuit.old.m
  }
  get oldBBps(): number {
    return this.circuit.old.b * this.#stepBps
  }
}
