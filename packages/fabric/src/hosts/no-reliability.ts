/** The null member: nothing is repeated; what is lost stays lost, and the flow does not end. */
import { bytesOf } from './go-back-n.ts'
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'

export const noReliability: Reliability = {
  name: 'none',

  onStart: () => undefined,

  nextToSend: (flow: Flow): number =>
    flow.next >= flow.packetCount || flow.isStopped ? -1 : flow.next,

  onSent(flow: Flow, seq: number): void {
    flow.next = seq + 1
    flow.inflightBytes += flow.payloadOf(seq)
  },

  onAck(flow: Flow, seq: number, _isNack: boolean, _info: number, outcome: AckOutcome): void {
    outcome.loss = 'none'
    outcome.bytes = seq > flow.unacked ? bytesOf(flow, flow.unacked, seq) : 0
    if (seq > flow.unacked) flow.unacked = seq
    flow.inflightBytes = Math.max(0, flow.inflightBytes - outcome.bytes)
  },

  onTimeout: () => undefined,

  /** Nothing comes twice, so the packets that have come need only be counted. */
  onData(flow: ReceiverFlow, _seq: number, payload: number, answer: Answer): void {
    answer.newBytes = payload
    answer.isNack = false
    answer.mustAnswer = false
    flow.expected++
  },

  ackInfo: () => 0,
}
