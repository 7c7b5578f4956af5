import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flowStats, type StatKey } from './flow-stats.ts'

/** Slowdowns by what they are at the least; those from `ended` on are of flows that did not end. */
function stats(slowdown: readonly number[], ended: number): ReturnType<typeof flowStats> {
  const isEnded = slowdown.map((_, i) => i < ended)
  const fctPs = slowdown.map((value) => value * 10)
  const rows = slowdown.map((_, i) => i)
  return flowStats({ sizeBytes: slowdown.map(() => 1), isEnded, fctPs, slowdown }, rows)
}

describe('flowStats', () => {
  it('are exact where every flow ended', () => {
    const got = stats([1, 2, 3, 10], 4)
    expect(got).toMatchObject({ flows: 4, flowsEnded: 4, slowdownMean: 4, slowdownP50: 2 })
    expect(got).toMatchObject({ slowdownP99: 10, fctPsP99: 100, atLeast: [] })
  })

  it('count a flow that did not end with the least that it can take', () => {
    // Of those that ended the median is 1; the two that did not have had 8 and 9 times their ideal.
    const got = stats([1, 1, 2, 8, 9], 3)
    expect(got).toMatchObject({ flows: 5, flowsEnded: 3, slowdownP50: 2, slowdownP99: 9 })
    expect(got.slowdownMean).toBeCloseTo(4.2)
  })

  it('say which values would be more if all had ended, and which would not', () => {
    // Whenever the last ends, the median is 2; the mean and the tail are its own.
    expect(stats([1, 1, 2, 3, 9], 4).atLeast).not.toContain('slowdownP50')
    expect(stats([1, 1, 2, 3, 9], 4).atLeast).toContain('slowdownP99')
    expect(stats([1, 1, 2, 3, 9], 4).atLeast).toContain('fctPsMean')
    // One that has had as little as the first may come to be the last, and then the median is 2.
    expect(stats([1, 2, 3, 1], 3).atLeast).toContain('slowdownP50')
  })

  it('are never above what they become, and exact ones stay, however long the others take', () => {
    const slowdowns = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(slowdowns, fc.nat(40), fc.array(fc.nat(100)), (least, cut, more) => {
        const ended = Math.min(cut, least.length)
        const now = stats(least, ended)
        const later = stats(
          least.map((value, i) => (i < ended ? value : value + (more[i] ?? 0))),
          least.length,
        )
        for (const key of ['slowdownMean', 'slowdownP50', 'slowdownP99', 'fctPsP99'] as StatKey[]) {
          expect(now[key]).toBeLessThanOrEqual(later[key])
          if (!now.atLeast.includes(key)) expect(now[key]).toBe(later[key])
        }
      }),
    )
  })

  it('are nothing of no flow', () => {
    expect(stats([], 0)).toMatchObject({ flows: 0, slowdownP99: NaN, atLeast: [] })
  })
})
