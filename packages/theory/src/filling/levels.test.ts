/** How high water may stand, and a newcomer with it: shared-level.ts and water-level.ts. */
import { describe, expect, it } from 'vitest'
import { Incidence } from './incidence.ts'
import { sharedLevel } from './shared-level.ts'
import { waterLevel } from './water-level.ts'

/** A link that flows cross with these shares; the latest is its first entry. */
function crossed(...shares: number[]): Incidence {
  const incidence = new Incidence(2)
  shares.forEach((share, owner) => {
    incidence.add(owner, Int32Array.of(1), Float64Array.of(share), 1)
  })
  return incidence
}
const LINK = 1

describe('the level of a newcomer', () => {
  const newcomer = 9

  it('is what is left of a link whose flows stand lower', () => {
    // Of 10, flows of shares 1 and 2 at level 1 leave 7.
    expect(sharedLevel(crossed(1, 2), [1, 1], LINK, 10, 1, newcomer)).toBe(7)
    expect(sharedLevel(crossed(1, 2), [1, 1], LINK, 10, 2, newcomer)).toBe(3.5)
  })

  it('is shared with those who stand higher, who come down to it', () => {
    expect(sharedLevel(crossed(1, 2), [1, 8], LINK, 10, 1, newcomer)).toBe(3)
    expect(sharedLevel(crossed(1, 1), [9, 8], LINK, 12, 1, newcomer)).toBe(4)
  })

  it('rises in steps past those who turn out to stand lower', () => {
    // 12 / 4 = 3 passes level 1: (12 - 1) / 3 passes 3.5: (12 - 1 - 3.5) / 2 stays below 8.
    expect(sharedLevel(crossed(1, 1, 1), [1, 3.5, 8], LINK, 12, 1, newcomer)).toBe(3.75)
  })

  it('counts it once where it is on the link already', () => {
    expect(sharedLevel(crossed(1, 1), [4, 3], LINK, 10, 1, 1)).toBe(6)
  })

  it('is 0 where nothing can be had', () => {
    expect(sharedLevel(crossed(1), [0], LINK, 0, 1, newcomer)).toBe(0)
    expect(sharedLevel(crossed(), [], LINK, 10, 4, newcomer)).toBe(2.5)
  })
})

describe('the water of a link', () => {
  /** Of flows as pairs: a share, and the bound that the flow has elsewhere. */
  const waterOf = (flows: readonly [number, number][], capacity: number, guess: number): number => {
    // The latest flow is the first of a link's entries.
    const bounds = flows.map(([, bound]) => bound).toReversed()
    return waterLevel(crossed(...flows.map(([share]) => share)), LINK, bounds, capacity, guess)
  }
  const GUESSES = [0, 0.1, 1, 3, 4, 6, 9, 30, 300, Infinity]

  it('may stand without limit where all have their bounds', () => {
    expect(
      waterOf(
        [
          [1, 2],
          [2, 4],
        ],
        10,
        5,
      ),
    ).toBe(Infinity)
    expect(
      waterOf(
        [
          [0.5, 8],
          [0.5, 8],
        ],
        10,
        5,
      ),
    ).toBe(Infinity)
  })

  it('fills the link with those whom it holds and the bounds of the others, from any guess', () => {
    // Of 12, 2 x 1 and 1 x 4 leave 6 for the first.
    for (const guess of GUESSES) {
      expect(
        waterOf(
          [
            [1, 100],
            [2, 1],
            [1, 4],
          ],
          12,
          guess,
        ),
      ).toBeCloseTo(6, 12)
    }
    const flows: [number, number][] = [
      [1, 40],
      [3, 0.25],
      [0.5, 7],
      [2, Infinity],
    ]
    for (const capacity of [1, 5, 20, 60]) {
      for (const guess of GUESSES) {
        const level = waterOf(flows, capacity, guess)
        const carried = flows.reduce(
          (sum, [share, bound]) => sum + share * Math.min(level, bound),
          0,
        )
        expect(carried).toBeCloseTo(capacity, 9)
      }
    }
  })

  it('is a number, too, where by rounding all bounds fill the link and a little less', () => {
    const flows: [number, number][] = [
      [0.3, 0.1],
      [0.2, 0.7],
      [0.2, 0.2],
      [0.6, 0.4],
    ]
    expect(waterOf(flows, 0.45, 1)).toBeCloseTo(0.7, 12)
  })

  it('is 0 on a link without capacity', () => {
    expect(waterOf([[1, 3]], 0, 2)).toBe(0)
    expect(waterOf([[1, Infinity]], 0, Infinity)).toBe(0)
  })
})
