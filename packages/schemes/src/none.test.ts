import { describe, expect, it } from 'vitest'
import { conforms } from '@weir/sim/testing'
import { none } from './none.ts'
import { FakeFlow, fakeContext } from './testing/fake-flow.ts'

conforms(none, {
  // What the others left in 32 MB of buffer drains at the bottleneck's rate for some milliseconds.
  until: '12ms',
  bounds: { utilisation: 0.99, jain: 0.99, source: 'senders at line rate under PFC, one output' },
  recovered: 0.9,
})

describe('none', () => {
  it('sends at line rate without a window, whatever happens', () => {
    const reaction = none.create({}, fakeContext()).reaction(new FakeFlow(10e9, 10e6))
    reaction.onStart(0)
    reaction.onControl(1, 0, 0, 1e6)
    reaction.onLoss('timeout', 2e6)
    expect([reaction.rateBps, reaction.windowBytes]).toEqual([10e9, Infinity])
  })

  it('asks nothing of the fabric', () => {
    const control = none.create({}, fakeContext())
    expect(none.needs).toEqual([])
    expect(control.marking(10e9)).toBeUndefined()
    expect([control.dataHeaderBytes, control.ackHeaderBytes]).toEqual([0, 0])
  })
})
