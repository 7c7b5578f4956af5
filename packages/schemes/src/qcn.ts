/**
 * QCN, quantized congestion notification: a switch samples arriving frames, measures how far its
 * queue is from where it should be and how fast it moves, and sends that, in six bits, straight to
 * the source of the sampled frame; the source cuts its rate by it and recovers on its own.
 *
 * IEEE 802.1Qau-2010 (clauses 30 to 32 of 802.1Q), whose variables are named below (cpFb, rpgGd);
 * M. Alizadeh et al., "Data Center Transport Mechanisms: Congestion Control Theory and IEEE
 * Standardization", Allerton 2008 (not verified; defaults are those of the MIB, which was looked
 * up: docs/sources.md). ACCurate, sections III-A and VI, compares with it.
 *
 * Departs from the standard: one reaction point per flow (the standard allows one per port and
 * priority; that is its weakest form); messages cross routed hops, as if the fabric were one
 * layer-2 domain.
 */
import { CLASSES } from '@weir/fabric'
import type { Control, FlowContext, PortContext } from '@weir/fabric'
import { ContentionPoint, ReactionPoint, inertControl } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const MS = 1e9
/** Congestion notification message; its field a is the quantized feedback. */
const CNM = 1
const TIMER = 0
/** cpFb has six bits. */
const LEVELS = 63

const STANDARD = 'IEEE 802.1Qau, IEEE8021-CN-MIB'
const PSEUDO = 'QCN pseudo code 2.3 (R. Pan, IEEE 802.1Qau working group, 2009; not verified)'

const params = {
  setPoint: {
    unit: 'size',
    default: 33e3,
    min: 100,
    max: 1e9,
    about: 'CP: the queue to hold (Q_eq, cpQSp), for a port of the reference rate.',
    source: 'Allerton 2008, section III: 22 packets of 1,500 B at 10 Gb/s; the MIB has 26,000',
  },
  weight: {
    unit: 'number',
    default: 2,
    min: 0,
    max: 1024,
    about: 'CP: weight of the change of the queue against its offset (w, cpW).',
    source: `${STANDARD}: cpFeedbackWeight, 2^1`,
  },
  sampleBase: {
    unit: 'size',
    default: 150e3,
    min: 1e3,
    max: 1e9,
    about: 'CP: bytes between samples of a queue without congestion; up to 8 times fewer with.',
    source: `${STANDARD}: cpMinSampleBase, 150,000 octets`,
  },
  jitter: {
    unit: 'fraction',
    default: 0.15,
    min: 0,
    max: 0.99,
    about: 'Sampling intervals and byte counters are drawn this far around their mean.',
    source: `${PSEUDO}: uniform in 0.85 to 1.15`,
  },
  messageSize: {
    unit: 'size',
    default: 64,
    min: 1,
    max: 2048,
    about: 'Bytes of a notification on the wire.',
    source: `${STANDARD}: cpMinHeaderOctets is 0, so a minimal Ethernet frame`,
  },
  gd: {
    unit: 'fraction',
    default: 1 / 128,
    min: 1e-6,
    max: 1,
    about: 'RP: a message with feedback Fb cuts the rate by this times |Fb| (G_d).',
    source: `${STANDARD}: rpgGd, 2^-7`,
  },
  minDecreaseFactor: {
    unit: 'fraction',
    default: 0.5,
    min: 0.01,
    max: 1,
    about: 'RP: one message leaves at least this much of the rate.',
    source: `${STANDARD}: rpgMinDecFac, 50%`,
  },
  byteCounter: {
    unit: 'size',
    default: 150e3,
    min: 1e3,
    max: 1e12,
    about: 'RP: bytes sent that end a cycle of the byte counter; half of it after fast recovery.',
    source: `${STANDARD}: rpgByteReset, 150,000 octets`,
  },
  timer: {
    unit: 'time',
    default: 15 * MS,
    min: 1e6,
    max: 10_000 * MS,
    about: 'RP: time that ends a cycle of the timer; half of it after fast recovery.',
    source: `${STANDARD}: rpgTimeReset, 15 ms`,
  },
  fastRecovery: {
    unit: 'count',
    default: 5,
    min: 1,
    max: 100,
    about: 'RP: cycles of fast recovery before active increase.',
    source: `${STANDARD}: rpgThreshold, 5`,
  },
  rateAi: {
    unit: 'rate',
    default: 5e6,
    min: 0,
    max: 1e12,
    about: 'RP: step of active increase (R_AI), for a link of the reference rate.',
    source: `${STANDARD}: rpgAiRate, 5 Mb/s`,
  },
  rateHai: {
    unit: 'rate',
    default: 50e6,
    min: 0,
    max: 1e12,
    about: 'RP: step of hyper-active increase (R_HAI), for a link of the reference rate.',
    source: `${STANDARD}: rpgHaiRate, 50 Mb/s`,
  },
  minRate: {
    unit: 'rate',
    default: 5e6,
    min: 1e3,
    max: 1e12,
    about: 'RP: the rate never falls below this, for a link of the reference rate.',
    source: `${STANDARD}: rpgMinRate, 5 Mb/s`,
  },
  referenceRate: {
    unit: 'rate',
    default: 10e9,
    min: 0,
    max: 1e13,
    about: 'Link rate that set point and steps are for; other links scale them. 0: no scaling.',
    source: 'Allerton 2008 and the standard: 10 Gb/s Ethernet',
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  standard: {
    about: "Every value the standard's own, set point too.",
    source: STANDARD,
    values: { setPoint: 26e3 },
  },
}

export const qcn: Scheme = defineScheme({
  name: 'qcn',
  title: 'QCN (802.1Qau)',
  cite: 'IEEE 802.1Qau-2010; Alizadeh et al., Allerton 2008',
  needs: [],
  params,
  presets,
  create(values): Control {
    return {
      ...inertControl,
      controlBytesMax: values.messageSize,
      flowInternals: ['rate', 'target'],
      portInternals: ['feedback'],
      reaction: (flow) => new QcnReaction(flow, values),
      contention: (port) => (port.atHost ? undefined : new QcnContention(port, values)),
    }
  },
})

function scaleOf(rateBps: number, { referenceRate }: Values): number {
  return referenceRate > 0 ? rateBps / referenceRate : 1
}

/** |Fb| in 0..63 of a queue that was `queueOld` bytes at the last sample; 0: not congested. */
export function quantizedFeedback(
  queue: number,
  queueOld: number,
  setPoint: number,
  weight: number,
): number {
  // Fb = -(Q_off + w Q_delta); what is sent is its size, if it is negative.
  const congestion = queue - setPoint + weight * (queue - queueOld)
  const most = setPoint * (2 * weight + 1)
  if (congestion <= 0) return 0
  return congestion >= most ? LEVELS : Math.floor((congestion * LEVELS) / most)
}

/** Bytes until the next sample: eight steps, from once to eight times as often (Table 32-1). */
export function sampleInterval(feedback: number, sampleBase: number): number {
  return sampleBase / (1 + (feedback >> 3))
}

/** 32.2 to 32.6. State a class: each queue of the port is a congestion point. */
class QcnContention extends ContentionPoint {
  readonly sees = 'arrivals'
  readonly #port: PortContext
  readonly #s: Values
  readonly #setPoint: number
  readonly #queueOld: Float64Array = new Float64Array(CLASSES)
  readonly #untilSample: Float64Array
  #feedback: number = 0

  constructor(port: PortContext, values: Values) {
    super()
    this.#port = port
    this.#s = values
    this.#setPoint = values.setPoint * scaleOf(port.rateBps, values)
    this.#untilSample = new Float64Array(CLASSES).fill(values.sampleBase)
  }

  override onArrival(packet: number, queueBytes: number, _nowPs: number): void {
    const trafficClass = this.#port.packetClass(packet)
    const until = this.#untilSample
    until[trafficClass] = (until[trafficClass] as number) - this.#port.packetBytes(packet)
    if ((until[trafficClass] as number) > 0) return

    const old = this.#queueOld[trafficClass] as number
    const feedback = quantizedFeedback(queueBytes, old, this.#setPoint, this.#s.weight)
    this.#feedback = feedback
    this.#queueOld[trafficClass] = queueBytes
    const { jitter, sampleBase, messageSize } = this.#s
    const draw = jitter > 0 ? 1 - jitter + 2 * jitter * this.#port.random.uniform() : 1
    until[trafficClass] = sampleInterval(feedback, sampleBase) * draw
    if (feedback > 0) this.#port.notifySource(packet, CNM, messageSize, feedback, 0)
  }

  override observe(_index: number): number {
    return this.#feedback
  }
}

/** 32.11 to 32.15. `rateBps` is rpCurrentRate. */
class QcnReaction extends ReactionPoint {
  readonly #flow: FlowContext
  readonly #s: Values
  readonly #scale: number
  #target: number
  #byteStage: number = 0
  #timeStage: number = 0
  #bytesLeft: number = NaN
  /** A rate limiter exists from the first message until the rate is the line's again. */
  #isLimited: boolean = false

  constructor(flow: FlowContext, values: Values) {
    super()
    this.#flow = flow
    this.#s = values
    this.#scale = scaleOf(flow.lineRateBps, values)
    this.rateBps = flow.lineRateBps
    this.#target = flow.lineRateBps
    this.#bytesLeft = 0
  }

  override onControl(code: number, feedback: number, _b: number, nowPs: number): void {
    if (code !== CNM || feedback <= 0) return
    // Messages of one burst cut the rate several times, but recovery aims at where it was before.
    if (!this.#isLimited || this.#byteStage > 0) {
      this.#target = this.rateBps
      this.#bytesLeft = this.#drawBytes(this.#s.byteCounter)
    }
    this.#isLimited = true
    this.#byteStage = 0
    this.#timeStage = 0
    const factor = Math.max(1 - this.#s.gd * feedback, this.#s.minDecreaseFactor)
    this.rateBps = Math.max(this.#s.minRate * this.#scale, this.rateBps * factor)
    this.#flow.setTimer(TIMER, nowPs + this.#s.timer)
  }

  override onSent(bytes: number, _nowPs: number): void {
    if (!this.#isLimited) return
    this.#bytesLeft -= bytes
    if (this.#bytesLeft > 0) return
    this.#byteStage++
    const { byteCounter, fastRecovery } = this.#s
    this.#bytesLeft = this.#drawBytes(
      this.#byteStage < fastRecovery ? byteCounter : byteCounter / 2,
    )
    this.#increase()
  }

  override onTimer(_which: number, nowPs: number): void {
    if (!this.#isLimited) return
    this.#timeStage++
    this.#increase()
    const { timer, fastRecovery } = this.#s
    const periodPs = this.#timeStage < fastRecovery ? timer : Math.ceil(timer / 2)
    if (this.#isLimited) this.#flow.setTimer(TIMER, nowPs + periodPs)
  }

  #drawBytes(mean: number): number {
    const { jitter } = this.#s
    return jitter > 0 ? mean * (1 - jitter + 2 * jitter * this.#flow.random.uniform()) : mean
  }

  /** 32.15, rpAdjustRates: half way to the target, which moves once fast recovery is over. */
  #increase(): void {
    const { fastRecovery, rateAi, rateHai } = this.#s
    const least = Math.min(this.#byteStage, this.#timeStage)
    const most = Math.max(this.#byteStage, this.#timeStage)
    const isFirst = this.#byteStage === 1 || this.#timeStage === 1
    if (isFirst && this.#target > 10 * this.rateBps) this.#target /= 8
    else if (least > fastRecovery) this.#target += rateHai * this.#scale * (least - fastRecovery)
    else if (most > fastRecovery) this.#target += rateAi * this.#scale
    const line = this.#flow.lineRateBps
    if (this.#target > line) this.#target = line
    this.rateBps = (this.#target + this.rateBps) / 2
    // Within a part in a million of the line it is the line: the rate limiter is given back.
    if (this.rateBps > line * 0.999999) {
      this.rateBps = line
      this.#isLimited = false
      this.#flow.cancelTimer(TIMER)
    }
  }

  override observe(index: number): number {
    return index === 0 ? this.rateBps : this.#target
  }
}
