import { describe, expect, it } from 'vitest'
import { buckets } from './buckets.ts'

describe('buckets', () => {
  const sizeBytes = [500, 999, 1000, 50_000, 50_000, 2_000_000, 0]
  const fctPs = [10, 20, 30, 40, 50, 60, 70]
  const isEnded = fctPs.map((fct) => fct !== 50)
  const columns = { sizeBytes, isEnded, fctPs, slowdown: fctPs.map((fct) => fct / 10) }

  it('take flows from an edge on and below the next', () => {
    const got = buckets(columns, [1000, 100_000])
    expect(got.map((b) => [b.fromBytes, b.toBytes, b.flows, b.flowsEnded])).toEqual([
      [0, 1000, 2, 2],
      [1000, 100_000, 3, 2],
      [100_000, Infinity, 1, 1],
    ])
    expect(got[0]).toMatchObject({ fctPsMean: 15, fctPsP50: 10, fctPsP99: 20, slowdownMean: 1.5 })
    expect(got[1]).toMatchObject({ slowdownP50: 4, slowdownP99: 5 })
  })

  it('count every flow with a size once, whatever the order of the edges', () => {
    const total = buckets(columns, [100_000, 0, 1000, 1000]).reduce((sum, b) => sum + b.flows, 0)
    expect(total).toBe(6)
  })

  it('are kept when empty, without values', () => {
    const empty = buckets(columns, [1e9])[1]!
    expect(empty.flows).toBe(0)
    expect(empty.fctPsP99).toBeNaN()
  })

  it('are one without edges', () => {
    expect(buckets(columns, [])).toHaveLength(1)
  })
})
