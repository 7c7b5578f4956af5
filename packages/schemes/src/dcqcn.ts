/**
 * DCQCN: ECN marks at the switch, congestion notification packets (CNPs) from the receiver, and
 * QCN's rate machine at the sender.
 *
 * Y. Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015; equation and
 * section numbers below are that paper's. MISSION B6; document B, "DC-QCN".
 *
 * CP: RED on the instantaneous queue (section 3.1, Fig. 5), by the fabric's marker. NP: a CNP for a
 * marked packet, at most one in N us for a flow (Fig. 6), or, as in the common NIC firmware and the
 * public simulators, the mark echoed in every ACK. RP: Eqs. 1 to 4 (Fig. 7).
 *
 * Departs from the paper: alpha's decay (Eq. 2) has no timer of its own but is computed when alpha
 * is needed, with the same result; timers stop while a flow is at line rate, where they change
 * nothing.
 */
import type { Ack, Control, FlowContext, Marking, ReceiverContext } from '@weir/fabric'
import { NotificationPoint, ReactionPoint } from '@weir/fabric'
import { pow } from '@weir/engine'
import type { Params, ParamValues, Preset } from './param.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
/** The only control packet: BTH and 16 reserved bytes over Ethernet, IP, UDP (RoCEv2 annex A17). */
const CNP = 1
const CNP_BYTES = 64

const INCREASE = 0
const DECREASE = 1

const PAPER = 'SIGCOMM 2015, section 5 (Table 14)'
const FIRMWARE = 'public RDMA simulators (HPCC artifact), after the common NIC firmware'

const params: Params = {
  cnpInterval: {
    unit: 'time',
    default: 50 * US,
    min: 0,
    max: 10_000 * US,
    about: 'NP: least time between two CNPs of a flow (N).',
    source: 'SIGCOMM 2015, section 3.1 (NP algorithm): 50 us',
  },
  feedback: {
    unit: 'choice',
    default: 'cnp',
    choices: ['cnp', 'ack'],
    about: 'How marks reach the sender: CNP packets, or echoed in each ACK.',
    source: 'SIGCOMM 2015, section 3.1',
  },
  g: {
    unit: 'fraction',
    default: 1 / 256,
    min: 1e-6,
    max: 1,
    about: 'Gain of the estimate alpha (Eq. 1 and 2).',
    source: PAPER,
  },
  alphaInterval: {
    unit: 'time',
    default: 55 * US,
    min: 0.1 * US,
    max: 10_000 * US,
    about: 'Alpha decays by (1 - g) after each such time without a CNP (Eq. 2; K in the paper).',
    source: PAPER,
  },
  decreaseInterval: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 10_000 * US,
    about: 'CNPs act on a grid of this period, many in one as one; 0: each acts at once.',
    source: 'SIGCOMM 2015, Fig. 7: each CNP acts',
  },
  increaseTimer: {
    unit: 'time',
    default: 55 * US,
    min: 1 * US,
    max: 100_000 * US,
    about: 'Period of the rate-increase timer (T).',
    source: PAPER,
  },
  byteCounter: {
    unit: 'size',
    default: 10e6,
    min: 0,
    max: 1e12,
    about: 'Bytes sent that count as one more increase event (B); 0: no byte counter.',
    source: PAPER,
  },
  fastRecovery: {
    unit: 'count',
    default: 5,
    min: 1,
    max: 100,
    about: 'Increase events of fast recovery before additive increase (F).',
    source: PAPER,
  },
  rateAi: {
    unit: 'rate',
    default: 40e6,
    min: 0,
    max: 1e12,
    about: 'Step of additive increase (R_AI, Eq. 4).',
    source: PAPER,
  },
  rateHai: {
    unit: 'rate',
    default: 400e6,
    min: 0,
    max: 1e12,
    about: 'Step of hyper increase (R_HAI).',
    source: 'ten additive steps: QCN keeps R_HAI an order above R_AI; the paper gives no value',
  },
  minRate: {
    unit: 'rate',
    default: 10e6,
    min: 1e3,
    max: 1e12,
    about: 'The rate never falls below this.',
    source: 'the smallest step of a NIC rate limiter; public simulators use 100 Mb/s',
  },
  clampTarget: {
    unit: 'boolean',
    default: true,
    about: 'Each decrease sets the target to the current rate; false: only after an increase.',
    source: 'SIGCOMM 2015, Eq. 1',
  },
  kmin: {
    unit: 'size',
    default: 5e3,
    min: 0,
    max: 1e9,
    about: 'CP: no marks below this queue, for a link of the reference rate.',
    source: PAPER,
  },
  kmax: {
    unit: 'size',
    default: 200e3,
    min: 0,
    max: 1e9,
    about: 'CP: every packet is marked above this queue.',
    source: PAPER,
  },
  pmax: {
    unit: 'fraction',
    default: 0.01,
    min: 0,
    max: 1,
    about: 'CP: marking probability at kmax.',
    source: PAPER,
  },
  referenceRate: {
    unit: 'rate',
    default: 40e9,
    min: 0,
    max: 1e13,
    about: 'Link rate that kmin and kmax are for; other links scale them. 0: no scaling.',
    source: 'SIGCOMM 2015, section 6: 40 Gb/s links',
  },
}

const presets: Record<string, Preset> = {
  paper: { about: 'The values of the paper.', source: PAPER, values: {} },
  firmware: {
    about: 'Marks echoed in ACKs, 1 us alpha and 4 us decrease timers, no byte counter.',
    source: FIRMWARE,
    values: {
      feedback: 'ack',
      alphaInterval: 1 * US,
      decreaseInterval: 4 * US,
      increaseTimer: 300 * US,
      byteCounter: 0,
      fastRecovery: 1,
      rateAi: 50e6,
      rateHai: 100e6,
      minRate: 100e6,
      clampTarget: false,
      kmin: 100e3,
      kmax: 400e3,
      pmax: 0.2,
      referenceRate: 25e9,
    },
  },
  production: {
    about: "The paper's RP and NP with published production marking thresholds.",
    source: 'Y. Li et al., HPCC, SIGCOMM 2019, section 5.1: 100 KB and 400 KB at 25 Gb/s, scaled',
    values: { kmin: 100e3, kmax: 400e3, pmax: 0.2, referenceRate: 25e9 },
  },
}

export const dcqcn: Scheme = {
  name: 'dcqcn',
  title: 'DCQCN',
  cite: 'Zhu et al., SIGCOMM 2015',
  needs: ['ecn', 'acks'],
  params,
  presets,
  create(values): Control {
    const settings = settingsOf(values)
    return {
      dataHeaderBytes: 0,
      ackHeaderBytes: 0,
      controlBytesMax: CNP_BYTES,
      ecnCapable: true,
      telemetry: false,
      flowInternals: ['rate', 'target', 'alpha'],
      portInternals: [],
      marking: (rateBps) => markingFor(rateBps, settings),
      reaction: (flow) => new DcqcnReaction(flow, settings),
      notification: (receiver) =>
        settings.isEchoed ? undefined : new DcqcnNotification(receiver, settings.cnpIntervalPs),
      contention: () => undefined,
    }
  },
}

interface Settings {
  readonly isEchoed: boolean
  readonly cnpIntervalPs: number
  readonly g: number
  readonly alphaIntervalPs: number
  readonly decreaseIntervalPs: number
  readonly increaseTimerPs: number
  readonly byteCounter: number
  readonly fastRecovery: number
  readonly rateAi: number
  readonly rateHai: number
  readonly minRate: number
  readonly clampTarget: boolean
  readonly kmin: number
  readonly kmax: number
  readonly pmax: number
  readonly referenceRate: number
}

function settingsOf(values: ParamValues): Settings {
  return {
    isEchoed: values.feedback === 'ack',
    cnpIntervalPs: Number(values.cnpInterval),
    g: Number(values.g),
    alphaIntervalPs: Number(values.alphaInterval),
    decreaseIntervalPs: Number(values.decreaseInterval),
    increaseTimerPs: Number(values.increaseTimer),
    byteCounter: Number(values.byteCounter),
    fastRecovery: Number(values.fastRecovery),
    rateAi: Number(values.rateAi),
    rateHai: Number(values.rateHai),
    minRate: Number(values.minRate),
    clampTarget: values.clampTarget === true,
    kmin: Number(values.kmin),
    kmax: Number(values.kmax),
    pmax: Number(values.pmax),
    referenceRate: Number(values.referenceRate),
  }
}

function markingFor(rateBps: number, settings: Settings): Marking {
  const scale = settings.referenceRate > 0 ? rateBps / settings.referenceRate : 1
  return {
    kminBytes: Math.round(settings.kmin * scale),
    kmaxBytes: Math.round(settings.kmax * scale),
    pmax: settings.pmax,
    at: 'enqueue',
  }
}

/** Section 3.1, NP: a marked packet draws a CNP unless one was sent within the interval. */
class DcqcnNotification extends NotificationPoint {
  readonly #receiver: ReceiverContext
  readonly #intervalPs: number
  #sentPs: number = -Infinity

  constructor(receiver: ReceiverContext, intervalPs: number) {
    super()
    this.#receiver = receiver
    this.#intervalPs = intervalPs
  }

  override onData(marked: boolean, _bytes: number, nowPs: number): void {
    if (!marked || nowPs - this.#sentPs < this.#intervalPs) return
    this.#sentPs = nowPs
    this.#receiver.sendControl(CNP, CNP_BYTES, 0, 0)
  }
}

/** Section 3.1, RP. `rateBps` is R_C. */
class DcqcnReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #s: Settings
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

  constructor(flow: FlowContext, settings: Settings) {
    super()
    this.#flow = flow
    this.#s = settings
    this.rateBps = flow.lineRateBps
    this.#target = flow.lineRateBps
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    if (this.#s.isEchoed && ack.marked) this.#onCongestion(nowPs)
  }

  override onControl(code: number, _a: number, _b: number, nowPs: number): void {
    if (code === CNP) this.#onCongestion(nowPs)
  }

  #onCongestion(nowPs: number): void {
    if (this.#s.decreaseIntervalPs === 0) {
      this.#decayAlpha(nowPs)
      this.#decrease(nowPs)
      this.#alpha = (1 - this.#s.g) * this.#alpha + this.#s.g // Eq. 1
      this.#alphaPs = nowPs
      return
    }
    // The firmware's form: CNPs are noticed here and acted on when the next period ends.
    if (Number.isNaN(this.#gridPs)) {
      this.#gridPs = nowPs
      this.#alphaPs = nowPs
    }
    this.#stepAlpha(nowPs)
    this.#isAlphaHit = true
    if (this.#isDecreaseDue) return
    this.#isDecreaseDue = true
    const period = this.#s.decreaseIntervalPs
    const periods = Math.ceil((nowPs - this.#gridPs) / period)
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
    this.#flow.setTimer(INCREASE, nowPs + this.#s.increaseTimerPs)
  }

  /** Eq. 2 for every interval that has passed since the last CNP. */
  #decayAlpha(nowPs: number): void {
    const intervals = Math.floor((nowPs - this.#alphaPs) / this.#s.alphaIntervalPs)
    if (!(intervals > 0)) return
    this.#alpha *= decay(1 - this.#s.g, intervals)
    this.#alphaPs += intervals * this.#s.alphaIntervalPs
  }

  /** The firmware's alpha: every interval one step, up if a CNP came in it, else down. */
  #stepAlpha(nowPs: number): void {
    let intervals = Math.floor((nowPs - this.#alphaPs) / this.#s.alphaIntervalPs)
    if (intervals <= 0) return
    this.#alphaPs += intervals * this.#s.alphaIntervalPs
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
    if (this.#isLimited) this.#flow.setTimer(INCREASE, nowPs + this.#s.increaseTimerPs)
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
    const { fastRecovery, rateAi, rateHai } = this.#s
    const most = Math.max(this.#timerCount, this.#byteCount)
    const least = this.#s.byteCounter === 0 ? most : Math.min(this.#timerCount, this.#byteCount)
    if (least > fastRecovery) this.#target += rateHai
    else if (most > fastRecovery) this.#target += rateAi
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
