import { describe, expect, it } from 'vitest'
import { margins, openLoop, rangeOf } from '../linear/bode.ts'
import { rightmostRoots } from '../linear/rightmost.ts'
import { fluidConforms } from '../testing/fluid-conforms.ts'
import { dctcpFluid } from './dctcp.ts'
import { hpccFluid } from './hpcc.ts'
import { linearize } from './linearize.ts'
import type { FluidModel, FluidNetwork, Quantity } from './model.ts'
import { noneFluid } from './none.ts'
import { fluidModelByName, fluidModels } from './registry.ts'
import { roccFluid } from './rocc.ts'
import { patchedTimelyFluid, timelyFluid } from './timely.ts'
import { trajectory } from './trajectory.ts'

const TEN: FluidNetwork = { rateBps: 10e9, flows: 2, delayPs: 12e6, packetBytes: 1048 }

fluidConforms(noneFluid)
fluidConforms(dctcpFluid, { rateBps: 10e9, flows: 4, delayPs: 100e6, packetBytes: 1538 })
fluidConforms(timelyFluid, { ...TEN, flows: 4 })
fluidConforms(patchedTimelyFluid, { ...TEN, flows: 4 })
fluidConforms(hpccFluid)
fluidConforms(hpccFluid, { rateBps: 25e9, flows: 40, delayPs: 12e6, packetBytes: 1048 })
// Not four flows: at a quarter of the line rate the gains jump.
fluidConforms(roccFluid, { rateBps: 25e9, flows: 6, delayPs: 12e6, packetBytes: 1048 })

function quantity(quantities: readonly Quantity[], name: string): number {
  return quantities.find((one) => one.name === name)!.value
}

describe('fluid models', () => {
  it('are found by name, each once', () => {
    const names = fluidModels.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(fluidModelByName('hpcc')).toBe(hpccFluid)
    expect(fluidModelByName('swift')).toBeUndefined()
  })

  it('refuse a bottleneck that is none', () => {
    const of = (network: Partial<FluidNetwork>, model: FluidModel = hpccFluid): (() => unknown) => {
      return () => model.create({ ...TEN, ...network }, model.defaults)
    }
    expect(of({ rateBps: 0 })).toThrow('A rate of 0 makes no bottleneck')
    expect(of({ flows: -1 })).toThrow('number of flows of -1')
    expect(of({ delayPs: NaN })).toThrow('delay of NaN')
    expect(() => hpccFluid.create(TEN, { ...hpccFluid.defaults, eta: 'x' })).toThrow("'eta'")
  })

  it('begin when their groups do', () => {
    const late = noneFluid.create(TEN, {}, [{ flows: 1 }, { flows: 1, startPs: 1e9 }])
    const { queueBytes, rateBps } = trajectory(late, 2e-3, 5e-4)
    expect(Array.from(rateBps[1]!)).toEqual([0, 0, 10e9, 10e9, 10e9])
    expect(queueBytes[2]).toBeCloseTo(0, 3)
    expect(queueBytes[4]! / 1.25e6).toBeCloseTo(1, 6)
  })
})

describe('DCTCP as a fluid', () => {
  const network = { rateBps: 10e9, flows: 10, delayPs: 100e6, packetBytes: 1500 }
  const values = { ...dctcpFluid.defaults, k10: 60e3 }
  const system = dctcpFluid.create(network, values)
  const { quantities } = system.fixedPoint()

  it('has the sawtooth of SIGCOMM 2010 for N flows in step', () => {
    // C x RTT = 83.3 packets and K = 40: A = sqrt(2 N (C x RTT + K)) / 2 for large windows.
    const swing = quantity(quantities, 'queue, swing') / 1500
    expect(swing / (0.5 * Math.sqrt(2 * 10 * 123.3))).toBeCloseTo(1, 0)
    expect(quantity(quantities, 'alpha')).toBeCloseTo(Math.sqrt(2 / 12.33), 1)
    expect(quantity(quantities, 'queue, most')).toBe(60e3 + 10 * 1500)
  })

  it.each([0.5, 0.2, 1])('has a tooth of cuts by %d alpha', (cut) => {
    const { quantities } = dctcpFluid.create(network, { ...values, cut }).fixedPoint()
    const w = (83.3333333333 + 40) / 10
    const alpha = quantity(quantities, 'alpha')
    // Eq. 5: packets sent while a window grows from one size to another, a packet each round trip.
    const sent = (from: number, to: number): number => (to * to - from * from) / 2
    expect(sent(w, w + 1) / sent((w + 1) * (1 - cut * alpha), w + 1)).toBeCloseTo(alpha, 9)
    const tooth = (w + 1) * cut * alpha
    expect(quantity(quantities, 'queue, swing')).toBeCloseTo(10 * tooth * 1500, 4)
    // A round trip with a queue of K takes 100 us + 48 us.
    expect(quantity(quantities, 'queue, period')).toBeCloseTo(tooth * 148e-6, 12)
    expect(quantity(quantities, 'window at K')).toBeCloseTo(w * 1500, 4)
  })

  it('swings around K for ever, about as far and as fast as its first harmonic says', () => {
    const { queueBytes, times } = trajectory(system, 0.05, 5e-6)
    const late = queueBytes.slice(times.findIndex((time) => time > 0.03))
    const swing = Math.max(...late) - Math.min(...late)
    const predicted = quantity(quantities, 'queue, swing by its first harmonic')
    expect(swing / predicted).toBeGreaterThan(0.8)
    expect(swing / predicted).toBeLessThan(1.25)
    let turns = 0
    for (let i = 1; i < late.length; i++) if (late[i - 1]! <= 60e3 && late[i]! > 60e3) turns++
    const period = (late.length * 5e-6) / turns
    const cycle = quantity(quantities, 'queue, period by its first harmonic')
    expect(period / cycle).toBeGreaterThan(0.85)
    expect(period / cycle).toBeLessThan(1.15)
  })

  it('stands on the edge with the slope of its describing function', () => {
    const linear = linearize(system, system.fixedPoint())!
    const [root] = rightmostRoots(linear)
    expect(Math.abs(root!.re)).toBeLessThan(1e-4 * root!.im)
    expect(margins(openLoop(linear), rangeOf(linear)).gain).toBeCloseTo(1, 6)
  })
})

describe('TIMELY as a fluid', () => {
  const shares = (model: FluidModel, first: number, second: number): number => {
    const system = model.create(TEN, model.defaults, [
      { flows: 1, rateBps: first },
      { flows: 1, rateBps: second },
    ])
    const { rateBps, times } = trajectory(system, 0.3, 1e-4, { tolerance: 1e-5 })
    const from = times.findIndex((time) => time >= 0.25)
    const mean = (values: Float64Array): number =>
      values.slice(from).reduce((a, b) => a + b, 0) / (values.length - from)
    return mean(rateBps[0]!) / (mean(rateBps[0]!) + mean(rateBps[1]!))
  }

  it('keeps the shares that it started with: no single fixed point', () => {
    expect(shares(timelyFluid, 5e9, 5e9)).toBeCloseTo(0.5, 3)
    expect(shares(timelyFluid, 7e9, 3e9)).toBeGreaterThan(0.55)
  })

  it('patched comes to equal shares from anywhere, and to the queue that it should', () => {
    expect(shares(patchedTimelyFluid, 7e9, 3e9)).toBeCloseTo(0.5, 2)
    const { quantities } = patchedTimelyFluid.create(TEN, patchedTimelyFluid.defaults).fixedPoint()
    // q* = q' (1 + N delta / (beta C)) with q' = C T_low: an RTT of 50 us (1 + 0.25).
    expect(quantity(quantities, 'RTT')).toBeCloseTo(62.5e-6, 12)
  })

  it('patched loses its margin with many flows', () => {
    const phase = (flows: number): number => {
      const system = patchedTimelyFluid.create({ ...TEN, flows }, patchedTimelyFluid.defaults)
      const linear = linearize(system, system.fixedPoint())!
      return margins(openLoop(linear), rangeOf(linear)).phaseDegrees
    }
    expect(phase(10)).toBeGreaterThan(30)
    expect(phase(60)).toBeLessThan(0)
  })
})

describe('HPCC as a fluid', () => {
  it('has no queue up to (1 - eta) of a bandwidth-delay product of W_AI, and one beyond', () => {
    const of = (flows: number): readonly Quantity[] =>
      hpccFluid.create({ ...TEN, rateBps: 25e9, flows }, hpccFluid.defaults).fixedPoint().quantities
    expect(quantity(of(2), 'flows that fit without a queue')).toBeCloseTo(25, 9)
    expect(quantity(of(24), 'queue')).toBe(0)
    expect(quantity(of(24), 'utilisation U*')).toBeCloseTo(0.95 + 24 * 0.002, 9)
    expect(quantity(of(40), 'queue')).toBeCloseTo(0.03 * 37500, 3)
  })

  it.each([
    [4, 'a T below the round trip', 6e6],
    [60, 'a T below the round trip', 6e6],
    [4, 'a T above the round trip', 20e6],
    [40, 'a T above the round trip', 20e6],
  ])('stands still at its fixed point of %d flows with %s', (flows, _, baseRtt) => {
    const network = { ...TEN, rateBps: 25e9, flows }
    const system = hpccFluid.create(network, { ...hpccFluid.defaults, baseRtt })
    const { state } = system.fixedPoint()
    const slope = new Float64Array(3)
    system.derivative(state!, [state!, state!], Float64Array.of(1), slope)
    slope.forEach((value, i) => expect(value * 12e-6).toBeCloseTo(0, i === 2 ? 9 : 4))
  })

  it('counts what is in flight for a round trip, also if T is shorter', () => {
    const network = { ...TEN, rateBps: 25e9, flows: 4 }
    const system = hpccFluid.create(network, { ...hpccFluid.defaults, baseRtt: 6e6 })
    const { quantities } = system.fixedPoint()
    // W_AI is 50 Mb/s for 6 us, 37.5 B; a link's 12 us are 37,500 B.
    expect(quantity(quantities, 'utilisation U*')).toBeCloseTo(0.95 + (4 * 37.5) / 37_500, 9)
    expect(quantity(quantities, 'flows that fit without a queue')).toBeCloseTo(50, 9)
    const { state } = trajectory(system, 2e-3, 1e-3)
    expect(state[2]!.at(-1)).toBeCloseTo(0.954, 6)
  })
})

describe('RoCC as a fluid', () => {
  it('has the same margin for 2 and for 64 flows: its gains follow the fair rate', () => {
    const phase = (flows: number): number => {
      const system = roccFluid.create({ ...TEN, rateBps: 40e9, flows }, roccFluid.defaults)
      const linear = linearize(system, system.fixedPoint())!
      return margins(openLoop(linear), rangeOf(linear)).phaseDegrees
    }
    expect(phase(2)).toBeCloseTo(phase(64), 6)
    expect(phase(2)).toBeGreaterThan(20)
  })
})
