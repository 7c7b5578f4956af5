import { describe, expect, it } from 'vitest'
import { prove } from './formal.ts'
import { linkOf } from './parameters.ts'

describe('the contention point, proved for every sequence of inputs', () => {
  it.each(['array', 'pipeline', 'serial'] as const)(
    'never gives a share of 0 or above the link, divides by 0, or wraps: %s',
    async (divider) => {
      const letter = { ...linkOf(12, 7), divider, stages: 4 }
      await prove({ ...letter, remembers: true, floors: true })
    },
    120_000,
  )

  it('is not proved of a link that has nothing to share', async () => {
    await expect(prove({ ...linkOf(6, 3), shareable: 0 })).rejects.toThrow('proof did fail')
  }, 120_000)
})
