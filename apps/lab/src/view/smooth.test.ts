/** Means over a window bend nowhere where what they are means of does not. */
import { describe, expect, it } from 'vitest'
import { banded, meanShares } from './smooth.ts'

const steady = (length: number, value: number): number[] =>
  Array.from({ length }, (_, i) => value + (i % 2 === 0 ? 1 : -1))

describe('means over a window', () => {
  it('are flat at both ends of a run, whatever part of a picture is there', () => {
    // Nothing has arrived yet; a part of a picture; the rest of the last one.
    const values = [0, 0, 3, ...steady(200, 10), 0.5]
    const { values: mean, low, high } = banded(values, 1 / 15)
    for (const at of [mean, low!, high!]) expect(at).toHaveLength(values.length)
    // Nothing is shown to have arrived before it has.
    expect((mean as number[]).slice(0, 3)).toEqual([0, 0, 1])
    // The first means are of few pictures, of which none is one that sets in.
    for (const [i, value] of (mean as number[]).slice(3).entries())
      expect(Math.abs(value - 10)).toBeLessThan(i < 12 ? 1.01 : 0.2)
    expect(Math.min(...(low as number[]).slice(3))).toBe(9)
    expect(Math.max(...(high as number[]))).toBe(11)
  })

  it('count nothing for a flow that was not there yet, and end with the flow', () => {
    const values = [...Array<null>(40).fill(null), 0, 4, ...steady(100, 10), 2, null, null]
    const mean = banded(values, 1 / 10).values as (number | null)[]
    expect(mean.findIndex((value) => value !== null)).toBe(40)
    expect(mean[141]).toBeCloseTo(10, 0)
    expect(mean.slice(143)).toEqual([null, null])
    // Half of a window of 14 pictures with the flow, and half without.
    expect(mean[47]).toBeCloseTo((0 + 4 + 6 * 10) / 14, 0)
    expect(mean[60]).toBeCloseTo(10, 0)
  })

  it('add up to what the link carries, at every moment', () => {
    const first = Array.from({ length: 200 }, (_, i) => (i < 100 ? 10 : 5))
    const second = Array.from({ length: 200 }, (_, i) => (i < 100 ? null : 5))
    const [a, b] = [first, second].map((values) => banded(values, 1 / 10).values)
    for (let i = 30; i < 200; i++) expect(a![i]! + (b![i] ?? 0)).toBeCloseTo(10, 9)
  })

  it('move after their cause, and not before it', () => {
    const falls = [...Array<number>(50).fill(10), ...Array<number>(50).fill(0)]
    const mean = banded(falls, 1 / 5).values as number[]
    expect(mean.slice(0, 50)).toEqual(Array(50).fill(10))
    expect(mean[50]).toBeLessThan(10)
    expect(mean[60]).toBeCloseTo(4.5, 9)
    expect(mean.slice(69)).toEqual(Array(31).fill(0))
  })

  it('of a link that is stopped begin at nothing, not at the first stop', () => {
    const stopped = [...Array<number>(20).fill(0), ...Array<number>(180).fill(1)]
    const mean = meanShares(stopped, 1 / 4) as number[]
    expect(mean.slice(0, 20)).toEqual(Array(20).fill(0))
    expect(mean[20]).toBeCloseTo(1 / 21, 9)
    expect(mean[21]).toBeGreaterThan(mean[20]!)
    expect(mean.slice(69)).toEqual(Array(131).fill(1))
  })

  it('show a flow that waits, a dip and a stretch of two pictures as they are', () => {
    const waits = [...Array<number>(50).fill(0), ...steady(50, 10)]
    const mean = banded(waits, 1 / 10).values as number[]
    expect(mean.slice(0, 50)).toEqual(Array(50).fill(0))
    expect(Math.abs(mean[60]! - 10)).toBeLessThan(0.3)
    const dips = [...steady(40, 10), 0, 0, 0, 0, ...steady(40, 10)]
    expect(Math.min(...(banded(dips, 1 / 20).values as number[]))).toBeLessThan(3)
    expect(banded([null, 4, 6, null], 1).values).toEqual([null, 2, 10 / 3, null])
  })
})
