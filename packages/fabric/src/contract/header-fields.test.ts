import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerFields } from './header-fields.ts'

describe('fields of a header', () => {
  const widths = { flag: 1, round: 8, window: 20, rest: 24 }
  const names = Object.keys(widths) as (keyof typeof widths)[]

  it('hold what was written, in any order, up to the last of 53 bits', () => {
    const fields = headerFields(widths)
    const values = fc.record({
      flag: fc.integer({ min: 0, max: 1 }),
      round: fc.integer({ min: 0, max: 255 }),
      window: fc.integer({ min: 0, max: 2 ** 20 - 1 }),
      rest: fc.integer({ min: 0, max: 2 ** 24 - 1 }),
    })
    fc.assert(
      fc.property(values, values, fc.shuffledSubarray(names), (first, then, changed) => {
        let header = 0
        for (const name of names) header = fields[name].set(header, first[name])
        for (const name of changed) header = fields[name].set(header, then[name])
        expect(Number.isSafeInteger(header)).toBe(true)
        for (const name of names) {
          const { [name]: expected } = changed.includes(name) ? then : first
          expect(fields[name].get(header), name).toBe(expected)
        }
      }),
    )
    expect(names.map((name) => fields[name].max)).toEqual([1, 255, 2 ** 20 - 1, 2 ** 24 - 1])
  })

  it('refuse what does not fit', () => {
    const fields = headerFields(widths)
    for (const value of [256, -1, 1.5, NaN]) {
      expect(() => fields.round.set(0, value)).toThrow(`'round' holds 0 to 255, not ${value}`)
    }
    expect(() => headerFields({ a: 30, b: 24 })).toThrow("'b' has 24 bits")
    expect(() => headerFields({ a: 0 })).toThrow("'a' has 0 bits; fields have 1 or more, 53 in all")
  })
})
