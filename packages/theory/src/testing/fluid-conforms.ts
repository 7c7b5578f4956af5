/** What every fluid model must do, whatever its scheme: called first by each model's test. */
import { describe, expect, it } from 'vitest'
import { delaysAt, linearize } from '../fluid/linearize.ts'
import type { FixedPoint, FluidModel, FluidNetwork, FluidSystem } from '../fluid/model.ts'
import { solve } from '../dde/solver.ts'
import type { LinearDde } from '../linear/linear-dde.ts'
import { trajectory } from '../fluid/trajectory.ts'
import { openLoop } from '../linear/bode.ts'
import { abs } from '../linear/complex.ts'
import { rightmostRoots } from '../linear/rightmost.ts'

const NETWORK: FluidNetwork = { rateBps: 25e9, flows: 4, delayPs: 12e6, packetBytes: 1048 }

export function fluidConforms(model: FluidModel, network: FluidNetwork = NETWORK): void {
  const system = model.create(network, model.defaults)
  const point = system.fixedPoint()
  const { state } = point

  describe(`fluid model ${model.name}`, () => {
    it('has a queue that never runs below empty, and rates within the line', () => {
      const { queueBytes, rateBps } = trajectory(system, 2e-3, 2e-5, { tolerance: 1e-5 })
      expect(Math.min(...queueBytes)).toBeGreaterThanOrEqual(-1e-6)
      for (const rates of rateBps) {
        expect(Math.min(...rates)).toBeGreaterThanOrEqual(0)
        expect(Math.max(...rates)).toBeLessThanOrEqual(network.rateBps * 1.0001)
      }
    })

    it('moves as one when its flows are split into groups', () => {
      const halves = model.create(network, model.defaults, [
        { flows: network.flows / 2 },
        { flows: network.flows / 2 },
      ])
      const whole = trajectory(system, 1e-3, 1e-4)
      const split = trajectory(halves, 1e-3, 1e-4)
      const most = Math.max(...whole.queueBytes, network.packetBytes)
      split.queueBytes.forEach((queue, i) => {
        expect(Math.abs(queue - whole.queueBytes[i]!)).toBeLessThan(0.02 * most)
      })
    })

    if (state === undefined) return

    it('stands still at its fixed point, with equal rates that fill the link or its share', () => {
      const slope = new Float64Array(state.length)
      const lagged = system.waits.map(() => state)
      system.derivative(state, lagged, Float64Array.of(1), slope)
      const round = Math.max(...delaysAt(system, state))
      slope.forEach((value, i) => {
        const size = Math.max(Math.abs(state[i]!), system.scale[i]!)
        expect(Math.abs(value * round) / size, system.names[i]).toBeLessThan(1e-6)
      })
      const used = (system.rateBps(state, 0) * network.flows) / network.rateBps
      expect(used).toBeGreaterThan(0.9)
      expect(used).toBeLessThanOrEqual(1 + 1e-9)
    })

    it('moves near it as its linear form does, whose roots are those of the open loop', () => {
      const linear = linearize(system, point)!
      const [root] = rightmostRoots(linear)
      // The closed loop is 1 + L, so that L is -1 at every root.
      const loop = openLoop(linear)(root!)
      expect(abs({ re: loop.re + 1, im: loop.im })).toBeLessThan(1e-4)
      const running = [{ flows: network.flows, startPs: -1e12 }]
      const old = model.create(network, model.defaults, running)
      expect(difference(old, point, linear)).toBeLessThan(0.01)
    })
  })
}

/** Largest difference between a small disturbance of both, in units of what it ever is. */
function difference(system: FluidSystem, { state, frozen }: FixedPoint, linear: LinearDde): number {
  const centre = state!
  const small = centre.map((_, i) => (frozen.includes(i) ? 0 : 1e-5 * system.scale[i]!))
  const moving = [...centre.keys()].filter((i) => !frozen.includes(i))
  const delays = linear.terms.map(({ delay }) => delay).filter((delay) => delay > 0)
  const span = 15 * Math.max(...delays)
  const course = trajectory(system, span, span / 300, {
    from: centre.map((value, i) => value + small[i]!),
    tolerance: 1e-11,
  })
  const line = solve({
    dimension: moving.length,
    start: 0,
    end: span,
    delayMin: Math.min(...delays),
    delays,
    scale: moving.map((i) => small[i]!),
    before: (i) => small[moving[i]!]!,
    derivative: (time, y, past, dy) => {
      dy.fill(0)
      for (const { delay, matrix } of linear.terms) {
        matrix.forEach((row, i) => {
          row.forEach((factor, j) => {
            const x = delay === 0 ? y[j]! : past(j, time - delay)
            dy[i]! += factor * x
          })
        })
      }
    },
  })
  const off = moving.map((i, j) => {
    const real = course.state[i]!.map((value) => value - centre[i]!)
    const most = Math.max(...real.map(Math.abs))
    const apart = real.map((value, k) => Math.abs(value - line.value(j, course.times[k]!)))
    return Math.max(...apart) / most
  })
  return Math.max(...off)
}
