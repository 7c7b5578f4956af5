import { describe, expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'

describe('edit distance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabc', 1],
    ['ab', 'ba', 1],
    ['abcd', 'acbd', 1],
    ['kitten', 'sitting', 3],
    // Neighbours that are swapped are not edited again (optimal string alignment).
    ['ca', 'abc', 3],
    // A letter that comes back two places on is no swap.
    ['ab', 'xa', 2],
    ['aab', 'bcc', 3],
  ])('of "%s" and "%s" is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
    expect(editDistance(b, a)).toBe(distance)
  })
})
