/**
 * RoCC: the switch computes one fair rate for all flows in its queue, and tells them.
 *
 * P. Taheri et al., "RoCC: Robust Congestion Control for RDMA", CoNEXT 2020; PACC names it as the
 * other scheme that switches drive. CP: every T a PI controller on the queue moves the rate F, with
 * gains that follow F; a queue that is too long sets F to its least, one that has grown too much
 * halves it. RP: takes the rate of the contention point it listens to, or a lower one of another;
 * without news it doubles its rate until it is the line's. NP: none.
 *
 * Algorithms 1 and 2 as printed; values of section 6, for 40 and for 100 Gb/s, the former being the
 * default. The paper does not say after how long without news a rate is doubled. Readings: F's most
 * is the output's rate; links of other rates scale the thresholds; a message goes to each flow that
 * has a packet in the queue (section 3.4, the default); the phase of T is drawn for each output; an
 * idle output with its rate at the most stops its clock.
 */
import type { Control, FlowContext, PortContext } from '@weir/fabric'
import { ContentionPoint, ReactionPoint, inertControl } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
/** The fair rate; its fields are F in bit/s and the output that it is of. */
const RATE = 1
const MESSAGE_BYTES = 64
/** The controller counts in steps of 10 Mb/s and 600 B: its gains in bit/s for each byte. */
const GAIN_UNIT = 10e6 / 600
/** Gains fall by halves down to a 32nd, and the steps are not taken below an eighth of the most. */
const LEVEL_MAX = 64
const STEP_FROM = 8
const RISE = 0

const PAPER = 'CoNEXT 2020, section 6'
const AT_40 = `${PAPER}, for 40 Gb/s`

const params = {
  interval: {
    unit: 'time',
    default: 40 * US,
    min: 1 * US,
    max: 100_000 * US,
    about: 'CP: period of the computation (T).',
    source: PAPER,
  },
  alpha: {
    unit: 'number',
    default: 0.3,
    min: 0,
    max: 1000,
    about: 'CP: steps of 10 Mb/s for each 600 B of queue above its reference.',
    source: AT_40,
  },
  beta: {
    unit: 'number',
    default: 1.5,
    min: 0,
    max: 1000,
    about: 'CP: steps of 10 Mb/s for each 600 B that the queue has grown by.',
    source: AT_40,
  },
  qref: {
    unit: 'size',
    default: 150e3,
    min: 0,
    max: 1e9,
    about: 'CP: the queue to hold, for a link of the reference rate.',
    source: AT_40,
  },
  qmid: {
    unit: 'size',
    default: 300e3,
    min: 0,
    max: 1e9,
    about: 'CP: a queue that has grown by this in T halves the rate.',
    source: AT_40,
  },
  qmax: {
    unit: 'size',
    default: 360e3,
    min: 0,
    max: 1e9,
    about: 'CP: a queue of this sets the rate to its least.',
    source: AT_40,
  },
  referenceRate: {
    unit: 'rate',
    default: 40e9,
    min: 0,
    max: 1e13,
    about: 'Link rate that the thresholds are for; other links scale them. 0: no scaling.',
    source: `${PAPER}: given for 40 and 100 Gb/s`,
  },
  minRate: {
    unit: 'rate',
    default: 100e6,
    min: 1e3,
    max: 1e12,
    about: 'The least fair rate.',
    source: `${PAPER}: 10 steps of 10 Mb/s, whatever the link`,
  },
  riseTimer: {
    unit: 'time',
    default: 100 * US,
    min: 1 * US,
    max: 100_000 * US,
    about: 'RP: a rate that has not been told for so long is doubled.',
    source: 'ours, more than two periods of the switch: the paper does not say',
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  paper: { about: 'The values of the paper for 40 Gb/s.', source: AT_40, values: {} },
  'paper-100g': {
    about: 'The values of the paper for 100 Gb/s: larger gains, thresholds that grow less.',
    source: `${PAPER}, for 100 Gb/s`,
    values: {
      alpha: 0.45,
      beta: 2.25,
      qref: 300e3,
      qmid: 600e3,
      qmax: 660e3,
      referenceRate: 100e9,
    },
  },
}

export const rocc: Scheme = defineScheme({
  name: 'rocc',
  title: 'RoCC',
  cite: 'Taheri et al., CoNEXT 2020',
  needs: [],
  params,
  ordered: [['qref', 'qmax']],
  presets,
  create(values): Control {
    return {
      ...inertControl,
      controlBytesMax: MESSAGE_BYTES,
      flowInternals: ['rate'],
      portInternals: ['fair', 'flows'],
      reaction: (flow) => new RoccReaction(flow, values),
      contention: (port) => (port.atHost ? undefined : new RoccContention(port, values)),
    }
  },
})

class RoccContention extends ContentionPoint {
  readonly sees = 'both'
  readonly #port: PortContext
  readonly #s: Values
  readonly #scale: number
  /** Packets in the queue, by flow. */
  readonly #held: Map<number, number> = new Map()
  #fair: number
  #queueOld: number = 0
  #isTicking: boolean = false

  constructor(port: PortContext, values: Values) {
    super()
    this.#port = port
    this.#s = values
    const { referenceRate } = values
    this.#scale = referenceRate > 0 ? port.rateBps / referenceRate : 1
    this.#fair = port.rateBps
  }

  override onArrival(packet: number, _queueBytes: number, nowPs: number): void {
    const flow = this.#port.packetFlow(packet)
    this.#held.set(flow, (this.#held.get(flow) ?? 0) + 1)
    this.#port.remember(packet)
    if (this.#isTicking) return
    this.#isTicking = true
    const phase = Math.floor(this.#port.random.uniform() * this.#s.interval)
    this.#port.setTimer(0, nowPs + phase)
  }

  override onDeparture(packet: number, _queueBytes: number, _nowPs: number): void {
    const flow = this.#port.packetFlow(packet)
    const left = (this.#held.get(flow) ?? 1) - 1
    if (left > 0) this.#held.set(flow, left)
    else this.#held.delete(flow)
  }

  override onTimer(_which: number, nowPs: number): void {
    const queue = this.#port.queueBytesAll()
    this.#compute(queue)
    for (const flow of this.#held.keys()) {
      this.#port.notifyFlow(flow, RATE, MESSAGE_BYTES, this.#fair, this.#port.port)
    }
    this.#isTicking = queue > 0 || this.#fair < this.#port.rateBps
    if (this.#isTicking) this.#port.setTimer(0, nowPs + this.#s.interval)
  }

  #compute(queue: number): void {
    const { qref, qmid, qmax, minRate } = this.#s
    const alpha = this.#s.alpha * GAIN_UNIT
    const beta = this.#s.beta * GAIN_UNIT
    const most = this.#port.rateBps
    const growth = queue - this.#queueOld
    this.#queueOld = queue
    const hasSteps = this.#fair > most / STEP_FROM
    if (queue >= qmax * this.#scale && hasSteps) this.#fair = minRate
    else if (growth >= qmid * this.#scale && hasSteps) this.#fair /= 2
    else {
      // Gains follow the rate, so that the loop is as fast with many flows as with few.
      let level = 2
      while (this.#fair < most / level && level < LEVEL_MAX) level *= 2
      const change = alpha * (queue - qref * this.#scale) + beta * growth
      this.#fair -= change / (level / 2)
    }
    this.#fair = Math.min(most, Math.max(minRate, this.#fair))
  }

  override observe(index: number): number {
    return index === 0 ? this.#fair : this.#held.size
  }
}

class RoccReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #s: Values
  /** The output whose rate is followed; -1: none, the rate is the line's. */
  #followed: number = -1

  constructor(flow: FlowContext, values: Values) {
    super()
    this.#flow = flow
    this.#s = values
    this.rateBps = flow.lineRateBps
  }

  override onControl(code: number, fair: number, port: number, nowPs: number): void {
    if (code !== RATE) return
    if (this.#followed >= 0 && this.#followed !== port && fair > this.rateBps) return
    this.#followed = port | 0
    this.#set(fair, nowPs)
  }

  override onTimer(_which: number, nowPs: number): void {
    if (this.#followed >= 0) this.#set(this.rateBps * 2, nowPs)
  }

  #set(rateBps: number, nowPs: number): void {
    const line = this.#flow.lineRateBps
    this.rateBps = Math.min(line, rateBps)
    if (this.rateBps < line) {
      this.#flow.setTimer(RISE, nowPs + this.#s.riseTimer)
      return
    }
    this.#followed = -1
    this.#flow.cancelTimer(RISE)
  }

  override observe(_index: number): number {
    return this.rateBps
  }
}
