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
