import { describe, expect, it } from 'vitest'
import { FEW_LOOKS, MANY_LOOKS, Patience } from './patience.ts'

/** Waits, of which one in `everyVain` is not ended by however many looks. */
function wait(patience: Patience, waits: number, everyVain: number): number[] {
  return Array.from({ length: waits }, (_, i) => {
    const looks = patience.next()
    patience.note(looks, (i + 1) % everyVain !== 0)
    return looks
  })
}

describe('patience', () => {
  it('looks often as long as the others come while it looks', () => {
    expect(new Set(wait(new Patience(), 1000, Infinity))).toEqual(new Set([MANY_LOOKS]))
  })

  it('is not spoilt by one wait in ten that looking does not end (code is compiled)', () => {
    expect(new Set(wait(new Patience(), 1000, 10))).toEqual(new Set([MANY_LOOKS]))
  })

  it('looks a few times where looking is in vain, and finds out now and then', () => {
    const looks = wait(new Patience(), 1000, 1)
    expect(looks.slice(0, 4)).toEqual([MANY_LOOKS, MANY_LOOKS, MANY_LOOKS, MANY_LOOKS])
    expect(looks.slice(4).filter((each) => each === FEW_LOOKS).length).toBeGreaterThan(950)
    expect(looks.slice(4).filter((each) => each === MANY_LOOKS).length).toBe(31)
  })

  it('looks often again when the others have cores of their own again', () => {
    const patience = new Patience()
    wait(patience, 1000, 1)
    const looks = wait(patience, 2000, Infinity)
    expect(looks.lastIndexOf(FEW_LOOKS)).toBeLessThan(600)
  })
})
