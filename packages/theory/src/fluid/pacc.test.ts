import { describe, expect, it } from 'vitest'
import { margins, openLoop, rangeOf } from '../linear/bode.ts'
import { abs, div, sub } from '../linear/complex.ts'
import { rightmostRoots } from '../linear/rightmost.ts'
import { fluidConforms } from '../testing/fluid-conforms.ts'
import { linearize } from './linearize.ts'
import { paccAlpha, paccLoop, paccLoopGain, paccRange } from './pacc-printed.ts'
import { paccFluid } from './pacc.ts'

const NETWORK = { rateBps: 25e9, flows: 4, delayPs: 12e6, packetBytes: 1048 }

fluidConforms(paccFluid, NETWORK)

const GAINS = {
  beta1: 0.05,
  beta2: 0.1,
  interval: 80e-6,
  alpha: paccAlpha(1e-6, 300e-6, 'simplified'),
  rateBps: 25e9,
}

describe("PACC's analysis as printed", () => {
  const printed = paccFluid.create(NETWORK, { ...paccFluid.defaults, form: 'printed' })
  const linear = linearize(printed, printed.fixedPoint())!

  it('has alpha* = 0.04714 with the root over the whole product, 0.0385 as Eq. 3 stands', () => {
    expect(paccAlpha(1, 300, 'simplified')).toBeCloseTo(0.04714, 5)
    expect(paccAlpha(1, 300, 'equation')).toBeCloseTo(0.03849, 5)
  })

  it('has a margin of -127 degrees, or +53 if the printed minus counts as phase', () => {
    expect(margins(paccLoop(GAINS, 'negative'), paccRange(GAINS)).phaseDegrees).toBeCloseTo(
      -126.9,
      1,
    )
    expect(margins(paccLoop(GAINS, 'printed'), paccRange(GAINS)).phaseDegrees).toBeCloseTo(53.1, 1)
  })

  it('is below zero for every gain with negative feedback', () => {
    for (const beta1 of [0.001, 0.01, 0.05, 0.2, 1]) {
      for (const beta2 of [0.001, 0.01, 0.1, 0.5, 1]) {
        const gains = { ...GAINS, beta1, beta2 }
        const { phaseDegrees } = margins(paccLoop(gains, 'negative'), paccRange(gains))
        expect(phaseDegrees).toBeLessThan(0)
      }
    }
  })

  it('linearizes to (14): the loop of the equations is (16) with negative feedback', () => {
    const byHand = paccLoop(GAINS, 'negative')
    const derived = openLoop(linear)
    for (const omega of [100, 3000, 11_000, 50_000]) {
      const s = { re: 0, im: omega }
      expect(abs(sub(div(derived(s), byHand(s)), { re: 1, im: 0 }))).toBeLessThan(1e-6)
    }
    const { k, z } = paccLoopGain(GAINS)
    expect(k / 5.754e11).toBeCloseTo(1, 3)
    expect(z).toBeCloseTo(5000, 9)
  })

  it('has an unstable pair of roots, which the number of flows and the fabric do not move', () => {
    const [root] = rightmostRoots(linear)
    expect(root!.re).toBeGreaterThan(1000)
    expect(root!.im).toBeGreaterThan(1000)
    const many = paccFluid.create(
      { ...NETWORK, flows: 64, delayPs: 40e6 },
      { ...paccFluid.defaults, form: 'printed' },
    )
    const [other] = rightmostRoots(linearize(many, many.fixedPoint())!)
    expect(abs(sub(root!, other!)) / abs(root!)).toBeLessThan(1e-6)
  })

  it('has an unstable real root where the minus is taken as it is printed', () => {
    // s^3 = K (1 + s / z) e^(-2 s T): positive feedback.
    const f = (s: number): number => {
      const { k, z } = paccLoopGain(GAINS)
      return s ** 3 - k * (1 + s / z) * Math.exp(-2 * s * GAINS.interval)
    }
    expect(f(1)).toBeLessThan(0)
    expect(f(1e5)).toBeGreaterThan(0)
  })
})

describe('PACC as Algorithm 1 has it', () => {
  const root = (flows: number, delayUs: number): number => {
    const system = paccFluid.create(
      { ...NETWORK, flows, delayPs: delayUs * 1e6, nearDelayPs: delayUs * 1e6 },
      paccFluid.defaults,
    )
    return rightmostRoots(linearize(system, system.fixedPoint())!)[0]!.re
  }

  it('is all but stable: its roots are a thousandth of the printed ones', () => {
    expect(Math.abs(root(4, 12))).toBeLessThan(60)
  })

  it('is stable where senders keep their target, and not where each CNP takes it down', () => {
    const growth = (clampTarget: boolean, beta2: number): number => {
      const values = { ...paccFluid.defaults, clampTarget, beta2 }
      const system = paccFluid.create({ ...NETWORK, delayPs: 4e6 }, values)
      return rightmostRoots(linearize(system, system.fixedPoint())!)[0]!.re
    }
    expect(growth(false, 0.1)).toBeLessThan(-20)
    expect(growth(true, 0.1)).toBeGreaterThan(5)
    expect(growth(true, 0.3)).toBeLessThan(-100)
  })

  it('has a boundary in flows and delay', () => {
    expect(root(4, 200)).toBeGreaterThan(root(4, 4))
    expect(root(4, 400)).toBeGreaterThan(0)
  })

  it('rests above its reference by what makes the CNPs that balance increase', () => {
    const system = paccFluid.create({ ...NETWORK, flows: 10 }, paccFluid.defaults)
    const { quantities } = system.fixedPoint()
    const of = (name: string): number => quantities.find((one) => one.name === name)!.value
    expect(of('reference queue')).toBeCloseTo(125e3, 6)
    expect(of('queue')).toBeCloseTo(125e3 + (of('CNPs in T, all flows') / 0.05) * 1e3, 6)
    // Less than one for each flow: rounded down, none.
    expect(of('CNPs in T, each flow')).toBeLessThan(1)
    expect(of('dead zone of rounding down')).toBeCloseTo(200e3, 6)
    const { phaseDegrees } = margins(
      openLoop(linearize(system, system.fixedPoint())!),
      rangeOf(linearize(system, system.fixedPoint())!),
    )
    expect(Math.abs(phaseDegrees)).toBeLessThan(10)
  })

  it('stands still there also with other spacings, or says that CNPs come too seldom', () => {
    for (const [cnpSpacing, isHeld] of [
      [4e6, true],
      [100e6, true],
      [1e9, false],
    ] as const) {
      const system = paccFluid.create(NETWORK, { ...paccFluid.defaults, cnpSpacing })
      const { state, why } = system.fixedPoint()
      expect(state !== undefined, `${cnpSpacing} ps`).toBe(isHeld)
      if (state === undefined) {
        expect(why).toContain('cnpSpacing')
        continue
      }
      const slope = new Float64Array(4)
      system.derivative(state, [state, state], Float64Array.of(1), slope)
      slope.forEach((value, i) => expect(Math.abs(value / state[i]!)).toBeLessThan(1e-3))
    }
  })
})
