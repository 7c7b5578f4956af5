import { simulate } from '@weir/sim'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FigureContext, FigureResult } from '../figure.ts'
import { fixed, fixedChecks, measured } from './fixed.ts'

const context: FigureContext = {
  size: 'quick',
  simulate: (spec) => Promise.resolve(simulate(spec)),
  progress: () => undefined,
}

describe('Figs. 3 and 4 in fixed point', () => {
  let result: FigureResult
  beforeAll(async () => {
    result = await fixed.reproduce(context)
  }, 120_000)

  it('are within 1% of floating point with 12 bits, limiters and bytes, in every stretch', () => {
    const beside = result.checks.filter(({ name }) => name.endsWith('12 bits'))
    // Three flows of Fig. 3 in one stretch; two, three, four and three flows of Fig. 4 in four.
    expect(beside.filter(({ name }) => name.includes('limiter'))).toHaveLength(15)
    expect(beside.filter(({ name }) => name.includes('delivered'))).toHaveLength(15)
    expect(result.checks.filter(({ verdict }) => verdict === 'differs')).toEqual([])
  })

  it('come no closer than 0.9% with 8 bits, which still is within the bound', () => {
    const [limiter, delivered] = result.plots[0]!.curves
    const eight = limiter!.x.indexOf(8)
    expect(limiter!.y[eight]).toBeCloseTo(0.93, 2)
    expect(delivered!.y[eight]).toBeGreaterThan(0.9)
  })

  it('differ with 6 bits, in limiters and bytes of both figures', async () => {
    const { widths } = await measured(context, [6])
    const differing = fixedChecks(widths[0]!.pairs, 6)
      .filter(({ verdict }) => verdict === 'differs')
      .map(({ name }) => name)
    for (const figure of ['Fig. 3', 'Fig. 4']) {
      for (const what of ['limiter', 'delivered']) {
        const found = differing.some((name) => name.startsWith(figure) && name.includes(what))
        expect(found, `${figure} ${what}`).toBe(true)
      }
    }
  }, 120_000)
})
