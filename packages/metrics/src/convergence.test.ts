import { describe, expect, it } from 'vitest'
import { convergencePs } from './convergence.ts'

const interval = { fromPs: 0, toPs: 1000 }
const series = (
  ...values: number[]
): { startPs: number; intervalPs: number; values: number[] } => ({
  startPs: 0,
  intervalPs: 100,
  values,
})

describe('convergencePs', () => {
  it('is the time after which the rate stays near its target', () => {
    expect(convergencePs([series(10, 8, 5.2, 5, 4.9)], [5], 0.05, interval)).toBe(200)
    expect(convergencePs([series(5, 5, 5)], [5], 0.05, interval)).toBe(0)
  })

  it('does not count a visit to the band', () => {
    expect(convergencePs([series(10, 5, 2, 5, 5)], [5], 0.05, interval)).toBe(300)
  })

  it('waits for the slowest of all series', () => {
    const got = convergencePs([series(5, 5, 5, 5), series(1, 2, 3, 5)], [5, 5], 0.05, interval)
    expect(got).toBe(300)
  })

  it('looks at the interval alone, and counts from its start', () => {
    const rates = [series(10, 10, 10, 5, 7, 5, 5, 1, 1)]
    expect(convergencePs(rates, [5], 0.05, { fromPs: 250, toPs: 700 })).toBe(250)
    expect(convergencePs(rates, [5], 0.05, { fromPs: 300, toPs: 400 })).toBe(0)
    expect(convergencePs(rates, [5], 0.05, { fromPs: 300, toPs: 701 })).toBeNaN()
  })

  it('is NaN when a series never settles, has no value, or there is none', () => {
    expect(convergencePs([series(5, 5), series(5, 9)], [5, 5], 0.05, interval)).toBeNaN()
    expect(convergencePs([series(5, NaN)], [5], 0.05, interval)).toBeNaN()
    expect(convergencePs([series(5)], [5], 0.05, { fromPs: 100, toPs: 200 })).toBeNaN()
    expect(convergencePs([], [], 0.05, interval)).toBeNaN()
  })
})
