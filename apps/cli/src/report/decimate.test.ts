import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimate, withoutFlats } from './decimate.ts'

const seriesOf = (values: readonly number[]): { x: number; y: number }[] =>
  values.map((y, x) => ({ x, y }))

describe('decimate', () => {
  it('keeps a short series as it is', () => {
    const points = seriesOf([1, 2, 3])
    expect(decimate(points, 100)).toBe(points)
  })

  it('keeps the extremes, the order and no more than two points a pixel', () => {
    const values = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 50, maxLength: 600 })
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 20 }), (drawn, pixels) => {
        const points = seriesOf(drawn)
        const kept = decimate(points, pixels)
        const ys = kept.map(({ y }) => y)
        expect(kept.length).toBeLessThanOrEqual(pixels * 2)
        expect(Math.max(...ys)).toBe(Math.max(...drawn))
        expect(Math.min(...ys)).toBe(Math.min(...drawn))
        expect(kept.every((point, index) => index === 0 || point.x > kept[index - 1]!.x)).toBe(true)
      }),
    )
  })

  it('reduces a flat stretch to its ends', () => {
    const kept = withoutFlats(seriesOf([0, 0, 0, 0, 5, 0, 0, 0]))
    expect(kept.map(({ x }) => x)).toEqual([0, 3, 4, 5, 7])
  })
})
