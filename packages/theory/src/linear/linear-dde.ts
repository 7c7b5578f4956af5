/**
 * A linear delay equation x'(t) = sum over k of A_k x(t - d_k), and its characteristic matrix
 * s I - sum of A_k e^(-s d_k): the equation is stable if no s with a real part of 0 or more makes
 * that singular (J. Hale and S. Verduyn Lunel, "Introduction to Functional Differential Equations",
 * 1993, ch. 7).
 */
import { add, cexp, scaled, ZERO } from './complex.ts'
import type { Complex, ComplexMatrix } from './complex.ts'

/** Row by row. */
export type RealMatrix = readonly (readonly number[])[]

export interface DelayTerm {
  /** In seconds; 0 for what acts at once. */
  readonly delay: number
  readonly matrix: RealMatrix
}

export interface LinearDde {
  readonly names: readonly string[]
  readonly terms: readonly DelayTerm[]
  /**
   * The variable at which the loop is opened: the transfer function leads from what others see of
   * it, and from what it sees of itself after a delay, once round the loop.
   */
  readonly opened: number
}

/** The sum of A_k e^(-s d_k); times -d_k each if `isSlope`, which is its derivative by s. */
export function delayedSum(dde: LinearDde, s: Complex, isSlope: boolean = false): ComplexMatrix {
  const n = dde.names.length
  const sum: ComplexMatrix = Array.from({ length: n }, () => Array.from({ length: n }, () => ZERO))
  for (const { delay, matrix } of dde.terms) {
    const lag = delay === 0 ? { re: 1, im: 0 } : cexp(scaled(s, -delay))
    const factor = isSlope ? scaled(lag, -delay) : lag
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const value = matrix[i]![j]!
        if (value !== 0) sum[i]![j] = add(sum[i]![j]!, scaled(factor, value))
      }
    }
  }
  return sum
}

export function delayMax(dde: LinearDde): number {
  return Math.max(0, ...dde.terms.map(({ delay }) => delay))
}
