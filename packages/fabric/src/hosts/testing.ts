/** Both ends of one flow under a reliability, for its tests, which carry the packets themselves. */
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import { ReceiverFlow } from './receiver-flow.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'

export class Ends {
  readonly flow: Flow = new Flow(undefined as unknown as Hosts)
  readonly receiver: ReceiverFlow
  readonly reliability: Reliability

  /** Packets of 1,000 B, but for the last. */
  constructor(reliability: Reliability, packets: number, lastPayload: number = 1000) {
    this.reliability = reliability
    this.flow.mtuBytes = 1000
    this.flow.lastPayload = lastPayload
    this.flow.packetCount = packets
    reliability.onStart(this.flow)
    this.receiver = new ReceiverFlow(this.flow, undefined as unknown as Hosts)
    reliability.onReceiverStart?.(this.receiver)
  }

  /** The next packet is sent; its number, or -1. */
  send(): number {
    const seq = this.reliability.nextToSend(this.flow)
    if (seq < 0) return -1
    if (seq >= this.flow.fresh) this.flow.fresh = seq + 1
    this.reliability.onSent(this.flow, seq)
    return seq
  }

  /** Everything that may be sent. */
  sendAll(): number[] {
    const sent: number[] = []
    for (let seq = this.send(); seq >= 0; seq = this.send()) sent.push(seq)
    return sent
  }

  arrive(seq: number): Answer {
    const answer: Answer = { newBytes: -1, mustAnswer: true, isNack: true }
    this.reliability.onData(this.receiver, seq, this.flow.payloadOf(seq), answer)
    return answer
  }

  ack(
    expected: number,
    isNack: boolean = false,
    info: number = 0,
  ): Pick<AckOutcome, 'bytes' | 'loss'> {
    const outcome: AckOutcome = {
      bytes: -1,
      loss: 'fast-retransmit',
      duplicates: 0,
      recovery: 'none',
      restartsTimer: true,
    }
    this.reliability.onAck(this.flow, expected, isNack, info, outcome, NaN)
    return { bytes: outcome.bytes, loss: outcome.loss }
  }

  timeOut(): void {
    this.reliability.onTimeout(this.flow)
  }

  /**
   * Carries the flow to its end over a wire that loses the packets and ACKs so marked, in turn;
   * everything that may be sent is, and then its ACKs come. Returns bytes that were new at the
   * receiver, and checks that the sender was told of as many.
   */
  carry(lost: readonly boolean[]): number {
    const { flow, receiver } = this
    let turn = 0
    let arrived = 0
    let acked = 0
    for (let round = 0; flow.unacked < flow.packetCount; round++) {
      if (round > 10_000) throw new Error('the flow does not end')
      const sent = this.sendAll()
      if (sent.length === 0) this.timeOut()
      const acks: { expected: number; isNack: boolean; info: number }[] = []
      for (const seq of sent) {
        if (lost[turn++] === true) continue
        const { newBytes, isNack, mustAnswer } = this.arrive(seq)
        arrived += newBytes
        if (seq % 3 === 1 && !mustAnswer && receiver.expected < flow.packetCount) continue
        if (lost[turn++] === true) continue
        const info = this.reliability.ackInfo(receiver, seq)
        acks.push({ expected: receiver.expected, isNack, info })
      }
      for (const { expected, isNack, info } of acks) acked += this.ack(expected, isNack, info).bytes
      if (flow.inflightBytes < 0) throw new Error(`${flow.inflightBytes} bytes are in flight`)
    }
    if (acked !== arrived) throw new Error(`${arrived} bytes arrived, ${acked} were acknowledged`)
    return arrived
  }
}
