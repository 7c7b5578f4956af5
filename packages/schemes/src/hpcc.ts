/**
 * HPCC: every switch writes its queue and its throughput into passing packets, and the sender sets
 * its window so that what is in flight on the busiest link is just below what the link can carry.
 *
 * Y. Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019. Its Algorithm 1 is
 * followed line by line, names included; PACC compares with it. Telemetry costs bandwidth:
 * 42 B of each data packet (five hops of 8 B and a 2 B count), and its echo in each ACK. Numbers of
 * the paper's sections are not verified; `hpcc-artifact` was compared with run.py
 * (docs/sources.md).
 *
 * Departs from the paper: window and rate are bounded by the line rate's, as in the authors' own
 * simulator; a record that runs backwards (packets of a flow on several paths) is taken as the
 * start of a new path, for there is no path identifier to tell.
 */
import type { Ack, Control, FlowContext, Telemetry } from '@weir/fabric'
import { ReactionPoint, inertControl } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

/** Hops whose records are kept: as many as the fabric's telemetry holds. */
const HOPS_MAX = 12
const PAPER = 'SIGCOMM 2019, section 5.1 (not verified)'
const ARTIFACT = 'HPCC artifact, simulation/run.py, --cc hp (CC_MODE 3)'
const SOURCE = "HPCC artifact, the code's own default (rdma-hw.cc, CC_MODE 3)"

const params = {
  eta: {
    unit: 'fraction',
    default: 0.95,
    min: 0.01,
    max: 1,
    about: 'Utilisation to aim at.',
    source: PAPER,
  },
  maxStage: {
    unit: 'count',
    default: 5,
    min: 0,
    max: 1000,
    about: 'Round trips of additive increase before the window is set by the measure again.',
    source: PAPER,
  },
  rateAi: {
    unit: 'rate',
    default: 50e6,
    min: 0,
    max: 1e12,
    about: 'Additive increase as a rate: W_AI = this times T.',
    source: `${PAPER}: W_AI of 80 B at T = 13 us`,
  },
  stepReference: {
    unit: 'rate',
    default: 0,
    min: 0,
    max: 1e13,
    about: 'Line rate that rateAi is for; NICs of other rates scale it. 0: no scaling.',
    source: `${PAPER}: one W_AI for all`,
  },
  flowsPerLink: {
    unit: 'count',
    default: 0,
    min: 0,
    max: 1e6,
    about: 'N: sets W_AI = W_init (1 - eta) / N instead of by rateAi; 0: by rateAi.',
    source: 'section 3.3: N flows then stay within the headroom',
  },
  baseRtt: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 1e12,
    about: 'T, the same for all flows; 0: the longest RTT between hosts of the empty fabric.',
    source: 'section 3.2: one T for all, a little above the largest RTT; 13 us in the paper',
  },
  perAck: {
    unit: 'boolean',
    default: true,
    about: 'React to every ACK, not once per round trip; the reference window is set so often.',
    source: 'section 3.2, "fast reaction without overreaction"',
  },
  minRate: {
    unit: 'rate',
    default: 100e6,
    min: 1e3,
    max: 1e12,
    about: 'The rate never falls below this.',
    source: `${SOURCE}: 100 Mb/s; the paper gives no value`,
  },
  windowOf: {
    unit: 'choice',
    default: 'wire',
    choices: ['wire', 'payload'],
    about: 'Bytes that the window counts: all that are on the wire, or payload alone.',
    source: 'section 3.2: W is what is in flight, B x T at line rate; the artifact counts payload',
  },
  header: {
    unit: 'size',
    default: 42,
    min: 0,
    max: 512,
    about: 'Telemetry bytes of each data packet.',
    source: 'section 4.1: 42 B for five hops',
  },
  ackHeader: {
    unit: 'size',
    default: 28,
    min: 0,
    max: 512,
    about: 'Telemetry bytes that each ACK has more than another scheme has.',
    source: `${SOURCE}: ACKs of 88 B instead of 60 B`,
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  paper: { about: 'The values of the paper.', source: PAPER, values: {} },
  'per-rtt': {
    about: 'The ablation of the paper: no reaction between round trips.',
    source: 'SIGCOMM 2019, section 5.4 (design choices)',
    values: { perAck: false },
  },
  'hpcc-artifact': {
    about: 'No additive stages, 10 Mb/s of increase for each 25 Gb/s of the NIC, 1 Gb/s at least.',
    source: ARTIFACT,
    values: {
      maxStage: 0,
      rateAi: 10e6,
      stepReference: 25e9,
      minRate: 1e9,
      windowOf: 'payload',
    },
  },
}

export const hpcc: Scheme = defineScheme({
  name: 'hpcc',
  title: 'HPCC',
  cite: 'Li et al., SIGCOMM 2019',
  needs: ['telemetry', 'acks'],
  params,
  presets,
  create(values, context): Control {
    return {
      ...inertControl,
      dataHeaderBytes: values.header,
      ackHeaderBytes: values.ackHeader,
      telemetry: true,
      flowInternals: ['rate', 'window', 'utilisation'],
      reaction: (flow) => new HpccReaction(flow, values, context.telemetry),
    }
  },
})

class HpccReaction extends ReactionPoint {
  readonly #s: Values
  readonly #telemetry: Telemetry
  /** T, which all flows share: a queue must weigh the same for near and far senders. */
  readonly #tPs: number
  readonly #lineRateBps: number
  /** Payload in a byte of W, which counts wire bytes or payload; the transport counts payload. */
  readonly #share: number
  /** Additive increase of this NIC, as a rate. */
  readonly #rateAi: number
  /** W^c, the reference window; W, U, incStage and lastUpdateSeq of Algorithm 1. */
  #reference: number
  #window: number
  /** Starts at full, as in the authors' simulator: Algorithm 1 does not say. */
  #u: number = NaN
  #incStage: number = 0
  #lastUpdate: number = 0
  /** L: the records of the last ACK, by hop; -1 hops: none yet. */
  #hops: number = -1
  readonly #queue: Float64Array = new Float64Array(HOPS_MAX)
  readonly #sent: Float64Array = new Float64Array(HOPS_MAX)
  readonly #timePs: Float64Array = new Float64Array(HOPS_MAX)

  constructor(flow: FlowContext, values: Values, telemetry: Telemetry) {
    super()
    this.#s = values
    this.#telemetry = telemetry
    this.#lineRateBps = flow.lineRateBps
    this.#u = 1
    const { baseRtt, windowOf, rateAi, stepReference } = values
    this.#tPs = baseRtt > 0 ? baseRtt : flow.longestRttPs
    this.#share = windowOf === 'payload' ? 1 : flow.mtuBytes / flow.packetBytes
    this.#rateAi = stepReference > 0 ? (rateAi * flow.lineRateBps) / stepReference : rateAi
    // Section 3.2: a flow starts at line rate, with a window of one bandwidth-delay product.
    this.#window = this.#bytesInT(flow.lineRateBps)
    this.#reference = this.#window
    this.#apply()
  }

  #bytesInT(rateBps: number): number {
    return (rateBps * this.#tPs) / 8e12
  }

  /** NewAck. */
  override onAck(ack: Readonly<Ack>, _nowPs: number): void {
    if (ack.telemetry < 0) return
    const isNewRound = ack.acked > this.#lastUpdate
    const isMeasured = this.#measureInflight(ack.telemetry)
    if (isMeasured && (isNewRound || this.#s.perAck)) {
      this.#window = this.#computeWind(isNewRound)
      this.#apply()
    }
    if (isNewRound) this.#lastUpdate = ack.next
  }

  /** Brings U up to date with the busiest link; false if there is nothing to compare with. */
  #measureInflight(row: number): boolean {
    const telemetry = this.#telemetry
    const hops = telemetry.hops(row)
    let isComparable = hops === this.#hops && hops > 0
    let most = 0
    let tauPs = 0
    for (let i = 0; i < hops; i++) {
      const queue = telemetry.queueBytes(row, i)
      const sent = telemetry.sentBytes(row, i)
      const timePs = telemetry.timePs(row, i)
      const rateBps = telemetry.rateBps(row, i)
      const spanPs = timePs - (this.#timePs[i] as number)
      const bytes = sent - (this.#sent[i] as number)
      if (spanPs <= 0 || bytes < 0) isComparable = false
      const txRateBps = (bytes * 8e12) / spanPs
      const bdpBytes = this.#bytesInT(rateBps)
      const u = Math.min(queue, this.#queue[i] as number) / bdpBytes + txRateBps / rateBps
      if (u > most) {
        most = u
        tauPs = spanPs
      }
      this.#queue[i] = queue
      this.#sent[i] = sent
      this.#timePs[i] = timePs
    }
    this.#hops = hops
    if (!isComparable) return false
    const tPs = this.#tPs
    const weight = Math.min(tauPs, tPs) / tPs
    this.#u = (1 - weight) * this.#u + weight * most
    return true
  }

  #computeWind(isNewRound: boolean): number {
    const { eta, maxStage, flowsPerLink, minRate } = this.#s
    const windowMax = this.#bytesInT(this.#lineRateBps)
    const byCount = flowsPerLink > 0
    const wai = byCount ? (windowMax * (1 - eta)) / flowsPerLink : this.#bytesInT(this.#rateAi)
    const isSet = this.#u >= eta || this.#incStage >= maxStage
    const base = isSet ? this.#reference / (this.#u / eta) : this.#reference
    const window = Math.min(windowMax, Math.max(this.#bytesInT(minRate), base + wai))
    if (isNewRound) {
      this.#incStage = isSet ? 0 : this.#incStage + 1
      this.#reference = window
    }
    return window
  }

  /** R = W / T; at least one packet may be on its way. */
  #apply(): void {
    this.windowBytes = Math.max(1, this.#window * this.#share)
    this.rateBps = (this.#window * 8e12) / this.#tPs
  }

  override observe(index: number): number {
    return [this.rateBps, this.#window, this.#u][index] ?? NaN
  }
}
