/**
 * Selective repeat: the receiver keeps what comes out of order and each ACK names the packet that
 * drew it; the sender repeats only what is missing (R. Mittal et al., "Revisiting Network Support
 * for RDMA" (IRN), SIGCOMM 2018, section 3.1, not verified: SACKs, retransmission from the gap, a
 * timeout).
 *
 * Departs from IRN: the sender enters recovery on the first NACK, not on a threshold of them, and
 * bitmaps are sets without a bound.
 */
import { bytesOf } from './go-back-n.ts'
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'

interface Window {
  /** Packets above `unacked` that are known to have come. */
  readonly sacked: Set<number>
  /** Packets to repeat, in order of number; and those of them that are not in flight. */
  repeat: number[]
  readonly lost: Set<number>
  /** The sender has repeated everything missing below this. */
  recovered: number
}

export const selectiveRepeat: Reliability = {
  name: 'selective-repeat',

  onStart(flow: Flow): void {
    const window: Window = {
      sacked: new Set(),
      repeat: [],
      lost: new Set(),
      recovered: 0,
    }
    flow.reliable = window
  },

  onReceiverStart(flow: ReceiverFlow): void {
    // Packets that came before their turn.
    flow.reliable = new Set<number>()
  },

  nextToSend(flow: Flow): number {
    const window = flow.reliable as Window
    while (window.repeat.length > 0) {
      const seq = window.repeat[0] as number
      if (seq >= flow.unacked && !window.sacked.has(seq)) return seq
      window.repeat.shift()
    }
    if (flow.next >= flow.packetCount || flow.isStopped) return -1
    return flow.next
  },

  onSent(flow: Flow, seq: number): void {
    const window = flow.reliable as Window
    flow.inflightBytes += flow.payloadOf(seq)
    if (window.repeat[0] !== seq) {
      flow.next = seq + 1
      return
    }
    window.repeat.shift()
    window.lost.delete(seq)
  },

  onAck(flow: Flow, seq: number, isNack: boolean, info: number, outcome: AckOutcome): void {
    const window = flow.reliable as Window
    outcome.bytes = 0
    outcome.loss = 'none'
    if (seq > flow.unacked) {
      let bytes = bytesOf(flow, flow.unacked, seq)
      for (let i = flow.unacked; i < seq; i++) {
        if (window.sacked.delete(i)) bytes -= flow.payloadOf(i)
        else if (window.lost.delete(i)) flow.inflightBytes += flow.payloadOf(i)
      }
      flow.unacked = seq
      outcome.bytes += bytes
    }
    if (info >= flow.unacked && !window.sacked.has(info)) {
      window.sacked.add(info)
      outcome.bytes += flow.payloadOf(info)
      if (window.lost.delete(info)) flow.inflightBytes += flow.payloadOf(info)
    }
    flow.inflightBytes -= outcome.bytes
    if (!isNack) return
    // Everything missing below the packet that drew this NACK, once.
    const from = Math.max(flow.unacked, window.recovered)
    for (let i = from; i < info; i++) {
      if (window.sacked.has(i)) continue
      lose(flow, i)
      outcome.loss = 'fast-retransmit'
    }
    if (info > window.recovered) window.recovered = info
  },

  onTimeout(flow: Flow): void {
    const window = flow.reliable as Window
    window.repeat = []
    for (let i = flow.unacked; i < flow.next; i++) {
      if (!window.sacked.has(i)) lose(flow, i)
    }
    window.recovered = flow.next
  },

  onData(flow: ReceiverFlow, seq: number, payload: number, answer: Answer): void {
    const early = flow.reliable as Set<number>
    answer.newBytes = 0
    answer.isNack = false
    answer.mustAnswer = false
    if (seq === flow.expected) {
      flow.expected++
      answer.newBytes = payload
      while (early.delete(flow.expected)) flow.expected++
      answer.mustAnswer = early.size > 0
    } else if (seq > flow.expected) {
      if (!early.has(seq)) {
        early.add(seq)
        answer.newBytes = payload
      }
      answer.mustAnswer = true
      answer.isNack = true
    } else answer.mustAnswer = true
  },

  ackInfo: (_flow: ReceiverFlow, seq: number): number => seq,
}

/** A packet is taken to be lost: it is to be repeated, and the window no longer counts it. */
export function lose(flow: Flow, seq: number): void {
  const window = flow.reliable as Window
  if (seq < flow.unacked || window.sacked.has(seq)) return
  window.repeat.push(seq)
  if (window.lost.has(seq)) return
  window.lost.add(seq)
  flow.inflightBytes -= flow.payloadOf(seq)
}
