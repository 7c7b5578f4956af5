/**
 * Delay differential equations y'(t) = f(t, y(t), y(t - d1), ...): the Dormand-Prince 5(4) pair
 * with adaptive steps, and a dense history that delayed values are read from.
 *
 * E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", II.4 to II.6
 * and II.17. Three things make it a solver of delay equations. No step is longer than the shortest
 * delay, so that whatever a stage looks up is there. Steps end where a kink is known to be: the
 * start of a delay equation is one, it comes back after each delay, smoother by one order each
 * time, and after five it no longer matters to a method of order five. And right-hand sides that
 * jump (a marking threshold, an empty queue) are met by steps that shrink until the jump no longer
 * counts; below a least step they are taken as they are.
 *
 * Allocates a history that grows by doubling; nothing per step.
 */
import { pow } from '@weir/engine'
import { History, TERMS } from './history.ts'

/** Component `index` at an earlier time. */
export type Past = (index: number, time: number) => number

export interface DelayProblem {
  readonly dimension: number
  readonly start: number
  readonly end: number
  /** Writes dy/dt. `past` must not be asked for less than `delayMin` ago. */
  derivative(time: number, y: Float64Array, past: Past, dy: Float64Array): void
  /** The solution up to and at the start. */
  before(index: number, time: number): number
  /** No delay is ever shorter; Infinity if there is none (an ordinary equation). */
  readonly delayMin: number
  /** Constant delays, along which kinks travel; leave out those that depend on the state. */
  readonly delays?: readonly number[]
  /** Times at which the right-hand side jumps of itself. */
  readonly breaks?: readonly number[]
  /** What a component is measured in: errors are relative to its size, or to this if smaller. */
  readonly scale: ArrayLike<number>
  /** Puts a state that a step has overshot back where it may be; true if it changed anything. */
  project?(y: Float64Array): boolean
}

export interface SolveOptions {
  /** Error a step may make, relative to a component's size or scale. */
  readonly tolerance?: number
  readonly stepMax?: number
  /** Steps of this length, whatever the error: to see what the control is worth. */
  readonly stepFixed?: number
  /** More steps than this are refused. */
  readonly stepsMax?: number
}

export interface Solution {
  /** Component `index` at any time of the solution, or before its start. */
  value(index: number, time: number): number
  /** Ends of the steps, the start first. */
  readonly times: Float64Array
  readonly rejected: number
  /** Evaluations of the right-hand side. */
  readonly evaluations: number
}

export class SolverError extends Error {
  override readonly name = 'SolverError'
}

// Hairer's DOPRI5, table II.5.2 and the program's constants of dense output.
const C = [0, 0.2, 0.3, 0.8, 8 / 9, 1, 1]
const A: readonly (readonly number[])[] = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
const E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]
const D = [
  -12715105075 / 11282082432,
  0,
  87487479700 / 32700410799,
  -10690763975 / 1880347072,
  701980252875 / 199316789632,
  -1453857185 / 822651844,
  69997945 / 29380423,
]
const STAGES = 7
/** Kinks of this order or more are below what a method of fifth order sees. */
const KINK_ORDERS = 5
const KINKS_MAX = 2000

export function solve(problem: DelayProblem, options: SolveOptions = {}): Solution {
  return new Stepper(problem, options).run()
}

class Stepper {
  readonly #problem: DelayProblem
  readonly #tolerance: number
  readonly #stepMax: number
  readonly #stepFixed: number | undefined
  readonly #stepMin: number
  readonly #stepsMax: number
  readonly #history: History
  readonly #past: Past
  readonly #k: Float64Array[]
  readonly #y: Float64Array
  readonly #next: Float64Array
  readonly #terms: Float64Array
  #time: number
  #rejected: number = 0
  #evaluations: number = 0

  constructor(problem: DelayProblem, options: SolveOptions) {
    const { dimension, start, end } = problem
    const span = end - start
    this.#problem = problem
    this.#tolerance = options.tolerance ?? 1e-8
    this.#stepMax = Math.min(options.stepMax ?? span, problem.delayMin, span)
    this.#stepFixed = options.stepFixed
    this.#stepMin = span * 1e-13
    this.#stepsMax = options.stepsMax ?? 5_000_000
    this.#history = new History(dimension, start, (index, time) => problem.before(index, time))
    this.#past = (index, time) => this.#history.value(index, time)
    this.#k = Array.from({ length: STAGES }, () => new Float64Array(dimension))
    this.#y = new Float64Array(dimension)
    this.#next = new Float64Array(dimension)
    this.#terms = new Float64Array(dimension * TERMS)
    this.#time = start
    for (let i = 0; i < dimension; i++) this.#y[i] = problem.before(i, start)
  }

  run(): Solution {
    const { end } = this.#problem
    const kinks = kinksOf(this.#problem)
    let kink = 0
    let step = Math.min(this.#stepMax, (end - this.#time) * 1e-3)
    this.#evaluate(0, this.#time, this.#y)
    while (this.#time < end) {
      if (this.#history.steps + this.#rejected >= this.#stepsMax) {
        throw new SolverError(
          `${this.#stepsMax} steps lead only to ${this.#time} of ${end}; ask for a shorter time.`,
        )
      }
      while (kink < kinks.length && kinks[kink]! <= this.#time + this.#stepMin) kink++
      const stop = Math.min(end, kinks[kink] ?? end)
      const wanted = Math.min(this.#stepFixed ?? step, this.#stepMax)
      const room = stop - this.#time
      // No crumb is left before a stop: the last two steps share what is left.
      const taken = wanted >= room ? room : wanted > 0.5 * room ? 0.5 * room : wanted
      const error = this.#try(taken, stop - this.#stepMin)
      const isTaken = this.#stepFixed !== undefined || error <= 1 || taken <= this.#stepMin
      if (isTaken && error === Infinity) {
        throw new SolverError(`The slope is no number from ${this.#time} on; ask for less time.`)
      }
      if (isTaken) this.#accept(taken, wanted >= room ? stop : this.#time + taken, wanted >= room)
      else this.#rejected++
      const factor = error > 0 ? 0.9 * pow(error, -0.2) : 5
      const bounded = Math.min(isTaken ? 5 : 1, Math.max(0.2, factor))
      // A step that was cut short to end at a stop says little about the next.
      step = Math.max(this.#stepMin, isTaken ? Math.max(wanted, taken * bounded) : taken * bounded)
      if (isTaken && taken === wanted) step = Math.max(this.#stepMin, taken * bounded)
    }
    const history = this.#history
    return {
      value: (index, time) => history.value(index, time),
      times: history.times,
      rejected: this.#rejected,
      evaluations: this.#evaluations,
    }
  }

  #evaluate(stage: number, time: number, y: Float64Array): void {
    this.#evaluations++
    this.#problem.derivative(time, y, this.#past, this.#k[stage]!)
  }

  /**
   * Leaves the end of a step in `next` and its slope in the last stage; its error in tolerances,
   * Infinity if a stage was no number: a shorter step may stay where slopes are. No stage looks
   * beyond `latest`: what holds from a break on does not hold in the step before it.
   */
  #try(h: number, latest: number): number {
    const y = this.#y
    const next = this.#next
    const k = this.#k
    const n = y.length
    for (let stage = 1; stage < STAGES; stage++) {
      const row = A[stage]!
      for (let i = 0; i < n; i++) {
        let sum = 0
        for (let j = 0; j < stage; j++) sum += row[j]! * k[j]![i]!
        next[i] = y[i]! + h * sum
      }
      this.#evaluate(stage, Math.min(latest, this.#time + C[stage]! * h), next)
    }
    const { scale } = this.#problem
    let squares = 0
    for (let i = 0; i < n; i++) {
      let error = 0
      for (let j = 0; j < STAGES; j++) error += E[j]! * k[j]![i]!
      const size = Math.max(scale[i]!, Math.abs(y[i]!), Math.abs(next[i]!))
      const relative = (h * error) / (this.#tolerance * size)
      squares += relative * relative
    }
    return Number.isFinite(squares) ? Math.sqrt(squares / n) : Infinity
  }

  #accept(h: number, end: number, isStop: boolean): void {
    const y = this.#y
    const next = this.#next
    const k = this.#k
    const terms = this.#terms
    for (let i = 0; i < y.length; i++) {
      const first = k[0]![i]!
      const last = k[STAGES - 1]![i]!
      const rise = next[i]! - y[i]!
      const bend = h * first - rise
      let sum = 0
      for (let j = 0; j < STAGES; j++) sum += D[j]! * k[j]![i]!
      terms[i * TERMS] = y[i]!
      terms[i * TERMS + 1] = rise
      terms[i * TERMS + 2] = bend
      terms[i * TERMS + 3] = rise - h * last - bend
      terms[i * TERMS + 4] = h * sum
    }
    this.#history.append(end, terms)
    this.#time = end
    y.set(next)
    // The last stage is the first of the next step, unless the state was put back or a break came.
    if (this.#problem.project?.(y) === true || isStop) this.#evaluate(0, end, y)
    else k[0]!.set(k[STAGES - 1]!)
  }
}

/** Times of kinks: the start, own breaks, and each again after every sum of up to five delays. */
function kinksOf({ start, end, delays = [], breaks = [] }: DelayProblem): number[] {
  let front = [start, ...breaks]
  const all = new Set(breaks)
  for (let order = 0; order < KINK_ORDERS && all.size < KINKS_MAX; order++) {
    const next = new Set<number>()
    for (const time of front) {
      for (const delay of delays) if (delay > 0 && time + delay < end) next.add(time + delay)
    }
    front = [...next]
    for (const time of front) all.add(time)
  }
  return [...all].filter((time) => time > start && time < end).sort((a, b) => a - b)
}
