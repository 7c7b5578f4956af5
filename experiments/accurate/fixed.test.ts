import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { fixed } from './fixed.ts'

const reproduced = describeFigures('Figs. 3 and 4 in fixed point', [fixed], {})

describe('fixed point', () => {
  it('is held to the paper in what arrives, and beside floating point in limiters', async () => {
    const { checks } = await reproduced(fixed)
    const [limiters, delivered] = ['limiter: ', 'delivered: '].map((what) =>
      checks.filter(({ name }) => name.startsWith(what) && name.endsWith('12 bits')),
    )
    // Three flows of Fig. 3 in one stretch; two, three, four and three flows of Fig. 4 in four.
    expect(limiters).toHaveLength(15)
    // A limiter's register is nothing that arrives, and our own floating point not published.
    for (const { published, verdict } of limiters!) {
      expect([published, verdict]).toEqual(['not published', 'ours'])
    }
    expect(delivered).toHaveLength(15)
    for (const { published } of delivered!) expect(published).toBeTypeOf('number')
  })

  it('delivers what floating point does, within 1% and with 6 bits not', async () => {
    const { plots } = await reproduced(fixed)
    const { x, y } = plots[0]!.curves.find(({ name }) => name === 'delivered')!
    expect(y[x.indexOf(12)]).toBeLessThan(1)
    expect(y[x.indexOf(6)]).toBeGreaterThan(1)
  })

  it('comes no closer than 0.9% with 8 bits, which still is within the bound', async () => {
    const { plots } = await reproduced(fixed)
    const [limiter, delivered] = plots[0]!.curves
    const eight = limiter!.x.indexOf(8)
    expect(limiter!.y[eight]).toBeCloseTo(0.93, 2)
    expect(delivered!.y[eight]).toBeGreaterThan(0.9)
  })
})
