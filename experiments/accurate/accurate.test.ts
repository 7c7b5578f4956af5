import { simulate } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import type { FigureContext, FigureResult } from '../figure.ts'
import { differing } from '../testing.ts'
import { caseOf } from './random-cases.ts'
import { figures } from './index.ts'
import { rrpsToSettle } from './settling.ts'

const SHARED = ['fig3', 'fig4', 'fig5', 'queue'].map((item) => `accurate/${item}`)
describeFigures(
  'the figures of document A that name their switches',
  figures.filter(({ id }) => SHARED.includes(id)),
  {
    // What arrives takes more than two RRPs while a backlog drains.
    'accurate/fig4': [
      'ACCurate: max-min rates after the change at 170 us, delivered',
      'ACCurate: max-min rates after the change at 370 us, delivered',
    ],
    'accurate/fig5': [
      'b: PAUSE-only over ACCurate, mean of critical flows at load 0.2',
      'b: PAUSE-only, NIC queue over ACCurate, mean of critical flows at load 0.2',
      'b: lossless TCP over ACCurate, mean of critical flows at load 0.2',
      'b: lossless TCP over ACCurate at load 0.05',
      'b: TCP, drops at inputs over ACCurate, mean of critical flows at load 0.2',
      'b: TCP, drops at inputs over ACCurate at load 0.05',
      'b: TCP, drops at outputs over ACCurate at load 0.05',
      'b: best of all opponents, also those that the paper does not have',
    ],
  },
)

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

describe('the figures of document A', () => {
  it('have ids of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('fig2 agrees in every check', async () => {
    expect(differing((await reproduce('fig2')).checks)).toEqual([])
  })

  it(
    'ablations: each mechanism is missed where it lacks, flow-init by two periods',
    async () => {
      const { checks } = await reproduce('ablations')
      expect(differing(checks)).toEqual(['flow-init: periods saved when f4 joins'])
    },
    LONG_MS,
  )

  it(
    "robustness: the overhead is the paper's, and flows lose when FRPs are lost",
    async () => {
      const { checks } = await reproduce('robustness')
      expect(differing(checks)).toEqual([])
      const lost = checks.find(({ name }) => name.includes('FRPs lost'))
      expect(lost?.measured).toBeGreaterThan(0.05)
    },
    LONG_MS,
  )

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
