import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateCode } from './rate-code.ts'

const TOP = 10e9
const rates = fc.double({ min: TOP / 128, max: TOP, noNaN: true })

describe('eight-bit rates', () => {
  it.each(['linear8', 'float8'] as const)(
    '%s has at most 256 values and is its own code',
    (name) => {
      const code = rateCode(name, TOP)
      const values = new Set<number>()
      for (let i = 1; i <= 20_000; i++) values.add(code.floor((TOP * i) / 20_000))
      expect(values.size).toBeLessThanOrEqual(256)
      for (const value of values) expect(code.floor(value)).toBe(value)
    },
  )

  it('float8 is never above the rate and at most 3.2% below it', () => {
    const code = rateCode('float8', TOP)
    fc.assert(
      fc.property(rates, (rate) => {
        const coded = code.floor(rate)
        expect(coded).toBeLessThanOrEqual(rate * (1 + 1e-6))
        expect(coded).toBeGreaterThan(rate * (1 - 0.032))
      }),
    )
  })

  it('linear8 is at most one step of C/255 below the rate', () => {
    const code = rateCode('linear8', TOP)
    fc.assert(
      fc.property(rates, (rate) => {
        expect(Math.abs(rate - code.floor(rate))).toBeLessThanOrEqual(TOP / 255 + 1)
      }),
    )
  })

  it('never codes a rate as nothing', () => {
    expect(rateCode('linear8', TOP).floor(1)).toBeGreaterThan(0)
    expect(rateCode('float8', TOP).floor(1)).toBeGreaterThan(0)
  })
})
