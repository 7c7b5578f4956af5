import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, goBackN } from './go-back-n.ts'
import { Ends } from './testing.ts'

const pair = (packets: number, lastPayload?: number): Ends =>
  new Ends(goBackN, packets, lastPayload)

describe('go-back-N', () => {
  it('sends in order, to the end', () => {
    const ends = pair(3)
    expect(ends.sendAll()).toEqual([0, 1, 2])
    expect(ends.flow.inflightBytes).toBe(3000)
    expect(ends.send()).toBe(-1)
  })

  it('takes packets in order only, and says so once a gap', () => {
    const ends = pair(5)
    expect(ends.arrive(0)).toEqual({ newBytes: 1000, isNack: false, mustAnswer: false })
    expect(ends.arrive(2)).toEqual({ newBytes: 0, isNack: true, mustAnswer: true })
    expect(ends.arrive(3)).toEqual({ newBytes: 0, isNack: false, mustAnswer: false })
    expect(ends.receiver.expected).toBe(1)
    expect(ends.arrive(1)).toEqual({ newBytes: 1000, isNack: false, mustAnswer: false })
    expect(ends.arrive(3)).toEqual({ newBytes: 0, isNack: true, mustAnswer: true })
    // What has come before is acknowledged again: its ACK may be lost.
    expect(ends.arrive(1)).toEqual({ newBytes: 0, isNack: false, mustAnswer: true })
    expect(ends.receiver.expected).toBe(2)
  })

  it('says so again for the same packet once it has come and is missing anew', () => {
    const ends = pair(9)
    ends.arrive(1)
    ends.arrive(0)
    expect(ends.receiver.nackedFor).toBe(-1)
    expect(ends.arrive(2).isNack).toBe(true)
  })

  it('frees what an ACK covers', () => {
    const ends = pair(5)
    ends.sendAll()
    expect(ends.ack(2)).toEqual({ bytes: 2000, loss: 'none' })
    expect(ends.flow.unacked).toBe(2)
    expect(ends.flow.inflightBytes).toBe(3000)
    // An older one says nothing new.
    expect(ends.ack(1)).toEqual({ bytes: 0, loss: 'none' })
    expect(ends.ack(2)).toEqual({ bytes: 0, loss: 'none' })
    expect(ends.flow.unacked).toBe(2)
    expect(ends.flow.next).toBe(5)
  })

  it('goes back to what a NACK misses, and frees what it covers', () => {
    const ends = pair(5)
    ends.sendAll()
    expect(ends.ack(2, true)).toEqual({ bytes: 2000, loss: 'fast-retransmit' })
    expect(ends.flow.inflightBytes).toBe(0)
    expect(ends.sendAll()).toEqual([2, 3, 4])
    expect(ends.flow.inflightBytes).toBe(3000)
  })

  it('ignores a NACK for what is not sent, or is known to have come', () => {
    const ends = pair(5)
    ends.send()
    ends.send()
    expect(ends.ack(2, true)).toEqual({ bytes: 2000, loss: 'none' })
    expect(ends.flow.next).toBe(2)
    ends.send()
    expect(ends.ack(1, true)).toEqual({ bytes: 0, loss: 'none' })
    expect(ends.flow.next).toBe(3)
    expect(ends.flow.inflightBytes).toBe(1000)
  })

  it('goes on behind what an ACK from before it went back says has come', () => {
    const ends = pair(5)
    ends.sendAll()
    ends.timeOut()
    expect(ends.flow.inflightBytes).toBe(0)
    expect(ends.send()).toBe(0)
    expect(ends.ack(4)).toEqual({ bytes: 4000, loss: 'none' })
    expect(ends.flow.next).toBe(4)
    expect(ends.flow.inflightBytes).toBe(0)
    expect(ends.sendAll()).toEqual([4])
  })

  it('starts over from the first packet that is not acknowledged, at a timeout', () => {
    const ends = pair(4)
    ends.sendAll()
    ends.ack(1)
    ends.timeOut()
    expect(ends.sendAll()).toEqual([1, 2, 3])
    expect(ends.flow.inflightBytes).toBe(3000)
  })

  it('repeats what was lost of a stopped flow, and begins nothing new', () => {
    const ends = pair(9)
    ends.send()
    ends.send()
    ends.flow.isStopped = true
    expect(ends.send()).toBe(-1)
    ends.timeOut()
    expect(ends.sendAll()).toEqual([0, 1])
  })

  it('counts a short last packet for what it is', () => {
    const { flow } = pair(3, 10)
    expect(bytesOf(flow, 0, 2)).toBe(2000)
    expect(bytesOf(flow, 0, 3)).toBe(2010)
    expect(bytesOf(flow, 2, 3)).toBe(10)
    const ends = pair(3, 10)
    ends.sendAll()
    expect(ends.flow.inflightBytes).toBe(2010)
    expect(ends.ack(3).bytes).toBe(2010)
    expect(ends.flow.inflightBytes).toBe(0)
  })

  it('carries nothing in an ACK but what is expected', () => {
    expect(goBackN.ackInfo(pair(1).receiver, 5)).toBe(0)
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
