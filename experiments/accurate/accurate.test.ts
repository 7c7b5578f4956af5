import { simulate } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { delivered } from './delivered.ts'
import { figures } from './index.ts'
import { caseOf } from './random-cases.ts'
import { robustness } from './robustness.ts'
import { rrpsToSettle } from './settling.ts'

const reproduced = describeFigures(
  'the figures of ACCurate, but for fixed point',
  figures.filter(({ id }) => id !== 'accurate/fixed'),
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
    ],
    // Two periods instead of one.
    'accurate/ablations': ['flow-init: periods saved when f4 joins'],
    'accurate/convergence': ['phases that settle within two RRPs'],
    'accurate/delivered': [
      'the same, NST = T + S/R by the letter',
      'worst flow with inputs of 2.5 KB, one FIFO each',
    ],
  },
)

describe('the figures of ACCurate', () => {
  it('have ids of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('robustness: flows lose when FRPs are lost', async () => {
    const { checks } = await reproduced(robustness)
    const lost = checks.find(({ name }) => name.includes('FRPs lost'))
    expect(lost?.measured).toBeGreaterThan(0.05)
  })

  it('delivered: by the letter flows of busy hosts get too little', async () => {
    const { checks } = await reproduced(delivered)
    const letter = checks.find(({ name }) => name.includes('by the letter'))
    expect(letter?.measured).toBeGreaterThan(0.03)
  })

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
