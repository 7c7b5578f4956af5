/** Names on lines lie on no line and on no other name, and nearest to their own. */
import { describe, expect, it } from 'vitest'
import { namePlaces } from './line-names.ts'
import type { Course } from './line-names.ts'

const flat = (y: number, from: number = 0, to: number = 150): Course =>
  Array.from({ length: 150 }, (_, i) => (i >= from && i < to ? ([y, y] as const) : undefined))

describe('names on lines', () => {
  it('stand beside their own line, where it has room', () => {
    const [a, b] = namePlaces([flat(30), flat(60)], [10, 10], 100)
    expect(Math.min(Math.abs(a!.y + 11 - 30), Math.abs(a!.y - 30))).toBeLessThan(4)
    expect(Math.min(Math.abs(b!.y + 11 - 60), Math.abs(b!.y - 60))).toBeLessThan(4)
  })

  it('lie on no other line: they give way along their own, or are left out', () => {
    // For most of the plot the two are 6 px apart, at its end 40.
    const other = Array.from({ length: 150 }, (_, i) => {
      const y = i < 100 ? 56 : 90
      return [y, y] as const
    })
    const places = namePlaces([flat(50), other], [12, 12], 100)
    for (const [i, place] of places.entries()) {
      const y = place!.y
      for (const course of [flat(50), other]) {
        for (let at = place!.column; at <= place!.column + 12; at++) {
          const [top, bottom] = course[at]!
          expect(top > y + 11 || bottom < y, `${i} at ${at}`).toBe(true)
        }
      }
    }
    const noisy = Array.from({ length: 150 }, () => [0, 100] as const)
    expect(namePlaces([flat(50), noisy], [12, 12], 100)).toEqual([undefined, undefined])
  })

  it('are on no other name, and within the plot', () => {
    const places = namePlaces([flat(2), flat(2.5), flat(98)], [60, 60, 200], 100)
    const shown = places.filter((place) => place !== undefined)
    for (const { y } of shown) {
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y + 11).toBeLessThanOrEqual(100)
    }
    // Two that lie on each other have no two names, and one too long for the plot has none.
    expect(places.slice(1)).toEqual([undefined, undefined])
  })

  it('are of lines that are there all along them', () => {
    const [place] = namePlaces([flat(50, 0, 8), flat(20)], [12, 12], 100)
    expect(place).toBeUndefined()
  })
})
