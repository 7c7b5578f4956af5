/**
 * TCP's loss recovery: cumulative ACKs, a receiver that keeps what comes out of order, fast
 * retransmit at the third duplicate ACK, NewReno's recovery, and a retransmission timer that
 * follows the measured round trip.
 *
 * RFC 5681 (duplicate ACKs, section 3.2), RFC 6582 (NewReno; the "Impatient" variant that RFC 2582
 * names), RFC 6298 (the timer: SRTT, RTTVAR, backoff, Karn's rule), RFC 9293 (receive window).
 * Window arithmetic is the congestion control's: each ACK says in which step of recovery it is
 * (`Ack.recovery`).
 *
 * Departs from the RFCs: a sequence number counts packets, not bytes; the handshake is not
 * simulated but taken to have measured the empty fabric; every ACK of new data is an RTT sample, as
 * with timestamps. Without SACK: that is `tcp-sack.ts`. Costs an object a flow, and a set entry for
 * each packet out of order.
 */
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import { bytesOf } from './go-back-n.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'
import { backedOff, firstRoundTrip, measure, rtoOf } from './tcp-timer.ts'
import type { RoundTrip, TimerParams } from './tcp-timer.ts'

/** RFC 5681, section 3.2. */
const DUPLICATES = 3

export interface TcpParams extends TimerParams {
  /** Bytes that the receiver takes beyond what it has acknowledged; 0: no bound. */
  readonly receiveWindowBytes: number
}

interface Recovery extends RoundTrip {
  duplicates: number
  isRecovering: boolean
  /** RFC 6582's `recover`: packets below this were sent when the last loss was found. */
  recover: number
  hasPartialAck: boolean
  /** The timer has fired, and not all that was sent by then is acknowledged. */
  hasTimedOut: boolean
}

export function tcpRecovery(params: TcpParams): Reliability {
  const { receiveWindowBytes } = params

  return {
    name: 'tcp',
    timerStarts: 'once',

    onStart(flow: Flow): void {
      const state = freshRecovery(flow)
      flow.reliable = state
      flow.rtoPs = rtoOf(state, params)
    },

    nextToSend(flow: Flow): number {
      if (flow.isUrgent) return flow.unacked
      const { next } = flow
      if (next >= flow.packetCount || (flow.isStopped && next >= flow.fresh)) return -1
      return hasReceiveWindow(flow, next, receiveWindowBytes) ? next : -1
    },

    onSent(flow: Flow, seq: number): void {
      if (flow.isUrgent) {
        flow.isUrgent = false
        return
      }
      flow.next = seq + 1
      flow.inflightBytes += flow.payloadOf(seq)
    },

    onAck(
      flow: Flow,
      seq: number,
      _isNack: boolean,
      _info: number,
      outcome: AckOutcome,
      rttPs: number,
    ): void {
      const state = flow.reliable as Recovery
      outcome.bytes = 0
      outcome.loss = 'none'
      if (seq > flow.unacked) {
        onNewAck(flow, state, seq, outcome)
        // Karn's rule: the ACK of a retransmission has no RTT, and leaves a backed-off timer alone.
        if (!Number.isNaN(rttPs)) {
          measure(state, rttPs)
          flow.rtoPs = rtoOf(state, params)
        }
      } else if (seq === flow.unacked && flow.next > seq) onDuplicate(flow, state, outcome)
    },

    /** RFC 6298, 5.4 to 5.6; RFC 6582, section 3.2, step 4: back to what is missing. */
    onTimeout(flow: Flow): void {
      const state = flow.reliable as Recovery
      state.recover = flow.fresh
      state.isRecovering = false
      state.hasTimedOut = true
      state.duplicates = 0
      flow.isUrgent = false
      flow.next = flow.unacked
      flow.inflightBytes = 0
      flow.rtoPs = backedOff(flow.rtoPs, params)
    },

    onReceiverStart,
    onData,
    ackInfo: () => 0,
  }
}

function freshRecovery(flow: Flow): Recovery {
  return {
    ...firstRoundTrip(flow.baseRttPs),
    duplicates: 0,
    isRecovering: false,
    recover: -1,
    hasPartialAck: false,
    hasTimedOut: false,
  }
}

/** At the receiver: the packets that came before their turn. */
function onReceiverStart(flow: ReceiverFlow): void {
  flow.reliable = new Set<number>()
}

function onData(flow: ReceiverFlow, seq: number, payload: number, answer: Answer): void {
  const early = flow.reliable as Set<number>
  answer.newBytes = 0
  answer.isNack = false
  answer.mustAnswer = false
  if (seq === flow.expected) {
    flow.expected++
    answer.newBytes = payload
    // RFC 5681, section 4.2: what fills a gap is acknowledged at once.
    answer.mustAnswer = early.size > 0
    while (early.delete(flow.expected)) flow.expected++
    return
  }
  answer.mustAnswer = true
  if (seq < flow.expected || early.has(seq)) return
  early.add(seq)
  answer.newBytes = payload
}

/** The receiver takes packet `seq`, or no bound is set; one packet may always go. */
export function hasReceiveWindow(flow: Flow, seq: number, windowBytes: number): boolean {
  if (windowBytes === 0 || seq === flow.unacked) return true
  return (seq + 1 - flow.unacked) * flow.mtuBytes <= windowBytes
}

function onNewAck(flow: Flow, state: Recovery, seq: number, outcome: AckOutcome): void {
  outcome.bytes = bytesOf(flow, flow.unacked, seq)
  flow.unacked = seq
  flow.inflightBytes -= outcome.bytes
  // After a timeout the receiver may hold more than has been repeated.
  if (flow.next <= seq) {
    flow.next = seq
    flow.inflightBytes = 0
  }
  state.duplicates = 0
  flow.isUrgent = false
  if (seq >= state.recover) state.hasTimedOut = false
  if (!state.isRecovering) return
  if (seq >= state.recover) {
    state.isRecovering = false
    outcome.recovery = 'ends'
    return
  }
  // RFC 6582, section 3.2, step 3: a partial ACK names the next loss; only the first restarts the
  // timer.
  outcome.recovery = 'partial'
  outcome.restartsTimer = !state.hasPartialAck
  state.hasPartialAck = true
  flow.isUrgent = true
}

function onDuplicate(flow: Flow, state: Recovery, outcome: AckOutcome): void {
  state.duplicates++
  // They are drawn by what was sent before the timeout, or by what it repeated in vain, and neither
  // begin a recovery nor let anything out (RFC 5681, section 3.2, step 1: data not sent before).
  if (!state.hasTimedOut) outcome.duplicates = state.duplicates
  if (state.isRecovering) {
    outcome.recovery = 'goes-on'
    return
  }
  // RFC 6582, section 3.2, step 2: duplicates drawn by what a timeout repeated are no loss.
  if (state.duplicates !== DUPLICATES || flow.unacked <= state.recover) return
  state.isRecovering = true
  state.hasPartialAck = false
  state.recover = flow.next
  flow.isUrgent = true
  outcome.loss = 'fast-retransmit'
}
