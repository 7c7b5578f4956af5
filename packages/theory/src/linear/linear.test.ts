import { describe, expect, it } from 'vitest'
import { bode, integratorLoop, margins, openLoop, rangeOf } from './bode.ts'
import { abs, cexp, div, mul, sub } from './complex.ts'
import type { Complex } from './complex.ts'
import type { LinearDde, RealMatrix } from './linear-dde.ts'
import { rightmostRoots } from './rightmost.ts'

/** x'(t) = -b x(t - 1): stable for 0 < b < pi / 2. */
function hayes(b: number, a: number = 0): LinearDde {
  return {
    names: ['x'],
    opened: 0,
    terms: [
      { delay: 0, matrix: [[a]] },
      { delay: 1, matrix: [[-b]] },
    ],
  }
}

describe('rightmost roots', () => {
  it("of x' = -b x(t - 1) cross the axis at b = pi / 2", () => {
    const [edge] = rightmostRoots(hayes(Math.PI / 2))
    expect(edge!.re).toBeCloseTo(0, 10)
    expect(edge!.im).toBeCloseTo(Math.PI / 2, 10)
    expect(rightmostRoots(hayes(1.5))[0]!.re).toBeLessThan(0)
    expect(rightmostRoots(hayes(1.6))[0]!.re).toBeGreaterThan(0)
  })

  it('solve the characteristic equation, each of them', () => {
    for (const [a, b] of [
      [0, 1],
      [-1, 3],
      [0.5, 0.8],
      [-4, 0.1],
    ] as const) {
      const roots = rightmostRoots(hayes(b, a))
      expect(roots.length).toBeGreaterThanOrEqual(3)
      for (const s of roots) {
        const lag = cexp({ re: -s.re, im: -s.im })
        const residue = sub(s, { re: a - b * lag.re, im: -b * lag.im })
        expect(abs(residue)).toBeLessThan(1e-9)
      }
      expect(roots.map(({ re }) => re)).toEqual(roots.map(({ re }) => re).sort((x, y) => y - x))
    }
  })

  it("is Lambert's W(1) for b = -1, where the root is real", () => {
    // x' = x(t - 1): s e^s = 1.
    const [root] = rightmostRoots(hayes(-1))
    expect(root!.re).toBeCloseTo(0.5671432904097838, 12)
    expect(root!.im).toBe(0)
  })

  it('are eigenvalues where there is no delay', () => {
    const roots = rightmostRoots({
      names: ['x', 'v'],
      opened: 0,
      terms: [
        {
          delay: 0,
          matrix: [
            [0, 1],
            [-4, -2],
          ],
        },
      ],
    })
    expect(roots).toHaveLength(1)
    expect(roots[0]!.re).toBeCloseTo(-1, 10)
    expect(roots[0]!.im).toBeCloseTo(Math.sqrt(3), 10)
  })

  it('do not depend on the units of the variables', () => {
    const pair = (unit: number): LinearDde => ({
      names: ['q', 'r'],
      opened: 0,
      terms: [
        {
          delay: 0,
          matrix: [
            [0, unit],
            [0, -2],
          ],
        },
        {
          delay: 0.3,
          matrix: [
            [0, 0],
            [-3 / unit, 0],
          ],
        },
      ],
    })
    const plain = rightmostRoots(pair(1))[0]!
    const large = rightmostRoots(pair(1e12))[0]!
    expect(abs(sub(plain, large))).toBeLessThan(1e-9)
  })

  it('of two equations side by side are those of both, however their variables are mixed', () => {
    // x' = -b x(t - d) has the roots W_k(-b d) / d: Lambert's W(-0.2) and W(-1), as tabulated.
    const [b, d] = [0.2 / 7.4e-6, 7.4e-6]
    const [c, e] = [1 / 20e-6, 20e-6]
    const expected = [
      [-0.3181315052 / e, 1.3372357014 / e],
      [-0.2591711018 / d, 0],
      [-2.0622777296 / e, 7.5886311785 / e],
      [-2.6531919741 / e, 13.9492083345 / e],
    ]
    for (const unit of [1, 1e9]) {
      // u = x + y and v = (x - y) / unit; what x does is said in two halves.
      const mixed = (x: number, y: number): RealMatrix => [
        [-(x + y) / 2, (-(x - y) / 2) * unit],
        [-(x - y) / 2 / unit, -(x + y) / 2],
      ]
      const roots = rightmostRoots({
        names: ['u', 'v'],
        opened: 0,
        terms: [
          { delay: d, matrix: mixed(b / 2, 0) },
          { delay: d, matrix: mixed(b / 2, 0) },
          { delay: e, matrix: mixed(0, c) },
        ],
      })
      expected.forEach(([re, im], i) => {
        expect(roots[i]!.re * e).toBeCloseTo(re! * e, 8)
        expect(roots[i]!.im * e).toBeCloseTo(im! * e, 8)
      })
    }
  })

  it('agree with two delays that are far apart', () => {
    // x' = -x(t - 1) - x(t - 0.05): the residue is the judge.
    const [root] = rightmostRoots({
      names: ['x'],
      opened: 0,
      terms: [
        { delay: 1, matrix: [[-1]] },
        { delay: 0.05, matrix: [[-1]] },
      ],
    })
    const a = cexp({ re: -root!.re, im: -root!.im })
    const b = cexp({ re: -0.05 * root!.re, im: -0.05 * root!.im })
    expect(abs(sub(root!, { re: -a.re - b.re, im: -a.im - b.im }))).toBeLessThan(1e-9)
  })
})

describe('an open loop', () => {
  it('goes once round all variables: a queue that fills by a rate which hears of it later', () => {
    // q' = 3 r - q / 4, r' = -5 q(t - 0.2) - 2 r: L = 3 * 5 e^(-0.2 s) / ((s + 1/4) (s + 2)).
    const loop = openLoop({
      names: ['q', 'r'],
      opened: 0,
      terms: [
        {
          delay: 0,
          matrix: [
            [-0.25, 3],
            [0, -2],
          ],
        },
        {
          delay: 0.2,
          matrix: [
            [0, 0],
            [-5, 0],
          ],
        },
      ],
    })
    for (const s of [
      { re: 0, im: 1.5 },
      { re: 0.7, im: -2 },
    ]) {
      const lag = cexp({ re: -0.2 * s.re, im: -0.2 * s.im })
      const poles = mul({ re: s.re + 0.25, im: s.im }, { re: s.re + 2, im: s.im })
      expect(abs(sub(loop(s), div(mul({ re: 15, im: 0 }, lag), poles)))).toBeLessThan(1e-12)
    }
  })

  it('as printed has its zero where it is said to be', () => {
    // 6 (1 + s / 3) e^(-2s) / s^2 at s = 1 + i, with s^2 = 2i:
    // -3i (4/3 + i/3) e^-2 (cos 2 - i sin 2).
    const value = integratorLoop(6, 3, 2, 2)({ re: 1, im: 1 })
    const e = Math.exp(-2)
    expect(value.re).toBeCloseTo(e * (Math.cos(2) - 4 * Math.sin(2)), 12)
    expect(value.im).toBeCloseTo(e * (-4 * Math.cos(2) - Math.sin(2)), 12)
    expect(abs(integratorLoop(6, 3, 2, 2)({ re: -3, im: 0 }))).toBe(0)
  })

  it('is looked at from a thousandth of the slowest change to a hundred times the fastest', () => {
    const of = (delay: number, ...rates: number[]): LinearDde => ({
      names: rates.map(String),
      opened: 0,
      terms: [
        { delay: 0, matrix: rates.map((rate, i) => rates.map((_, j) => (i === j ? -rate : 0))) },
        { delay, matrix: rates.map(() => rates.map(() => 0)) },
      ],
    })
    expect(rangeOf(of(50, 3, 0.5))).toEqual({ from: 0.02 * 1e-3, to: 300 })
    expect(rangeOf(of(0.1, 3, 0.5))).toEqual({ from: 0.5 * 1e-3, to: 1000 })
    expect(rangeOf(of(0, 3, 0.5))).toEqual({ from: 0.5 * 1e-3, to: 300 })
    expect(rangeOf(of(0, 0))).toEqual({ from: 1e-3, to: 100 })
  })
})

describe('margins', () => {
  it('of b e^(-s) / s: pi / 2 - b of phase, pi / 2 / b of gain, pi / 2 / b - 1 of delay', () => {
    const dde = hayes(1)
    const m = margins(openLoop(dde), rangeOf(dde))
    expect(m.crossover).toBeCloseTo(1, 9)
    expect(m.phaseDegrees).toBeCloseTo(90 - 180 / Math.PI, 8)
    expect(m.gain).toBeCloseTo(Math.PI / 2, 9)
    expect(m.phaseCrossover).toBeCloseTo(Math.PI / 2, 9)
    expect(m.delay).toBeCloseTo(Math.PI / 2 - 1, 9)
  })

  it('change sign where the rightmost root does', () => {
    for (const b of [0.3, 1, 1.5, 1.56, 1.58, 1.7, 2.5]) {
      const dde = hayes(b)
      const m = margins(openLoop(dde), rangeOf(dde))
      expect(m.phaseDegrees > 0).toBe(rightmostRoots(dde)[0]!.re < 0)
      expect(Number.isNaN(m.delay)).toBe(m.phaseDegrees <= 0)
    }
  })

  it('are those of the printed form of a loop', () => {
    const loop = integratorLoop(1, Infinity, 1, 1)
    const m = margins(loop, { from: 1e-3, to: 100 })
    expect(m.phaseDegrees).toBeCloseTo(90 - 180 / Math.PI, 8)
  })

  it('are the least of several crossovers: a resonance behind the first one decides', () => {
    // 0.2 / (s (s^2 + 0.04 s + 1)): 90 degrees are left at 0.2 rad/s, and none beyond 1 rad/s.
    const loop = (s: Complex): Complex => {
      const square = mul(s, s)
      const damped = { re: square.re + 0.04 * s.re + 1, im: square.im + 0.04 * s.im }
      return div({ re: 0.2, im: 0 }, mul(s, damped))
    }
    const m = margins(loop, { from: 1e-3, to: 100 })
    expect(m.crossover).toBeGreaterThan(1)
    expect(m.phaseDegrees).toBeLessThan(-60)
  })

  it('are the least of several crossovers also if that is the first', () => {
    // |L| falls through 1 at 1 rad/s with 20 degrees left, rises at 3 and falls at 9 with 70 left.
    const loop = ({ im: w }: Complex): Complex => {
      const gain = w < 2 ? 1 / w : w < 5 ? w / 3 : 9 / w
      const phase = (w < 2 ? -160 : -110) * (Math.PI / 180)
      return { re: gain * Math.cos(phase), im: gain * Math.sin(phase) }
    }
    const m = margins(loop, { from: 1e-2, to: 100 })
    expect(m.crossover).toBeCloseTo(1, 9)
    expect(m.phaseDegrees).toBeCloseTo(20, 9)
    expect(m.delay).toBeCloseTo((20 * Math.PI) / 180, 9)
  })

  it('do not exist where the loop is never as loud as what is sent', () => {
    const dde = hayes(0.5, -1)
    const m = margins(openLoop(dde), rangeOf(dde))
    expect(m.phaseDegrees).toBeNaN()
    expect(m.gain).toBeGreaterThan(1)
  })
})

describe('a Bode plot', () => {
  it('falls by 20 dB a decade for each integrator, with a phase that begins at -90 each', () => {
    for (const integrators of [1, 2, 3]) {
      const { omega, gainDb, phaseDegrees } = bode(
        integratorLoop(1, Infinity, integrators, 0),
        { from: 0.1, to: 10 },
        3,
      )
      expect(omega[1]).toBeCloseTo(1, 12)
      expect(gainDb[0]! - gainDb[1]!).toBeCloseTo(20 * integrators, 9)
      expect(phaseDegrees[1]).toBeCloseTo(-90 * integrators, 9)
    }
  })

  it('follows the phase of a delay past -360 degrees', () => {
    const { phaseDegrees } = bode(integratorLoop(1, Infinity, 1, 1), { from: 0.01, to: 20 }, 400)
    expect(phaseDegrees.at(-1)).toBeCloseTo(-90 - (20 * 180) / Math.PI, 6)
  })
})
