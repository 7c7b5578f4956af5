import { simulate } from '@weir/sim'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Check, FigureContext, FigureResult } from '../figure.ts'
import { caseOf } from './random-cases.ts'
import { figures } from './index.ts'
import { rrpsToSettle } from './settling.ts'

const context: FigureContext = {
  size: 'quick',
  simulate: (spec) => Promise.resolve(simulate(spec)),
  progress: () => undefined,
}
const LONG_MS = 600_000

async function reproduce(item: string): Promise<FigureResult> {
  const figure = figures.find(({ id }) => id === `accurate/${item}`)
  if (figure === undefined) throw new Error(`there is no figure accurate/${item}`)
  return figure.reproduce(context)
}

function differing(checks: readonly Check[]): string[] {
  return checks.filter(({ verdict }) => verdict === 'differs').map(({ name }) => name)
}

describe('the figures of document A', () => {
  it('have ids of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(['fig2', 'fig3', 'ablations', 'queue'])(
    '%s agrees in every check',
    async (item) => {
      const { checks, plots } = await reproduce(item)
      expect(differing(checks)).toEqual([])
      expect(plots.length).toBeGreaterThan(0)
    },
    LONG_MS,
  )

  it(
    'fig4 agrees, but what arrives takes more than two RRPs while a backlog drains',
    async () => {
      const { checks } = await reproduce('fig4')
      expect(differing(checks)).toEqual([
        'ACCurate: max-min rates after the change at 170 us, delivered',
        'ACCurate: max-min rates after the change at 370 us, delivered',
      ])
    },
    LONG_MS,
  )

  it(
    'robustness finds that flows lose more than limiters tell when FRPs are lost',
    async () => {
      const { checks } = await reproduce('robustness')
      expect(differing(checks)).toEqual([
        'mean error of delivered rates with 1% of FRPs lost on each link',
      ])
    },
    LONG_MS,
  )

  describe('fig5', () => {
    let checks: readonly Check[] = []
    beforeAll(async () => {
      checks = (await reproduce('fig5')).checks
    }, LONG_MS)

    it("puts ACCurate before the paper's others near saturation, and loses nothing", () => {
      const must = checks.filter(({ name }) =>
        /best of the paper|most held|at load 0.05/.test(name),
      )
      const isMean = ({ name }: Check): boolean => !/^[cd]:/.test(name)
      expect(must.filter(isMean).length).toBeGreaterThanOrEqual(5)
      expect(differing(must.filter(isMean))).toEqual([])
    })

    it('says why wherever it differs', () => {
      for (const { verdict, note } of checks) if (verdict === 'differs') expect(note).not.toBe('')
    })
  })

  it(
    'convergence finds max-min rates everywhere',
    async () => {
      const { checks } = await reproduce('convergence')
      const [all] = checks
      expect(all?.measured).toBe(1)
    },
    LONG_MS,
  )

  it(
    'delivered finds that flows get their rates where buffers do not block, and only with a burst',
    async () => {
      const { checks } = await reproduce('delivered')
      const [roomy, letter, , voq] = checks
      expect(roomy?.verdict).toBe('agrees')
      expect(voq?.verdict).toBe('agrees')
      expect(letter?.measured).toBeGreaterThan(0.03)
    },
    LONG_MS,
  )

  /** Of the first 120 random cases eight never settle by the letter, these at their start. */
  it.each([30, 108, 114, 117])('random case %i needs the amendment', (seed) => {
    const rrpsBy = (preset: string): number => {
      const one = caseOf(seed, 40, [`scheme.preset=${preset}`])
      return rrpsToSettle(simulate(one.spec), one.phases[0]!)
    }
    expect(rrpsBy('paper')).toBeNaN()
    expect(rrpsBy('amended')).toBeLessThanOrEqual(12)
  })

  /** By the letter of the paper these did not settle within 40 periods; they are kept. */
  it.each([
    [18, 1],
    [30, 0],
    [43, 0],
    [46, 1],
  ])('random case %i settles in phase %i, which the letter of the paper did not', (seed, phase) => {
    const one = caseOf(seed, 25)
    const rrps = rrpsToSettle(simulate(one.spec), one.phases[phase]!)
    expect(rrps).toBeLessThanOrEqual(12)
  })
})
