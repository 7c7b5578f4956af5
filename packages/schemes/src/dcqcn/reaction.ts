/**
 * DCQCN's reaction point: the cut by alpha, and QCN's way back (Y. Zhu et al., SIGCOMM 2015,
 * section 3.1, Eqs. 1, 3 and 4 and Fig. 7). When alpha moves and when a cut is made is told by its
 * two forms: the paper's (`at-once.ts`) and the firmware's (`on-grid.ts`). PACC's senders are the
 * same, with CNPs from switches.
 */
import type { Ack, FlowContext } from '@weir/fabric'
import { ReactionPoint } from '@weir/fabric'

/** The only control packet: BTH and 16 reserved bytes over Ethernet, IP, UDP (RoCEv2 annex A17). */
export const CNP = 1
export const CNP_BYTES = 64

const INCREASE = 0

/** What the sender reads of parameters, DCQCN's or PACC's; without `feedback`, it is by CNPs. */
export interface ReactionValues {
  readonly feedback?: 'cnp' | 'ack'
  readonly g: number
  readonly alphaInterval: number
  readonly decreaseInterval: number
  readonly increaseTimer: number
  readonly byteCounter: number
  readonly fastRecovery: number
  readonly rateAi: number
  readonly rateHai: number
  readonly stepReference: number
  readonly minRate: number
  readonly clampTarget: boolean
}

/** Section 3.1, RP. `rateBps` is R_C. */
export abstract class DcqcnReaction extends ReactionPoint {
  protected readonly flow: FlowContext
  protected readonly values: ReactionValues
  /** How congested the path is, 0 to 1; 1 from the constructor on. */
  protected alpha: number = NaN
  /** R_AI and R_HAI of this NIC. */
  readonly #rateAi: number
  readonly #rateHai: number
  /** R_T. */
  #target: number
  /** Increase events by timer and by bytes since the last decrease (T and BC). */
  #timerCount: number = 0
  #byteCount: number = 0
  #bytes: number = 0
  #isLimited: boolean = false

  constructor(flow: FlowContext, values: ReactionValues) {
    super()
    this.flow = flow
    this.values = values
    this.alpha = 1
    const { stepReference } = values
    const scale = stepReference > 0 ? flow.lineRateBps / stepReference : 1
    this.#rateAi = values.rateAi * scale
    this.#rateHai = values.rateHai * scale
    this.rateBps = flow.lineRateBps
    this.#target = flow.lineRateBps
  }

  /** A CNP, or a mark that an ACK echoes. */
  protected abstract onCongestion(nowPs: number): void

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    if (ack.marked && this.values.feedback === 'ack') this.onCongestion(nowPs)
  }

  override onControl(code: number, _a: number, _b: number, nowPs: number): void {
    if (code === CNP) this.onCongestion(nowPs)
  }

  /** Eq. 1, first two lines, and the return to fast recovery. */
  protected decrease(nowPs: number): void {
    const { clampTarget, minRate, increaseTimer } = this.values
    if (clampTarget || this.#timerCount > 0 || this.#byteCount > 0) this.#target = this.rateBps
    this.rateBps = Math.max(minRate, this.rateBps * (1 - this.alpha / 2))
    this.#timerCount = 0
    this.#byteCount = 0
    this.#bytes = 0
    this.#isLimited = true
    this.flow.setTimer(INCREASE, nowPs + increaseTimer)
  }

  override onTimer(_which: number, nowPs: number): void {
    this.#timerCount++
    this.#increase()
    if (this.#isLimited) this.flow.setTimer(INCREASE, nowPs + this.values.increaseTimer)
  }

  override onSent(bytes: number, _nowPs: number): void {
    const { byteCounter } = this.values
    if (!this.#isLimited || byteCounter === 0) return
    this.#bytes += bytes
    if (this.#bytes < byteCounter) return
    this.#bytes -= byteCounter
    this.#byteCount++
    this.#increase()
  }

  /** Fig. 7: fast recovery (Eq. 3), additive increase (Eq. 4) or hyper increase. */
  #increase(): void {
    const { fastRecovery, byteCounter } = this.values
    const most = Math.max(this.#timerCount, this.#byteCount)
    // Without a byte counter the timer stands for both, bytes one event behind: F steps of fast
    // recovery, an additive one, then hyper increase, as in the firmware.
    const bytes = byteCounter === 0 ? this.#timerCount - 1 : this.#byteCount
    const least = Math.min(this.#timerCount, bytes)
    if (least > fastRecovery) this.#target += this.#rateHai
    else if (most > fastRecovery) this.#target += this.#rateAi
    const line = this.flow.lineRateBps
    if (this.#target > line) this.#target = line
    this.rateBps = (this.#target + this.rateBps) / 2
    // Within a part in a million of the line it is the line: nothing is left to recover.
    if (this.rateBps > line * 0.999999) {
      this.rateBps = line
      this.#isLimited = this.#target < line
      if (!this.#isLimited) this.flow.cancelTimer(INCREASE)
    }
  }

  override observe(index: number): number {
    return [this.rateBps, this.#target, this.alpha][index] ?? NaN
  }
}
