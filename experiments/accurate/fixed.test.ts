import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { fixed } from './fixed.ts'

const reproduced = describeFigures('Figs. 3 and 4 in fixed point', [fixed], {})

describe('fixed point', () => {
  it('is held to floating point with 12 bits in limiters and bytes, in every stretch', async () => {
    const { checks } = await reproduced(fixed)
    const beside = checks.filter(({ name }) => name.endsWith('12 bits'))
    // Three flows of Fig. 3 in one stretch; two, three, four and three flows of Fig. 4 in four.
    expect(beside.filter(({ name }) => name.includes('limiter'))).toHaveLength(15)
    expect(beside.filter(({ name }) => name.includes('delivered'))).toHaveLength(15)
  })

  it('comes no closer than 0.9% with 8 bits, which still is within the bound', async () => {
    const { plots } = await reproduced(fixed)
    const [limiter, delivered] = plots[0]!.curves
    const eight = limiter!.x.indexOf(8)
    expect(limiter!.y[eight]).toBeCloseTo(0.93, 2)
    expect(delivered!.y[eight]).toBeGreaterThan(0.9)
  })
})
