/**
 * InfiniBand's reaction and notification points: the channel adapters (E. G. Gran et al., IPDPS
 * 2010, section II-B).
 *
 * A BECN raises the CCTI of a flow, a queue pair's or a service level's, by CCTI_Increase up to
 * CCTI_Limit; each expiry of the port SL's CCTI_Timer lowers it by one for all flows of the SL, not
 * below CCTI_Min. The CCT's entry is a delay after each packet: a packet of B bytes is followed by
 * the next after B / line rate + IRD. The NIC paces by rate, so this is told to it as the rate of a
 * full packet; a shorter packet's delay is shorter in proportion, as with IBA's static rate
 * control.
 *
 * The timer runs free, with a phase of its own at every host. Its expiries are counted when
 * somebody looks, and a flow that is held back is woken at each. A service level's delay holds for
 * all its packets together; it is divided evenly over the flows that have something to send.
 */
import { NotificationPoint, ReactionPoint } from '@weir/fabric'
import type { Ack, FlowContext, ReceiverContext } from '@weir/fabric'
import type { Adapter, AdapterSettings } from './manager.ts'

/** A control packet's code; CNPs are the only ones. */
export const CNP = 1
/** LRH, BTH, 16 reserved bytes and both CRCs (InfiniBand Architecture 1.2.1, A10.3.2). */
export const CNP_BYTES = 42
const TIMER = 0

/** A port and service level of an adapter: its CCTI_Timer, and the indices that follow it. */
export class PortLevel implements Adapter {
  readonly settings: AdapterSettings
  readonly indices: Set<CongestionIndex> = new Set()
  #startPs: number

  constructor(settings: AdapterSettings, phasePs: number) {
    this.settings = settings
    this.#startPs = -phasePs
  }

  /** Expiries of the timer up to now. */
  expiries(nowPs: number): number {
    return Math.floor((nowPs - this.#startPs) / this.settings.timerPs)
  }

  nextPs(nowPs: number): number {
    return this.#startPs + (this.expiries(nowPs) + 1) * this.settings.timerPs
  }

  beforeChange(nowPs: number): void {
    for (const index of this.indices) index.settle(nowPs)
  }

  /** The timer starts anew, since its period may be another. */
  afterChange(nowPs: number): void {
    this.#startPs = nowPs
    for (const index of this.indices) index.restart(nowPs)
  }
}

/** A CCTI and those who are paced by it: one queue pair, or all flows of a service level. */
export class CongestionIndex {
  readonly port: PortLevel
  readonly flows: Set<QueuePair> = new Set()
  ccti: number
  #expiries: number = 0

  constructor(port: PortLevel) {
    this.port = port
    this.ccti = port.settings.min
    port.indices.add(this)
  }

  /** Lowers the CCTI by the timer's expiries since it was last looked at. */
  settle(nowPs: number): void {
    const expiries = this.port.expiries(nowPs)
    this.ccti = Math.max(this.port.settings.min, this.ccti - (expiries - this.#expiries))
    this.#expiries = expiries
  }

  /** "When a new BECN arrives, the CCTI of the flow is increased by CCTI_Increase." */
  raise(nowPs: number): void {
    this.settle(nowPs)
    const { increase, limit } = this.port.settings
    this.ccti = Math.min(limit, this.ccti + increase)
    for (const flow of this.flows) flow.follow(nowPs)
  }

  /** Settings have changed. */
  restart(nowPs: number): void {
    const { limit, min } = this.port.settings
    this.#expiries = 0
    this.ccti = Math.max(min, Math.min(limit, this.ccti))
    for (const flow of this.flows) {
      flow.follow(nowPs)
      flow.wake()
    }
  }
}

export class QueuePair extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #index: CongestionIndex
  /** The index is this queue pair's own, and goes with it. */
  readonly #isOwn: boolean
  readonly #isOnAck: boolean
  readonly #packetPs: number

  constructor(flow: FlowContext, index: CongestionIndex, isOwn: boolean, isOnAck: boolean) {
    super()
    this.#flow = flow
    this.#index = index
    this.#isOwn = isOwn
    this.#isOnAck = isOnAck
    this.#packetPs = (flow.packetBytes * 8e12) / flow.lineRateBps
  }

  override onStart(nowPs: number): void {
    this.#index.settle(nowPs)
    this.#index.flows.add(this)
    this.#followAll(nowPs)
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    if (this.#isOnAck && ack.marked) this.#onBecn(nowPs)
  }

  override onControl(code: number, _a: number, _b: number, nowPs: number): void {
    if (code === CNP) this.#onBecn(nowPs)
  }

  override onTimer(_which: number, nowPs: number): void {
    this.#index.settle(nowPs)
    this.follow(nowPs)
  }

  override onFinished(nowPs: number): void {
    this.#index.flows.delete(this)
    this.#flow.cancelTimer(TIMER)
    if (this.#isOwn) this.#index.port.indices.delete(this.#index)
    else this.#followAll(nowPs)
  }

  override observe(index: number): number {
    const { ccti, port } = this.#index
    const { settings } = port
    return [ccti, settings.delaysPs[ccti]][index] ?? NaN
  }

  wake(): void {
    this.#flow.wake()
  }

  /** Takes the rate of the CCTI as it stands, and looks again when it may have fallen. */
  follow(nowPs: number): void {
    const { ccti, flows, port } = this.#index
    const { settings } = port
    const delayPs = settings.delaysPs[ccti] as number
    const gapPs = (this.#packetPs + delayPs) * Math.max(1, flows.size)
    this.rateBps = delayPs > 0 ? (this.#flow.packetBytes * 8e12) / gapPs : Infinity
    if (ccti > settings.min) this.#flow.setTimer(TIMER, port.nextPs(nowPs))
    else this.#flow.cancelTimer(TIMER)
  }

  #onBecn(nowPs: number): void {
    this.#index.raise(nowPs)
    this.#wakeOthers()
  }

  #followAll(nowPs: number): void {
    for (const flow of this.#index.flows) flow.follow(nowPs)
    this.#wakeOthers()
  }

  /** The NIC looks at this flow by itself after a callback; at the others it must be told to. */
  #wakeOthers(): void {
    for (const flow of this.#index.flows) if (flow !== this) flow.wake()
  }
}

/**
 * "The CA should as quickly as possible notify the source": by the next ACK. The FECNs of
 * `becnEvery` packets share one BECN; the first comes at once.
 */
export class AckNotification extends NotificationPoint {
  readonly #settings: AdapterSettings
  #sinceBecn: number = Infinity

  constructor(settings: AdapterSettings) {
    super()
    this.#settings = settings
  }

  override onData(_marked: boolean, _bytes: number, _nowPs: number): void {
    this.#sinceBecn++
  }

  override mayEcho(): boolean {
    if (this.#sinceBecn < this.#settings.becnEvery) return false
    this.#sinceBecn = 0
    return true
  }
}

/** The same by a CNP of its own. */
export class ExplicitNotification extends NotificationPoint {
  readonly #receiver: ReceiverContext
  readonly #settings: AdapterSettings
  #sinceBecn: number = Infinity
  #hasFecn: boolean = false

  constructor(receiver: ReceiverContext, settings: AdapterSettings) {
    super()
    this.#receiver = receiver
    this.#settings = settings
  }

  override onData(marked: boolean, _bytes: number, _nowPs: number): void {
    this.#sinceBecn++
    if (marked) this.#hasFecn = true
    if (!this.#hasFecn || this.#sinceBecn < this.#settings.becnEvery) return
    this.#hasFecn = false
    this.#sinceBecn = 0
    this.#receiver.sendControl(CNP, CNP_BYTES, 0, 0)
  }
}
