/** Searches on a landscape of our own: which changes they keep, and where they look next. */
import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { hillClimbing, logLinearLearning, RouteProblem, simulatedAnnealing } from './index.ts'
import type { Assignment, RouteSearch } from './index.ts'

const FLOWS = 8
const ROUTE = { links: Int32Array.of(0), fractions: Float64Array.of(1) }

/**
 * The assignments that a search tries, in order, where flows with the second protocol are worth
 * this much more each; all of them with the first are worth 8.
 */
function tried(method: RouteSearch, worth: number, evaluationsMax = 400): number[][] {
  const flows = Array.from({ length: FLOWS }, () => ({ routes: [ROUTE, ROUTE] }))
  const problem = new RouteProblem([1], flows)
  const seen: number[][] = []
  problem.utilityOf = (assignment: Assignment): number => {
    problem.evaluations++
    seen.push([...assignment])
    return FLOWS + worth * ones(assignment)
  }
  const random = new Random(1, method.name)
  method.search(problem, { current: new Uint8Array(FLOWS), evaluationsMax, random })
  return seen
}

const ones = (assignment: ArrayLike<number>): number =>
  Array.from(assignment).reduce((sum, one) => sum + one, 0)
const apart = (a: readonly number[], b: readonly number[]): number =>
  a.filter((gene, i) => gene !== b[i]).length

describe('hill climbing', () => {
  it('changes one flow at a time, up to the top, and keeps nothing that is not better', () => {
    const up = tried(hillClimbing(), 1, 60)
    const top = up.findIndex((assignment) => ones(assignment) === FLOWS)
    expect(top).toBeGreaterThan(0)
    let best = up[0]!
    for (const assignment of up.slice(1, top)) {
      expect(apart(assignment, best)).toBe(1)
      if (ones(assignment) > ones(best)) best = assignment
    }
    // Where all are alike, every try is one step from the first, until it begins anew.
    const flat = tried(hillClimbing(), 0, 18)
    expect(flat.slice(1, 18).every((assignment) => ones(assignment) === 1)).toBe(true)
  })

  it('begins anew at random after twice as many tries in vain as there are flows', () => {
    const down = tried(hillClimbing(), -1, 40)
    const anew = down.findIndex((assignment, i) => i > 0 && ones(assignment) > 1)
    // The first, then 17 in vain.
    expect(anew).toBe(18)
  })

  it('counts tries in vain from the last change that was better', () => {
    const up = tried(hillClimbing(), 1, 400)
    const top = up.findIndex((assignment) => ones(assignment) === FLOWS)
    expect(top).toBeGreaterThan(0)
    // At the top every try is one step down, until it begins anew.
    const below = up.slice(top + 1).findIndex((assignment) => ones(assignment) !== FLOWS - 1)
    expect(below).toBe(17)
  })
})

describe('simulated annealing', () => {
  const frozen = (t: number): RouteSearch => simulatedAnnealing({ start: t, end: t })

  it('keeps what is worse by D with probability exp(-D / T)', () => {
    // T is a fraction of utility over flows, which is 1 here; each flow down costs 0.5.
    for (const temperature of [0.5, 1, 4]) {
      const share = keptShare(frozen(temperature), -0.5)
      expect(share).toBeGreaterThan(Math.exp(-0.5 / temperature) - 0.05)
      expect(share).toBeLessThan(Math.exp(-0.5 / temperature) + 0.05)
    }
  })

  it('returns the best that it has been at, wherever it goes from there', () => {
    for (const method of [frozen(1000), logLinearLearning(1000)]) {
      const flows = Array.from({ length: FLOWS }, () => ({ routes: [ROUTE, ROUTE] }))
      const problem = new RouteProblem([1], flows)
      let best = 0
      problem.utilityOf = (assignment: Assignment): number => {
        problem.evaluations++
        best = Math.max(best, ones(assignment))
        return ones(assignment)
      }
      const random = new Random(1, method.name)
      const current = new Uint8Array(FLOWS)
      current.fill(1, 0, 1)
      const found = method.search(problem, { current, evaluationsMax: 100, random })
      expect(found.utility).toBe(best)
      expect(ones(found.assignment)).toBe(best)
    }
  })

  it('cools down: it wanders at first, and climbs in the end', () => {
    const seen = tried(simulatedAnnealing({ start: 1000, end: 1e-6 }), -1, 2000)
    const down = (from: number, to: number): number =>
      seen.slice(from, to).reduce((sum, assignment) => sum + ones(assignment), 0) / (to - from)
    expect(down(50, 500)).toBeGreaterThan(3)
    // At the top every try is one step down, and is not kept.
    expect(down(1900, 2000)).toBeCloseTo(1, 12)
  })
})

describe('log-linear learning', () => {
  it('takes the better of two by 1 / (1 + exp(-D / T))', () => {
    for (const [temperature, worth] of [
      [0.5, -0.5],
      [1, -0.5],
      [1, 0.5],
    ] as const) {
      const expected = 1 / (1 + Math.exp(-worth / temperature))
      const share = keptShare(logLinearLearning(temperature), worth)
      expect(share).toBeGreaterThan(expected - 0.05)
      expect(share).toBeLessThan(expected + 0.05)
    }
  })
})

/** Of the steps to a flow's second protocol, the part that is kept. */
function keptShare(method: RouteSearch, worth: number): number {
  const seen = tried(method, worth, 6000)
  let [at, steps, kept] = [seen[0]!, 0, 0]
  for (let i = 1; i + 1 < seen.length; i++) {
    const [there, next] = [seen[i]!, seen[i + 1]!]
    // The next try is a step from where the search is now: from here or from there.
    const isKept = apart(next, there) === 1 && apart(next, at) !== 1
    if (ones(there) > ones(at)) {
      steps++
      if (isKept) kept++
    }
    if (isKept) at = there
  }
  return kept / steps
}
