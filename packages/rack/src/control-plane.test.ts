import { describe, expect, it } from 'vitest'
import { nextDuePs } from './control-plane.ts'

describe('periodic work', () => {
  it('is due at the next of its times, however many have gone by', () => {
    const due = [10, 13, 14, 21, 22].map((nowPs) => nextDuePs(10, 4, nowPs))
    expect(due).toEqual([14, 14, 18, 22, 26])
  })
})
