/**
 * TIMELY: the sender watches how its round-trip time changes, and needs nothing of the switches.
 *
 * R. Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015;
 * Trivedi 2019 prints its Algorithm 1, whose names are kept. RTT = t_completion - t_send - seg /
 * line rate (section 3.1): the fabric measures it from the end of a packet's transmission, which is
 * that. One update a completion event, that is a segment of 16 to 64 KB; the public RDMA simulators
 * make one update a round trip instead (preset `hpcc-artifact`).
 *
 * Numbers of the paper's sections are not verified; presets were compared with the artifact's and
 * with eRPC's code (docs/sources.md).
 *
 * Departs from the paper: packets are paced one by one, where the paper's NICs sent a segment as a
 * burst.
 */
import type { Ack, Control, FlowContext } from '@weir/fabric'
import { ReactionPoint, inertControl } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const US = 1e6
const TABLE = 'Y. Zhu et al., "ECN or Delay", CoNEXT 2016, Table 2: values given by the authors'
const SNIPPET = "the authors' code snippet of 2015, as kept in eRPC (src/cc/timely.h)"
const ALGORITHM = 'SIGCOMM 2015, Algorithm 1'
const ARTIFACT = 'HPCC artifact, simulation/run.py, --cc timely (CC_MODE 7)'
const SOURCE = "HPCC artifact, the code's own default (rdma-hw.cc, CC_MODE 7)"

const params = {
  alpha: {
    unit: 'fraction',
    default: 0.875,
    min: 1e-6,
    max: 1,
    about: 'Weight of the newest RTT difference in its moving average.',
    source: TABLE,
  },
  beta: {
    unit: 'fraction',
    default: 0.8,
    min: 0,
    max: 1,
    about: 'Multiplicative decrement factor.',
    source: `SIGCOMM 2015, section 6; ${TABLE}`,
  },
  delta: {
    unit: 'rate',
    default: 10e6,
    min: 0,
    max: 1e12,
    about: 'Additive increment step.',
    source: `SIGCOMM 2015, section 6: 10 Mb/s; ${TABLE}`,
  },
  stepReference: {
    unit: 'rate',
    default: 0,
    min: 0,
    max: 1e13,
    about: 'Line rate that delta is for; NICs of other rates scale it. 0: no scaling.',
    source: 'SIGCOMM 2015: one step for all',
  },
  tLow: {
    unit: 'time',
    default: 50 * US,
    min: 0,
    max: 1e12,
    about: 'Below this RTT the rate rises whatever the gradient.',
    source: `SIGCOMM 2015, section 6; ${TABLE}`,
  },
  tHigh: {
    unit: 'time',
    default: 500 * US,
    min: 0,
    max: 1e12,
    about: 'Above this RTT the rate falls whatever the gradient.',
    source: `SIGCOMM 2015, section 6; ${TABLE}`,
  },
  perHop: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 1e12,
    about: 'Added to both thresholds for each switch on the path: far flows may have longer RTTs.',
    source: 'SIGCOMM 2015 has one pair for all; G. Kumar et al., Swift, SIGCOMM 2020, section 3.5',
  },
  hostDelay: {
    unit: 'choice',
    default: 'included',
    choices: ['included', 'excluded'],
    about: 'The RTT with or without the time that hosts take to take packets in (hosts.rateCap).',
    source: 'SIGCOMM 2015 has one RTT; Swift, SIGCOMM 2020, section 3.1, tells hosts from fabric',
  },
  minRtt: {
    unit: 'time',
    default: 20 * US,
    min: 0,
    max: 1e12,
    about: 'Differences are normalized by this RTT (D_minRTT); 0: by that of the empty path.',
    source: TABLE,
  },
  decreaseMax: {
    unit: 'fraction',
    default: 0.5,
    min: 0.01,
    max: 1,
    about: 'One update takes at most this share of the rate.',
    source: `${SNIPPET}; Algorithm 1 has no bound, and gradients above 1 / beta would go below 0`,
  },
  weighByTime: {
    unit: 'boolean',
    default: true,
    about: 'An update that follows the last one sooner than minRtt counts for that share of it.',
    source: `${SNIPPET}; CoNEXT 2016 models the interval as max(segment / rate, minRtt)`,
  },
  haiEvents: {
    unit: 'count',
    default: 5,
    min: 1,
    max: 1000,
    about: 'Completion events with a negative gradient before hyperactive increase.',
    source: `${ALGORITHM}: five`,
  },
  haiFactor: {
    unit: 'number',
    default: 5,
    min: 1,
    max: 1000,
    about: 'Steps at a time in hyperactive increase (N).',
    source: `${ALGORITHM}: N = 5`,
  },
  update: {
    unit: 'choice',
    default: 'segment',
    choices: ['segment', 'rtt'],
    about: 'The algorithm runs once per segment, or once per round trip.',
    source: 'SIGCOMM 2015: once a completion event (section not verified)',
  },
  haiFrom: {
    unit: 'choice',
    default: 'gradient',
    choices: ['gradient', 'increase'],
    about: 'What counts towards hyperactive increase: negative gradients, or any increase.',
    source: ALGORITHM,
  },
  segment: {
    unit: 'size',
    default: 16e3,
    min: 1,
    max: 1e9,
    about: 'Payload that one completion event acknowledges.',
    source: 'SIGCOMM 2015, section 6: 16 KB; 16 to 64 KB before (section not verified)',
  },
  initialRate: {
    unit: 'fraction',
    default: 0,
    min: 0,
    max: 1,
    about:
      'Share of the line rate that a flow starts with; 0: 1 / (n + 1) with n flows of its host.',
    source: 'SIGCOMM 2015: C / (N + 1), as CoNEXT 2016 quotes it in its section 4',
  },
  minRate: {
    unit: 'rate',
    default: 100e6,
    min: 1e3,
    max: 1e12,
    about: 'The rate never falls below this.',
    source: `${SOURCE}: 100 Mb/s; the paper gives no value`,
  },
  windowBdps: {
    unit: 'number',
    default: 0,
    min: 0,
    max: 1e6,
    about: 'Most bandwidth-delay products of the empty path in flight; 0: no window.',
    source:
      'SIGCOMM 2015 has none; ' +
      'Y. Li et al., HPCC, SIGCOMM 2019, section 5.1, tries 1 ("TIMELY+win")',
  },
  header: {
    unit: 'size',
    default: 8,
    min: 0,
    max: 256,
    about: 'Bytes of the timestamp that each data packet carries.',
    source: `${SOURCE}: 8 B; NICs with completion timestamps need none (section 3.1)`,
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  paper: { about: 'The values of the paper and of its authors.', source: TABLE, values: {} },
  erpc: {
    about: 'A slow average, a later upper threshold and larger steps; an early version of it.',
    source:
      'A. Kalia et al., "Datacenter RPCs can be General and Fast" (eRPC), NSDI 2019, cc/timely.h',
    values: { alpha: 0.02, minRtt: 2 * US, tHigh: 1000 * US, delta: 40e6, minRate: 40e6 },
  },
  'hpcc-artifact': {
    about: 'One update a round trip, steps of 10 and 50 Mb/s for each 10 Gb/s of the NIC.',
    source: ARTIFACT,
    values: {
      update: 'rtt',
      haiFrom: 'increase',
      delta: 10e6,
      stepReference: 10e9,
      decreaseMax: 1,
      initialRate: 1,
      weighByTime: false,
      minRate: 1e9,
    },
  },
}

export const timely: Scheme = defineScheme({
  name: 'timely',
  title: 'TIMELY',
  cite: 'Mittal et al., SIGCOMM 2015',
  needs: ['acks'],
  params,
  ordered: [['tLow', 'tHigh']],
  presets,
  create(values): Control {
    const active = new Map<number, number>()
    return {
      ...inertControl,
      dataHeaderBytes: values.header,
      flowInternals: ['rate', 'rtt', 'gradient'],
      reaction: (flow) => new TimelyReaction(flow, values, active),
    }
  },
})

class TimelyReaction extends ReactionPoint {
  readonly #s: Values
  /** Flows that send, by host. */
  readonly #active: Map<number, number>
  readonly #source: number
  readonly #lineRateBps: number
  readonly #minRttPs: number
  /** T_low and T_high of this path. */
  readonly #tLowPs: number
  readonly #tHighPs: number
  /** Delta of this NIC. */
  readonly #delta: number
  #prevRttPs: number = NaN
  #rttDiffPs: number = NaN
  #gradient: number = NaN
  /** Completion events in a row that count towards hyperactive increase. */
  #streak: number = 0
  #updatedPs: number = NaN
  /** Payload acknowledged since the last update, and the packet that ends this round trip. */
  #bytes: number = 0
  #roundEnd: number = 0

  constructor(flow: FlowContext, values: Values, active: Map<number, number>) {
    super()
    this.#s = values
    this.#source = flow.source
    this.#active = active
    this.#rttDiffPs = 0
    this.#gradient = 0
    this.#updatedPs = 0
    const others = active.get(flow.source) ?? 0
    active.set(flow.source, others + 1)
    this.#lineRateBps = flow.lineRateBps
    const { delta, stepReference, tLow, tHigh, perHop, minRtt, initialRate, windowBdps } = values
    this.#tLowPs = tLow + flow.hops * perHop
    this.#tHighPs = tHigh + flow.hops * perHop
    this.#delta = stepReference > 0 ? (delta * flow.lineRateBps) / stepReference : delta
    this.#minRttPs = minRtt > 0 ? minRtt : flow.baseRttPs
    const share = initialRate > 0 ? initialRate : 1 / (others + 1)
    this.rateBps = flow.lineRateBps * share
    if (windowBdps > 0) {
      const bdpBytes = (flow.lineRateBps * flow.baseRttPs) / 8e12
      this.windowBytes = Math.max(flow.mtuBytes, windowBdps * bdpBytes)
    }
  }

  override onFinished(_nowPs: number): void {
    this.#active.set(this.#source, (this.#active.get(this.#source) ?? 1) - 1)
  }

  override onAck(ack: Readonly<Ack>, nowPs: number): void {
    this.#bytes += ack.bytes
    // A retransmission's RTT is not known; the segment completes with the next packet.
    if (Number.isNaN(ack.rttPs)) return
    if (this.#s.update === 'rtt') {
      if (ack.acked <= this.#roundEnd) return
      this.#roundEnd = ack.next
    } else {
      if (this.#bytes < this.#s.segment) return
      this.#bytes = 0
    }
    const hasHosts = this.#s.hostDelay !== 'excluded'
    this.#complete(hasHosts ? ack.rttPs : ack.rttPs - ack.hostDelayPs, nowPs)
  }

  /** Algorithm 1. */
  #complete(newRttPs: number, nowPs: number): void {
    const { alpha, beta } = this.#s
    const tLowPs = this.#tLowPs
    const tHighPs = this.#tHighPs
    const sincePs = nowPs - this.#updatedPs
    this.#updatedPs = nowPs
    if (Number.isNaN(this.#prevRttPs)) {
      this.#prevRttPs = newRttPs
      return
    }
    const newRttDiffPs = newRttPs - this.#prevRttPs
    this.#prevRttPs = newRttPs
    this.#rttDiffPs = (1 - alpha) * this.#rttDiffPs + alpha * newRttDiffPs
    this.#gradient = this.#rttDiffPs / this.#minRttPs
    const share = this.#s.weighByTime ? Math.min(1, sincePs / this.#minRttPs) : 1
    const isIncrease = newRttPs < tLowPs || (newRttPs <= tHighPs && this.#gradient <= 0)
    if (isIncrease) {
      const steps = this.#isHyperactive(true) ? this.#s.haiFactor : 1
      this.#set(this.rateBps + share * steps * this.#delta)
      return
    }
    this.#isHyperactive(false)
    const cut = newRttPs > tHighPs ? beta * (1 - tHighPs / newRttPs) : beta * this.#gradient
    this.#set(this.rateBps * (1 - Math.min(share * cut, this.#s.decreaseMax)))
  }

  /** Is this event in hyperactive increase? Algorithm 1 leaves it out below tLow. */
  #isHyperactive(isIncrease: boolean): boolean {
    const { haiEvents, haiFrom } = this.#s
    if (haiFrom === 'increase') {
      const isHai = this.#streak >= haiEvents
      this.#streak = isIncrease ? this.#streak + 1 : 0
      return isHai
    }
    this.#streak = this.#gradient < 0 ? this.#streak + 1 : 0
    return this.#streak >= haiEvents && this.#prevRttPs >= this.#tLowPs
  }

  #set(rateBps: number): void {
    this.rateBps = Math.min(this.#lineRateBps, Math.max(this.#s.minRate, rateBps))
  }

  override observe(index: number): number {
    const rttPs = Number.isNaN(this.#prevRttPs) ? 0 : this.#prevRttPs
    return [this.rateBps, rttPs, this.#gradient][index] ?? NaN
  }
}
