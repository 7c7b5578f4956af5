import { describe, expect, it } from 'vitest'
import { nearMiss } from './near-miss.ts'

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
