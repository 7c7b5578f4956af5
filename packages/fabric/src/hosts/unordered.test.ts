import { describe, expect, it } from 'vitest'
import { Ends } from './testing.ts'
import { unordered } from './unordered.ts'

function sent(packets: number): Ends {
  const ends = new Ends(unordered, packets)
  ends.sendAll()
  return ends
}

describe('unordered delivery', () => {
  it('takes packets in any order, and never asks for what has not come', () => {
    const ends = sent(3)
    for (const seq of [2, 0, 1])
      expect(ends.arrive(seq)).toMatchObject({ isNack: false, newBytes: 1000 })
    expect(ends.receiver.expected).toBe(3)
    expect(ends.ack(0, false, 2)).toEqual({ bytes: 1000, loss: 'none' })
    expect(ends.send()).toBe(-1)
  })

  it('repeats what was trimmed, once, and takes it out of what is in flight', () => {
    const ends = sent(4)
    const before = ends.flow.inflightBytes
    unordered.onTrimmed!(ends.flow, 2)
    expect(ends.flow.inflightBytes).toBe(before - 1000)
    expect(ends.sendAll()).toEqual([2])
    expect(ends.flow.inflightBytes).toBe(before)
  })

  it('does not repeat what has come after all', () => {
    const ends = sent(4)
    ends.ack(0, false, 2)
    unordered.onTrimmed!(ends.flow, 2)
    expect(ends.send()).toBe(-1)
    ends.ack(2)
    unordered.onTrimmed!(ends.flow, 1)
    expect(ends.send()).toBe(-1)
  })

  it('repeats all that is unacknowledged after a timeout', () => {
    const ends = sent(4)
    ends.ack(1, false, 2)
    unordered.onTimeout(ends.flow)
    expect(ends.sendAll()).toEqual([1, 3])
  })
})
