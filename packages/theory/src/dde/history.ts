/**
 * What a solution was: one polynomial a step, looked up by time. Before the first step it is what
 * the problem says it was.
 *
 * The polynomial is the continuous extension of the Dormand-Prince pair (E. Hairer, S. P. Norsett
 * and G. Wanner, "Solving Ordinary Differential Equations I", II.6, program DOPRI5): of fourth
 * order, so that a delayed value is as good as the step that made it.
 */

/** Coefficients of one step and one component. */
export const TERMS = 5

const ROUNDING = 1e-12

export class History {
  readonly dimension: number
  readonly start: number
  readonly #before: (index: number, time: number) => number
  #times: Float64Array
  #terms: Float64Array
  #steps: number = 0
  /** The step that was read last: the next look-up is near. */
  #hint: number = 0

  constructor(dimension: number, start: number, before: (index: number, time: number) => number) {
    this.dimension = dimension
    this.start = start
    this.#before = before
    this.#times = new Float64Array(64)
    this.#times[0] = start
    this.#terms = new Float64Array(63 * dimension * TERMS)
  }

  get steps(): number {
    return this.#steps
  }

  /** Ends of steps, the start first. */
  get times(): Float64Array {
    return this.#times.subarray(0, this.#steps + 1)
  }

  get end(): number {
    return this.#times[this.#steps]!
  }

  /** Adds a step that ends at `end`; `terms` holds TERMS numbers for each component. */
  append(end: number, terms: Float64Array): void {
    const size = this.dimension * TERMS
    if (this.#steps + 2 > this.#times.length) {
      this.#times = grown(this.#times, this.#times.length * 2)
      this.#terms = grown(this.#terms, (this.#times.length - 1) * size)
    }
    this.#terms.set(terms, this.#steps * size)
    this.#times[++this.#steps] = end
  }

  /** A component at a time up to the end of the last step; later ones are refused. */
  value(index: number, time: number): number {
    const end = this.#times[this.#steps]!
    // As much as t + h - d may differ from t when h = d.
    if (time > end + ROUNDING * Math.max(Math.abs(end), Math.abs(this.start))) {
      throw new RangeError(`The solution is known up to ${end}, and is asked for at ${time}.`)
    }
    if (time <= this.start) return this.#before(index, time)
    if (this.#steps === 0) return this.#before(index, this.start)
    const step = this.#stepOf(time)
    const from = this.#times[step]!
    const width = this.#times[step + 1]! - from
    const s = Math.min(1, (time - from) / width)
    const r = 1 - s
    const terms = this.#terms
    const at = (step * this.dimension + index) * TERMS
    const inner = terms[at + 3]! + r * terms[at + 4]!
    return terms[at]! + s * (terms[at + 1]! + r * (terms[at + 2]! + s * inner))
  }

  #stepOf(time: number): number {
    const times = this.#times
    const last = this.#steps - 1
    let hint = this.#hint
    for (let tries = 0; tries < 3; tries++, hint++) {
      if (hint <= last && time >= times[hint]! && time <= times[hint + 1]!) {
        this.#hint = hint
        return hint
      }
    }
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (times[middle]! <= time) low = middle
      else high = middle - 1
    }
    this.#hint = low
    return low
  }
}

function grown(array: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length)
  larger.set(array)
  return larger
}
