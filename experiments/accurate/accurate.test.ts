import { simulate } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { describeFigures } from '../figure-suite.ts'
import { ablations } from './ablations.ts'
import { convergence } from './convergence.ts'
import { delivered } from './delivered.ts'
import { fig4 } from './fig4.ts'
import { fig5 } from './fig5.ts'
import { figures } from './index.ts'
import { caseOf } from './random-cases.ts'
import { robustness } from './robustness.ts'
import { rrpsToSettle } from './settling.ts'

const reproduced = describeFigures(
  'the figures of ACCurate, but for fixed point',
  figures.filter(({ id }) => id !== 'accurate/fixed'),
  {
    // Twofold, which is not 'almost'.
    'accurate/fig3': ['lossless TCP: remote over local rate'],
    // What arrives takes more than two RRPs while a backlog drains.
    'accurate/fig4': [
      'ACCurate: max-min rates after the change at 170 us, delivered',
      'ACCurate: max-min rates after the change at 370 us, delivered',
    ],
    'accurate/fig5': [
      'b: lossless TCP over ACCurate at load 0.05',
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
  it('fig4: what the paper has at no depth is drawn at one, said to be fitted', async () => {
    const { plots } = await reproduced(fig4)
    const recovery = plots.find(({ title }) => title.includes('recovery'))!
    const [own, published] = recovery.curves
    expect(published!.x).toHaveLength(1)
    expect(published!.name).toContain('fitted')
    expect(own!.x).toContain(published!.x[0])
  })

  it('have ids of their own', () => {
    const ids = figures.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('robustness: flows lose when FRPs are lost', async () => {
    const { checks } = await reproduced(robustness)
    const lost = checks.find(({ name }) => name.includes('FRPs lost'))
    expect(lost?.measured).toBeGreaterThan(5)
  })

  it('robustness: what is said of skewed clocks is what the plot shows', async () => {
    const { checks, plots } = await reproduced(robustness)
    const skewed = checks.find(({ name }) => name.includes('clocks a whole period apart'))!
    const [without, apart] = plots[0]!.curves[0]!.y as [number, number]
    expect(skewed.measured).toBe(apart)
    expect(skewed.note).toContain(`${without.toPrecision(2)}% with clocks that agree`)
    expect(apart / without).toBeGreaterThan(2)
    expect(skewed.note).not.toMatch(/costs nothing|only moves/u)
  })

  it('convergence: what is said of few levels is what the plot shows', async () => {
    const { checks, plots } = await reproduced(convergence)
    const most = plots[1]!.curves.find(({ name }) => name === 'most')!
    const two = most.y[most.x.indexOf(2)]!
    const { note } = checks.find(({ name }) => name.includes('within two RRPs'))!
    expect(two).toBeGreaterThan(2)
    expect(note).toContain(`${most.y[most.x.indexOf(1)]} and ${two}`)
    expect(note).not.toContain('are enough')
  })

  it('ablations: what short-circuit saves is a row of its own', async () => {
    const { checks, plots } = await reproduced(ablations)
    const saved = checks.find(({ name }) => name.startsWith('short-circuit'))!
    const { x, y } = plots[0]!.curves[0]!
    const rrps = (name: string): number => y[x.indexOf(name)]!
    expect(saved.measured).toBeCloseTo(rrps('without short-circuit') - rrps('whole'), 9)
  })

  it('fig. 5: the quick size says that it draws b alone', async () => {
    const { plots, notes } = await reproduced(fig5)
    expect(plots.map(({ title }) => title[0])).toEqual(['b'])
    expect(notes[0]).toContain('c and d')
  })

  it('delivered: by the letter flows of busy hosts get too little', async () => {
    const { checks } = await reproduced(delivered)
    const letter = checks.find(({ name }) => name.includes('by the letter'))
    expect(letter?.measured).toBeGreaterThan(3)
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
