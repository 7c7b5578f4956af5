/** Models at bottlenecks that nobody has thought of: every answer ends, and is made of numbers. */
import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { analyse } from './analyse.ts'
import type { FluidNetwork } from './model.ts'
import { dcqcnFluid } from './dcqcn.ts'
import { paccFluid } from './pacc.ts'
import { fluidModels } from './registry.ts'
import { trajectory } from './trajectory.ts'

const TRIES = 8

function networkOf(random: Random): FluidNetwork {
  const between = (low: number, high: number): number => low * (high / low) ** random.uniform()
  return {
    rateBps: between(1e9, 400e9),
    flows: Math.round(between(1, 3000)),
    delayPs: between(1e6, 1e9),
    packetBytes: Math.round(between(64, 9000)),
  }
}

describe('any bottleneck', () => {
  it.each(fluidModels.map((model) => [model.name, model] as const))(
    '%s has an answer to it',
    (name, model) => {
      const random = new Random(1, name)
      for (let i = 0; i < TRIES; i++) {
        const network = networkOf(random)
        const about = JSON.stringify(network)
        const { point, stability } = analyse(model, network, model.defaults)
        expect(point.why, about).not.toBe('')
        if (stability !== undefined) expect(stability.roots.length, about).toBeGreaterThan(0)
        const seconds = 20e-12 * network.delayPs
        const system = model.create(network, model.defaults)
        const { queueBytes, rateBps } = trajectory(system, seconds, seconds / 20, {
          tolerance: 1e-4,
          stepsMax: 20_000,
        })
        for (const values of [queueBytes, ...rateBps]) {
          expect(values.every(Number.isFinite), about).toBe(true)
        }
      }
    },
  )

  it('follows DCQCN through the first byte above kmin, where p is one in 1e18', () => {
    const network = { rateBps: 40e9, flows: 2, delayPs: 20e6, packetBytes: 1048 }
    const system = dcqcnFluid.create(network, dcqcnFluid.defaults)
    const { queueBytes } = trajectory(system, 2e-3, 1e-4, { stepsMax: 20_000 })
    expect(queueBytes.every(Number.isFinite)).toBe(true)
  })

  it('has no fixed point where flows cannot go as slow as their share', () => {
    const network = { rateBps: 25e9, flows: 40, delayPs: 12e6, packetBytes: 1048 }
    const slow = analyse(paccFluid, network, { ...paccFluid.defaults, minRate: 1e9 })
    expect(slow.stability).toBeUndefined()
    expect(slow.point.why).toContain('least')
    expect(analyse(paccFluid, network, paccFluid.defaults).stability).toBeDefined()
  })

  it('has none where no gain holds the queue', () => {
    const network = { rateBps: 25e9, flows: 4, delayPs: 12e6, packetBytes: 1048 }
    const { point } = analyse(paccFluid, network, { ...paccFluid.defaults, beta1: 0 })
    expect(point.state).toBeUndefined()
    expect(point.why).toContain('beta1')
  })
})
