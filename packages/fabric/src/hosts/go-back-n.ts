/**
 * Go-back-N, as RoCE NICs do it: the receiver takes packets in order only; the first one out of
 * order draws a NACK, and the sender goes back to what is missing (InfiniBand Architecture
 * Specification 1.2.1, section 9.7.5, not verified; one NACK a gap).
 */
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'

export const goBackN: Reliability = {
  name: 'go-back-n',

  onStart: () => undefined,

  nextToSend(flow: Flow): number {
    if (flow.next >= flow.packetCount) return -1
    return flow.isStopped && flow.next >= flow.fresh ? -1 : flow.next
  },

  onSent(flow: Flow, seq: number): void {
    flow.next = seq + 1
    flow.inflightBytes += flow.payloadOf(seq)
  },

  onAck(flow: Flow, seq: number, isNack: boolean, _info: number, outcome: AckOutcome): void {
    outcome.bytes = 0
    outcome.loss = 'none'
    if (seq > flow.unacked) {
      outcome.bytes = bytesOf(flow, flow.unacked, seq)
      flow.unacked = seq
      flow.inflightBytes -= outcome.bytes
      if (flow.next < seq) {
        flow.next = seq
        flow.inflightBytes = 0
      }
    }
    if (isNack && seq === flow.unacked && flow.next > seq) {
      goBack(flow)
      outcome.loss = 'fast-retransmit'
    }
  },

  onTimeout: goBack,

  onData(flow: ReceiverFlow, seq: number, payload: number, answer: Answer): void {
    answer.newBytes = 0
    answer.isNack = false
    answer.mustAnswer = false
    if (seq === flow.expected) {
      flow.expected++
      answer.newBytes = payload
      flow.nackedFor = -1
    } else if (seq > flow.expected) {
      answer.isNack = answer.mustAnswer = flow.nackedFor !== flow.expected
      flow.nackedFor = flow.expected
    } else answer.mustAnswer = true
  },

  ackInfo: () => 0,
}

function goBack(flow: Flow): void {
  flow.next = flow.unacked
  flow.inflightBytes = 0
}

/** Payload bytes of packets from..to-1. */
export function bytesOf(flow: Flow, from: number, to: number): number {
  const bytes = (to - from) * flow.mtuBytes
  return to === flow.packetCount ? bytes - flow.mtuBytes + flow.lastPayload : bytes
}
