/**
 * The open loop of a linear delay equation as a function of frequency, and its margins.
 *
 * With the loop opened at one variable, L(s) is the negative of what comes back when e^(st) is sent
 * round: the closed loop is 1 + L. Phase margin: what is left to -180 degrees where |L| = 1; gain
 * margin: what |L| may grow by where the phase is -180 degrees; delay margin: what the delay may
 * grow by (K. J. Astrom and R. M. Murray, "Feedback Systems", section 10.3). Margins say how far a
 * stable loop is from the edge. Whether it is stable the rightmost roots say: a phase margin above
 * zero is not enough where the loop integrates more than twice or has roots of its own.
 */
import { exp, ln } from '@weir/engine'
import { abs, arg, cexp, div, mul, scaled, solveInPlace, sub, ZERO } from './complex.ts'
import type { Complex, ComplexMatrix } from './complex.ts'
import { delayedSum, delayMax } from './linear-dde.ts'
import type { LinearDde } from './linear-dde.ts'

export type Transfer = (s: Complex) => Complex

const DEGREES = 180 / Math.PI

/** L(s) of an equation that is opened at one of its variables. */
export function openLoop(dde: LinearDde): Transfer {
  const { opened } = dde
  const own = dde.terms
    .filter(({ delay }) => delay === 0)
    .reduce((sum, { matrix }) => sum + matrix[opened]![opened]!, 0)
  return (s) => {
    const sum = delayedSum(dde, s)
    // What others see of the variable, and what it sees of itself later, is the input.
    const input: ComplexMatrix = sum.map((row, i) => [
      i === opened ? sub(row[opened]!, { re: own, im: 0 }) : row[opened]!,
    ])
    const matrix: ComplexMatrix = sum.map((row, i) =>
      row.map((value, j) => {
        const kept = j !== opened ? value : { re: i === opened ? own : 0, im: 0 }
        return sub(i === j ? s : ZERO, kept)
      }),
    )
    return scaled(solveInPlace(matrix, input)[opened]![0]!, -1)
  }
}

/** gain (1 + s / zero) / s^integrators e^(-s delay): the form in which loops are printed. */
export function integratorLoop(
  gain: number,
  zero: number,
  integrators: number,
  delay: number,
): Transfer {
  return (s) => {
    let value = mul(cexp(scaled(s, -delay)), {
      re: gain * (1 + s.re / zero),
      im: (gain * s.im) / zero,
    })
    for (let i = 0; i < integrators; i++) value = div(value, s)
    return value
  }
}

export interface Bode {
  /** In rad/s. */
  readonly omega: readonly number[]
  readonly gainDb: readonly number[]
  /** Followed from its low-frequency limit, so that it may pass -360. */
  readonly phaseDegrees: readonly number[]
}

export interface Margins {
  /** The least over all gain crossovers, whole turns counted; NaN if |L| never passes 1. */
  readonly phaseDegrees: number
  /** Where that is, in rad/s. */
  readonly crossover: number
  /** Smallest factor above or below 1 that |L| may change by, as a ratio; NaN if there is none. */
  readonly gain: number
  /** Where the phase is -180 degrees, in rad/s. */
  readonly phaseCrossover: number
  /** By how many seconds the delay may grow; NaN if the phase margin is not above zero. */
  readonly delay: number
}

export interface Range {
  readonly from: number
  readonly to: number
}

/** Frequencies at which a loop with such delays and time constants is worth a look. */
export function rangeOf(dde: LinearDde): Range {
  const longest = delayMax(dde)
  const rates = dde.terms.flatMap(({ matrix }) =>
    matrix.map((row, i) => Math.abs(row[i]!)).filter((rate) => rate > 0),
  )
  const slow = Math.min(...rates, longest > 0 ? 1 / longest : Infinity)
  const fast = Math.max(...rates, longest > 0 ? 1 / longest : 0)
  return { from: (Number.isFinite(slow) ? slow : 1) * 1e-3, to: (fast > 0 ? fast : 1) * 100 }
}

export function bode(loop: Transfer, range: Range, points: number = 400): Bode {
  const omega = frequencies(range, points)
  const values = omega.map((w) => loop({ re: 0, im: w }))
  const gainDb = values.map((value) => (20 * ln(abs(value))) / Math.LN10)
  return { omega, gainDb, phaseDegrees: phases(omega, values) }
}

/**
 * Phases in degrees that do not jump by full turns. The slope of the gain at the low end counts
 * integrators, and the phase begins nearest to -90 degrees each; a negative gain counts as half a
 * turn ahead.
 */
function phases(omega: readonly number[], values: readonly Complex[]): number[] {
  const fall = ln(abs(values[0]!) / abs(values[1]!)) / ln(omega[1]! / omega[0]!)
  let before = -90 * Math.round(fall) + 1
  return values.map((value) => {
    before = nearest(arg(value) * DEGREES, before)
    return before
  })
}

/** The angle plus whole turns that is nearest to another. */
function nearest(degrees: number, other: number): number {
  return degrees + 360 * Math.round((other - degrees) / 360)
}

export function margins(loop: Transfer, range: Range, points: number = 2000): Margins {
  const omega = frequencies(range, points)
  const at = (w: number): Complex => loop({ re: 0, im: w })
  const values = omega.map(at)
  const turned = phases(omega, values)
  let phaseDegrees = NaN
  let crossover = NaN
  for (const { w, index } of crossings(omega, (w) => ln(abs(at(w))))) {
    const phase = 180 + nearest(arg(at(w)) * DEGREES, turned[index]!)
    if (phase >= phaseDegrees) continue
    phaseDegrees = phase
    crossover = w
  }
  let gain = NaN
  let phaseCrossover = NaN
  // On the real axis to the left the imaginary part changes sign.
  for (const { w } of crossings(omega, (w) => at(w).im)) {
    const value = at(w)
    const factor = 1 / abs(value)
    if (value.re > 0 || Math.abs(ln(factor)) >= Math.abs(ln(gain))) continue
    gain = factor
    phaseCrossover = w
  }
  const delay = phaseDegrees > 0 ? phaseDegrees / DEGREES / crossover : NaN
  return { phaseDegrees, crossover, gain, phaseCrossover, delay }
}

function frequencies({ from, to }: Range, points: number): number[] {
  const step = ln(to / from) / (points - 1)
  return Array.from({ length: points }, (_, i) => from * exp(step * i))
}

interface Crossing {
  readonly w: number
  /** Of the frequency before it. */
  readonly index: number
}

/** Where a function of frequency changes its sign, to a part in 1e12. */
function crossings(omega: readonly number[], f: (w: number) => number): Crossing[] {
  const found: Crossing[] = []
  let before = f(omega[0]!)
  for (let i = 1; i < omega.length; i++) {
    const value = f(omega[i]!)
    if (before > 0 !== value > 0) {
      let low = omega[i - 1]!
      let high = omega[i]!
      for (let round = 0; round < 60 && high - low > 1e-12 * high; round++) {
        const middle = (low + high) / 2
        if (f(middle) > 0 === before > 0) low = middle
        else high = middle
      }
      found.push({ w: (low + high) / 2, index: i - 1 })
    }
    before = value
  }
  return found
}
