/**
 * DCQCN's reaction point: alpha, the cut by it, and QCN's way back (Y. Zhu et al., SIGCOMM 2015,
 * section 3.1, Eqs. 1 to 4 and Fig. 7). PACC's senders are the same, with CNPs from switches.
 */
import type { Ack, FlowContext } from '@weir/fabric'
import { ReactionPoint } from '@weir/fabric'
import { pow } from '@weir/engine'

/** The only control packet: BTH and 16 reserved bytes over Ethernet, IP, UDP (RoCEv2 annex A17). */
export const CNP = 1
export const CNP_BYTES = 64

const INCREASE = 0
const DECREASE = 1

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
export class DcqcnReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #s: ReactionValues
  /** R_AI and R_HAI of this NIC. */
  readonly #rateAi: number
  readonly #rateHai: number
  /** R_T. */
  #target: number
  #alpha: number = 1
  /** Alpha is brought up to here; its intervals are counted from the last CNP. NaN: none yet. */
  #alphaPs: number = NaN
  /** With a decrease grid: a CNP came since alpha was last brought up to date, or acted on. */
  #isAlphaHit: boolean = false
  #isDecreaseDue: boolean = false
  #gridPs: number = NaN
  /** Increase events by timer and by bytes since the last decrease (T and BC). */
  #timerCount: number = 0
  #byteCount: number = 0
  #bytes: number = 0
  #isLimited: boolean = false

  constructor(flow: FlowContext, values: ReactionValues) {
    super()
    this.#flow = flow
    this.#s = values
    const { stepReference } = values
    const scale = stepReference > 0 ? flow.lineRateBps / stepReference : 1
    this.#rateAi = values.rateAi * scale
    this.#rateHai = values.rateHai * scale
    this.rateBps = flow.lineRateBps
    this.#target = flow.lineRateBps
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    if (ack.marked && this.#s.feedback === 'ack') this.#onCongestion(nowPs)
  }

  override onControl(code: number, _a: number, _b: number, nowPs: number): void {
    if (code === CNP) this.#onCongestion(nowPs)
  }

  #onCongestion(nowPs: number): void {
    if (this.#s.decreaseInterval === 0) {
      this.#decayAlpha(nowPs)
      this.#decrease(nowPs)
      this.#alpha = (1 - this.#s.g) * this.#alpha + this.#s.g // Eq. 1
      this.#alphaPs = nowPs
      return
    }
    // The firmware's form: CNPs are noticed here and acted on when their period ends. The first one
    // starts both grids with alpha = 1, and is no sign of congestion in alpha's first interval.
    if (Number.isNaN(this.#gridPs)) {
      this.#gridPs = nowPs
      this.#alphaPs = nowPs
    } else {
      this.#stepAlpha(nowPs)
      this.#isAlphaHit = true
    }
    if (this.#isDecreaseDue) return
    this.#isDecreaseDue = true
    const period = this.#s.decreaseInterval
    const periods = Math.max(1, Math.ceil((nowPs - this.#gridPs) / period))
    this.#flow.setTimer(DECREASE, this.#gridPs + periods * period)
  }

  /** Eq. 1, first two lines, and the return to fast recovery. */
  #decrease(nowPs: number): void {
    if (this.#s.clampTarget || this.#timerCount > 0 || this.#byteCount > 0) {
      this.#target = this.rateBps
    }
    this.rateBps = Math.max(this.#s.minRate, this.rateBps * (1 - this.#alpha / 2))
    this.#timerCount = 0
    this.#byteCount = 0
    this.#bytes = 0
    this.#isLimited = true
    this.#flow.setTimer(INCREASE, nowPs + this.#s.increaseTimer)
  }

  /** Eq. 2 for every interval that has passed since the last CNP. */
  #decayAlpha(nowPs: number): void {
    const intervals = Math.floor((nowPs - this.#alphaPs) / this.#s.alphaInterval)
    if (!(intervals > 0)) return
    this.#alpha *= decay(1 - this.#s.g, intervals)
    this.#alphaPs += intervals * this.#s.alphaInterval
  }

  /** The firmware's alpha: every interval one step, up if a CNP came in it, else down. */
  #stepAlpha(nowPs: number): void {
    let intervals = Math.floor((nowPs - this.#alphaPs) / this.#s.alphaInterval)
    if (intervals <= 0) return
    this.#alphaPs += intervals * this.#s.alphaInterval
    if (this.#isAlphaHit) {
      this.#alpha = (1 - this.#s.g) * this.#alpha + this.#s.g
      this.#isAlphaHit = false
      intervals--
    }
    if (intervals > 0) this.#alpha *= decay(1 - this.#s.g, intervals)
  }

  override onTimer(which: number, nowPs: number): void {
    if (which === DECREASE) {
      this.#stepAlpha(nowPs)
      this.#isDecreaseDue = false
      this.#decrease(nowPs)
      return
    }
    this.#timerCount++
    this.#increase()
    if (this.#isLimited) this.#flow.setTimer(INCREASE, nowPs + this.#s.increaseTimer)
  }

  override onSent(bytes: number, _nowPs: number): void {
    if (!this.#isLimited || this.#s.byteCounter === 0) return
    this.#bytes += bytes
    if (this.#bytes < this.#s.byteCounter) return
    this.#bytes -= this.#s.byteCounter
    this.#byteCount++
    this.#increase()
  }

  /** Fig. 7: fast recovery (Eq. 3), additive increase (Eq. 4) or hyper increase. */
  #increase(): void {
    const { fastRecovery } = this.#s
    const most = Math.max(this.#timerCount, this.#byteCount)
    // Without a byte counter the timer stands for both, bytes one event behind: F steps of fast
    // recovery, an additive one, then hyper increase, as in the firmware.
    const bytes = this.#s.byteCounter === 0 ? this.#timerCount - 1 : this.#byteCount
    const least = Math.min(this.#timerCount, bytes)
    if (least > fastRecovery) this.#target += this.#rateHai
    else if (most > fastRecovery) this.#target += this.#rateAi
    const line = this.#flow.lineRateBps
    if (this.#target > line) this.#target = line
    this.rateBps = (this.#target + this.rateBps) / 2
    // Within a part in a million of the line it is the line: nothing is left to recover.
    if (this.rateBps > line * 0.999999) {
      this.rateBps = line
      this.#isLimited = this.#target < line
      if (!this.#isLimited) this.#flow.cancelTimer(INCREASE)
    }
  }

  override observe(index: number): number {
    return [this.rateBps, this.#target, this.#alpha][index] ?? NaN
  }
}

/** x^n by products where that is cheap: the same in every engine. */
function decay(x: number, n: number): number {
  if (n > 64) return pow(x, n)
  let product = 1
  for (let i = 0; i < n; i++) product *= x
  return product
}
