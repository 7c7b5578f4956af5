import { describe, expect, it } from 'vitest'
import { jain } from './jain.ts'

describe('jain', () => {
  it('is 1 for equal shares and 1/n when one flow has it all', () => {
    expect(jain([5, 5, 5, 5])).toBe(1)
    expect(jain([8, 0, 0, 0])).toBe(0.25)
    expect(jain([1, 3])).toBe(0.8)
  })

  it('does not depend on the unit, and leaves NaN out', () => {
    expect(jain([1e9, 3e9, NaN])).toBe(0.8)
  })

  it('is NaN where there is nothing to share', () => {
    expect(jain([])).toBeNaN()
    expect(jain([0, 0])).toBeNaN()
  })
})
