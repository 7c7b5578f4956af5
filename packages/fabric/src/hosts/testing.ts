/**
 * Both ends of one flow under a reliability, for its tests, which carry the packets themselves; and
 * hosts on a small fabric. Only tests use them.
 */
import { Random } from '@weir/engine'
import type { Control } from '../contract/control.ts'
import { inertControl } from '../contract/control.ts'
import { NotificationPoint } from '../contract/notification-point.ts'
import { ReactionPoint } from '../contract/reaction-point.ts'
import type { Ack } from '../contract/reaction-point.ts'
import type { Routing } from '../contract/routing.ts'
import { DELAYED_ACK, FLOW_TIMER, NIC, RECEIVER_TIMER, TAKE_IN, TIMEOUT } from '../kinds.ts'
import type { Links } from '../links.ts'
import { DATA, KIND, SEQ } from '../packets.ts'
import { FabricBench, H0_S0, H1_S0, S0_S1, S1_H2 } from '../testing.ts'
import { Flow } from './flow.ts'
import type { FlowStart } from './flow-start.ts'
import { goBackN } from './go-back-n.ts'
import { Hosts } from './hosts.ts'
import type { HostsParams } from './hosts.ts'
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

/** Hosts on `twoSwitches`, with points that write down what comes. */
export class HostsBench extends FabricBench {
  readonly hosts: Hosts
  /** What points and the run are told, in words and in order. */
  readonly heard: string[] = []
  readonly reactions: Map<number, ReactionPoint> = new Map()
  readonly acks: Ack[] = []
  /** Numbers of data packets that the next link loses, each once. */
  readonly lost: Set<number> = new Set()

  constructor(params: Partial<HostsParams> = {}, control: Partial<Control> = {}) {
    super()
    const { fabric, heard, lost, packets } = this
    fabric.links = {
      loses: (_port: number, p: number) => {
        const isLost = packets.int[p + KIND] === DATA && lost.delete(packets.int[p + SEQ]!)
        if (isLost) this.hosts.discard(p)
        return isLost
      },
    } as unknown as Links
    const whole: HostsParams = {
      ...{ routing: written, reliability: goBackN, fifoPackets: 0, acksInFifo: false },
      ...{ sendCapBps: 0, capsPayload: false, burst: 0, service: 'next-service-time' },
      ...{ mtuBytes: 952, headerBytes: 48, ackEvery: 1, ackBytes: 64, ackClass: -1 },
      ...{ ackEcn: 'none', controlClass: 7, rtoPs: 0, longestRttPs: () => 0, delayedAckPs: 0 },
      ...{ takeCapBps: 0, takeInXoffBytes: 0, pauseFrameBytes: 64 },
      ...params,
    }
    const points: Control = {
      ...{ ...inertControl, controlBytesMax: 100 },
      reaction: (flow) => this.#reaction(flow.flow),
      notification: (flow) => hearing(heard, flow.flow),
      ...control,
    }
    this.hosts = new Hosts(fabric, whole, points, (name) => new Random(1, name), {
      onFlowEnd: (flow, nowPs) => heard.push(`flow ${flow} ends at ${nowPs}`),
      onDelivered: (flow, nowPs) => heard.push(`flow ${flow} is there at ${nowPs}`),
    })
    fabric.hosts = this.hosts
  }

  #reaction(flow: number): ReactionPoint {
    const { acks, heard } = this
    class Hearing extends ReactionPoint {
      override onAck(ack: Readonly<Ack>): void {
        acks.push({ ...ack })
      }
      override onControl(code: number, a: number, b: number, nowPs: number): void {
        heard.push(`source of ${flow} hears ${code} ${a} ${b} at ${nowPs}`)
      }
      override onLoss(cause: string, nowPs: number): void {
        heard.push(`flow ${flow} ${cause} at ${nowPs}`)
      }
      override onTimer(which: number, nowPs: number): void {
        heard.push(`timer ${which} of ${flow} at ${nowPs}`)
      }
      override onFinished(nowPs: number): void {
        heard.push(`flow ${flow} has sent all at ${nowPs}`)
      }
    }
    const reaction = new Hearing()
    this.reactions.set(flow, reaction)
    return reaction
  }

  /** A flow of so many full packets from h0 to h2 begins now. */
  start(flow: number, packets: number, more: Partial<FlowStart> = {}): Flow {
    const path = more.source === 1 ? [H1_S0, S0_S1, S1_H2] : [H0_S0, S0_S1, S1_H2]
    const start: FlowStart = {
      ...{ flow, key: `f${flow}`, source: 0, target: 2, sizeBytes: 952 * packets, class: 0 },
      ...{ weight: 1, path, isPathGiven: false, pathBack: undefined, timingPath: path },
      ...more,
    }
    return this.hosts.startFlow(start, this.windows.nowPs)
  }

  override run(untilPs: number = Infinity): this {
    const { hosts, windows } = this
    return super.run(untilPs, (kind, target) => {
      const { nowPs } = windows
      if (kind === NIC) hosts.onNic(target, nowPs)
      else if (kind === FLOW_TIMER) hosts.onFlowTimer(target, nowPs)
      else if (kind === RECEIVER_TIMER) hosts.onReceiverTimer(target, nowPs)
      else if (kind === TIMEOUT) hosts.onTimeout(target, nowPs)
      else if (kind === DELAYED_ACK) hosts.onDelayedAck(target, nowPs)
      else if (kind === TAKE_IN) hosts.onTakeIn(target, nowPs)
      else throw new Error(`kind ${kind}`)
    })
  }
}

/** The one way from h0 to h2; with an entropy, one that h2 is told of by its length alone. */
const written: Routing = {
  name: 'written',
  perPacket: false,
  path: (_source, _target, _key, entropy = 0) =>
    entropy === 0 ? [H0_S0, S0_S1, S1_H2] : [H0_S0, S0_S1, S0_S1 ^ 1, S0_S1, S1_H2],
  next: () => -1,
}

function hearing(heard: string[], flow: number): NotificationPoint {
  class Hearing extends NotificationPoint {
    override onData(marked: boolean, bytes: number, nowPs: number): void {
      heard.push(`target of ${flow} gets ${bytes} B${marked ? ', marked,' : ''} at ${nowPs}`)
    }
    override onControl(code: number, a: number, b: number, nowPs: number): void {
      heard.push(`target of ${flow} hears ${code} ${a} ${b} at ${nowPs}`)
    }
    override onTimer(nowPs: number): void {
      heard.push(`timer of the target of ${flow} at ${nowPs}`)
    }
  }
  return new Hearing()
}
