/**
 * The figures of theory, small: what each must show, and what is known to differ. Those that need
 * many packets are tried by one of their runs; `weir reproduce theory/all` has them whole.
 */
import { describe, expect, it } from 'vitest'
import type { Figure } from '../figure.ts'
import { expectAgrees, quickly } from '../testing/agrees.ts'
import { fig2 } from '../pacc/fig2.ts'
import { fig5 } from '../pacc/fig5.ts'
import { smoothed } from './bottleneck.ts'
import { dctcpAmplitude } from './dctcp-amplitude.ts'
import { caseOf, pairOf } from './fluid-and-packets.ts'
import { figures } from './index.ts'
import { timelyStarts } from './timely-starts.ts'

const PATIENCE_MS = 240_000

const CASES: readonly (readonly [string, Figure, readonly string[]])[] = [
  [
    fig5.id,
    fig5,
    [
      'alpha* by Eq. 3 as it stands',
      'phase margin of (16), negative feedback as in (14)',
      'rightmost root of the linearized equations (14)',
      'real root of (16) with its minus as printed',
      'positional form, target kept in a burst: stable of 9 places in 2 to 64 flows, 4 to 128 us',
      'phase margin of the positional form, each CNP takes the target down (Eq. 1)',
      'positional form, each CNP takes the target down (Eq. 1): ' +
        'stable of 9 places in 2 to 64 flows, 4 to 128 us',
    ],
  ],
  [
    fig2.id,
    fig2,
    [
      'PACC: largest less smallest throughput over the fair share',
      "'2.83% (0.07/24.72)', reckoned",
      "'1.21% (0.03/24.85)', reckoned",
      'DCQCN: CNPs of the long flow over those of a burst',
    ],
  ],
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
