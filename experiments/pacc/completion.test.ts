import { describe, expect, it } from 'vitest'
import { estimate, isAbove, jackknife, percent, reduction, timeOf } from './completion.ts'
import { binsOf } from './fig7-to-10.ts'
import { drawOf, loadSpec, sizeOf } from './loads.ts'
import type { Draw } from './loads.ts'

/** Flows of one byte, two bytes and so on, which took these times. */
function drawn(...fctUs: number[]): Draw {
  return {
    sizeBytes: Float64Array.from(fctUs, (_, i) => i + 1),
    fctUs: Float64Array.from(fctUs),
    slowdown: Float64Array.from(fctUs, () => 1),
    unfinished: 0,
    pauseFrames: 0,
    packetHops: 0,
    quarters: [1, 1, 1, 1],
    quarterTails: [1, 1, 1, 1],
  }
}

const ALL = { name: 'all', from: 0, to: Infinity }

describe('completion times of several draws', () => {
  it('are taken of all draws together, and of the sizes asked for', () => {
    const draws = [drawn(1, 2, 30), drawn(3)]
    expect(timeOf(draws, 'mean', ALL)).toBe(9)
    expect(timeOf(draws, 'p99', ALL)).toBe(30)
    expect(timeOf(draws, 'mean', { name: '', from: 2, to: 3 })).toBe(2)
  })

  it('have the interval of a mean where the statistic is a mean of equal draws', () => {
    // 1, 2, 3: mean 2, deviation 1, t of 2 degrees 4.303.
    const { value, half } = jackknife(
      3,
      (kept) => kept.reduce((sum, i) => sum + i + 1, 0) / kept.length,
    )
    expect(value).toBe(2)
    expect(half).toBeCloseTo(4.303 / Math.sqrt(3), 9)
    expect(estimate([drawn(5)], 'mean')).toEqual({ value: 5, half: NaN })
  })

  it('are compared draw by draw: what both share is no difference', () => {
    const theirs = [drawn(10, 20), drawn(100, 200), drawn(1000, 2000)]
    const ours = theirs.map(({ fctUs }) => drawn(...fctUs.map((us) => us * 0.8)))
    const gain = reduction(ours, theirs, 'mean')
    expect(gain.value).toBeCloseTo(0.2, 12)
    expect(gain.half).toBeLessThan(1e-9)
    expect(isAbove(gain)).toBe(true)
    expect(isAbove(reduction(theirs, ours, 'p99'))).toBe(false)
    expect(percent(gain)).toBe('20.0 ± 0.0%')
  })

  it('is no difference if the interval holds none', () => {
    expect(isAbove({ value: 0.1, half: 0.11 })).toBe(false)
    expect(isAbove({ value: 0.1, half: 0.09 })).toBe(true)
  })
})

describe('flows of one run', () => {
  it('count from a quarter of the arrivals on', () => {
    const spec = loadSpec('WebSearch', 'pacc', 0.5, 1, sizeOf('WebSearch', 'full'))
    const columns = { sizeBytes: [1, 2, 3], fctPs: [1e6, 2e6, 3e6], slowdown: [1, 4, 5] }
    const result = {
      spec,
      flows: { ...columns, startPs: [0, spec.run.untilPs / 4, spec.run.untilPs / 2] },
      summary: { flowsUnfinished: 0 },
      counters: { pauseFrames: 0, packetHops: 0 },
    } as unknown as Parameters<typeof drawOf>[0]
    expect([...drawOf(result, 0.25).fctUs]).toEqual([2, 3])
    expect(drawOf(result, 0.25).quarters).toEqual([1, 4, 5, NaN])
  })

  it('fall into bins that leave none out', () => {
    for (const workload of ['WebSearch', 'FB_Hadoop'] as const) {
      const bins = binsOf(workload)
      expect(bins[0]!.from).toBe(0)
      expect(bins.at(-1)!.to).toBe(Infinity)
      bins.slice(1).forEach(({ from }, i) => expect(from).toBe(bins[i]!.to))
    }
  })
})
