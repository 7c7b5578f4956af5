import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Flow } from './flow.ts'
import { ReceiverFlow } from './receiver-flow.ts'
import type { Hosts } from './hosts.ts'
import type { AckOutcome, Answer, Reliability } from './reliability.ts'
import { tcpRecovery } from './tcp-recovery.ts'
import type { TcpParams } from './tcp-recovery.ts'

const MS = 1e9
const params: TcpParams = {
  rtoMinPs: 200 * MS,
  rtoMaxPs: 60_000 * MS,
  granularityPs: 0,
  receiveWindowBytes: 0,
}

/** Both ends of one flow, and packets that the test carries itself. */
class Pair {
  readonly flow: Flow = new Flow(undefined as unknown as Hosts)
  readonly receiver: ReceiverFlow
  readonly tcp: Reliability
  readonly outcome: AckOutcome = {
    bytes: 0,
    loss: 'none',
    duplicates: 0,
    recovery: 'none',
    restartsTimer: true,
  }
  readonly answer: Answer = { newBytes: 0, mustAnswer: true, isNack: true }
  deliveredBytes: number = 0

  constructor(packets: number, given: Partial<TcpParams> = {}) {
    this.tcp = tcpRecovery({ ...params, ...given })
    this.flow.mtuBytes = 1000
    this.flow.lastPayload = 1000
    this.flow.packetCount = packets
    this.flow.baseRttPs = 0.1 * MS
    this.tcp.onStart(this.flow)
    this.receiver = new ReceiverFlow(this.flow, undefined as unknown as Hosts)
    this.tcp.onReceiverStart?.(this.receiver)
  }

  /** The next packet, or -1. */
  send(): number {
    const seq = this.tcp.nextToSend(this.flow)
    if (seq < 0) return -1
    if (seq >= this.flow.fresh) this.flow.fresh = seq + 1
    this.tcp.onSent(this.flow, seq)
    return seq
  }

  sendAll(count: number): number[] {
    return Array.from({ length: count }, () => this.send())
  }

  arrive(seq: number): number {
    this.tcp.onData(this.receiver, seq, 1000, this.answer)
    this.deliveredBytes += this.answer.newBytes
    return this.receiver.expected
  }

  ack(expected: number, rttPs = NaN): AckOutcome {
    this.outcome.duplicates = 0
    this.outcome.recovery = 'none'
    this.outcome.restartsTimer = true
    this.tcp.onAck(this.flow, expected, false, 0, this.outcome, rttPs)
    return { ...this.outcome }
  }
}

describe("TCP's loss recovery", () => {
  it('takes for a duplicate neither an old ACK nor one while nothing is under way', () => {
    const pair = new Pair(20)
    pair.sendAll(10)
    pair.ack(6)
    for (let i = 0; i < 5; i++) expect(pair.ack(4)).toMatchObject({ loss: 'none', duplicates: 0 })
    expect([pair.ack(6), pair.ack(6)].map(({ duplicates }) => duplicates)).toEqual([1, 2])
    pair.ack(10)
    for (let i = 0; i < 5; i++) expect(pair.ack(10)).toMatchObject({ loss: 'none', duplicates: 0 })
  })

  it('tells of no duplicates while a timeout is made good: they let nothing out', () => {
    const pair = new Pair(30)
    pair.sendAll(10)
    pair.ack(2)
    expect(pair.ack(2).duplicates).toBe(1)
    pair.tcp.onTimeout(pair.flow)
    expect(pair.send()).toBe(2)
    for (let i = 0; i < 4; i++) expect(pair.ack(2)).toMatchObject({ loss: 'none', duplicates: 0 })
    pair.sendAll(8)
    expect(pair.flow.next).toBe(11)
    pair.ack(9)
    expect(pair.ack(9).duplicates).toBe(0)
    // All that had been sent by then is acknowledged.
    pair.ack(10)
    expect(pair.ack(10).duplicates).toBe(1)
  })

  it('begins nothing new of a flow that was stopped, and sends again what was lost', () => {
    const pair = new Pair(10)
    pair.sendAll(4)
    pair.flow.isStopped = true
    expect(pair.send()).toBe(-1)
    pair.tcp.onTimeout(pair.flow)
    expect(pair.sendAll(5)).toEqual([0, 1, 2, 3, -1])
  })

  it('finds that the very first packet was lost, and the next loss after that one', () => {
    const pair = new Pair(20)
    pair.sendAll(10)
    expect([1, 2, 3].map(() => pair.ack(0).duplicates)).toEqual([1, 2, 3])
    expect(pair.send()).toBe(0)
    expect(pair.ack(10).recovery).toBe('ends')
    pair.sendAll(6)
    pair.ack(11)
    expect([1, 2, 3].map(() => pair.ack(11).loss)).toEqual(['none', 'none', 'fast-retransmit'])
  })

  it('answers at once what is out of order or comes again, and never by a NACK', () => {
    const pair = new Pair(5)
    const answers = [0, 2, 2, 0, 1].map((seq) => {
      pair.arrive(seq)
      return { ...pair.answer, info: pair.tcp.ackInfo(pair.receiver, seq) }
    })
    expect(answers.map(({ mustAnswer }) => mustAnswer)).toEqual([false, true, true, true, true])
    expect(answers.map(({ newBytes }) => newBytes)).toEqual([1000, 1000, 0, 0, 1000])
    expect(answers.every(({ isNack, info }) => !isNack && info === 0)).toBe(true)
  })

  it('keeps what comes out of order, and acknowledges all of it once the gap is filled', () => {
    const pair = new Pair(5)
    expect([0, 2, 3, 4].map((seq) => pair.arrive(seq))).toEqual([1, 1, 1, 1])
    expect(pair.answer.mustAnswer).toBe(true)
    expect(pair.arrive(1)).toBe(5)
    expect(pair.answer.mustAnswer).toBe(true)
    expect(pair.deliveredBytes).toBe(5000)
    expect(pair.arrive(3)).toBe(5)
    expect(pair.deliveredBytes).toBe(5000)
  })

  it('repeats what is missing at the third duplicate, and once, whatever the window', () => {
    const pair = new Pair(20)
    pair.sendAll(10)
    pair.ack(2)
    expect([pair.ack(2), pair.ack(2)].map(({ loss }) => loss)).toEqual(['none', 'none'])
    const third = pair.ack(2)
    expect(third).toMatchObject({ loss: 'fast-retransmit', duplicates: 3 })
    expect(pair.flow.isUrgent).toBe(true)
    expect(pair.send()).toBe(2)
    expect(pair.flow.isUrgent).toBe(false)
    expect(pair.ack(2)).toMatchObject({ loss: 'none', recovery: 'goes-on', duplicates: 4 })
    expect(pair.send()).toBe(10)
    expect(pair.flow.inflightBytes).toBe(9000)
  })

  it('repeats the next loss at each partial ACK, and restarts the timer at the first only', () => {
    const pair = new Pair(20)
    pair.sendAll(10)
    for (let i = 0; i < 3; i++) pair.ack(0)
    expect(pair.send()).toBe(0)
    expect(pair.ack(4)).toMatchObject({ recovery: 'partial', bytes: 4000, restartsTimer: true })
    expect(pair.send()).toBe(4)
    expect(pair.ack(7)).toMatchObject({ recovery: 'partial', restartsTimer: false })
    expect(pair.send()).toBe(7)
    expect(pair.ack(10)).toMatchObject({ recovery: 'ends', bytes: 3000, restartsTimer: true })
    expect(pair.flow.inflightBytes).toBe(0)
  })

  it('goes back after a timeout past what the receiver holds; no duplicate is a loss', () => {
    const pair = new Pair(20)
    pair.sendAll(8)
    pair.tcp.onTimeout(pair.flow)
    expect(pair.flow.inflightBytes).toBe(0)
    expect(pair.sendAll(2)).toEqual([0, 1])
    expect(pair.ack(5).bytes).toBe(5000)
    expect(pair.sendAll(3)).toEqual([5, 6, 7])
    for (let i = 0; i < 5; i++) expect(pair.ack(5).loss).toBe('none')
  })

  it('follows the round trip by RFC 6298: SRTT + 4 RTTVAR, least, most, and whole ticks', () => {
    const pair = new Pair(100, { rtoMinPs: 0.1 * MS })
    // The handshake's sample: SRTT = R, RTTVAR = R / 2.
    expect(pair.flow.rtoPs).toBe(0.3 * MS)
    pair.sendAll(3)
    pair.ack(1, 0.2 * MS)
    // RTTVAR = 3/4 50 + 1/4 |100 - 200| = 62.5 us; SRTT = 7/8 100 + 1/8 200 = 112.5 us.
    expect(pair.flow.rtoPs).toBe(0.3625 * MS)
    expect(new Pair(1).flow.rtoPs).toBe(200 * MS)
    expect(new Pair(1, { rtoMinPs: 1, granularityPs: 10 * MS }).flow.rtoPs).toBe(20 * MS)
  })

  it("backs off at each timeout, up to the most, until Karn's rule allows a sample", () => {
    const pair = new Pair(100, { rtoMaxPs: 700 * MS })
    pair.sendAll(4)
    pair.tcp.onTimeout(pair.flow)
    expect(pair.flow.rtoPs).toBe(400 * MS)
    pair.tcp.onTimeout(pair.flow)
    expect(pair.flow.rtoPs).toBe(700 * MS)
    pair.send()
    pair.ack(1, NaN)
    expect(pair.flow.rtoPs).toBe(700 * MS)
    pair.ack(2, 0.1 * MS)
    expect(pair.flow.rtoPs).toBe(200 * MS)
  })

  it('sends no more than the receive window, 21 KB in ACCurate, and at least one packet', () => {
    const pair = new Pair(100, { receiveWindowBytes: 21_000 })
    expect(pair.sendAll(22).filter((seq) => seq >= 0)).toHaveLength(21)
    pair.ack(2)
    expect(pair.sendAll(3)).toEqual([21, 22, -1])
    expect(new Pair(9, { receiveWindowBytes: 1 }).sendAll(2)).toEqual([0, -1])
  })

  it('delivers every byte once over any network that loses, doubles and reorders', () => {
    const step = fc.record({ which: fc.nat(), lose: fc.boolean(), isAck: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const pair = new Pair(30)
        const data: number[] = []
        const acks: number[] = []
        for (const { which, lose, isAck } of steps) {
          for (let seq = pair.send(); seq >= 0; seq = pair.send()) data.push(seq)
          const queue = isAck ? acks : data
          if (queue.length === 0) continue
          const [one] = queue.splice(which % queue.length, 1)
          if (lose) continue
          if (isAck) pair.ack(one!)
          else acks.push(pair.arrive(one!))
          const { unacked, next, inflightBytes } = pair.flow
          const { expected } = pair.receiver
          expect(unacked).toBeLessThanOrEqual(expected)
          expect(inflightBytes).toBe((next - unacked) * 1000)
        }
        for (let i = 0; i < 100 && pair.flow.unacked < 30; i++) {
          pair.tcp.onTimeout(pair.flow)
          for (let seq = pair.send(); seq >= 0; seq = pair.send()) pair.ack(pair.arrive(seq))
        }
        expect(pair.flow.unacked).toBe(30)
        expect(pair.deliveredBytes).toBe(30_000)
      }),
      { numRuns: 200 },
    )
  })
})
