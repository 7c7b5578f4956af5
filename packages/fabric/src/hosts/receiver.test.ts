/** The receiving side of h2, which gets packets made by hand; what comes back to h0 is seen. */
import { beforeEach, describe, expect, it } from 'vitest'
import { inertControl } from '../contract/control.ts'
import type { Control } from '../contract/control.ts'
import { NotificationPoint } from '../contract/notification-point.ts'
import type { Received } from '../contract/notification-point.ts'
import { DELAYED_ACK } from '../kinds.ts'
import { sameLanes } from '../lanes.ts'
import {
  ACK,
  AGAIN,
  BACKWARD,
  BYTES,
  CAPABLE,
  CLASS,
  CODE,
  CWR,
  ECHO,
  ENTROPY,
} from '../packets.ts'
import {
  FIELD_A,
  FIELD_B,
  FLAGS,
  FLOW,
  HOP,
  INGRESS,
  KIND,
  LAST,
  MARKED,
  NACK,
} from '../packets.ts'
import { PATH, PAYLOAD, SENT, SEQ, SOURCE, TARGET, TELEMETRY, TRIMMED } from '../packets.ts'
import { FabricBench, H0_S0, S0_S1, S1_H2 } from '../testing.ts'
import type { Made } from '../testing.ts'
import { FlowTimers } from './flow-timers.ts'
import { Flow } from './flow.ts'
import { goBackN } from './go-back-n.ts'
import type { Hosts } from './hosts.ts'
import { Receiver } from './receiver.ts'
import type { ReceiverParams } from './receiver.ts'
import { ReceiverFlow } from './receiver-flow.ts'
import { ReorderDepth } from './reorder-depth.ts'

const HOST = 2

/** Its ACKs carry the number of the packet that they answer, and 70. */
const saying = { ...goBackN, ackInfo: (_: ReceiverFlow, seq: number): number => 70 + seq }

let bench: FabricBench
let receiver: Receiver
let flow: ReceiverFlow
let told: string[]
let shown: Received[]

/** Echoes marks if `echoes`, and answers 100 more than the header that it is shown. */
class Hearing extends NotificationPoint {
  echoes = true
  override onData(marked: boolean, bytes: number, nowPs: number): void {
    told.push(`data of ${bytes} B${marked ? ', marked,' : ''} at ${nowPs}`)
  }
  override onReceived(packet: Received): void {
    shown.push({ ...packet })
    packet.header += 100
  }
  override mayEcho(): boolean {
    return this.echoes
  }
}

function begin(given: Partial<ReceiverParams> = {}, control: Partial<Control> = {}): void {
  bench = new FabricBench()
  told = []
  shown = []
  const sender = new Flow(undefined as unknown as Hosts)
  Object.assign(sender, { flow: 5, key: 'f5', source: 0, target: HOST, class: 3 })
  Object.assign(sender, { mtuBytes: 952, packetCount: 10 })
  flow = new ReceiverFlow(sender, undefined as unknown as Hosts)
  const params: ReceiverParams = {
    ...{ reliability: goBackN, ackEvery: 1, ackBytes: 64, ackClass: -1, ackEcn: 'none' },
    ...{ acksInFifo: false, delayedAckPs: 0 },
    ...given,
  }
  const owner = {
    discard: (p: number) => bench.packets.free(p),
    onDelivered: (_: ReceiverFlow, nowPs: number) => void told.push(`delivered at ${nowPs}`),
    onAllReceived: (_: ReceiverFlow, nowPs: number) => void told.push(`all received at ${nowPs}`),
  }
  const queue = {
    queue: (host: number, p: number) =>
      void told.push(`h${host} queues ${bench.packets.int[p + SEQ]}`),
  }
  const whole = { ...inertControl, ackHeaderBytes: 20, ...control }
  const timers = new FlowTimers(bench.fabric)
  const ports = Int32Array.of(0, 2, S1_H2 ^ 1)
  receiver = new Receiver(bench.fabric, ports, params, whole, timers, owner, queue)
  // A packet's record that is not the first, so that a wrong lane is another's.
  for (let i = 0; i < 3; i++) bench.make()
}

beforeEach(() => begin())

/** A data packet reaches h2, at the bench's time. */
function get(seq: number, made: Made = {}, header: number = 0): number {
  const p = bench.make({ seq, flow: 5, class: 3, ...made })
  bench.packets.cold[(p >> 1) + CODE] = header
  bench.packets.cold[(p >> 1) + FIELD_B] = 17
  bench.packets.cold[(p >> 1) + SENT] = 12
  flow.cameBy = bench.packets.int[p + PATH]!
  receiver.onData(flow, HOST, p, bench.windows.nowPs)
  return p
}

/** What has come to h0, by its sequence numbers and whether it echoes a mark. */
function answers(): [number, boolean][] {
  bench.run(bench.windows.nowPs + 1e9, (kind) => {
    expect(kind).toBe(DELAYED_ACK)
    receiver.onDelayedAck(flow, bench.windows.nowPs)
  })
  const { int } = bench.packets
  return bench.came.splice(0).map(({ packet: p, host }) => {
    expect(host).toBe(0)
    return [int[p + SEQ]!, (int[p + FLAGS]! & ECHO) !== 0]
  })
}

describe('an ACK', () => {
  it('is the data packet itself, on its way back', () => {
    const p = get(0, {}, 44)
    const { cold, int } = bench.packets
    const of = (lanes: readonly number[]): number[] => lanes.map((lane) => int[p + lane]!)
    expect(of([KIND, SEQ, FLOW, CLASS, FLAGS])).toEqual([ACK, 1, 5, 3, BACKWARD])
    // Its header's bytes of the scheme are added.
    expect(of([BYTES, PAYLOAD, HOP, INGRESS])).toEqual([84, 0, 0, -1])
    expect(int[p + PATH]).toBe(bench.paths.add([S1_H2 ^ 1, S0_S1 ^ 1, H0_S0 ^ 1]))
    const c = p >> 1
    const kept = [SOURCE, TARGET, SENT, CODE, FIELD_A, FIELD_B, TELEMETRY]
    expect(kept.map((lane) => cold[c + lane])).toEqual([HOST, 0, 12, 44, 0, 17, -1])
    expect(answers()).toEqual([[1, false]])
    expect([flow.deliveredBytes, receiver.deliveredBytes, told]).toEqual([952, 952, []])
  })

  it('of a packet that was sent again measures no round trip', () => {
    const p = get(0, { flags: AGAIN })
    expect(bench.packets.cold[(p >> 1) + SENT]).toBeNaN()
  })

  it('says what its reliability has to say', () => {
    begin({ reliability: saying })
    const p = get(0)
    expect(bench.packets.cold[(p >> 1) + FIELD_A]).toBe(70)
    const [gap, again] = [get(2), get(3)]
    expect([gap, again].map((one) => bench.packets.int[one + KIND])).toEqual([NACK, ACK])
    expect(flow.deliveredBytes).toBe(952)
  })

  it('travels in its own class, or that of the data, of which lanes have made another', () => {
    begin({ ackClass: 0 })
    expect(bench.packets.int[get(0) + CLASS]).toBe(0)
    begin()
    expect(bench.packets.int[get(0, { class: 6 }) + CLASS]).toBe(6)
    begin()
    bench.fabric.lanes = sameLanes(8)
    expect(bench.packets.int[get(0, { class: 6 }) + CLASS]).toBe(3)
  })

  it('may be marked by switches if hosts say so', () => {
    for (const ackEcn of ['ignored', 'heard'] as const) {
      begin({ ackEcn })
      expect(bench.packets.int[get(0) + FLAGS]).toBe(BACKWARD | CAPABLE)
    }
  })

  it('takes its own path if it has one, and waits behind data if it must', () => {
    flow.ownPath = bench.paths.add([S1_H2 ^ 1, S0_S1 ^ 1, H0_S0 ^ 1])
    const p = get(0, { path: [H0_S0, S0_S1, S0_S1 ^ 1, S0_S1, S1_H2] })
    expect(bench.packets.int[p + PATH]).toBe(flow.ownPath)
    begin({ acksInFifo: true })
    get(0)
    expect([told, answers()]).toEqual([['h2 queues 1'], []])
  })
})

describe('marks', () => {
  const marked = { flags: CAPABLE | MARKED }

  it('are echoed by the next ACK, once', () => {
    begin({ ackEvery: 2 })
    for (const [seq, made] of [{}, marked, {}, {}, marked, {}].entries()) get(seq, made)
    expect(answers()).toEqual([
      ...[
        [2, true],
        [4, false],
        [6, true],
      ],
    ])
  })

  it('wait for an ACK that may echo them', () => {
    const notification = new Hearing()
    flow.notification = notification
    notification.echoes = false
    get(0, marked)
    notification.echoes = true
    for (const seq of [1, 2]) get(seq)
    expect(answers()).toEqual([
      ...[
        [1, false],
        [2, true],
        [3, false],
      ],
    ])
  })

  it('are echoed until the sender says that it has reduced its window', () => {
    begin({}, { echo: 'until-cwr' })
    get(0, marked)
    get(1)
    get(2, { flags: CAPABLE | CWR })
    get(3, { flags: CAPABLE | MARKED | CWR })
    get(4)
    expect(answers().map(([, isEcho]) => isEcho)).toEqual([true, true, false, true, true])
  })

  it('are told exactly: an ACK covers packets of one kind', () => {
    begin({ ackEvery: 4 }, { echo: 'exact' })
    for (const [seq, made] of [{}, {}, marked, marked, {}, { flags: LAST }].entries())
      get(seq, made)
    expect(answers()).toEqual([
      ...[
        [2, false],
        [4, true],
        [6, false],
      ],
    ])
    // A first one that is marked has none before it to be told apart from.
    begin({ ackEvery: 4 }, { echo: 'exact' })
    get(0, marked)
    expect(answers()).toEqual([])
    begin({ ackEvery: 4 })
    for (const [seq, made] of [{}, {}, marked, {}].entries()) get(seq, made)
    expect(answers()).toEqual([[4, true]])
  })
})

describe('one ACK for several packets', () => {
  it('leaves with the last of them, of the flow, or of what it had sent', () => {
    begin({ ackEvery: 3 })
    for (const seq of [0, 1, 2, 3]) get(seq)
    get(4, { flags: LAST })
    expect(answers().map(([seq]) => seq)).toEqual([3, 5])
    receiver.stop(flow, 7, 0)
    for (const seq of [5, 6]) get(seq)
    expect(answers().map(([seq]) => seq)).toEqual([7])
    expect(bench.packets.held).toBe(3 + 3)
  })

  it('leaves at once for a packet that comes again, or out of turn', () => {
    begin({ ackEvery: 3 })
    for (const seq of [0, 0, 2]) get(seq)
    expect(answers().map(([seq]) => seq)).toEqual([1, 1])
  })

  it('leaves after a while by itself, and measures nothing', () => {
    begin({ ackEvery: 4, delayedAckPs: 5e6 })
    bench.run(100)
    get(0)
    bench.at(3e6, () => get(1))
    bench.run(5e6)
    expect(receiver.timedAcks).toBe(0)
    // 84 B by the slow link, and then twice; 5 us after the first.
    const [, beginsPs] = [answers(), bench.windows.latestPs]
    expect(receiver.timedAcks).toBe(1)
    expect(beginsPs).toBe(5e6 + 84 * (1600 + 800 + 800) + 4e6)
  })

  it('by a timer has all that an ACK has', () => {
    begin({ ackEvery: 4, delayedAckPs: 5e6, reliability: saying })
    // Its record is one that another packet has left.
    const { cold, int } = bench.packets
    const before = bench.make()
    int.fill(99, before, before + 15)
    cold.fill(99, before >> 1, (before >> 1) + 8)
    get(0)
    bench.packets.free(before)
    bench.run(1e9, () => receiver.onDelayedAck(flow, bench.windows.nowPs))
    const p = bench.came[0]!.packet
    expect([int[p + KIND], int[p + SEQ], int[p + FLOW], int[p + CLASS]]).toEqual([ACK, 1, 5, 3])
    expect([int[p + FLAGS], int[p + ENTROPY], int[p + BYTES]]).toEqual([BACKWARD, -1, 84])
    const c = p >> 1
    const kept = [FIELD_A, FIELD_B, CODE, TELEMETRY]
    expect(kept.map((lane) => cold[c + lane])).toEqual([70, 0, 0, -1])
    expect(cold[c + SENT]).toBeNaN()
  })

  it('has its time from the first that it covers, not from one that was answered', () => {
    begin({ ackEvery: 2, delayedAckPs: 5e6 })
    get(0)
    bench.at(1e6, () => get(1))
    bench.at(3e6, () => get(2))
    bench.run(8e6, () => receiver.onDelayedAck(flow, bench.windows.nowPs))
    expect(receiver.timedAcks).toBe(0)
    bench.run(8e6 + 1, () => receiver.onDelayedAck(flow, bench.windows.nowPs))
    expect(receiver.timedAcks).toBe(1)
    // Nothing waits: it has nothing to say.
    receiver.onDelayedAck(flow, bench.windows.nowPs)
    expect([receiver.timedAcks, answers().map(([seq]) => seq)]).toEqual([1, [2, 3]])
  })

  it('waits for as long as it takes without such a time', () => {
    begin({ ackEvery: 2 })
    get(0)
    expect([answers(), bench.windows.pending]).toEqual([[], 0])
  })
})

describe('the notification point', () => {
  it('is shown each packet, and its answer goes back with it', () => {
    flow.notification = new Hearing()
    const p = get(0, { bytes: 500, class: 4, flags: MARKED }, 7)
    get(0, {}, 8)
    const more = { isTrimmed: false, payloadBytes: 452 }
    expect(shown[0]).toEqual({ seq: 0, newBytes: 452, class: 4, header: 7, ...more })
    // It came a second time.
    expect([shown[1]!.newBytes, shown[1]!.payloadBytes]).toEqual([0, 952])
    expect(told).toEqual(['data of 500 B, marked, at 0', 'data of 1000 B at 0'])
    expect(bench.packets.cold[(p >> 1) + CODE]).toBe(107)
  })

  it('sees what was trimmed, whose sender hears at once', () => {
    begin({ ackEvery: 4, reliability: saying })
    flow.notification = new Hearing()
    const p = get(3, { bytes: 48, flags: TRIMMED }, 7)
    expect(shown[0]).toEqual({
      ...{ seq: 3, payloadBytes: 0, newBytes: 0, isTrimmed: true, class: 3, header: 7 },
    })
    expect(told).toEqual([])
    const { int } = bench.packets
    expect([int[p + KIND], int[p + FLAGS], int[p + SEQ]]).toEqual([NACK, BACKWARD | TRIMMED, 0])
    expect(bench.packets.cold[(p >> 1) + FIELD_A]).toBe(73)
    expect(answers()).toHaveLength(1)
    begin({ ackEvery: 0 })
    const held = bench.packets.held
    get(3, { flags: TRIMMED })
    expect([bench.packets.held, answers(), flow.expected]).toEqual([held, [], 0])
  })
})

describe('the end', () => {
  it('is told once where there are no ACKs', () => {
    begin({ ackEvery: 0 })
    flow.end = 2
    for (const seq of [0, 1, 1]) get(seq)
    expect([told, flow.isDone, bench.packets.held, answers()]).toEqual([
      ...[['all received at 0'], true, 3, []],
    ])
  })

  it('is told to whoever wants to know that all is there, once', () => {
    flow.end = 2
    flow.tellsDelivery = true
    get(0)
    expect(told).toEqual([])
    for (const seq of [1, 1]) get(seq)
    expect(told).toEqual(['delivered at 0'])
  })

  it('of a flow that is stopped comes with what it had sent', () => {
    begin({ ackEvery: 4 })
    get(0)
    receiver.stop(flow, 2, 0)
    expect([flow.end, flow.isStopped, answers()]).toEqual([2, true, []])
    get(1)
    expect(answers()).toEqual([[2, false]])
    receiver.stop(flow, 1, 0)
    expect([flow.end, answers()]).toEqual([2, []])
  })

  it('may be there already: what waits is acknowledged, and nothing else is', () => {
    begin({ ackEvery: 4 })
    for (const seq of [0, 1]) get(seq)
    receiver.stop(flow, 2, 0)
    expect(answers()).toEqual([[2, false]])
    begin()
    for (const seq of [0, 1]) get(seq)
    receiver.stop(flow, 2, 0)
    expect(answers()).toHaveLength(2)
    begin({ ackEvery: 0 })
    for (const seq of [0, 1]) get(seq)
    receiver.stop(flow, 2, 9)
    expect(told).toEqual(['all received at 9'])
  })

  it('is never beyond that of the whole flow', () => {
    flow.end = 3
    receiver.stop(flow, 7, 0)
    expect(flow.end).toBe(3)
  })
})

it('how far packets overtake each other is seen where somebody looks', () => {
  flow.reorder = new ReorderDepth()
  for (const seq of [0, 2, 1]) get(seq)
  expect(flow.reorder.most).toBe(1)
})
