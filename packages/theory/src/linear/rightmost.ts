/**
 * The characteristic roots of a linear delay equation that lie furthest to the right.
 *
 * D. Breda, S. Maset, R. Vermiglio, "Pseudospectral Differencing Methods for Characteristic Roots
 * of Delay Differential Equations", SIAM J. Sci. Comput. 27 (2005): the infinitesimal generator of
 * the equation, differentiation of a function on [-d, 0] with the equation itself as boundary
 * condition, becomes a matrix when the function is a polynomial through Chebyshev's points; its
 * eigenvalues are close to the roots, the rightmost first. Newton's method on the characteristic
 * equation itself then makes them exact, and drops those that were none.
 */
import { cos } from '@weir/engine'
import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { abs, div, solveInPlace, sub, ZERO } from './complex.ts'
import type { Complex, ComplexMatrix } from './complex.ts'
import { delayedSum, delayMax } from './linear-dde.ts'
import type { LinearDde } from './linear-dde.ts'

export interface RootOptions {
  /** Points of the polynomial, less one. */
  readonly degree?: number
  /** How many roots are wanted. */
  readonly count?: number
}

/** Roots in 1/s by falling real part; of a conjugate pair the one above the axis. */
export function rightmostRoots(dde: LinearDde, options: RootOptions = {}): Complex[] {
  const { degree = 24, count = 4 } = options
  const balanced = balance(dde)
  const longest = delayMax(dde)
  const guesses = eigenvalues(
    longest === 0 ? undelayed(balanced) : generator(balanced, longest, degree),
  )
  const roots: Complex[] = []
  for (const guess of guesses) {
    if (guess.im < 0) continue
    const root = longest === 0 ? guess : polish(balanced, guess, longest)
    if (root === undefined) continue
    const size = Math.max(abs(root), 1e-9 / Math.max(longest, 1e-12))
    if (roots.some((known) => abs(sub(known, root)) < 1e-6 * size)) continue
    roots.push(root)
    if (roots.length >= count + 2) break
  }
  return roots.sort((a, b) => b.re - a.re).slice(0, count)
}

/**
 * Variables in units of each other: powers of two that make rows and columns alike (B. Parlett and
 * C. Reinsch, 1969), on the sum of what the delayed matrices hold. Roots do not change.
 */
function balance(dde: LinearDde): LinearDde {
  const n = dde.names.length
  const unit = new Array<number>(n).fill(1)
  const size = (i: number, j: number): number =>
    dde.terms.reduce((sum, { matrix }) => sum + Math.abs(matrix[i]![j]!), 0) * (unit[j]! / unit[i]!)
  for (let sweep = 0; sweep < 20; sweep++) {
    for (let i = 0; i < n; i++) {
      let row = 0
      let column = 0
      for (let j = 0; j < n; j++) {
        if (j === i) continue
        row += size(i, j)
        column += size(j, i)
      }
      if (row === 0 || column === 0) continue
      let ratio = row / column
      while (ratio > 4) ((unit[i]! *= 2), (ratio /= 4))
      while (ratio < 0.25) ((unit[i]! /= 2), (ratio *= 4))
    }
  }
  const terms = dde.terms.map(({ delay, matrix }) => ({
    delay,
    matrix: matrix.map((row, i) => row.map((value, j) => value * (unit[j]! / unit[i]!))),
  }))
  return { ...dde, terms }
}

function undelayed({ terms, names }: LinearDde): Matrix {
  const sum = Matrix.zeros(names.length, names.length)
  for (const { matrix } of terms) sum.add(new Matrix(matrix.map((row) => [...row])))
  return sum
}

/** The discretized generator; time is counted in `longest` within, and given back in seconds. */
function generator(dde: LinearDde, longest: number, degree: number): Matrix {
  const n = dde.names.length
  const points = Array.from(
    { length: degree + 1 },
    (_, i) => (cos((Math.PI * i) / degree) - 1) / 2, // 0 down to -1
  )
  const weights = points.map((_, i) => (i % 2 === 0 ? 1 : -1) * (i === 0 || i === degree ? 0.5 : 1))
  const matrix = Matrix.zeros(n * (degree + 1), n * (degree + 1))
  // The value now changes by the equation: delayed values are read off the polynomial.
  for (const { delay, matrix: block } of dde.terms) {
    const basis = lagrange(points, weights, -delay / longest)
    for (let point = 0; point <= degree; point++) {
      if (basis[point] === 0) continue
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const at = matrix.get(i, point * n + j)
          matrix.set(i, point * n + j, at + basis[point]! * block[i]![j]!)
        }
      }
    }
  }
  // Earlier values are differentiated.
  for (let row = 1; row <= degree; row++) {
    let diagonal = 0
    for (let column = 0; column <= degree; column++) {
      if (column === row) continue
      const slope = weights[column]! / weights[row]! / (points[row]! - points[column]!)
      diagonal -= slope
      for (let i = 0; i < n; i++) matrix.set(row * n + i, column * n + i, slope / longest)
    }
    for (let i = 0; i < n; i++) matrix.set(row * n + i, row * n + i, diagonal / longest)
  }
  return matrix
}

/** Values at x of the polynomials that are 1 at one point and 0 at the others. */
function lagrange(points: readonly number[], weights: readonly number[], x: number): number[] {
  const hit = points.findIndex((point) => Math.abs(point - x) < 1e-14)
  if (hit >= 0) return points.map((_, i) => (i === hit ? 1 : 0))
  const parts = points.map((point, i) => weights[i]! / (x - point))
  const sum = parts.reduce((a, b) => a + b, 0)
  return parts.map((part) => part / sum)
}

/** By falling real part. */
function eigenvalues(matrix: Matrix): Complex[] {
  const found = new EigenvalueDecomposition(matrix, { assumeSymmetric: false })
  return found.realEigenvalues
    .map((re, i) => ({ re, im: found.imaginaryEigenvalues[i]! }))
    .sort((a, b) => b.re - a.re)
}

/**
 * Newton on the determinant of the characteristic matrix D(s): the step is 1 / trace(D^-1 D'). A
 * guess from which it wanders off, or does not settle, was no root.
 */
function polish(dde: LinearDde, guess: Complex, longest: number): Complex | undefined {
  let s = guess
  const near = Math.max(abs(guess), 1 / longest)
  for (let round = 0; round < 40; round++) {
    const step = newtonStep(dde, s)
    if (!Number.isFinite(step.re) || !Number.isFinite(step.im)) return s
    s = sub(s, step)
    if (abs(sub(s, guess)) > 0.3 * near) return undefined
    if (abs(step) < 1e-12 * near) return settled(s, near)
  }
  return undefined
}

function settled(s: Complex, near: number): Complex {
  return Math.abs(s.im) < 1e-9 * near ? { re: s.re, im: 0 } : { re: s.re, im: Math.abs(s.im) }
}

function newtonStep(dde: LinearDde, s: Complex): Complex {
  const n = dde.names.length
  const matrix = delayedSum(dde, s).map((row, i) =>
    row.map((value, j) => sub(i === j ? s : ZERO, value)),
  )
  const slope: ComplexMatrix = delayedSum(dde, s, true).map((row, i) =>
    row.map((value, j) => sub({ re: i === j ? 1 : 0, im: 0 }, value)),
  )
  const quotient = solveInPlace(matrix, slope)
  let re = 0
  let im = 0
  for (let i = 0; i < n; i++) {
    re += quotient[i]![i]!.re
    im += quotient[i]![i]!.im
  }
  return div({ re: 1, im: 0 }, { re, im })
}
