import { describe, expect, it } from 'vitest'
import { announcedDemand, DemandEstimator } from './demand-estimator.ts'

const NODE = 60e9

describe('the estimate of a demand', () => {
  it('is what a flow sent, where that is less than it may and nothing waits', () => {
    // 50 KB in 500 us are 0.8 Gb/s.
    expect(new DemandEstimator().observe(2e9, 50_000, 0, 500e6)).toBe(0.8e9)
    expect(new DemandEstimator().observe(0.5e9, 50_000, 0, 500e6)).toBe(0.5e9)
  })

  it('is Eq. 1 where something waits: the allocation, and the queue over a period', () => {
    expect(new DemandEstimator().observe(2e9, 50_000, 1, 500e6)).toBe(2e9 + 8 / 500e-6)
  })

  it('follows by a quarter of the difference in each period, but for the first', () => {
    const estimator = new DemandEstimator()
    estimator.observe(1e9, 0, 0, 500e6)
    expect(estimator.estimateBps).toBe(0)
    expect(estimator.observe(1e9, 62_500, 0, 500e6)).toBe(0.25e9)
    expect(estimator.observe(1e9, 62_500, 0, 500e6)).toBe(0.25e9 + 0.25 * 0.75e9)
  })
})

describe('the demand that is announced', () => {
  it('has no limit while a flow uses nine tenths of what it is given, with a tenth of room', () => {
    expect(announcedDemand(Infinity, 0.9e9, 1e9, NODE)).toBe(Infinity)
    expect(announcedDemand(Infinity, 0.9e9 / 1.1 + 1e3, 1e9, NODE)).toBe(Infinity)
    expect(announcedDemand(Infinity, 0.9e9 / 1.1 - 1e3, 1e9, NODE)).toBeCloseTo(899_999, 0)
  })

  it('is a tenth more than the estimate, in whole Kb/s, and 1 at least', () => {
    expect(announcedDemand(Infinity, 100_000_100, 1e9, NODE)).toBe(110_001)
    expect(announcedDemand(Infinity, 99_999_900, 1e9, NODE)).toBe(110_000)
    expect(announcedDemand(Infinity, 0, 1e9, NODE)).toBe(1)
  })

  it('stays until it has moved by more than a tenth, up or down', () => {
    expect(announcedDemand(100_000, 99_999_900, 1e9, NODE)).toBe(100_000)
    expect(announcedDemand(100_000, 100_999_900, 1e9, NODE)).toBe(111_100)
    expect(announcedDemand(100_000, 82e6, 1e9, NODE)).toBe(100_000)
    expect(announcedDemand(100_000, 79_999_900, 1e9, NODE)).toBe(88_000)
  })

  it('may grow beyond what the flow is given now, up to all that its node can send', () => {
    expect(announcedDemand(100_000, 5e9, 0.1e9, NODE)).toBe(5.5e6)
    expect(announcedDemand(100_000, NODE / 1.1 + 1, 0.1e9, NODE)).toBe(Infinity)
  })
})
