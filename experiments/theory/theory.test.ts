/**
 * The figures of theory, small: what each must show, and what is known to differ. Those that need
 * many packets are tried by one of their runs; `weir reproduce theory/all` has them whole.
 */
import { describe, expect, it } from 'vitest'
import type { Figure } from '../figure.ts'
import { expectAgrees, quickly } from '../testing/agrees.ts'
import { smoothed } from './bottleneck.ts'
import { dctcpAmplitude } from './dctcp-amplitude.ts'
import { caseOf, pairOf } from './fluid-and-packets.ts'
import { figures } from './index.ts'
import { timelyStarts } from './timely-starts.ts'

const PATIENCE_MS = 240_000

const CASES: readonly (readonly [string, Figure, readonly string[]])[] = [
  [dctcpAmplitude.id, dctcpAmplitude, []],
  [timelyStarts.id, timelyStarts, []],
]

describe('figures of theory', () => {
  it.each(CASES)(
    '%s agrees with what is published, but for what is known to differ',
    (_id, figure, known) => expectAgrees(figure, known),
    PATIENCE_MS,
  )

  it('sets fluid and packets side by side, sample by sample', async () => {
    const { fluid, packets, disagreements } = await pairOf(caseOf('dctcp', 2, 4), quickly)
    expect(fluid).toHaveLength(packets.length)
    expect(disagreements[0]).toBeLessThan(0.2)
  })

  it('averages samples on both sides', () => {
    expect(smoothed([0, 3, 0, 0, 6], 1)).toEqual([1.5, 1, 1, 2, 3])
  })

  it('have names of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^theory\//)
  })
})
