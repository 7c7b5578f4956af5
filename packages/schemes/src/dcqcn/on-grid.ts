/**
 * DCQCN's sender as firmware has it ("Mellanox's version" in the HPCC artifact, rdma-hw.cc): CNPs
 * are noticed when they come and acted on when their period ends, many in one as one; alpha takes a
 * step every interval, up if a CNP came in it and down if not.
 */
import { decay } from './decay.ts'
import { DcqcnReaction } from './reaction.ts'

const DECREASE = 1

export class OnGridReaction extends DcqcnReaction {
  /** Alpha is brought up to here. */
  #alphaPs: number = NaN
  /** A CNP came since alpha was last brought up to date, or acted on. */
  #isAlphaHit: boolean = false
  #isDecreaseDue: boolean = false
  /** When the first period began; NaN: no CNP yet. */
  #gridPs: number = NaN

  protected override onCongestion(nowPs: number): void {
    // The first one starts both grids with alpha = 1, and is no sign of congestion in alpha's first
    // interval.
    if (Number.isNaN(this.#gridPs)) {
      this.#gridPs = nowPs
      this.#alphaPs = nowPs
    } else {
      this.#stepAlpha(nowPs)
      this.#isAlphaHit = true
    }
    if (this.#isDecreaseDue) return
    this.#isDecreaseDue = true
    const { decreaseInterval } = this.values
    const periods = Math.max(1, Math.ceil((nowPs - this.#gridPs) / decreaseInterval))
    this.flow.setTimer(DECREASE, this.#gridPs + periods * decreaseInterval)
  }

  override onTimer(which: number, nowPs: number): void {
    if (which !== DECREASE) {
      super.onTimer(which, nowPs)
      return
    }
    this.#stepAlpha(nowPs)
    this.#isDecreaseDue = false
    this.decrease(nowPs)
  }

  #stepAlpha(nowPs: number): void {
    const { alphaInterval, g } = this.values
    let intervals = Math.floor((nowPs - this.#alphaPs) / alphaInterval)
    if (intervals <= 0) return
    this.#alphaPs += intervals * alphaInterval
    if (this.#isAlphaHit) {
      this.alpha = (1 - g) * this.alpha + g
      this.#isAlphaHit = false
      intervals--
    }
    if (intervals > 0) this.alpha *= decay(1 - g, intervals)
  }
}
