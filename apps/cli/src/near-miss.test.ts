import { describe, expect, it } from 'vitest'
import { nearest, unknownName } from './near-miss.ts'

describe('near-miss', () => {
  it('finds the name that was meant, also from its beginning', () => {
    expect(nearest('incst', ['permutation', 'incast'])).toBe('incast')
    expect(nearest('websearch', ['websearch-320', 'incast'])).toBe('websearch-320')
  })

  it('suggests nothing when nothing is near', () => {
    expect(nearest('zebra', ['incast', 'dumbbell'])).toBeUndefined()
    expect(unknownName('scheme', 'zebra', ['dcqcn'], 'Look.')).toBe(
      "there is no scheme 'zebra'; Look.",
    )
  })
})
