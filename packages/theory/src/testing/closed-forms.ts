/**
 * Delay equations whose solutions are known, to hold the solver against: by the method of steps,
 * which integrates from delay to delay.
 */
import { exp } from '@weir/engine'
import type { DelayProblem, Solution } from '../dde/solver.ts'

/** y'(t) = -y(t - 1), y = 1 up to 0. */
export const linearDelay: DelayProblem = {
  dimension: 1,
  start: 0,
  end: 10,
  delayMin: 1,
  delays: [1],
  scale: [1],
  before: () => 1,
  derivative: (time, _y, past, dy) => {
    dy[0] = -past(0, time - 1)
  },
}

/** The sum over k of (-1)^k (t - k + 1)^k / k!, for k up to t + 1. */
export function linearExact(time: number): number {
  let sum = 0
  for (let k = 0; k <= Math.floor(time) + 1; k++) {
    let term = 1
    for (let i = 1; i <= k; i++) term *= -(time - k + 1) / i
    sum += term
  }
  return sum
}

/** Hutchinson's logistic y' = r y(t) (1 - y(t - 1)), y = y0 up to 0. */
export function logisticDelay(r: number, y0: number, end: number): DelayProblem {
  return {
    ...linearDelay,
    end,
    before: () => y0,
    derivative: (time, y, past, dy) => {
      dy[0] = r * y[0]! * (1 - past(0, time - 1))
    },
  }
}

/**
 * ln y grows by r times the integral of 1 - y(t - 1). In closed form up to 2; then the integral of
 * an exponential of an exponential, by Gauss' rule of five points.
 */
export function logisticExact(r: number, y0: number, time: number): number {
  const a = r * (1 - y0)
  if (time <= 1) return y0 * exp(a * time)
  if (time <= 2) {
    const s = time - 1
    return y0 * exp(a + r * (s - (y0 * (exp(a * s) - 1)) / a))
  }
  const integral = gauss((s) => 1 - logisticExact(r, y0, s - 1), 2, time)
  return logisticExact(r, y0, 2) * exp(r * integral)
}

function gauss(f: (x: number) => number, from: number, to: number): number {
  const points = [
    [0, 128 / 225],
    [Math.sqrt(5 - 2 * Math.sqrt(10 / 7)) / 3, (322 + 13 * Math.sqrt(70)) / 900],
    [Math.sqrt(5 + 2 * Math.sqrt(10 / 7)) / 3, (322 - 13 * Math.sqrt(70)) / 900],
  ] as const
  const panels = 40
  const h = (to - from) / panels
  let sum = 0
  for (let i = 0; i < panels; i++) {
    const middle = from + (i + 0.5) * h
    for (const [x, weight] of points) {
      if (x === 0) sum += weight * f(middle)
      else sum += weight * (f(middle - (x * h) / 2) + f(middle + (x * h) / 2))
    }
  }
  return (sum * h) / 2
}

/** The largest distance from what is exact, at a thousand times; Infinity if there is no number. */
export function worstError(
  solution: Solution,
  exact: (time: number) => number,
  end: number,
): number {
  let most = 0
  for (let i = 0; i <= 1000; i++) {
    const time = (end * i) / 1000
    const error = Math.abs(solution.value(0, time) - exact(time))
    most = Number.isNaN(error) ? Infinity : Math.max(most, error)
  }
  return most
}
