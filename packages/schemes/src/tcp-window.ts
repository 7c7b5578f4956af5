/**
 * The window of TCP: slow start, congestion avoidance and what NewReno's fast recovery does to it.
 * Shared by `tcp-reno` and `dctcp`, which differ in what a mark does to it.
 *
 * RFC 5681 (sections 3.1 and 3.2), RFC 6582 (NewReno: inflation, deflation, partial ACKs), RFC 3042
 * (limited transmit), RFC 3465 (byte counting in congestion avoidance), RFC 6675 (with SACK the
 * window is not inflated). What is sent again, and when, is the transport's: `tcp-recovery.ts` and
 * `tcp-sack.ts` in the fabric.
 *
 * As in Linux, a window that the sender does not fill does not grow (RFC 7661). What stacks choose
 * otherwise has parameters, so that flows can be compared with another stack's (docs/peers.md).
 */
import type { Ack, FlowContext, LossCause } from '@weir/fabric'
import { ReactionPoint } from '@weir/fabric'
import type { ParamsOf } from './param.ts'

/** RFC 5681, section 3.1, equation 4: ssthresh is at least two segments. */
const LEAST_SEGMENTS = 2
/** RFC 5681, section 3.2, step 3: the segments that drew the duplicates have left the network. */
const DUPLICATES = 3

/** What both read of their parameters. */
export interface WindowValues {
  readonly initialWindow: number
  readonly initialThreshold: number
  readonly limitedTransmit: boolean
  readonly afterRecovery: 'flight' | 'threshold'
  readonly growsAtFullAck: boolean
  readonly overhead: number
}

export const windowParams: ParamsOf<WindowValues> = {
  initialWindow: {
    unit: 'count',
    default: 10,
    min: 1,
    max: 1e6,
    about: 'Packets that a flow may send at once when it starts (IW).',
    source: 'RFC 6928, section 2: 10 segments; RFC 3390 had 3 of 1460 B',
  },
  initialThreshold: {
    unit: 'size',
    default: 1e12,
    min: 1,
    max: 1e12,
    about: 'Window at which the first slow start ends (ssthresh).',
    source: 'RFC 5681, section 3.1: arbitrarily high',
  },
  limitedTransmit: {
    unit: 'boolean',
    default: true,
    about: 'The first two duplicate ACKs let a new packet out each.',
    source: 'RFC 5681, section 3.2, step 1; RFC 3042',
  },
  afterRecovery: {
    unit: 'choice',
    default: 'flight',
    choices: ['flight', 'threshold'],
    about: 'Window as recovery ends: what is in flight and a segment, or ssthresh.',
    source: 'RFC 6582, section 3.2, step 3: options 1 (which bursts less) and 2 (ns-3)',
  },
  growsAtFullAck: {
    unit: 'boolean',
    default: false,
    about: 'The ACK that ends recovery also grows the window.',
    source: 'RFC 6582, section 3.2, step 3: it deflates it, no more; true: ns-3.37',
  },
  overhead: {
    unit: 'time',
    default: 0,
    min: 0,
    max: 1e12,
    about: 'A host adds up to this, drawn anew, between two packets: real ones are not in step.',
    source:
      'S. Floyd and V. Jacobson, "On Traffic Phase Effects", 1992: ' +
      'one packet time at the bottleneck',
  },
}

export abstract class TcpWindow extends ReactionPoint {
  /** Congestion window and slow-start threshold, in payload bytes. */
  protected cwnd: number
  protected ssthresh: number
  protected readonly mss: number
  readonly #flow: FlowContext
  readonly #values: WindowValues
  #isRecovering: boolean = false
  /** The transport counts what is in the network: no duplicates need to inflate the window. */
  #hasPipe: boolean = false
  /** Timeouts since anything new was acknowledged. */
  #timeouts: number = 0

  constructor(flow: FlowContext, values: WindowValues) {
    super()
    this.#flow = flow
    this.#values = values
    this.mss = flow.mtuBytes
    this.cwnd = values.initialWindow * this.mss
    this.ssthresh = values.initialThreshold
    this.windowBytes = this.cwnd
  }

  /** A flow may be stopped in the midst of recovery, with an inflated window. */
  override keep(): readonly number[] {
    const cwnd = this.#isRecovering ? Math.min(this.cwnd, this.ssthresh) : this.cwnd
    return [cwnd, this.ssthresh]
  }

  /** RFC 5681, section 4.1: after a rest RW = min(IW, cwnd). Here `cwnd` is still IW. */
  override resume([cwnd, ssthresh]: readonly number[], hasRested: boolean): void {
    if (cwnd === undefined || ssthresh === undefined) return
    this.cwnd = hasRested ? Math.min(this.cwnd, cwnd) : cwnd
    this.ssthresh = ssthresh
    this.#open(0)
  }

  /** An ACK says that packets were marked. True: this ACK must not grow the window. */
  protected abstract onEcho(ack: Readonly<Ack>): boolean

  override onSent(bytes: number, _nowPs: number): void {
    const overheadPs = this.#values.overhead
    if (overheadPs === 0) return
    const bits = bytes * 8e12
    const gapPs = bits / this.#flow.lineRateBps + this.#flow.random.uniform() * overheadPs
    this.rateBps = bits / gapPs
  }

  override onAck(ack: Readonly<Ack>, _nowPs: number): void {
    const hasEcho = this.onEcho(ack)
    switch (ack.recovery) {
      case 'goes-on': // RFC 5681, section 3.2, step 4: one more has left the network.
        this.cwnd += this.mss
        break
      case 'partial': // RFC 6582, section 3.2, step 3: deflate by what has been acknowledged.
        this.cwnd = Math.max(this.mss, this.cwnd - ack.bytes)
        if (ack.bytes >= this.mss) this.cwnd += this.mss
        break
      case 'sack':
        this.#hasPipe = true
        break
      case 'ends':
        this.#leaveRecovery(ack)
        break
      case 'none':
        if (ack.bytes > 0 && !hasEcho) this.#grow(ack)
    }
    if (ack.bytes > 0) this.#timeouts = 0
    const isEarly = ack.duplicates > 0 && ack.duplicates < DUPLICATES && !this.#isRecovering
    this.#open(isEarly && this.#values.limitedTransmit ? ack.duplicates * this.mss : 0)
  }

  /** RFC 6582, section 3.2, step 3, full ACK; option 1 has no burst. With SACK there is none. */
  #leaveRecovery(ack: Readonly<Ack>): void {
    this.#isRecovering = false
    this.cwnd =
      this.#hasPipe || this.#values.afterRecovery === 'threshold'
        ? this.ssthresh
        : Math.min(this.ssthresh, Math.max(ack.inflightBytes, this.mss) + this.mss)
    if (this.#values.growsAtFullAck) this.#grow(ack)
  }

  /**
   * RFC 5681, section 3.1; equation 3, by the bytes acknowledged: fractions of a segment count, or
   * a window of three segments would lose half of one at each cut.
   */
  #grow(ack: Readonly<Ack>): void {
    const flight = ack.inflightBytes + ack.bytes
    if (this.cwnd < this.ssthresh) {
      if (this.cwnd < 2 * flight) this.cwnd += Math.min(ack.bytes, this.mss)
      return
    }
    // The window is filled but for a fraction of a segment, and a packet that waits for the link.
    if (flight + 2 * this.mss <= this.cwnd) return
    this.cwnd += (this.mss * ack.bytes) / this.cwnd
  }

  override onLoss(cause: LossCause, _nowPs: number): void {
    const flight = this.#flightBytes()
    const half = Math.max(flight / 2, LEAST_SEGMENTS * this.mss)
    if (cause === 'fast-retransmit') {
      this.ssthresh = half
      this.cwnd = this.#hasPipe ? half : half + DUPLICATES * this.mss
      this.#isRecovering = true
    } else {
      // RFC 5681, section 3.1: a packet that is lost again does not lower ssthresh again.
      if (this.#timeouts++ === 0) this.ssthresh = half
      this.cwnd = this.mss
      this.#isRecovering = false
    }
    this.hasReduced = true
    this.#open(0)
  }

  /**
   * FlightSize, the data outstanding in the network (RFC 5681, section 3.1, equation 4). Limited
   * transmit's packets do not count, hence the least of the two; cwnd's fraction of a segment does,
   * so that half of this may be up to half a segment more than the RFC's. In recovery the window is
   * inflated by what has left the network without a cumulative ACK, and the flight with it: a
   * timeout that halved that would slow-start into the same loss again.
   */
  #flightBytes(): number {
    if (!this.#isRecovering) return Math.min(this.#flow.flightBytes, this.cwnd)
    const sent = Math.min(this.#flow.inflightBytes, this.cwnd)
    return this.#hasPipe ? sent : sent - Math.max(0, this.cwnd - this.ssthresh)
  }

  /** Cuts the window for marks: congestion avoidance goes on from there. */
  protected reduceTo(bytes: number): void {
    this.cwnd = Math.max(LEAST_SEGMENTS * this.mss, bytes)
    this.ssthresh = this.cwnd
    this.hasReduced = true
  }

  protected get isRecovering(): boolean {
    return this.#isRecovering
  }

  /** Whole segments only: a packet leaves if all of it fits. */
  #open(extra: number): void {
    this.windowBytes = Math.max(1, Math.floor(this.cwnd / this.mss)) * this.mss + extra
  }
}
