import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PairMap } from './pair-map.ts'

describe('a map from pairs of numbers', () => {
  it('says what a plain map says, whatever is added and removed in whatever order', () => {
    const key = fc.integer({ min: -3, max: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(key, key, fc.nat(1e9)), { maxLength: 300 }), (steps) => {
        const map = new PairMap(2)
        const plain = new Map<string, number>()
        for (const [a, b, value] of steps) {
          const at = `${a} ${b}`
          if (plain.has(at)) {
            map.remove(a, b)
            plain.delete(at)
          } else {
            map.add(a, b, value)
            plain.set(at, value)
          }
          for (let x = -3; x <= 12; x++) {
            for (let y = -3; y <= 12; y += 5) {
              if (map.find(x, y) !== (plain.get(`${x} ${y}`) ?? -1)) return false
            }
          }
        }
        const all: number[] = []
        map.each((value) => all.push(value))
        return map.size === plain.size && String(all.sort()) === String([...plain.values()].sort())
      }),
      { numRuns: 60 },
    )
  })

  it('keeps a million pairs apart', () => {
    const map = new PairMap()
    for (let i = 0; i < 1e6; i++) map.add(i & 1023, i >> 10, i)
    let wrong = 0
    for (let i = 0; i < 1e6; i += 7) if (map.find(i & 1023, i >> 10) !== i) wrong++
    expect(wrong).toBe(0)
    expect(map.find(1024, 0)).toBe(-1)
  })
})
