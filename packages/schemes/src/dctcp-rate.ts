/**
 * DCTCP by rate: DCTCP's estimate and cut on a rate that an RDMA NIC paces, with go-back-N below it
 * and a window that follows the rate, instead of on TCP's window.
 *
 * M. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, Eqs. 1 and 2. The form is that of
 * the HPCC artifact (rdma-hw.cc, CC_MODE 8), by which Y. Li et al., HPCC, SIGCOMM 2019, section
 * 5.3, compare with DCTCP "for RDMA": flows start at line rate, so that there is no slow start; one
 * step up is a packet each round trip, as a rate; the window is W R / C with W one
 * bandwidth-delay product. CP: a threshold K by link rate. NP: each ACK echoes its packet's mark.
 *
 * Departs from the artifact: the fraction is of bytes, so that it holds for coalesced ACKs too;
 * with an ACK each packet it is the same. The artifact's run.py was looked up, the papers' section
 * numbers were not (docs/sources.md).
 */
import type { Ack, Control, FlowContext, Marking } from '@weir/fabric'
import { ReactionPoint, inertControl } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'

const ARTIFACT = 'HPCC artifact, simulation/run.py, --cc dctcp (CC_MODE 8)'
const SOURCE = "HPCC artifact, the code's own default (rdma-hw.cc)"

const params = {
  g: {
    unit: 'fraction',
    default: 1 / 16,
    min: 1e-6,
    max: 1,
    about: 'Gain of the estimate alpha (Eq. 1).',
    source: `SIGCOMM 2010, section 4: 1/16; ${ARTIFACT}`,
  },
  rateAi: {
    unit: 'rate',
    default: 0,
    min: 0,
    max: 1e12,
    about: 'Step up, once a round trip without marks; 0: one packet in T.',
    source: 'SIGCOMM 2010, section 3: one segment per round trip; the artifact writes 615 Mb/s',
  },
  baseRtt: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 1e12,
    about: 'T, the same for all flows; 0: the longest RTT between hosts of the empty fabric.',
    source: `${ARTIFACT}: one T for all (GLOBAL_T 1)`,
  },
  windowBdps: {
    unit: 'number',
    default: 1,
    min: 0,
    max: 1e6,
    about: 'Window in products of line rate and T; it follows the rate, W R / C. 0: no window.',
    source: `${ARTIFACT}: HAS_WIN 1, VAR_WIN 1`,
  },
  minRate: {
    unit: 'rate',
    default: 100e6,
    min: 1e3,
    max: 1e12,
    about: 'The rate never falls below this.',
    source: `${SOURCE}: 100 Mb/s; run.py has 1 Gb/s`,
  },
  k: {
    unit: 'size',
    isMarking: true,
    default: 30e3,
    min: 0,
    max: 1e9,
    about: 'CP: packets are marked above this queue, on links of the reference rate.',
    source: `${ARTIFACT}: KMIN = KMAX = 30 KB for each 10 Gb/s, PMAX 1`,
  },
  referenceRate: {
    unit: 'rate',
    isMarking: true,
    default: 10e9,
    min: 0,
    max: 1e13,
    about: 'Link rate that k is for; other links scale it. 0: no scaling.',
    source: ARTIFACT,
  },
  markAt: {
    unit: 'choice',
    isMarking: true,
    default: 'dequeue',
    choices: ['enqueue', 'dequeue'],
    about:
      'CP: a packet is marked by the queue that it finds, or by the one that it leaves behind.',
    source: 'HPCC artifact, switch-node.cc: as it leaves; SIGCOMM 2010, section 3.1: as it arrives',
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  'hpcc-artifact': {
    about: 'Steps of 615 Mb/s (a packet of 1 KB in 13 us) at any rate, 1 Gb/s at least.',
    source: ARTIFACT,
    values: { rateAi: 615e6, minRate: 1e9 },
  },
}

export const dctcpRate: Scheme = defineScheme({
  name: 'dctcp-rate',
  title: 'DCTCP by rate',
  cite: 'Alizadeh et al., SIGCOMM 2010; HPCC artifact',
  needs: ['ecn', 'acks'],
  params,
  presets,
  create(values): Control {
    return {
      ...inertControl,
      ecnCapable: true,
      flowInternals: ['rate', 'alpha'],
      marking: (rateBps) => thresholdFor(rateBps, values),
      reaction: (flow) => new DctcpRateReaction(flow, values),
    }
  },
})

function thresholdFor(rateBps: number, { k, referenceRate, markAt }: Values): Marking {
  const bytes = Math.round(referenceRate > 0 ? (k * rateBps) / referenceRate : k)
  return { kminBytes: bytes, kmaxBytes: bytes, pmax: 1, at: markAt }
}

class DctcpRateReaction extends ReactionPoint {
  readonly #s: Values
  readonly #flow: FlowContext
  /** T, which all flows share. */
  readonly #tPs: number
  #alpha: number = NaN
  #bytesAcked: number = 0
  #bytesMarked: number = 0
  /** Alpha is brought up to date when this packet is acknowledged; 0: no window has begun. */
  #windowEnd: number = 0
  /** Neither cut again nor raised until what was sent by then is acknowledged (CWR); -1: free. */
  #reducedUpTo: number = -1

  constructor(flow: FlowContext, values: Values) {
    super()
    this.#s = values
    this.#flow = flow
    this.#alpha = 1
    this.#tPs = values.baseRtt > 0 ? values.baseRtt : flow.longestRttPs
    this.#set(flow.lineRateBps)
  }

  override onAck(ack: Readonly<Ack>, _nowPs: number): void {
    this.#bytesAcked += ack.bytes
    if (ack.marked) this.#bytesMarked += ack.bytes
    const isNewWindow = ack.acked > this.#windowEnd
    if (isNewWindow) this.#endWindow(ack.next)
    if (ack.acked > this.#reducedUpTo) this.#reducedUpTo = -1
    if (this.#reducedUpTo >= 0) return
    if (ack.marked) {
      this.#set(this.rateBps * (1 - this.#alpha / 2)) // Eq. 2
      this.#reducedUpTo = ack.next
    } else if (isNewWindow) this.#set(this.rateBps + this.#stepBps())
  }

  /** Eq. 1; the first window has only its first ACK, and its bytes count with the second's. */
  #endWindow(next: number): void {
    if (this.#windowEnd > 0) {
      const marked = this.#bytesAcked > 0 ? this.#bytesMarked / this.#bytesAcked : 0
      this.#alpha = (1 - this.#s.g) * this.#alpha + this.#s.g * marked
      this.#bytesAcked = 0
      this.#bytesMarked = 0
    }
    this.#windowEnd = next
  }

  #stepBps(): number {
    return this.#s.rateAi > 0 ? this.#s.rateAi : (this.#flow.mtuBytes * 8e12) / this.#tPs
  }

  #set(rateBps: number): void {
    const { minRate, windowBdps } = this.#s
    const line = this.#flow.lineRateBps
    this.rateBps = Math.min(line, Math.max(minRate, rateBps))
    if (windowBdps === 0) return
    this.windowBytes = Math.max(1, (windowBdps * this.rateBps * this.#tPs) / 8e12)
  }

  override observe(index: number): number {
    return [this.rateBps, this.#alpha][index] ?? NaN
  }
}
