/**
 * Unordered delivery: each packet is acknowledged by its own number and order says nothing, so that
 * packets may take different paths. What is repeated is what a switch has trimmed, as its header
 * tells, and after a timeout everything unacknowledged. NDP and Homa send over this.
 */
import type { Flow } from './flow.ts'
import type { ReceiverFlow } from './receiver-flow.ts'
import type { Answer, Reliability } from './reliability.ts'
import { lose, selectiveRepeat } from './selective-repeat.ts'

export const unordered: Reliability = {
  ...selectiveRepeat,
  name: 'unordered',

  onData(flow: ReceiverFlow, seq: number, payload: number, answer: Answer): void {
    selectiveRepeat.onData(flow, seq, payload, answer)
    answer.isNack = false
  },

  onTrimmed(flow: Flow, seq: number): void {
    lose(flow, seq)
  },
}
