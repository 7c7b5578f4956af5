import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Ranges } from './ranges.ts'

it('is a set of numbers, whatever is added and dropped', () => {
  const step = fc.record({
    first: fc.nat(30),
    length: fc.integer({ min: 1, max: 6 }),
    drop: fc.nat(9),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const ranges = new Ranges()
      let set = new Set<number>()
      for (const { first, length, drop } of steps) {
        const before = set.size
        for (let n = first; n < first + length; n++) set.add(n)
        expect(ranges.add(first, first + length)).toBe(set.size - before)
        if (drop < 3) {
          ranges.dropBelow(first)
          set = new Set([...set].filter((n) => n >= first))
        }
        const sorted = [...set].sort((a, b) => a - b)
        expect([ranges.count, ranges.isEmpty]).toEqual([set.size, set.size === 0])
        expect(ranges.last).toBe(sorted.at(-1) ?? -1)
        for (let above = 0; above < 5; above++) {
          expect(ranges.fromLast(above)).toBe(sorted.at(-1 - above) ?? -1)
        }
        const numbers = Array.from({ length: 40 }, (_, n) => n)
        expect(numbers.map((n) => ranges.has(n))).toEqual(numbers.map((n) => set.has(n)))
        expect(numbers.map((n) => ranges.countBelow(n))).toEqual(
          numbers.map((n) => sorted.filter((one) => one < n).length),
        )
        expect(numbers.map((n) => [ranges.firstOf(n), ranges.endOf(n)])).toEqual(
          numbers.map((n) => {
            let [start, end] = [n, n]
            while (set.has(end)) end++
            while (set.has(n) && set.has(start - 1)) start--
            return [start, end]
          }),
        )
      }
    }),
    { numRuns: 50 },
  )
})
