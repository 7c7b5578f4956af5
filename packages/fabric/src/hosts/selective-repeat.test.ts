import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selectiveRepeat } from './selective-repeat.ts'
import { Ends } from './testing.ts'

const pair = (packets: number, lastPayload?: number): Ends =>
  new Ends(selectiveRepeat, packets, lastPayload)

/** A flow that has sent everything. */
function sent(packets: number): Ends {
  const ends = pair(packets)
  ends.sendAll()
  return ends
}

describe('selective repeat, at the receiver', () => {
  it('takes what comes in order, and asks for no answer', () => {
    const ends = pair(3)
    expect(ends.arrive(0)).toEqual({ newBytes: 1000, isNack: false, mustAnswer: false })
    expect(ends.receiver.expected).toBe(1)
  })

  it('keeps what comes early, with a NACK each, and counts it once', () => {
    const ends = pair(5)
    expect(ends.arrive(2)).toEqual({ newBytes: 1000, isNack: true, mustAnswer: true })
    expect(ends.arrive(4)).toEqual({ newBytes: 1000, isNack: true, mustAnswer: true })
    expect(ends.arrive(2)).toEqual({ newBytes: 0, isNack: true, mustAnswer: true })
    expect(ends.receiver.expected).toBe(0)
  })

  it('goes over what it kept once a gap is filled, and answers while one is left', () => {
    const ends = pair(6)
    ends.arrive(1)
    ends.arrive(2)
    ends.arrive(4)
    expect(ends.arrive(0)).toEqual({ newBytes: 1000, isNack: false, mustAnswer: true })
    expect(ends.receiver.expected).toBe(3)
    expect(ends.arrive(3)).toEqual({ newBytes: 1000, isNack: false, mustAnswer: false })
    expect(ends.receiver.expected).toBe(5)
  })

  it('acknowledges again what has come before', () => {
    const ends = pair(3)
    ends.arrive(0)
    expect(ends.arrive(0)).toEqual({ newBytes: 0, isNack: false, mustAnswer: true })
  })

  it('names in each ACK the packet that drew it', () => {
    expect(selectiveRepeat.ackInfo(pair(9).receiver, 7)).toBe(7)
  })
})

describe('selective repeat, at the sender', () => {
  it('repeats only what a NACK shows to be missing, once', () => {
    const ends = sent(6)
    expect(ends.ack(1, true, 3)).toEqual({ bytes: 2000, loss: 'fast-retransmit' })
    // 0 and 3 have come, 1 and 2 are taken to be lost, 4 and 5 are on their way.
    expect(ends.flow.inflightBytes).toBe(2000)
    // Nothing more is missing: this one reports no other loss.
    expect(ends.ack(1, true, 4)).toEqual({ bytes: 1000, loss: 'none' })
    expect(ends.flow.inflightBytes).toBe(1000)
    expect(ends.sendAll()).toEqual([1, 2])
    expect(ends.flow.inflightBytes).toBe(3000)
    // The same packets are not repeated for a NACK that was on its way.
    expect(ends.ack(1, true, 5)).toEqual({ bytes: 1000, loss: 'none' })
    expect(ends.sendAll()).toEqual([])
  })

  it('hears of no loss by a NACK that shows nothing new to be missing', () => {
    const ends = sent(6)
    ends.ack(0, true, 4)
    expect(ends.ack(0, true, 2)).toEqual({ bytes: 1000, loss: 'none' })
    expect(ends.ack(0, true, 4)).toEqual({ bytes: 0, loss: 'none' })
  })

  it('does not repeat what has come meanwhile', () => {
    const ends = sent(6)
    ends.ack(0, true, 3)
    expect(ends.flow.inflightBytes).toBe(2000)
    // 1 was late, not lost: it counts as in flight again, and as come.
    expect(ends.ack(0, true, 1)).toEqual({ bytes: 1000, loss: 'none' })
    expect(ends.flow.inflightBytes).toBe(2000)
    expect(ends.sendAll()).toEqual([0, 2])
    expect(ends.flow.inflightBytes).toBe(4000)
  })

  it('takes back a loss that an ACK of all shows to be none', () => {
    const ends = sent(6)
    ends.ack(0, true, 3)
    expect(ends.ack(4)).toEqual({ bytes: 3000, loss: 'none' })
    expect(ends.flow.unacked).toBe(4)
    expect(ends.flow.inflightBytes).toBe(2000)
    expect(ends.sendAll()).toEqual([])
  })

  it('counts a byte as acknowledged once, singly or by all', () => {
    const ends = sent(6)
    expect(ends.ack(0, true, 2).bytes).toBe(1000)
    expect(ends.ack(0, true, 2).bytes).toBe(0)
    expect(ends.ack(4, false, 3).bytes).toBe(3000)
    expect(ends.ack(3, false, 1).bytes).toBe(0)
    expect(ends.ack(6, false, 5).bytes).toBe(2000)
    expect(ends.flow.inflightBytes).toBe(0)
  })

  it('repeats at a timeout all that is not known to have come, lost before or not', () => {
    const ends = sent(6)
    ends.ack(1, true, 3)
    ends.timeOut()
    expect(ends.flow.inflightBytes).toBe(0)
    expect(ends.sendAll()).toEqual([1, 2, 4, 5])
    expect(ends.flow.inflightBytes).toBe(4000)
    // A NACK of the time before shows nothing that is not repeated already.
    expect(ends.ack(1, true, 5)).toEqual({ bytes: 1000, loss: 'none' })
    expect(ends.sendAll()).toEqual([])
  })

  it('repeats at a second timeout what was repeated at the first', () => {
    const ends = sent(3)
    ends.timeOut()
    expect(ends.send()).toBe(0)
    ends.timeOut()
    expect(ends.flow.inflightBytes).toBe(0)
    expect(ends.sendAll()).toEqual([0, 1, 2])
    expect(ends.flow.inflightBytes).toBe(3000)
  })

  it('sends new packets behind those that it repeats, to the end', () => {
    const ends = pair(5)
    for (let i = 0; i < 3; i++) ends.send()
    ends.ack(1, true, 2)
    expect(ends.sendAll()).toEqual([1, 3, 4])
  })

  it('begins nothing new of a flow that was stopped, and repeats what is lost', () => {
    const ends = pair(5)
    for (let i = 0; i < 3; i++) ends.send()
    ends.flow.isStopped = true
    expect(ends.send()).toBe(-1)
    ends.ack(1, true, 2)
    expect(ends.sendAll()).toEqual([1])
  })

  it('brings every byte over, once, whatever is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        (lost, n) => {
          const ends = pair(n, 7)
          expect(ends.carry(lost)).toBe((n - 1) * 1000 + 7)
          expect(ends.flow.inflightBytes).toBe(0)
        },
      ),
      { seed: 3, numRuns: 300 },
    )
  })
})
