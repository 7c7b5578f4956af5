import { describe, expect, it } from 'vitest'
import { noReliability } from './no-reliability.ts'
import { Ends } from './testing.ts'

describe('no reliability', () => {
  it('sends each packet once, and nothing again', () => {
    const ends = new Ends(noReliability, 3, 10)
    expect(ends.sendAll()).toEqual([0, 1, 2])
    expect(ends.flow.inflightBytes).toBe(2010)
    ends.timeOut()
    expect(ends.send()).toBe(-1)
    ends.ack(0, true)
    expect(ends.send()).toBe(-1)
  })

  it('sends nothing more of a flow that was stopped', () => {
    const ends = new Ends(noReliability, 3)
    ends.send()
    ends.flow.isStopped = true
    expect(ends.send()).toBe(-1)
  })

  it('counts what comes, in whatever order, and answers nothing out of turn', () => {
    const ends = new Ends(noReliability, 5, 10)
    for (const seq of [3, 1]) {
      expect(ends.arrive(seq)).toEqual({ newBytes: 1000, isNack: false, mustAnswer: false })
    }
    expect(ends.arrive(4).newBytes).toBe(10)
    expect(ends.receiver.expected).toBe(3)
    expect(noReliability.ackInfo(ends.receiver, 4)).toBe(0)
  })

  it('frees what an ACK covers, and never more than was in flight', () => {
    const ends = new Ends(noReliability, 5)
    ends.sendAll()
    expect(ends.ack(2)).toEqual({ bytes: 2000, loss: 'none' })
    expect(ends.flow.inflightBytes).toBe(3000)
    expect(ends.ack(2)).toEqual({ bytes: 0, loss: 'none' })
    expect(ends.ack(1)).toEqual({ bytes: 0, loss: 'none' })
    expect(ends.flow.unacked).toBe(2)
    ends.flow.inflightBytes = 500
    expect(ends.ack(4).bytes).toBe(2000)
    expect(ends.flow.inflightBytes).toBe(0)
  })
})
