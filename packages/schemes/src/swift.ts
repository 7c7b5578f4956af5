/**
 * Swift: a window held by a target delay, one for the fabric and one for the hosts.
 *
 * G. Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in the Datacenter",
 * SIGCOMM 2020; Algorithm 1 and sections 3.1 to 3.6 (from memory of the paper: not verified).
 * RP: each ACK's round trip is split into what the hosts took (`hostDelayPs`) and what the fabric
 * did; the window that suffers more is used. Below its target it grows by `ai` packets a round
 * trip, above it falls in proportion to the excess, at most once a round trip. The fabric's target
 * grows with the hops of the path and, as windows become small, with the number of flows that they
 * stand for. A window below a packet is a pause between packets. No CP and no NP.
 *
 * Ours: the target's base is given as a multiple of the flow's unloaded round trip, because the
 * paper's value in microseconds is of its own fabric and hosts.
 */
import type { Ack, Control, FlowContext, LossCause } from '@weir/fabric'
import { inertControl, ReactionPoint } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
const PAPER = 'SIGCOMM 2020, section 3'
const OURS = 'ours: the paper gives values of its own fabric'

const params = {
  baseTarget: {
    unit: 'number',
    default: 1.25,
    min: 1,
    max: 100,
    about: "The fabric's target delay before scaling, in unloaded round trips of the flow.",
    source: OURS,
  },
  perHop: {
    unit: 'time',
    default: 0.5 * US,
    min: 0,
    max: 1000 * US,
    about: 'Target delay for each switch on the path (h).',
    source: OURS,
  },
  flowScaling: {
    unit: 'number',
    default: 2,
    min: 0,
    max: 100,
    about: 'The most that small windows add to the target, in unloaded round trips (fs_range).',
    source: OURS,
  },
  fsMin: {
    unit: 'number',
    default: 0.1,
    min: 0.001,
    max: 1000,
    about: 'Window in packets at which that most is added (fs_min_cwnd).',
    source: PAPER,
  },
  fsMax: {
    unit: 'number',
    default: 100,
    min: 0.01,
    max: 1e6,
    about: 'Window in packets from which on nothing is added (fs_max_cwnd).',
    source: PAPER,
  },
  hostTarget: {
    unit: 'time',
    default: 25 * US,
    min: 0,
    max: 10_000 * US,
    about: 'Target of the delay at hosts.',
    source: OURS,
  },
  ai: {
    unit: 'number',
    default: 1,
    min: 0,
    max: 1000,
    about: 'Packets that the window grows by in a round trip.',
    source: PAPER,
  },
  beta: {
    unit: 'fraction',
    default: 0.8,
    min: 0,
    max: 1,
    about: 'Share of the excess delay that a decrease takes.',
    source: PAPER,
  },
  maxMdf: {
    unit: 'fraction',
    default: 0.5,
    min: 0,
    max: 1,
    about: 'The most that one decrease takes of the window (max_mdf).',
    source: PAPER,
  },
  minWindow: {
    unit: 'number',
    default: 0.001,
    min: 0.0001,
    max: 1000,
    about: 'The least window, in packets.',
    source: PAPER,
  },
  resetTimeouts: {
    unit: 'count',
    default: 5,
    min: 1,
    max: 1000,
    about: 'Timeouts in a row after which the window is the least one; before, each is a loss.',
    source: `${PAPER}: RETX_RESET_THRESHOLD, whose value it does not give: ours`,
  },
  initialWindow: {
    unit: 'number',
    default: 1,
    min: 0,
    max: 1000,
    about: 'First window, in products of bandwidth and unloaded round trip; 0: one packet.',
    source: 'ours: the paper does not say',
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  paper: { about: 'Algorithm 1 with its constants.', source: PAPER, values: {} },
}

export const swift: Scheme = defineScheme({
  name: 'swift',
  title: 'Swift',
  cite: 'Kumar et al., SIGCOMM 2020',
  needs: ['acks'],
  params,
  ordered: [['fsMin', 'fsMax']],
  presets,
  create(values): Control {
    return {
      ...inertControl,
      flowInternals: ['window', 'target', 'delay'],
      reaction: (flow) => new SwiftReaction(flow, values),
    }
  },
})

/** One of the two windows: it follows one delay and its target. */
class DelayWindow {
  /** Packets. */
  cwnd: number
  #decreasedPs: number = -Infinity

  constructor(cwnd: number) {
    this.cwnd = cwnd
  }

  /** May it fall now? At most once a round trip. */
  #mayDecrease(rttPs: number, nowPs: number): boolean {
    if (nowPs - this.#decreasedPs < rttPs) return false
    this.#decreasedPs = nowPs
    return true
  }

  bound(least: number, most: number): void {
    this.cwnd = Math.min(most, Math.max(least, this.cwnd))
  }

  grow(packets: number): void {
    this.cwnd += this.cwnd >= 1 ? packets / this.cwnd : packets
  }

  shrink(by: number, rttPs: number, nowPs: number): void {
    if (this.#mayDecrease(rttPs, nowPs)) this.cwnd *= 1 - by
  }
}

class SwiftReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #ai: number
  readonly #beta: number
  readonly #maxMdf: number
  readonly #minWindow: number
  readonly #maxWindow: number
  readonly #hostTargetPs: number
  /** The target of a large window, and the two constants of its growth: a / sqrt(w) + b. */
  readonly #basePs: number
  readonly #rangePs: number
  readonly #a: number
  readonly #b: number
  readonly #fabric: DelayWindow
  readonly #host: DelayWindow
  readonly #resetTimeouts: number
  /** In a row. */
  #timeouts: number = 0
  #delayPs: number = NaN
  #rttPs: number

  constructor(flow: FlowContext, values: Values) {
    super()
    this.#flow = flow
    this.#ai = values.ai
    this.#beta = values.beta
    this.#maxMdf = values.maxMdf
    this.#minWindow = values.minWindow
    this.#hostTargetPs = values.hostTarget
    this.#resetTimeouts = values.resetTimeouts
    const rttPs = flow.baseRttPs
    this.#rttPs = rttPs
    this.#delayPs = 0
    this.#basePs = values.baseTarget * rttPs + flow.hops * values.perHop
    this.#rangePs = values.flowScaling * rttPs
    const low = 1 / Math.sqrt(values.fsMin)
    const high = 1 / Math.sqrt(values.fsMax)
    this.#a = low > high ? this.#rangePs / (low - high) : 0
    this.#b = -this.#a * high
    const bdp = (flow.lineRateBps * rttPs) / 8e12 / flow.packetBytes
    // More than a few products are never of use, and a window must not grow without end.
    this.#maxWindow = Math.max(10, 8 * bdp)
    const first = Math.max(1, values.initialWindow * bdp)
    this.#fabric = new DelayWindow(first)
    this.#host = new DelayWindow(first)
    this.#apply()
  }

  /** The fabric's target for the window as it is: small windows mean many flows. */
  #targetPs(): number {
    const scaled = this.#a / Math.sqrt(this.#fabric.cwnd) + this.#b
    return this.#basePs + Math.max(0, Math.min(this.#rangePs, scaled))
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    this.#timeouts = 0
    if (Number.isNaN(ack.rttPs)) return
    this.#rttPs = ack.rttPs
    this.#delayPs = ack.rttPs - ack.hostDelayPs
    const packets = (this.#ai * ack.bytes) / this.#flow.mtuBytes
    this.#follow(this.#fabric, this.#delayPs, this.#targetPs(), packets, nowPs)
    this.#follow(this.#host, ack.hostDelayPs, this.#hostTargetPs, packets, nowPs)
    this.#apply()
  }

  #follow(
    window: DelayWindow,
    delayPs: number,
    targetPs: number,
    packets: number,
    nowPs: number,
  ): void {
    if (delayPs < targetPs) window.grow(packets)
    else if (delayPs > 0) {
      const by = Math.min(this.#maxMdf, (this.#beta * (delayPs - targetPs)) / delayPs)
      window.shrink(by, this.#rttPs, nowPs)
    }
  }

  override onLoss(cause: LossCause, nowPs: number): void {
    if (cause === 'timeout') this.#timeouts++
    if (this.#timeouts >= this.#resetTimeouts) this.#fabric.cwnd = this.#minWindow
    else this.#fabric.shrink(this.#maxMdf, this.#rttPs, nowPs)
    this.#apply()
  }

  /** The smaller window is used; below a packet it is a pause between packets. */
  #apply(): void {
    const { mtuBytes, packetBytes } = this.#flow
    this.#fabric.bound(this.#minWindow, this.#maxWindow)
    this.#host.bound(this.#minWindow, this.#maxWindow)
    const cwnd = Math.min(this.#fabric.cwnd, this.#host.cwnd)
    this.windowBytes = Math.max(1, cwnd) * mtuBytes
    this.rateBps = cwnd < 1 ? (packetBytes * 8e12 * cwnd) / this.#rttPs : Infinity
  }

  override observe(index: number): number {
    const window = Math.min(this.#fabric.cwnd, this.#host.cwnd)
    return [window, this.#targetPs(), this.#delayPs][index] ?? NaN
  }
}
