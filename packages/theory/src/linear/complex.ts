/** Complex numbers, and small square systems of them by Gauss' elimination. */
import { atan2, cos, exp, sin } from '@weir/engine'

export interface Complex {
  readonly re: number
  readonly im: number
}

export const ZERO: Complex = { re: 0, im: 0 }

export function add(a: Complex, b: Complex): Complex {
  return { re: a.re + b.re, im: a.im + b.im }
}

export function sub(a: Complex, b: Complex): Complex {
  return { re: a.re - b.re, im: a.im - b.im }
}

export function mul(a: Complex, b: Complex): Complex {
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re }
}

export function div(a: Complex, b: Complex): Complex {
  const size = b.re * b.re + b.im * b.im
  return { re: (a.re * b.re + a.im * b.im) / size, im: (a.im * b.re - a.re * b.im) / size }
}

export function scaled(a: Complex, factor: number): Complex {
  return { re: a.re * factor, im: a.im * factor }
}

export function abs(a: Complex): number {
  const large = Math.max(Math.abs(a.re), Math.abs(a.im))
  if (large === 0) return 0
  const re = a.re / large
  const im = a.im / large
  return large * Math.sqrt(re * re + im * im)
}

/** In -pi..pi. */
export function arg(a: Complex): number {
  return atan2(a.im, a.re)
}

/** e^a. */
export function cexp(a: Complex): Complex {
  const size = exp(a.re)
  return { re: size * cos(a.im), im: size * sin(a.im) }
}

export type ComplexMatrix = Complex[][]

/**
 * Solves matrix x = right for each column of `right`; both are overwritten, `right` by x. A matrix
 * that is singular to the last bit gives Infinity and NaN.
 */
export function solveInPlace(matrix: ComplexMatrix, right: ComplexMatrix): ComplexMatrix {
  const n = matrix.length
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column + 1; row < n; row++) {
      if (abs(matrix[row]![column]!) > abs(matrix[pivot]![column]!)) pivot = row
    }
    swap(matrix, column, pivot)
    swap(right, column, pivot)
    for (let row = 0; row < n; row++) {
      if (row === column) continue
      const factor = div(matrix[row]![column]!, matrix[column]![column]!)
      if (factor.re === 0 && factor.im === 0) continue
      subtractRow(matrix[row]!, matrix[column]!, factor)
      subtractRow(right[row]!, right[column]!, factor)
    }
  }
  for (let row = 0; row < n; row++) {
    const pivot = matrix[row]![row]!
    right[row] = right[row]!.map((value) => div(value, pivot))
  }
  return right
}

function subtractRow(target: Complex[], row: readonly Complex[], factor: Complex): void {
  for (let i = 0; i < target.length; i++) target[i] = sub(target[i]!, mul(factor, row[i]!))
}

function swap(rows: ComplexMatrix, a: number, b: number): void {
  const kept = rows[a]!
  rows[a] = rows[b]!
  rows[b] = kept
}
