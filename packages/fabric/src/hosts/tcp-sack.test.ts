import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AckOutcome } from './reliability.ts'
import { Ends } from './testing.ts'
import { tcpSack } from './tcp-sack.ts'

const MS = 1e9
const sack = tcpSack({
  rtoMinPs: 200 * MS,
  rtoMaxPs: 60_000 * MS,
  granularityPs: 0,
  receiveWindowBytes: 0,
})

/** An ACK as the receiver of `arrive(seq)` sends it. */
interface Sent {
  readonly expected: number
  readonly info: number
}

function arrive(ends: Ends, seq: number): Sent {
  ends.arrive(seq)
  return { expected: ends.receiver.expected, info: sack.ackInfo(ends.receiver, seq) }
}

function ack(ends: Ends, { expected, info }: Sent): AckOutcome {
  const outcome: AckOutcome = {
    bytes: 0,
    loss: 'none',
    duplicates: 0,
    recovery: 'none',
    restartsTimer: true,
  }
  sack.onAck(ends.flow, expected, false, info, outcome, NaN)
  return outcome
}

/** What the receiver says of `from` to `from + count - 1`, before what is below has come. */
function arriveOf(from: number, count: number): number {
  const ends = twentySent()
  for (let seq = from; seq < from + count; seq++) ends.arrive(seq)
  return sack.ackInfo(ends.receiver, from)
}

/** A flow of 40 packets that has sent the first 20. */
function twentySent(): Ends {
  const ends = new Ends(sack, 40)
  for (let i = 0; i < 20; i++) ends.send()
  return ends
}

const pipe = (ends: Ends): number => ends.flow.inflightBytes / 1000

describe('SACK', () => {
  it('begins nothing new of a flow that was stopped, and repeats what is lost', () => {
    const ends = twentySent()
    ends.flow.isStopped = true
    expect(ends.send()).toBe(-1)
    for (const seq of [0, 2, 3, 4]) ack(ends, arrive(ends, seq))
    expect(ends.send()).toBe(1)
    expect(ends.send()).toBe(-1)
    // After a timeout it sends again what was sent, up to where it was stopped.
    ends.timeOut()
    expect(ends.sendAll()).toEqual([1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  })

  it('is told at once of a gap and of what fills it, but not of what comes in order', () => {
    const ends = twentySent()
    expect([0, 1, 3, 4, 2, 5, 5].map((seq) => ends.arrive(seq).mustAnswer)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
      true,
    ])
  })

  it('repeats only what is lost, several in one round trip, and each once', () => {
    const ends = twentySent()
    // 2, 5 and 6 are lost. Each that comes leaves the pipe.
    ack(ends, arrive(ends, 0))
    ack(ends, arrive(ends, 1))
    expect(ack(ends, arrive(ends, 3)).loss).toBe('none')
    expect(ack(ends, arrive(ends, 4)).loss).toBe('none')
    expect(pipe(ends)).toBe(16)
    const found = ack(ends, arrive(ends, 7))
    expect(found).toMatchObject({ loss: 'fast-retransmit', recovery: 'sack', duplicates: 0 })
    // 2 is lost: three have come above it. 5 and 6 have one each above them.
    expect(pipe(ends)).toBe(14)
    expect(ends.send()).toBe(2)
    expect(pipe(ends)).toBe(15)
    expect(ack(ends, arrive(ends, 8)).loss).toBe('none')
    expect(ack(ends, arrive(ends, 9)).recovery).toBe('sack')
    expect(pipe(ends)).toBe(11)
    expect([ends.send(), ends.send(), ends.send()]).toEqual([5, 6, 20])
    expect(pipe(ends)).toBe(14)
  })

  it('saves the end of a flow from the timer: a rescue retransmission, once per recovery', () => {
    const ends = new Ends(sack, 20)
    for (let i = 0; i < 20; i++) ends.send()
    // 13, 18 and 19 are lost: nothing comes above the last two.
    for (const seq of [...Array(13).keys(), 14, 15, 16, 17]) ack(ends, arrive(ends, seq))
    expect(ends.send()).toBe(13)
    // 18 and 19 may still be on their way.
    expect(ends.send()).toBe(-1)
    expect(ack(ends, arrive(ends, 13)).recovery).toBe('sack')
    expect([ends.send(), ends.send()]).toEqual([19, -1])
    // It has come, so 18 has not.
    ack(ends, arrive(ends, 19))
    expect([ends.send(), ends.send()]).toEqual([18, -1])
    expect(ack(ends, arrive(ends, 18)).recovery).toBe('ends')
  })

  it('goes on through partial ACKs and ends when all that was sent by then is acknowledged', () => {
    const ends = twentySent()
    for (const seq of [1, 2, 4]) ack(ends, arrive(ends, seq))
    expect(ends.send()).toBe(0)
    expect(ack(ends, arrive(ends, 0))).toMatchObject({ recovery: 'sack', bytes: 3000 })
    for (let seq = 5; seq < 20; seq++) ack(ends, arrive(ends, seq))
    expect(ends.send()).toBe(3)
    expect(ack(ends, arrive(ends, 3))).toMatchObject({ recovery: 'ends', bytes: 17_000 })
    expect(pipe(ends)).toBe(0)
    expect(ends.send()).toBe(20)
  })

  it('after a timeout passes over what has come, and takes nothing for a new loss', () => {
    const ends = twentySent()
    for (const seq of [5, 6, 7, 8]) ack(ends, arrive(ends, seq))
    ends.timeOut()
    expect(pipe(ends)).toBe(0)
    expect([1, 2, 3, 4, 5, 6].map(() => ends.send())).toEqual([0, 1, 2, 3, 4, 9])
    expect(pipe(ends)).toBe(6)
    expect(ack(ends, arrive(ends, 12))).toMatchObject({ loss: 'none', recovery: 'none' })
  })

  it('fills with what is missing and not yet lost when there is nothing new to send', () => {
    const ends = new Ends(sack, 8)
    ends.sendAll()
    for (const seq of [1, 3, 4]) ack(ends, arrive(ends, seq))
    expect([ends.send(), ends.send(), ends.send()]).toEqual([0, 2, -1])
  })

  it('learns a whole block from one ACK: lost ACKs cost nothing', () => {
    const ends = twentySent()
    for (const seq of [3, 4, 5, 6]) arrive(ends, seq)
    expect(ack(ends, arrive(ends, 7)).loss).toBe('fast-retransmit')
    // 20 less five that have come and three that are lost.
    expect(pipe(ends)).toBe(12)
    expect([ends.send(), ends.send(), ends.send(), ends.send()]).toEqual([0, 1, 2, 20])
  })

  it('follows the round trip by ACKs of something new, and by none of a retransmission', () => {
    const ends = twentySent()
    const answer = (expected: number, rttPs: number): number => {
      const outcome: AckOutcome = {
        ...{ bytes: 0, loss: 'none', duplicates: 0, recovery: 'none', restartsTimer: true },
      }
      sack.onAck(ends.flow, expected, false, 0, outcome, rttPs)
      return ends.flow.rtoPs
    }
    const before = ends.flow.rtoPs
    expect(answer(1, NaN)).toBe(before)
    expect(answer(1, 900 * MS)).toBe(before)
    expect(answer(2, 900 * MS)).toBeGreaterThan(before)
  })

  it('takes nothing back for an overtaken ACK, nor a block below what is acknowledged', () => {
    const ends = twentySent()
    expect(ack(ends, { expected: 10, info: 0 }).bytes).toBe(10_000)
    expect(ack(ends, { expected: 4, info: 0 }).bytes).toBe(0)
    expect(ends.flow.unacked).toBe(10)
    const block = arriveOf(5, 3)
    expect(ack(ends, { expected: 10, info: block }).bytes).toBe(0)
    expect(pipe(ends)).toBe(10)
    expect(ends.send()).toBe(20)
  })

  it('goes on after a timeout from where an ACK says that the receiver is', () => {
    const ends = twentySent()
    ends.timeOut()
    expect(ends.send()).toBe(0)
    ack(ends, { expected: 20, info: 0 })
    expect(ends.send()).toBe(20)
  })

  it('begins a second recovery when one has ended, each at once, whatever the window', () => {
    const ends = twentySent()
    for (const seq of [1, 2]) expect(ack(ends, arrive(ends, seq)).loss).toBe('none')
    expect(ack(ends, arrive(ends, 3)).loss).toBe('fast-retransmit')
    expect(ends.flow.isUrgent).toBe(true)
    expect(ends.send()).toBe(0)
    expect(ends.flow.isUrgent).toBe(false)
    for (let seq = 4; seq < 20; seq++) ack(ends, arrive(ends, seq))
    expect(ack(ends, arrive(ends, 0)).recovery).toBe('ends')
    for (let i = 0; i < 5; i++) ends.send()
    for (const seq of [21, 22]) expect(ack(ends, arrive(ends, seq)).recovery).toBe('none')
    expect(ack(ends, arrive(ends, 23)).loss).toBe('fast-retransmit')
    expect(ends.send()).toBe(20)
  })

  it('still has its first loss to repeat at once when more comes before it could', () => {
    const ends = twentySent()
    for (const seq of [1, 2, 3, 4]) ack(ends, arrive(ends, seq))
    expect(ends.flow.isUrgent).toBe(true)
  })

  it('ends a recovery and begins the next by one ACK', () => {
    const ends = twentySent()
    for (const seq of [1, 2, 3]) ack(ends, arrive(ends, seq))
    for (let i = 0; i < 5; i++) ends.send()
    for (const seq of [...Array(16).keys()].map((i) => i + 4)) ack(ends, arrive(ends, seq))
    for (const seq of [21, 22, 23]) ack(ends, arrive(ends, seq))
    expect(ack(ends, arrive(ends, 0))).toMatchObject({ recovery: 'ends', loss: 'fast-retransmit' })
    expect(ends.send()).toBe(20)
  })

  it('counts as repeated only what is not acknowledged yet', () => {
    const ends = twentySent()
    for (const seq of [1, 2, 3]) ack(ends, arrive(ends, seq))
    ends.send()
    for (const seq of [0, 4, 5, 6, 7, 8, 9]) ack(ends, arrive(ends, seq))
    // 10 is late, and 11 and 12 have come: of 10 to 19 eight are under way.
    for (const seq of [11, 12]) ack(ends, arrive(ends, seq))
    expect(pipe(ends)).toBe(8)
  })

  it('counts a last packet that is shorter as what it is, while it is under way', () => {
    const ends = new Ends(sack, 5, 300)
    for (let i = 0; i < 4; i++) ends.send()
    ack(ends, arrive(ends, 1))
    expect(ends.flow.inflightBytes).toBe(3000)
    ends.send()
    ack(ends, arrive(ends, 2))
    expect(ends.flow.inflightBytes).toBe(2300)
    ack(ends, arrive(ends, 4))
    expect(ends.flow.inflightBytes).toBe(1000)
  })

  it('takes a packet that comes twice once, and answers without a NACK', () => {
    const ends = twentySent()
    expect([3, 3, 0, 0].map((seq) => ends.arrive(seq))).toEqual([
      { newBytes: 1000, isNack: false, mustAnswer: true },
      { newBytes: 0, isNack: false, mustAnswer: true },
      { newBytes: 1000, isNack: false, mustAnswer: true },
      { newBytes: 0, isNack: false, mustAnswer: true },
    ])
  })

  it('delivers every byte once over any network that loses, doubles and reorders', () => {
    const step = fc.record({ which: fc.nat(), lose: fc.boolean(), isAck: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const ends = new Ends(sack, 30, 400)
        let delivered = 0
        const data: number[] = []
        const acks: Sent[] = []
        const carry = (seq: number): Sent => {
          delivered += ends.arrive(seq).newBytes
          return { expected: ends.receiver.expected, info: sack.ackInfo(ends.receiver, seq) }
        }
        for (const { which, lose, isAck } of steps) {
          data.push(...ends.sendAll())
          const queue: unknown[] = isAck ? acks : data
          if (queue.length === 0) continue
          const [one] = queue.splice(which % queue.length, 1)
          if (lose) continue
          if (isAck) ack(ends, one as Sent)
          else acks.push(carry(one as number))
          const { unacked, next, inflightBytes } = ends.flow
          const { expected } = ends.receiver
          expect(unacked).toBeLessThanOrEqual(expected)
          expect(inflightBytes).toBeGreaterThanOrEqual(0)
          expect(inflightBytes).toBeLessThanOrEqual(2000 * (next - unacked))
        }
        for (let i = 0; i < 100 && ends.flow.unacked < 30; i++) {
          ends.timeOut()
          for (let seq = ends.send(); seq >= 0; seq = ends.send()) ack(ends, carry(seq))
        }
        expect([ends.flow.unacked, ends.flow.inflightBytes]).toEqual([30, 0])
        expect(delivered).toBe(29_400)
      }),
      { numRuns: 200 },
    )
  })
})
