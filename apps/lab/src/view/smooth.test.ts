/** Means over a window bend nowhere where what they are means of does not. */
import { describe, expect, it } from 'vitest'
import { banded } from './smooth.ts'

const steady = (length: number, value: number): number[] =>
  Array.from({ length }, (_, i) => value + (i % 2 === 0 ? 1 : -1))

describe('means over a window', () => {
  it('are flat at both ends of a run, whatever part of a picture is there', () => {
    // Nothing has arrived yet; a part of a picture; the rest of the last one.
    const values = [0, 0, 3, ...steady(200, 10), 0.5]
    const { values: mean, low, high } = banded(values, 1 / 15)
    for (const at of [mean, low!, high!]) expect(at).toHaveLength(values.length)
    for (const value of [...(mean as number[])]) expect(Math.abs(value - 10)).toBeLessThan(0.2)
    expect(Math.min(...(low as number[]))).toBe(9)
    expect(Math.max(...(high as number[]))).toBe(11)
  })

  it('are flat where a flow begins and ends within a run', () => {
    const values = [...Array<null>(40).fill(null), 0, 4, ...steady(100, 10), 2, null, null]
    const { values: mean } = banded(values, 1 / 10)
    const there = (mean as (number | null)[]).flatMap((value) => (value === null ? [] : [value]))
    expect(there).toHaveLength(103)
    for (const value of there) expect(Math.abs(value - 10)).toBeLessThan(0.3)
  })

  it('show a flow that waits, a dip and a stretch of two pictures as they are', () => {
    const waits = [...Array<number>(50).fill(0), ...steady(50, 10)]
    const mean = banded(waits, 1 / 10).values as number[]
    expect(mean.slice(0, 45)).toEqual(Array(45).fill(0))
    expect(Math.abs(mean[60]! - 10)).toBeLessThan(0.3)
    const dips = [...steady(40, 10), 0, 0, 0, 0, ...steady(40, 10)]
    expect(Math.min(...(banded(dips, 1 / 20).values as number[]))).toBeLessThan(3)
    expect(banded([null, 4, 6, null], 1).values).toEqual([null, 5, 5, null])
  })
})
