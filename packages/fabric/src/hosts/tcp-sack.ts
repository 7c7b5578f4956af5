/**
 * TCP's loss recovery with selective acknowledgements: the sender knows which packets have come
 * out of order, repeats what is lost and nothing else, and counts what is in the network.
 *
 * RFC 2018 (the option), RFC 6675 (scoreboard, IsLost, SetPipe, NextSeg; section numbers below),
 * RFC 6298 (the timer). `flow.inflightBytes` is the RFC's pipe. Of congestion control this asks
 * that the window stays as it is while `Ack.recovery` is `sack`.
 *
 * Departs from the RFCs: an ACK carries one block, the one with the packet that drew it, and not
 * three (it matters where ACKs are lost); the rescue retransmission (section 4, NextSeg, rule 4)
 * waits until all that this recovery has repeated is acknowledged; a receiver never takes back what
 * it has reported, so that the scoreboard outlives a timeout. As in `tcp-recovery.ts`, a number
 * counts packets and the handshake is not simulated.
 */
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import { bytesOf } from './go-back-n.ts'
import { Ranges } from './ranges.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'
import { hasReceiveWindow } from './tcp-recovery.ts'
import type { TcpParams } from './tcp-recovery.ts'
import { backedOff, firstRoundTrip, measure, rtoOf } from './tcp-timer.ts'
import type { RoundTrip } from './tcp-timer.ts'

/** Section 2: packets that came above one that has not, until it counts as lost. */
const DUP_THRESH = 3
/** A block travels as first * BLOCK + length: both exact in a float64. */
const BLOCK = 2 ** 21

interface Scoreboard extends RoundTrip {
  /** What is known to have come, above `unacked`. */
  readonly sacked: Ranges
  isRecovering: boolean
  /** RecoveryPoint: all that had been sent when the last loss was found, or the timer fired. */
  recoveryPoint: number
  /** HighRxt: the highest packet repeated in this recovery. */
  highRxt: number
  /** RescueRxt: the RecoveryPoint of the last recovery that had its rescue retransmission. */
  rescueRxt: number
}

export function tcpSack(params: TcpParams): Reliability {
  return {
    name: 'tcp',
    timerStarts: 'once',

    onStart(flow: Flow): void {
      const state = emptyScoreboard(flow)
      flow.reliable = state
      flow.rtoPs = rtoOf(state, params)
    },

    nextToSend: (flow: Flow): number =>
      nextSeg(flow, flow.reliable as Scoreboard, params.receiveWindowBytes),

    onSent(flow: Flow, seq: number): void {
      const state = flow.reliable as Scoreboard
      if (seq >= flow.next) flow.next = seq + 1
      else if (!flow.isUrgent && seq === rescue(flow, state)) state.rescueRxt = state.recoveryPoint
      else state.highRxt = seq
      flow.isUrgent = false
      setPipe(flow, state)
    },

    onAck(
      flow: Flow,
      seq: number,
      _isNack: boolean,
      info: number,
      outcome: AckOutcome,
      rttPs: number,
    ): void {
      const state = flow.reliable as Scoreboard
      outcome.bytes = 0
      outcome.loss = 'none'
      update(flow, state, seq, info, outcome)
      recover(flow, state, outcome)
      setPipe(flow, state)
      // Karn's rule: the ACK of a retransmission has no RTT, and leaves a backed-off timer alone.
      if (outcome.bytes > 0 && !Number.isNaN(rttPs)) {
        measure(state, rttPs)
        flow.rtoPs = rtoOf(state, params)
      }
    },

    /** Section 5.1; RFC 6298, 5.4 to 5.6: back to what is missing, and past what has come. */
    onTimeout(flow: Flow): void {
      const state = flow.reliable as Scoreboard
      state.recoveryPoint = flow.fresh
      state.isRecovering = false
      flow.isUrgent = false
      flow.next = flow.unacked
      flow.inflightBytes = 0
      flow.rtoPs = backedOff(flow.rtoPs, params)
    },

    onReceiverStart(flow: ReceiverFlow): void {
      // Packets that came before their turn.
      flow.reliable = new Ranges()
    },

    onData,
    ackInfo,
  }
}

function emptyScoreboard(flow: Flow): Scoreboard {
  return {
    ...firstRoundTrip(flow.baseRttPs),
    sacked: new Ranges(),
    isRecovering: false,
    recoveryPoint: 0,
    highRxt: -1,
    rescueRxt: -1,
  }
}

/** Section 4, Update. */
function update(
  flow: Flow,
  state: Scoreboard,
  seq: number,
  info: number,
  outcome: AckOutcome,
): void {
  if (seq > flow.unacked) {
    outcome.bytes = bytesOf(flow, flow.unacked, seq)
    flow.unacked = seq
    flow.isUrgent = false
    if (flow.next < seq) flow.next = seq
    state.sacked.dropBelow(seq)
  }
  const length = info % BLOCK
  const end = (info - length) / BLOCK + length
  const first = Math.max(flow.unacked, end - length)
  if (length > 0 && first < end) state.sacked.add(first, end)
}

/** Section 5: the beginning (steps 1, 2 and 4) and the end (step A) of recovery. */
function recover(flow: Flow, state: Scoreboard, outcome: AckOutcome): void {
  if (state.isRecovering) {
    outcome.recovery = flow.unacked >= state.recoveryPoint ? 'ends' : 'sack'
    if (outcome.recovery === 'sack') return
    state.isRecovering = false
  }
  // Section 5.1: not again before all that was sent by the last timeout has been acknowledged.
  if (flow.unacked < state.recoveryPoint || lostBelow(state) <= flow.unacked) return
  state.isRecovering = true
  state.recoveryPoint = flow.next
  state.highRxt = flow.unacked - 1
  flow.isUrgent = true
  if (outcome.recovery === 'none') outcome.recovery = 'sack'
  outcome.loss = 'fast-retransmit'
}

/** Section 4, IsLost: whatever has not come below this number, with DupThresh above that have. */
function lostBelow({ sacked }: Scoreboard): number {
  return sacked.count < DUP_THRESH ? -1 : sacked.fromLast(DUP_THRESH - 1)
}

/** Packets from `unacked` up to `end` that are not known to have come. */
function missing(flow: Flow, { sacked }: Scoreboard, end: number): number {
  return end > flow.unacked ? end - flow.unacked - sacked.countBelow(end) : 0
}

/** Section 4, SetPipe: what has been sent, less what has come, less what is lost, and repeats. */
function setPipe(flow: Flow, state: Scoreboard): void {
  const { sacked } = state
  if (sacked.isEmpty) {
    flow.inflightBytes = flow.flightBytes
    return
  }
  let pipe = missing(flow, state, flow.next)
  if (state.isRecovering) {
    const lost = Math.min(flow.next, lostBelow(state))
    pipe += missing(flow, state, state.highRxt + 1) - missing(flow, state, lost)
  }
  const last = flow.packetCount - 1
  const isShort = flow.next > last && !sacked.has(last)
  flow.inflightBytes = pipe * flow.mtuBytes - (isShort ? flow.mtuBytes - flow.lastPayload : 0)
}

/** Section 4, NextSeg: -1 if there is nothing to send. */
function nextSeg(flow: Flow, state: Scoreboard, receiveWindowBytes: number): number {
  if (flow.isUrgent) return flow.unacked
  const { sacked } = state
  const again = state.isRecovering ? sacked.endOf(Math.max(state.highRxt + 1, flow.unacked)) : -1
  // Rule 1: the first that is lost and has not been repeated.
  if (again >= 0 && again < lostBelow(state)) return again
  // Rule 2: what has not been sent; after a timeout, what has not been sent since.
  const next = sacked.endOf(flow.next)
  const isOver = next >= flow.packetCount || (flow.isStopped && next >= flow.fresh)
  if (!isOver && hasReceiveWindow(flow, next, receiveWindowBytes)) return next
  // Rule 3: what is missing below the highest that has come, though not yet lost.
  if (again >= 0 && again < sacked.last) return again
  return rescue(flow, state)
}

/**
 * Rule 4: once per recovery the highest packet that was sent and has not come, for its ACK says
 * what is missing below it. All that was repeated has come by then, and so would have this one.
 */
function rescue(flow: Flow, state: Scoreboard): number {
  const { sacked, highRxt, rescueRxt } = state
  if (!state.isRecovering || flow.unacked <= Math.max(highRxt, rescueRxt)) return -1
  const seq = flow.next - 1
  return seq >= flow.unacked && seq > sacked.last ? seq : -1
}

function onData(flow: ReceiverFlow, seq: number, payload: number, answer: Answer): void {
  const early = flow.reliable as Ranges
  answer.newBytes = 0
  answer.isNack = false
  answer.mustAnswer = true
  if (seq === flow.expected) {
    answer.newBytes = payload
    // RFC 5681, section 4.2: what fills a gap is acknowledged at once.
    answer.mustAnswer = !early.isEmpty
    flow.expected = early.endOf(seq + 1)
    early.dropBelow(flow.expected)
  } else if (seq > flow.expected && early.add(seq, seq + 1) > 0) answer.newBytes = payload
}

/** RFC 2018, section 4: the first block is the one with the packet that drew this ACK. */
function ackInfo(flow: ReceiverFlow, seq: number): number {
  const early = flow.reliable as Ranges
  if (seq < flow.expected || !early.has(seq)) return 0
  const end = early.endOf(seq)
  const first = Math.max(early.firstOf(seq), end - BLOCK + 1)
  return first * BLOCK + (end - first)
}
