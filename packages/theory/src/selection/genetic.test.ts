/** The genetic search on a landscape of our own: whom it tries, keeps and crosses, and its end. */
import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { genetic, RouteProblem } from './index.ts'
import type { Assignment, GeneticParams, SearchResult } from './index.ts'

const FLOWS = 40
const ROUTE = { links: Int32Array.of(0), fractions: Float64Array.of(1) }
const SMALL: GeneticParams = { population: 10, mutation: 0.01, elite: 0.2, patience: 3 }

interface Course extends SearchResult {
  readonly tried: readonly number[][]
}

/** `worth` of the number of flows that have the second protocol. */
function courseOf(
  params: GeneticParams,
  worth: (ones: number) => number,
  evaluationsMax = 1e6,
): Course {
  const flows = Array.from({ length: FLOWS }, () => ({ routes: [ROUTE, ROUTE] }))
  const problem = new RouteProblem([1], flows)
  const tried: number[][] = []
  problem.utilityOf = (assignment: Assignment): number => {
    problem.evaluations++
    tried.push([...assignment])
    return worth(ones(assignment))
  }
  const random = new Random(1, 'genetic')
  const current = new Uint8Array(FLOWS)
  const found = genetic(params).search(problem, { current, evaluationsMax, random })
  return { ...found, tried }
}

const ones = (assignment: ArrayLike<number>): number =>
  Array.from(assignment).reduce((sum, one) => sum + one, 0)

describe('the genetic search', () => {
  it('begins with the current assignment, those of one protocol if asked, and random ones', () => {
    const plain = courseOf(SMALL, () => 1, 10).tried
    expect(plain).toHaveLength(10)
    expect(ones(plain[0]!)).toBe(0)
    const uniform = courseOf({ ...SMALL, hasUniform: true }, () => 1, 10).tried
    expect(uniform).toHaveLength(10)
    expect(uniform.some((assignment) => ones(assignment) === FLOWS)).toBe(true)
    // Random ones have densities of their own: some are near the current one, and some far.
    const counts = plain.slice(1).map(ones)
    expect(Math.min(...counts)).toBeLessThan(10)
    expect(Math.max(...counts)).toBeGreaterThan(30)
  })

  it('ends after so many generations without a better one, the best fifth kept in each', () => {
    const { evaluations, tried } = courseOf(SMALL, () => 1)
    expect(evaluations).toBe(10 + 3 * 8)
    expect(tried).toHaveLength(evaluations)
    expect(courseOf({ ...SMALL, elite: 0.5, patience: 2 }, () => 1).evaluations).toBe(10 + 2 * 5)
    // One at least is kept.
    expect(courseOf({ ...SMALL, elite: 0 }, () => 1).evaluations).toBe(10 + 3 * 9)
  })

  it('goes on while it gets better, and returns the best that it has seen', () => {
    const { assignment, utility, tried } = courseOf({ ...SMALL, patience: 10 }, (n) => n)
    expect(utility).toBe(ones(assignment))
    expect(utility).toBe(Math.max(...tried.map(ones)))
    expect(tried.length).toBeGreaterThan(10 + 10 * 8)
    expect(utility).toBeGreaterThan(36)
  })

  it('has the better of two for each parent: on a slope children are above their elders', () => {
    const { tried } = courseOf({ ...SMALL, population: 100, elite: 0, patience: 1 }, (n) => n, 199)
    const meanOf = (some: readonly number[]): number =>
      some.reduce((sum, one) => sum + one, 0) / some.length
    const parents = tried.slice(0, 100).map(ones)
    const betterOfTwo = meanOf(parents.flatMap((a) => parents.map((b) => Math.max(a, b))))
    // A child is half of each of two: within four standard deviations of 99 such.
    const spread = Math.sqrt(meanOf(parents.map((n) => (n - meanOf(parents)) ** 2)) / 2 / 99)
    const children = meanOf(tried.slice(100).map(ones))
    expect(Math.abs(children - betterOfTwo)).toBeLessThan(4 * spread)
    expect(betterOfTwo - meanOf(parents)).toBeGreaterThan(5 * spread)
  })

  it('takes each gene from either parent', () => {
    // None and all are the best, and are kept: only a child of both has many of either.
    const three = { ...SMALL, population: 3, elite: 2 / 3, mutation: 0, hasUniform: true }
    const { tried } = courseOf({ ...three, patience: 20 }, (n) => Math.abs(n - FLOWS / 2))
    const mixed = tried.slice(3).map((child) => Math.min(ones(child), FLOWS - ones(child)))
    expect(Math.max(...mixed)).toBeGreaterThan(FLOWS / 4)
  })

  it('changes a gene of a child with the given probability', () => {
    // The best are all of the first protocol, or nearly: where every gene changes, their children
    // are of the second.
    const all = courseOf({ ...SMALL, population: 2, mutation: 1 }, (n) => -n).tried.slice(2)
    expect(Math.max(...all.map(ones))).toBe(FLOWS)
    const none = courseOf({ ...SMALL, population: 2, mutation: 0 }, (n) => -n).tried.slice(2)
    expect(Math.max(...none.map(ones))).toBeLessThan(FLOWS)
  })
})
