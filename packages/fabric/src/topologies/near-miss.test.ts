import { describe, expect, it } from 'vitest'
import { editDistance, nearMiss } from './near-miss.ts'

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

describe('the word that was meant', () => {
  const known = ['kmin', 'kmax', 'threshold', 'rate', 'Rate2']

  it('is the nearest, within a third of the word, whatever its case', () => {
    expect(nearMiss('treshold', known)).toBe('threshold')
    expect(nearMiss('thershlod', known)).toBe('threshold')
    expect(nearMiss('KMIN', known)).toBe('kmin')
    expect(nearMiss('rat', known)).toBe('rate')
    expect(nearMiss('rate2', known)).toBe('Rate2')
    expect(nearMiss('xx', ['x'])).toBe('x')
  })

  it('is the first of equals, and none if all are far', () => {
    expect(nearMiss('kmix', known)).toBe('kmin')
    expect(nearMiss('kmix', [...known].reverse())).toBe('kmax')
    expect(nearMiss('queue', known)).toBeUndefined()
    expect(nearMiss('tthrreesh', known)).toBeUndefined()
  })
})
