import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NodeClock } from './node-clock.ts'

const RRP_PS = 20e6
const time = fc.integer({ min: 0, max: 1e12 })

describe("a node's clock", () => {
  it('ticks on the grid where it has neither skew nor jitter', () => {
    const clock = new NodeClock({ rrpPs: RRP_PS, skewPs: 0, jitterPs: 0 }, 7)
    expect([0, 1, 2].map((k) => clock.tickPs(k))).toEqual([0, RRP_PS, 2 * RRP_PS])
    expect(clock.periodAt(RRP_PS - 1)).toBe(0)
    expect(clock.periodAt(RRP_PS)).toBe(1)
  })

  it('finds the period that a time lies in, whatever its skew and jitter', () => {
    const settings = fc.tuple(fc.integer({ min: 0, max: 4e7 }), fc.integer({ min: 0, max: 1e7 }))
    fc.assert(
      fc.property(settings, time, fc.nat(), ([skewPs, jitterPs], nowPs, seed) => {
        const clock = new NodeClock({ rrpPs: RRP_PS, skewPs, jitterPs }, seed)
        const k = clock.periodAt(nowPs)
        expect(clock.tickPs(k)).toBeLessThanOrEqual(nowPs)
        expect(clock.tickPs(k + 1)).toBeGreaterThan(nowPs)
      }),
    )
  })

  it('keeps its offset and ticks no later than skew and jitter allow', () => {
    const clock = new NodeClock({ rrpPs: RRP_PS, skewPs: 3e6, jitterPs: 1e6 }, 11)
    const late = Array.from({ length: 1000 }, (_, k) => clock.tickPs(k) - k * RRP_PS)
    expect(Math.max(...late) - Math.min(...late)).toBeLessThan(1e6)
    expect(Math.max(...late)).toBeLessThan(4e6)
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  })

  it('draws an offset for each node and a jitter for each tick', () => {
    const offsets = Array.from({ length: 400 }, (_, seed) =>
      new NodeClock({ rrpPs: RRP_PS, skewPs: 3e6, jitterPs: 0 }, seed).tickPs(0),
    )
    const clock = new NodeClock({ rrpPs: RRP_PS, skewPs: 0, jitterPs: 1e6 }, 11)
    const jitters = Array.from({ length: 400 }, (_, k) => clock.tickPs(k) - k * RRP_PS)
    for (const [draws, most] of [
      [offsets, 3e6],
      [jitters, 1e6],
    ] as const) {
      // Uniform: all but every 50th or so apart, near both ends, a mean within four deviations.
      expect(new Set(draws).size).toBeGreaterThan(390)
      expect(Math.min(...draws)).toBeLessThan(0.03 * most)
      expect(Math.max(...draws)).toBeGreaterThan(0.97 * most)
      const mean = draws.reduce((sum, one) => sum + one, 0) / draws.length
      expect(Math.abs(mean / most - 0.5)).toBeLessThan(4 * Math.sqrt(1 / 12 / 400))
    }
  })
})
