import { describe, expect, it } from 'vitest'
import {
  linearDelay as linear,
  linearExact,
  logisticDelay as logistic,
  logisticExact,
  worstError as worst,
} from '../testing/closed-forms.ts'
import { solve } from './solver.ts'
import type { DelayProblem } from './solver.ts'

describe('the solver of delay equations', () => {
  it("solves y' = -y(t - 1) as the method of steps does, to 1e-6, or to 1e-9 if asked", () => {
    expect(worst(solve(linear), linearExact, 10)).toBeLessThan(1e-6)
    expect(worst(solve(linear, { tolerance: 1e-10 }), linearExact, 10)).toBeLessThan(1e-9)
  })

  it("keeps the amplitude of y' = -pi/2 y(t - 1), a pure oscillation, over fifty periods", () => {
    const half = Math.PI / 2
    const exact = (time: number): number => Math.cos(half * time)
    const problem: DelayProblem = {
      ...linear,
      end: 200,
      before: (_i, time) => exact(time),
      derivative: (time, _y, past, dy) => {
        dy[0] = -half * past(0, time - 1)
      },
    }
    expect(worst(solve(problem, { tolerance: 1e-9 }), exact, 200)).toBeLessThan(1e-6)
  })

  it('solves the logistic with delay as the method of steps does, to 1e-6', () => {
    for (const [r, y0] of [
      [0.5, 0.1],
      [1.4, 0.5],
      [2.5, 1.6],
    ] as const) {
      const solution = solve(logistic(r, y0, 3), { tolerance: 1e-8 })
      expect(worst(solution, (time) => logisticExact(r, y0, time), 3)).toBeLessThan(1e-6)
    }
  })

  it('is of fifth order: half the step, a thirtieth of the error', () => {
    const errorOf = (stepFixed: number): number =>
      worst(solve(logistic(1.4, 0.5, 3), { stepFixed }), (t) => logisticExact(1.4, 0.5, t), 3)
    expect(Math.log2(errorOf(1 / 4) / errorOf(1 / 8))).toBeGreaterThan(4)
  })

  it('finds delays that depend on the state', () => {
    // y = sqrt(t) solves y' = 1 / (2 sqrt(y(t - d)^2 + 1)) with d = 1 + y^2 - t, which is 1 on it.
    const problem: DelayProblem = {
      ...linear,
      start: 2,
      end: 6,
      before: (_i, time) => Math.sqrt(time),
      delays: [],
      derivative: (time, y, past, dy) => {
        const delay = 1 + (y[0]! * y[0]! - time)
        const then = past(0, time - Math.max(1, delay))
        dy[0] = 1 / (2 * Math.sqrt(then * then + 1))
      },
    }
    const solution = solve(problem, { tolerance: 1e-9 })
    expect(Math.abs(solution.value(0, 6) - Math.sqrt(6))).toBeLessThan(1e-6)
  })

  it('never steps beyond the shortest delay, however smooth the solution', () => {
    const slow: DelayProblem = {
      ...linear,
      delayMin: 0.05,
      delays: [0.05],
      derivative: (time, y, past, dy) => {
        dy[0] = 0.01 * (past(0, time - 0.05) - y[0]!)
      },
    }
    const { times } = solve(slow, { tolerance: 1e-3 })
    const longest = Math.max(...times.slice(1).map((time, i) => time - times[i]!))
    expect(longest).toBeLessThanOrEqual(0.05 + 1e-12)
    expect(longest).toBeGreaterThan(0.049)
  })

  it('says where its steps ended: the first at the start, the last at the end', () => {
    const { times } = solve({ ...linear, start: -1, end: 3 })
    expect([times[0], times.at(-1)]).toEqual([-1, 3])
    expect(Array.from(times)).toEqual(Array.from(times).sort((a, b) => a - b))
  })

  it('takes the steps of one for two side by side: its error is their mean, as squares go', () => {
    const one = logistic(1.4, 0.5, 3)
    const two: DelayProblem = {
      ...one,
      dimension: 2,
      scale: [one.scale[0]!, one.scale[0]!],
      before: (_, time) => one.before(0, time),
      derivative: (time, y, past, dy) => {
        for (const i of [0, 1]) {
          const own = new Float64Array(1)
          one.derivative(time, y.slice(i, i + 1), (_, then) => past(i, then), own)
          dy[i] = own[0]!
        }
      },
    }
    const [single, pair] = [solve(one), solve(two)]
    expect(Array.from(pair.times)).toEqual(Array.from(single.times))
    for (const time of [0.123, 1.7, 3]) {
      expect(pair.value(0, time)).toBe(single.value(0, time))
      expect(pair.value(1, time)).toBe(single.value(0, time))
    }
  })

  it('refuses to say what comes after its end', () => {
    expect(() => solve(linear).value(0, 10.1)).toThrow('known up to 10')
  })

  it('stops at breaks, and puts back what a step overshot', () => {
    // A tank that fills at rate 1 until t = 1 and then drains at 2: empty from 1.5 on.
    const problem: DelayProblem = {
      dimension: 1,
      start: 0,
      end: 3,
      delayMin: Infinity,
      breaks: [1],
      scale: [1],
      before: () => 0,
      derivative: (time, y, _past, dy) => {
        const flow = time < 1 ? 1 : -2
        dy[0] = y[0]! > 0 ? flow : Math.max(0, flow)
      },
      project: (y) => {
        if (y[0]! >= 0) return false
        y[0] = 0
        return true
      },
    }
    const solution = solve(problem)
    expect(solution.value(0, 1)).toBeCloseTo(1, 9)
    expect(solution.value(0, 1.25)).toBeCloseTo(0.5, 5)
    expect(solution.value(0, 2)).toBeCloseTo(0, 5)
    expect(Array.from(solution.times)).toContain(1)
  })

  it('steps around slopes that are no number, and says so where there is no way round', () => {
    // y' = -2 sqrt(y) reaches 0 at t = 1, and a stage beyond it has no root to take.
    const empties = (end: number): DelayProblem => ({
      ...{ dimension: 1, start: 0, end, delayMin: Infinity, scale: [1] },
      before: () => 1,
      derivative: (_time, y, _past, dy) => {
        dy[0] = -2 * Math.sqrt(y[0]!)
      },
    })
    expect(solve(empties(0.999)).value(0, 0.999)).toBeCloseTo(1e-6, 8)
    const wall: DelayProblem = {
      ...empties(2),
      derivative: (time, _y, _past, dy) => {
        dy[0] = time > 1 ? NaN : 1
      },
    }
    expect(() => solve(wall)).toThrow('no number')
    expect(() => solve(wall, { stepFixed: 0.1 })).toThrow('no number')
  })

  it('refuses a run without end', () => {
    expect(() => solve(linear, { stepsMax: 3 })).toThrow('ask for a shorter time')
  })
})

describe('the control of steps', () => {
  /** At r = 3 populations burst and all but die: spikes of 8 between stretches near zero. */
  const bursts = logistic(3, 0.5, 30)
  const reference = solve(bursts, { tolerance: 1e-12 })
  const exact = (time: number): number => reference.value(0, time)

  it('makes a result of so many evaluations good: as many equal steps are far worse', () => {
    const adaptive = solve(bursts, { tolerance: 1e-7 })
    const stepFixed = (30 * 6) / adaptive.evaluations
    const fixed = solve(bursts, { stepFixed })
    expect(fixed.evaluations).toBeGreaterThan(0.95 * adaptive.evaluations)
    const ratio = worst(fixed, exact, 30) / worst(adaptive, exact, 30)
    expect(ratio).toBeGreaterThan(30)
  })

  it('takes long steps where little happens and short ones where much does', () => {
    const { times } = solve(bursts, { tolerance: 1e-7 })
    const widths = Array.from(times.slice(1), (time, i) => time - times[i]!).sort((a, b) => a - b)
    const at = (q: number): number => widths[Math.floor(q * (widths.length - 1))]!
    expect(at(0.98) / at(0.1)).toBeGreaterThan(20)
  })

  it('keeps the error in proportion to the tolerance', () => {
    const errors = [1e-5, 1e-7, 1e-9].map((tolerance) =>
      worst(solve(logistic(1.4, 0.5, 3), { tolerance }), (t) => logisticExact(1.4, 0.5, t), 3),
    )
    expect(errors[0]! / errors[1]!).toBeGreaterThan(10)
    expect(errors[1]! / errors[2]!).toBeGreaterThan(10)
    errors.forEach((error, i) => expect(error).toBeLessThan(30 * [1e-5, 1e-7, 1e-9][i]!))
  })

  it('without knowing where kinks are still arrives, with more rejected steps', () => {
    const known = solve(linear, { tolerance: 1e-9 })
    const unknown = solve({ ...linear, delays: [] }, { tolerance: 1e-9 })
    expect(worst(unknown, linearExact, 10)).toBeLessThan(1e-6)
    expect(unknown.rejected).toBeGreaterThan(known.rejected)
  })
})
