import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { makeRouting } from './index.ts'
import { RecycledEntropies, reps } from './reps.ts'
import { leafSpine } from './testing.ts'

const PARAMS = { hashSeed: 1, kept: 4, frozenPs: 1000 }

conforms(reps, { shortest: true, params: PARAMS })

function spreadOf(windowPackets: number): RecycledEntropies {
  const context = { random: new Random(1, 'spread'), windowPackets, source: 0, target: 1 }
  return new RecycledEntropies(context, 4, 1000)
}

describe('recycled entropies', () => {
  it('uses values that came through again, the oldest first, once each', () => {
    const spread = spreadOf(1)
    spread.next(0)
    spread.onAck(11, false)
    spread.onAck(12, true)
    spread.onAck(13, false)
    expect([spread.next(0), spread.next(0)]).toEqual([11, 13])
    expect([11, 12, 13]).not.toContain(spread.next(0))
  })

  it('explores for a round trip, whatever has come back', () => {
    const spread = spreadOf(3)
    spread.onAck(11, false)
    expect([spread.next(0), spread.next(0), spread.next(0)]).not.toContain(11)
    expect(spread.next(0)).toBe(11)
  })

  it('keeps the latest values only', () => {
    const spread = spreadOf(1)
    spread.next(0)
    for (let value = 1; value <= 6; value++) spread.onAck(value, false)
    expect([spread.next(0), spread.next(0), spread.next(0), spread.next(0)]).toEqual([3, 4, 5, 6])
  })

  it('repeats old values after a loss, for a while', () => {
    const spread = spreadOf(1)
    spread.next(0)
    spread.onAck(1, false)
    spread.onAck(2, false)
    expect([spread.next(0), spread.next(0)]).toEqual([1, 2])
    spread.onLoss(0)
    const frozen = [0, 1, 2, 3].map(() => spread.next(999))
    expect(new Set(frozen)).toEqual(new Set([1, 2]))
    expect([1, 2]).not.toContain(spread.next(1000))
  })

  it('repeats the latest only, and draws where nothing has come back', () => {
    const spread = spreadOf(1)
    spread.next(0)
    spread.onLoss(0)
    expect(Number.isInteger(spread.next(500))).toBe(true)
    for (let value = 1; value <= 6; value++) spread.onAck(value, false)
    for (let i = 0; i < 4; i++) spread.next(500)
    const frozen = Array.from({ length: 12 }, () => spread.next(500))
    expect(new Set(frozen)).toEqual(new Set([3, 4, 5, 6]))
  })
})

it('hashes each value to a path of its own, the same one each time', () => {
  const graph = leafSpine(2, 8, 1)
  const routing = makeRouting(graph, { kind: 'reps', ...PARAMS })
  const paths = Array.from({ length: 200 }, (_, value) => routing.path(0, 1, 5, value).join())
  expect(new Set(paths).size).toBe(8)
  expect(routing.path(0, 1, 5, 77).join()).toBe(paths[77])
  const random = new Random(1, 'spread')
  const spread = routing.spread!({ random, windowPackets: 0, source: 0, target: 1 })
  spread.onAck(77, false, 0)
  expect(spread.next(0)).toBe(77)
})
