/** R2C2's figures, small: what each must show, and what is known to differ. */
import { describe, expect, it } from 'vitest'
import type { Figure } from '../figure.ts'
import { expectAgrees } from '../testing/agrees.ts'
import { fig18 } from './fig18.ts'
import { fig2 } from './fig2.ts'
import { fig4 } from './fig4.ts'
import { fig8 } from './fig8.ts'
import { fig9 } from './fig9.ts'
import { figures } from './index.ts'
import { policies } from './policies.ts'

const PATIENCE_MS = 240_000

const CASES: readonly (readonly [string, Figure, readonly string[]])[] = [
  [
    fig2.id,
    fig2,
    [
      'ROMM (the column "random packet spraying"), transpose',
      'WLB (RLB), nearest neighbour',
      'WLB (RLB), transpose',
    ],
  ],
  [fig4.id, fig4, []],
  [fig8.id, fig8, []],
  [fig18.id, fig18, []],
  [policies.id, policies, []],
  [fig9.id, fig9, ['shortest paths of an average pair of 6 x 6 x 6']],
]

describe('figures of R2C2', () => {
  it.each(CASES)(
    '%s agrees with what is published, but for what is known to differ',
    (_id, figure, known) => expectAgrees(figure, known),
    PATIENCE_MS,
  )

  it('have names of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^r2c2\//)
  })
})
