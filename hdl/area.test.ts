import { describe, expect, it } from 'vitest'
import { areaOf, packed } from './area.ts'
import { linkOf } from './parameters.ts'

const inputs = (...bits: number[]): Set<number> => new Set(bits)

describe('look-up tables', () => {
  it('share a place if they have at most five inputs together', () => {
    expect(packed([inputs(1, 2, 3), inputs(4, 5)])).toBe(1)
    expect(packed([inputs(1, 2, 3), inputs(4, 5, 6)])).toBe(2)
    expect(packed([inputs(1, 2, 3, 4, 5), inputs(1, 5)])).toBe(1)
    expect(packed([inputs(1, 2, 3, 4, 5, 6), inputs(1)])).toBe(2)
    expect(packed([inputs(1), inputs(2), inputs(3)])).toBe(2)
  })
})

describe('the contention point on UltraScale+', () => {
  it('has its registers and nothing else as flip-flops', async () => {
    const [rate, count] = [6, 3]
    const { flipFlops, luts, lutCells, depth } = await areaOf(linkOf(rate, count))
    expect(flipFlops).toBe(2 * (3 * rate + 1 + 2 * count))
    expect(luts).toBeLessThanOrEqual(lutCells)
    expect(luts).toBeGreaterThan(50)
    expect(depth).toBeGreaterThan(rate)
  }, 120_000)
})
