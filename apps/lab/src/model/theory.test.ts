import { loadSpec, scenarioByName } from '@weir/sim'
import { describe, expect, it } from 'vitest'
import { stories } from '../stories/index.ts'
import { fluidAt, laneTheory, stepsAt } from './theory.ts'

const MS = 1e9
const spec = (settings: string[] = []): ReturnType<typeof loadSpec> =>
  loadSpec({ text: scenarioByName('dumbbell-fair')!.text, settings })
const fact = (facts: readonly (readonly [string, string])[], name: string): string =>
  facts.find(([own]) => own === name)?.[1] ?? ''
const degrees = (beta2: string): number => {
  const { facts } = laneTheory(spec(['scheme=pacc', `scheme.params.beta2=${beta2}`]))
  return Number(/^(-?[\d.]+) degrees$/.exec(fact(facts, 'phase margin'))![1])
}

describe('theory of a lane', () => {
  it('has the bottleneck, the queue at rest and a margin that moves with the gains', () => {
    const { facts } = laneTheory(spec(['scheme=pacc']))
    expect(fact(facts, 'bottleneck')).toMatch(/^left->right, 4 flows/)
    expect(fact(facts, 'queue at rest')).toMatch(/KB$/)
    expect(fact(facts, 'verdict')).toMatch(/stable: a disturbance/)
    expect(degrees('0.3')).toBeGreaterThan(degrees('0.1') + 10)
  })

  it('says where there is no fluid, and has max-min rates all the same', () => {
    const { facts, fluid, maxMin } = laneTheory(spec(['scheme=qcn']))
    expect(facts).toEqual([['fluid', 'none: there is no fluid model of qcn']])
    expect(fluid).toBeUndefined()
    expect(maxMin).toHaveLength(4)
  })

  it('says of a limit cycle that it is one, and what of a preset the fluid does not know', () => {
    const [step] = stories.find(({ name }) => name === 'fluid')!.steps
    const { facts } = laneTheory(loadSpec({ text: step!.spec! }))
    expect(fact(facts, 'queue at rest')).toMatch(/^none: a threshold makes a limit cycle.*[^.]$/)
    expect(fact(facts, 'phase margin')).toBe('')
    expect(fact(facts, 'not known to the fluid')).toBe('')
    const { facts: firmware } = laneTheory(
      spec(['scheme=dcqcn', 'scheme.preset=firmware', 'topology.bottleneckRate=10Gbps']),
    )
    expect(fact(firmware, 'not known to the fluid')).toContain('clampTarget')
  })

  it('lays both on the times of pictures', () => {
    const { fluid, maxMin } = laneTheory(spec(['scheme=hpcc']))
    const times = [2, 7, 12, 39].map((ms) => ms * MS)
    // f1 alone, with f2, with f3; it stops at 25 ms.
    const [alone, two, three, gone] = stepsAt(maxMin[0]!, times)
    expect(two! / alone!).toBeCloseTo(1 / 2, 6)
    expect(three! / alone!).toBeCloseTo(1 / 3, 6)
    expect(gone).toBeNull()
    expect(stepsAt(maxMin[3]!, times)[0]).toBeNull()
    expect(fluidAt(fluid!, times)[3]).toBeNull()
    expect(fluidAt(fluid!, times)[0]).not.toBeNull()
  })

  it('is there for every lane of the stories about it', () => {
    const own = stories.filter(({ name }) => name === 'pacc' || name === 'fluid')
    expect(own).toHaveLength(2)
    for (const step of own.flatMap(({ steps }) => steps)) {
      if (step.spec === undefined) continue
      expect(laneTheory(loadSpec({ text: step.spec })).fluid?.port, step.title).toBe('switch->h0')
    }
  })
})
