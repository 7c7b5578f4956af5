import { shortRate, shortTime } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { count, ratio, share, withInterval } from './format.ts'

describe('a mean with its interval', () => {
  it('has one unit, and the decimals of the mean', () => {
    expect(withInterval(ratio, 21.0, 0.0904)).toBe('21.00 ±0.09')
    expect(withInterval(shortTime, 1.71e9, 17.6e6)).toBe('1.71 ±0.02 ms')
    expect(withInterval(shortRate, 18.6e9, 2.34e9)).toBe('18.6 ±2.3 Gbps')
    expect(withInterval(count, 1234.4, 30.2)).toBe('1,234 ±30')
  })

  it('has as many more as its interval needs to be seen', () => {
    expect(withInterval(share, 0.99871, 0.000213)).toBe('0.9987 ±0.0002')
    expect(withInterval(count, 12.2, 0.4)).toBe('12.2 ±0.4')
    expect(withInterval(ratio, 21.00004, 1e-9)).toBe('21.0000 ±0.0000')
  })

  it('is the mean alone where there is none', () => {
    expect(withInterval(ratio, 21.0, 0)).toBe('21.0')
    expect(withInterval(ratio, NaN, NaN)).toBe('-')
    expect(withInterval(count, 0, 2)).toBe('0 ±2')
  })
})
