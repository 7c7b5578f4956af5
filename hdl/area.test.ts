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
  it('has its registers and nothing else as flip-flops, and only tables and carries', async () => {
    const [rate, count] = [4, 3]
    const whole = await areaOf(linkOf(rate, count))
    expect(whole.flipFlops).toBe(2 * (3 * rate + 1 + 2 * count))
    expect(whole.others).toEqual([])
    expect(whole.luts).toBeLessThanOrEqual(whole.lutCells)
    expect(whole.lutsLeast).toBeLessThanOrEqual(whole.luts)
    expect(whole.lutsLeast).toBeGreaterThan(50)
    // The division has a row of carries for each bit, in a chain.
    expect(whole.depth.carries).toBeGreaterThan(rate)

    const without = await areaOf(linkOf(rate, count), { hasDivider: false })
    expect(without.flipFlops).toBe(whole.flipFlops)
    expect(without.others).toEqual([])
    expect(without.luts).toBeLessThan(whole.luts - rate)
    expect(without.depth.carries).toBeLessThan(whole.depth.carries)
  }, 240_000)
})
