/**
 * DCTCP: cut the window in proportion to the fraction of bytes that saw congestion.
 *
 * M. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010; RFC 8257, whose sections are cited
 * below. Trivedi 2019, "Data center TCP". CP: a threshold K on the instantaneous queue, by the
 * fabric's marker. NP: each ACK tells exactly whether what it covers was marked (section 3.2, also
 * with delayed ACKs). RP: alpha, the smoothed fraction of marked bytes (Eq. 1 of the paper), and
 * cwnd (1 - alpha / 2) once a window (Eq. 2). Losses are TCP's, and so is growth: an ACK with a
 * mark grows the window as any other does, unless it cuts it (RFC 8257, section 3.4: "in the same
 * way as conventional TCP"; the paper's analysis has W + 1 each round trip, marked or not). Linux
 * grows nothing in the round trip of a cut: `growsInCut`.
 *
 * Numbers of sections are not verified but for RFC 8257's 3.2 and 3.3 (docs/sources.md).
 */
import type { Ack, Control, FlowContext, Marking } from '@weir/fabric'
import { inertControl } from '@weir/fabric'
import type { Params, Presets, ValuesOf } from './param.ts'
import { defineScheme } from './scheme.ts'
import type { Scheme } from './scheme.ts'
import { TcpWindow, windowParams } from './tcp-window.ts'

const GBPS = 1e9
const PAPER = 'SIGCOMM 2010, section 4: K = 20 packets at 1 Gb/s, 65 at 10 Gb/s (of 1.5 KB)'

const params = {
  ...windowParams,
  g: {
    unit: 'fraction',
    default: 1 / 16,
    min: 1e-6,
    max: 1,
    about: 'Gain of the estimate alpha.',
    source: 'RFC 8257, section 4.2 (number not verified): 1/16; SIGCOMM 2010, section 4',
  },
  initialAlpha: {
    unit: 'fraction',
    default: 1,
    min: 0,
    max: 1,
    about: 'Alpha before the first window has been measured.',
    source: 'RFC 8257, section 3.3: 1, so that the first mark halves the window',
  },
  cut: {
    unit: 'fraction',
    default: 0.5,
    min: 0,
    max: 1,
    about: 'The window is cut by this times alpha.',
    source: 'SIGCOMM 2010, Eq. 2, and RFC 8257, section 3.3: alpha / 2',
  },
  growsInCut: {
    unit: 'boolean',
    default: true,
    about: 'The window grows in the round trip that follows a cut, too.',
    source: 'RFC 8257, section 3.4: as conventional TCP; false: Linux and ns-3, in state CWR',
  },
  k1: {
    unit: 'size',
    isMarking: true,
    default: 30e3,
    min: 0,
    max: 1e9,
    about: 'CP: a packet that finds more than this in the queue is marked, on links of 1 Gb/s.',
    source: PAPER,
  },
  k10: {
    unit: 'size',
    isMarking: true,
    default: 97_500,
    min: 0,
    max: 1e9,
    about: 'CP: the same on links of 10 Gb/s; in between it is interpolated, above it is scaled.',
    source: `${PAPER}; section 3.4: K grows with C x RTT / 7`,
  },
} as const satisfies Params

type Values = ValuesOf<typeof params>

const presets: Presets<typeof params> = {
  paper: {
    about: 'Hosts of the paper: an initial window of three segments.',
    source: 'RFC 3390, section 1; the paper predates RFC 6928',
    values: { initialWindow: 3 },
  },
  linux: {
    about: 'Nothing is added to the window in the round trip that follows a cut.',
    source: 'Linux and ns-3.37 (TcpSocketBase), state CWR; not verified in Linux',
    values: { growsInCut: false },
  },
  lecture: {
    about: "Cuts as in the lecture's worked example: by the fraction of marks in the window.",
    source: 'Trivedi 2019, "DCTCP vs TCP Example": 4 of 10 marked, cut by 40%',
    values: { g: 1, cut: 1 },
  },
}

export const dctcp: Scheme = defineScheme({
  name: 'dctcp',
  title: 'DCTCP',
  cite: 'Alizadeh et al., SIGCOMM 2010; RFC 8257',
  needs: ['ecn', 'acks'],
  transport: 'tcp',
  params,
  presets,
  create(values): Control {
    return {
      ...inertControl,
      ecnCapable: true,
      echo: 'exact',
      flowInternals: ['window', 'threshold', 'alpha'],
      marking: (rateBps) => thresholdFor(rateBps, values),
      reaction: (flow) => new DctcpReaction(flow, values),
    }
  },
})

/** K for a link of this rate. */
function thresholdFor(rateBps: number, { k1, k10 }: Values): Marking {
  const gbps = rateBps / GBPS
  const between = k1 + ((k10 - k1) * (gbps - 1)) / 9
  const bytes = Math.round(gbps <= 1 ? k1 : gbps < 10 ? between : (k10 * gbps) / 10)
  return { kminBytes: bytes, kmaxBytes: bytes, pmax: 1, at: 'enqueue' }
}

/** RFC 8257, section 3.3. */
class DctcpReaction extends TcpWindow {
  readonly #g: number
  readonly #cut: number
  readonly #growsInCut: boolean
  #alpha: number
  #bytesAcked: number = 0
  #bytesMarked: number = 0
  /** DCTCP.WindowEnd: alpha is brought up to date when this is acknowledged. */
  #windowEnd: number = 0
  /** Marks are not acted on again until what was sent by then is acknowledged. */
  #reducedUpTo: number = -1

  constructor(flow: FlowContext, values: Values) {
    super(flow, values)
    this.#g = values.g
    this.#cut = values.cut
    this.#growsInCut = values.growsInCut
    this.#alpha = values.initialAlpha
  }

  /** With what has been counted of the window that the next flow's first ACK ends. */
  override keep(): readonly number[] {
    return [...super.keep(), this.#alpha, this.#bytesAcked, this.#bytesMarked]
  }

  override resume(kept: readonly number[], hasRested: boolean): void {
    super.resume(kept, hasRested)
    const [, , alpha, bytesAcked, bytesMarked] = kept
    this.#alpha = alpha ?? this.#alpha
    this.#bytesAcked = bytesAcked ?? 0
    this.#bytesMarked = bytesMarked ?? 0
  }

  protected override onEcho(ack: Readonly<Ack>): boolean {
    this.#bytesAcked += ack.bytes
    if (ack.marked) this.#bytesMarked += ack.bytes
    if (ack.acked > this.#windowEnd) this.#endWindow(ack.next)
    if (ack.acked <= this.#reducedUpTo) return !this.#growsInCut
    if (!ack.marked || this.isRecovering) return false
    this.reduceTo(this.cwnd * (1 - this.#cut * this.#alpha))
    this.#reducedUpTo = ack.next
    return true
  }

  /** Steps 2 to 7: M, the fraction of bytes marked, moves alpha. */
  #endWindow(next: number): void {
    const marked = this.#bytesAcked > 0 ? this.#bytesMarked / this.#bytesAcked : 0
    this.#alpha = this.#alpha * (1 - this.#g) + this.#g * marked
    this.#bytesAcked = 0
    this.#bytesMarked = 0
    this.#windowEnd = next
  }

  override observe(index: number): number {
    return [this.cwnd, this.ssthresh, this.#alpha][index] ?? NaN
  }
}
