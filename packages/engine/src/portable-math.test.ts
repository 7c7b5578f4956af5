import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atan2, cos, exp, ln, pow, sin } from './portable-math.ts'

/** Every engine's Math.log is right to about one ulp; a relative error of 1e-15 is 4.5 ulp. */
function near(actual: number, wanted: number, tolerance = 1e-15): void {
  expect(Math.abs(actual - wanted)).toBeLessThanOrEqual(tolerance * Math.abs(wanted))
}

const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true })

describe('portable math', () => {
  it('agrees with the logarithm of the engine to a few units in the last place', () => {
    fc.assert(fc.property(positive, (x) => near(ln(x), Math.log(x))))
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (x) => near(ln(x), Math.log(x))),
    )
  })

  it('agrees with the exponential of the engine to a few units in the last place', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) =>
        near(exp(x), Math.exp(x)),
      ),
    )
  })

  it('raises to a power with an error that grows with the exponent of the result', () => {
    const base = fc.double({ min: 1e-6, max: 1e9, noNaN: true })
    const power = fc.double({ min: -8, max: 8, noNaN: true })
    fc.assert(fc.property(base, power, (x, y) => near(pow(x, y), x ** y, 1e-13)))
  })

  it('agrees with the sine, cosine and angle of the engine', () => {
    const angle = fc.double({ min: -1e4, max: 1e4, noNaN: true })
    const isNear = (actual: number, wanted: number): boolean => Math.abs(actual - wanted) < 1e-15
    fc.assert(fc.property(angle, (x) => isNear(sin(x), Math.sin(x))))
    fc.assert(fc.property(angle, (x) => isNear(cos(x), Math.cos(x))))
    const side = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(side, side, (y, x) => {
        // The signs of zeros are the engine's affair.
        if (y !== 0 || x > 0) expect(isNear(atan2(y, x), Math.atan2(y, x))).toBe(true)
      }),
    )
    expect([atan2(0, 1), atan2(0, 0)]).toEqual([0, 0])
    expect(atan2(0, -1)).toBe(Math.PI)
    expect(atan2(NaN, 1)).toBeNaN()
  })

  it('keeps the special values', () => {
    expect(ln(1)).toBe(0)
    expect(ln(0)).toBe(-Infinity)
    expect(ln(-1)).toBeNaN()
    expect(ln(NaN)).toBeNaN()
    expect(ln(Infinity)).toBe(Infinity)
    expect(exp(0)).toBe(1)
    expect(exp(-Infinity)).toBe(0)
    expect(exp(Infinity)).toBe(Infinity)
    expect(exp(NaN)).toBeNaN()
    expect(pow(0, 2)).toBe(0)
    expect(pow(0, -2)).toBe(Infinity)
    expect(pow(7, 0)).toBe(1)
  })

  it('gives these very bits on every machine, right or one unit off in the last place', () => {
    expect(ln(10)).toBe(2.302585092994046)
    expect(ln(0.1)).toBe(-2.3025850929940455)
    expect(exp(1)).toBe(2.7182818284590455)
    expect(pow(2, 0.5)).toBe(1.414213562373095)
  })
})
