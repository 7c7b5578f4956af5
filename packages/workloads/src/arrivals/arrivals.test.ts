import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { periodic } from './periodic.ts'
import { loadIntervalPs, poisson } from './poisson.ts'

describe('poisson', () => {
  it('has the mean interval asked for, and as much variance as an exponential', () => {
    const clock = poisson(1000, 0, new Random(1, 'arrivals'))
    const n = 50_000
    let before = 0
    let squares = 0
    for (let i = 0; i < n; i++) {
      const now = clock.next()
      squares += (now - before) ** 2
      before = now
    }
    expect(Math.abs(before / n - 1000)).toBeLessThan(5 * (1000 / Math.sqrt(n)))
    // The second moment of an exponential is twice the square of its mean.
    expect(squares / n / 2e6).toBeGreaterThan(0.95)
    expect(squares / n / 2e6).toBeLessThan(1.05)
  })

  it('does not lose gaps below a picosecond to rounding', () => {
    const clock = poisson(0.25, 100, new Random(1, 'arrivals'))
    let now = 0
    for (let i = 0; i < 40_000; i++) now = clock.next()
    expect(Math.abs(now - 10_100)).toBeLessThan(5 * 0.25 * 200)
    expect(Number.isInteger(now)).toBe(true)
  })

  it('asks for the load: 16 hosts of 100G at 0.5 with flows of 1 MB start one every 10 us', () => {
    expect(loadIntervalPs(0.5, 16 * 100e9, 1_000_000, 1)).toBe(10_000_000)
    expect(loadIntervalPs(0.5, 16 * 100e9, 1_000_000, 8)).toBe(80_000_000)
  })

  it('refuses no interval, no load and no rate', () => {
    expect(() => poisson(0, 0, new Random(1, ''))).toThrow('give one above 0')
    expect(() => loadIntervalPs(0, 1, 1, 1)).toThrow('a load of 0')
    expect(() => loadIntervalPs(1, 0, 1, 1)).toThrow('need hosts with a link rate')
  })
})

describe('periodic', () => {
  it('comes at the start and every period, as often as counted', () => {
    const clock = periodic(500, 3, 100)
    expect([clock.next(), clock.next(), clock.next(), clock.next()]).toEqual([
      100,
      600,
      1100,
      Infinity,
    ])
  })

  it('comes without end for a count of 0, which needs a period', () => {
    const clock = periodic(500, 0, 0)
    for (let i = 0; i < 1000; i++) clock.next()
    expect(clock.next()).toBe(500_000)
    expect(() => periodic(0, 0, 0)).toThrow('give a period above 0')
  })
})
