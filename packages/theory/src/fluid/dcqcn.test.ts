import { describe, expect, it } from 'vitest'
import { margins, openLoop, rangeOf } from '../linear/bode.ts'
import { rightmostRoots } from '../linear/rightmost.ts'
import { fluidConforms } from '../testing/fluid-conforms.ts'
import { dcqcnFluid } from './dcqcn.ts'
import { linearize } from './linearize.ts'
import type { FluidValues } from './model.ts'
import { trajectory } from './trajectory.ts'

fluidConforms(dcqcnFluid, { rateBps: 40e9, flows: 4, delayPs: 20e6, packetBytes: 1000 })

/** 40 Gb/s and packets of 1,000 B, as in the paper's programs, with marks at departure. */
function at(flows: number, delayUs: number, values: FluidValues = {}): ReturnType<typeof judged> {
  const network = { rateBps: 40e9, flows, delayPs: delayUs * 1e6, packetBytes: 1000 }
  return judged(
    dcqcnFluid.create(network, { ...dcqcnFluid.defaults, markAt: 'dequeue', ...values }),
  )
}

function judged(system: ReturnType<typeof dcqcnFluid.create>): {
  system: typeof system
  point: ReturnType<typeof system.fixedPoint>
  phase: number
  root: number
} {
  const point = system.fixedPoint()
  const linear = linearize(system, point)
  if (linear === undefined) return { system, point, phase: NaN, root: NaN }
  const { phaseDegrees } = margins(openLoop(linear), rangeOf(linear))
  return { system, point, phase: phaseDegrees, root: rightmostRoots(linear)[0]!.re }
}

const quantity = (point: ReturnType<typeof at>['point'], name: string): number =>
  point.quantities.find((one) => one.name === name)!.value

describe('the fixed point of DCQCN', () => {
  it('is near the cube root of the paper for few flows, and below it for many', () => {
    const ratio = [2, 4, 10].map((flows) => {
      const { point } = at(flows, 4)
      return quantity(point, 'marking probability p*') / quantity(point, 'p*, approximately')
    })
    for (const value of ratio) {
      expect(value).toBeGreaterThan(0.7)
      expect(value).toBeLessThan(1)
    }
    expect(ratio).toEqual([...ratio].sort((a, b) => b - a))
  })

  it('does not depend on the delay', () => {
    expect(quantity(at(4, 4).point, 'queue')).toBe(quantity(at(4, 85).point, 'queue'))
  })

  it('falls off the cliff of kmax when p* is above pmax, and is back with a higher one', () => {
    const over = at(20, 4)
    expect(over.point.state).toBeUndefined()
    expect(over.point.why).toContain('cliff')
    expect(quantity(over.point, 'queue')).toBe(200e3)
    const { point } = at(20, 4, { pmax: 0.1 })
    expect(point.state).toBeDefined()
    expect(quantity(point, 'queue')).toBeLessThan(200e3)
  })

  it('scales its thresholds with the link, as the scheme does', () => {
    const half = dcqcnFluid.create(
      { rateBps: 20e9, flows: 40, delayPs: 4e6, packetBytes: 1000 },
      dcqcnFluid.defaults,
    )
    expect(quantity(half.fixedPoint(), 'kmax')).toBe(100e3)
  })

  it('is reached: two flows that start apart end with equal rates and its queue', () => {
    const { point } = at(2, 20)
    const system = dcqcnFluid.create(
      { rateBps: 40e9, flows: 2, delayPs: 20e6, packetBytes: 1000 },
      { ...dcqcnFluid.defaults, markAt: 'dequeue' },
      [
        { flows: 1, rateBps: 35e9 },
        { flows: 1, rateBps: 5e9 },
      ],
    )
    const end = trajectory(system, 0.3, 0.1)
    expect(end.rateBps[0]!.at(-1)! / end.rateBps[1]!.at(-1)!).toBeCloseTo(1, 2)
    expect(end.queueBytes.at(-1)! / quantity(point, 'queue')).toBeCloseTo(1, 2)
  })
})

describe('the stability of DCQCN', () => {
  it('is not monotonic in the number of flows at 85 us: 2 are stable, 10 are not, 64 are', () => {
    // Kmax raised, with the slope kept, so that 64 flows stay off the cliff.
    const raised = { kmax: 5e3 + 195e3 * 8, pmax: 0.08 }
    for (const [flows, isStable] of [
      [2, true],
      [10, false],
      [64, true],
    ] as const) {
      const { phase, root } = at(flows, 85, raised)
      expect(root < 0).toBe(isStable)
      expect(phase > 0).toBe(isStable)
    }
  })

  it('is lost with delay: 10 flows are stable at 20 us and not at 100 us', () => {
    expect(at(10, 20).root).toBeLessThan(0)
    expect(at(10, 100).root).toBeGreaterThan(0)
  })

  it('is less where marks wait in the queue that they tell of', () => {
    expect(at(10, 20, { markAt: 'enqueue' }).phase).toBeLessThan(at(10, 20).phase)
  })
})
