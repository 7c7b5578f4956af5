/**
 * ACCurate's contention point: three registers in front of a link that find its fair share from
 * one heartbeat a flow and period, without per-flow state.
 *
 * A. Karampelas et al., "Optimizing Network Congestion Control for High-Performance Remote Direct
 * Memory Access Transfers", sections II, IV and IV-A, whose equation and section
 * numbers stand below. A flow-rate packet (FRP) goes in and comes out with its two rate fields
 * changed; `tick` ends a rate re-evaluation period (RRP). No I/O, no clock, no fabric: the
 * simulator drives it, and the Verilog model is held against it. Allocates nothing after
 * construction.
 *
 * Where the paper leaves room:
 * - 'FSR <= CR' (section II) cannot be the whole test. A flow that this link held at the old FSR
 *   sends CR = old FSR; when FSR has just risen it would count as bottlenecked elsewhere, M would
 *   be 0, and the share overshoot. `remembers` also compares with the old FSR, which the circuit
 *   keeps anyway (section IV).
 * - IV-A replaces a negative share by C / flows. Equal division is what a link's max-min share can
 *   never be below, so `floors` holds any share above C (1 - alpha) / flows. Otherwise stale rates
 *   in B leave a few flows next to nothing for a period, and they take many more to come back. By
 *   the letter, one random flow set in twelve never settles; with both, none of 20,000 fails
 *   (max-min.test.ts, docs/schemes/accurate.md).
 * - A flow-init counts in the running period's M and B too, as that period's one FRP of its flow
 *   (section II: exactly one per period). Otherwise the share would rise again at the next tick.
 * - A flow-stop takes the flow out of the running and the old registers by the rule that an FRP
 *   with the same fields would be counted by; FSR itself stays till the tick (II-B: 'on the next
 *   RRP').
 * - The old registers include b_max, so that a flow-init can meet M = 0 as a tick does (IV-A).
 * - A share of exactly 0 is handled as a negative one: a rate of 0 would stop a flow for good.
 */

/** What a forward FRP says; responses pass a contention point untouched. */
export type FrpType = 'frp' | 'flow-init' | 'flow-stop'

export interface Frp {
  type: FrpType
  /** CR and DR, bit/s. */
  currentBps: number
  desiredBps: number
}

/** How rates are held in registers and fields: exact, or by a code of few bits, rounded down. */
export interface RateCode {
  floor(rateBps: number): number
}

export interface ContentionSettings {
  /** C. */
  readonly capacityBps: number
  /** Part of C that is not given to flows (Eq. 1). */
  readonly alpha: number
  /** A rate cut by more than this fraction of C is told to the source at once (II-A). */
  readonly shortCircuitFraction: number
  /** A flow counts as bottlenecked here if CR reaches FSR or the old FSR; false: FSR alone. */
  readonly remembers: boolean
  /** The share is never below an equal one; false: only a negative one is replaced. */
  readonly floors: boolean
  readonly code: RateCode
}

export const exactRates: RateCode = { floor: (rateBps) => rateBps }

export class AccurateContentionPoint {
  /** Fair share rate, flows bottlenecked here, rate of those limited elsewhere (section II). */
  fsrBps: number
  m: number = 0
  bBps: number = NaN
  /** Largest rate in B, and how many are in it: the corner cases of section IV-A need both. */
  bMaxBps: number = NaN
  elsewhere: number = NaN
  /** The same of the period before, for flows that begin in this one (section IV). */
  oldFsrBps: number
  oldM: number = 0
  oldBBps: number = NaN
  oldBMaxBps: number = NaN
  oldElsewhere: number = NaN
  readonly #s: ContentionSettings
  readonly #shareableBps: number

  constructor(settings: ContentionSettings) {
    this.#s = settings
    this.#shareableBps = settings.capacityBps * (1 - settings.alpha)
    this.fsrBps = settings.code.floor(this.#shareableBps)
    this.oldFsrBps = this.fsrBps
    this.bBps = 0
    this.bMaxBps = 0
    this.elsewhere = 0
    this.oldBBps = 0
    this.oldBMaxBps = 0
    this.oldElsewhere = 0
  }

  /**
   * Takes a forward FRP and changes its fields into those that travel on. True: the source should
   * be told at once, by a response with these fields, what the destination's would tell it later.
   */
  receive(frp: Frp): boolean {
    const cameBps = frp.currentBps
    if (frp.type === 'flow-stop') {
      this.#remove(cameBps)
      this.#limit(frp)
      return false
    }
    if (frp.type === 'flow-init') this.#admit(cameBps)
    this.#count(cameBps)
    this.#limit(frp)
    return cameBps - frp.currentBps > this.#s.shortCircuitFraction * this.#s.capacityBps
  }

  /** The end of a period: Eq. 1, then the registers begin anew. */
  tick(): void {
    this.oldFsrBps = this.fsrBps
    this.oldM = this.m
    this.oldBBps = this.bBps
    this.oldBMaxBps = this.bMaxBps
    this.oldElsewhere = this.elsewhere
    this.fsrBps = this.#share(this.m, this.bBps, this.bMaxBps, this.elsewhere)
    this.m = 0
    this.bBps = 0
    this.bMaxBps = 0
    this.elsewhere = 0
  }

  /** Section II: FSR <= CR, the flow is bottlenecked here; else its rate belongs to B. */
  #isHere(currentBps: number): boolean {
    return this.fsrBps <= currentBps || (this.#s.remembers && this.oldFsrBps <= currentBps)
  }

  #count(currentBps: number): void {
    if (this.#isHere(currentBps)) {
      this.m++
      return
    }
    this.bBps += currentBps
    this.elsewhere++
    if (currentBps > this.bMaxBps) this.bMaxBps = currentBps
  }

  /** CR (section II) and DR (section II-C) leave no higher than FSR. */
  #limit(frp: Frp): void {
    if (frp.currentBps > this.fsrBps) frp.currentBps = this.fsrBps
    if (frp.desiredBps > this.fsrBps) frp.desiredBps = this.fsrBps
  }

  /** Section IV: what the share would be if the new flow had been active in the previous RRP. */
  #admit(currentBps: number): void {
    if (this.oldFsrBps <= currentBps) this.oldM++
    else {
      this.oldBBps += currentBps
      this.oldElsewhere++
      if (currentBps > this.oldBMaxBps) this.oldBMaxBps = currentBps
    }
    this.fsrBps = this.#share(this.oldM, this.oldBBps, this.oldBMaxBps, this.oldElsewhere)
  }

  /** A flow ends: it goes from where it would be counted. Never below nothing. */
  #remove(currentBps: number): void {
    if (this.#isHere(currentBps)) this.m = Math.max(0, this.m - 1)
    else if (this.elsewhere > 0) {
      this.elsewhere--
      this.bBps = this.elsewhere === 0 ? 0 : Math.max(0, this.bBps - currentBps)
    }
    if (this.oldFsrBps <= currentBps) this.oldM = Math.max(0, this.oldM - 1)
    else if (this.oldElsewhere > 0) {
      this.oldElsewhere--
      this.oldBBps = this.oldElsewhere === 0 ? 0 : Math.max(0, this.oldBBps - currentBps)
    }
  }

  /** Eq. 1 and the corner cases of section IV-A. */
  #share(m: number, bBps: number, bMaxBps: number, elsewhere: number): number {
    const { code, capacityBps } = this.#s
    const shareableBps = this.#shareableBps
    // Idle: nobody is here, and the next to come may have it all.
    if (m === 0 && bBps === 0) return code.floor(shareableBps)
    let shareBps = m === 0 ? shareableBps - Math.max(0, bBps - bMaxBps) : (shareableBps - bBps) / m
    const flows = m + elsewhere
    if (shareBps <= 0) shareBps = capacityBps / flows
    else if (this.#s.floors) shareBps = Math.max(shareBps, shareableBps / flows)
    return code.floor(Math.min(shareBps, shareableBps))
  }
}
