import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { Cube, ShortestWays, spraying, Translated, valiant } from '../routes/index.ts'
import { waterFill } from '../water-filling.ts'
import {
  genetic,
  hillClimbing,
  logLinearLearning,
  noSearch,
  randomAssignment,
  RouteProblem,
  simulatedAnnealing,
} from './index.ts'
import type { RoutableFlow, Utility } from './index.ts'
import { otherProtocol } from './search.ts'

const route = (links: number[], fractions: number[]) => ({
  links: Int32Array.from(links),
  fractions: Float64Array.from(fractions),
})

/** R2C2, Fig. 4: links 1->4, 1->3, 3->4, 2->3; f1 splits, goes straight, or around. */
const FIG4: readonly RoutableFlow[] = [
  { routes: [route([0, 1, 2], [0.5, 0.5, 0.5]), route([0], [1]), route([1, 2], [1, 1])] },
  { routes: [0, 1, 2].map(() => route([3, 2], [1, 1])) },
]

function permutation(cube: Cube, flows: number, seed: number): RoutableFlow[] {
  const ways = new ShortestWays(cube)
  const sprayed = new Translated(cube, spraying(ways))
  const far = new Translated(cube, valiant(cube, spraying(ways)))
  const random = new Random(seed, 'permutation')
  const order = random.shuffle(Array.from({ length: cube.nodes }, (_, n) => n))
  return Array.from({ length: flows }, (_, i) => {
    const [source, target] = [order[i]!, order[(i + 1) % cube.nodes]!]
    return { routes: [sprayed.fractions(source, target), far.fractions(source, target)] }
  })
}

const METHODS = [genetic(), hillClimbing(), simulatedAnnealing(), logLinearLearning()]

describe('route selection', () => {
  it.each(METHODS)('$name finds that f1 of Fig. 4 should go straight', (method) => {
    for (const utility of ['aggregate', 'tail'] as const) {
      const problem = new RouteProblem([1, 1, 1, 1], FIG4, utility)
      const current = Uint8Array.of(0, 0)
      expect(problem.utilityOf(current)).toBeCloseTo(utility === 'aggregate' ? 4 / 3 : 2 / 3, 12)
      const found = method.search(problem, {
        current,
        evaluationsMax: 200,
        random: new Random(1, method.name),
      })
      expect(found.assignment[0]).toBe(1)
      expect(found.utility).toBeCloseTo(utility === 'aggregate' ? 2 : 1, 12)
      expect([...problem.ratesOf(found.assignment)]).toEqual([1, 1])
    }
  })

  it('works out the rates that water-filling gives', () => {
    const cube = new Cube([4, 4])
    const flows = permutation(cube, 12, 1)
    const capacities = Array.from({ length: cube.count }, (_, link) => 1 + (link % 3))
    const problem = new RouteProblem(capacities, flows, 'aggregate', 0.05)
    const random = new Random(1, 'assignments')
    for (let i = 0; i < 20; i++) {
      const assignment = randomAssignment(12, 2, random)
      const wanted = waterFill(
        capacities,
        flows.map(({ routes }, f) => ({
          links: [...routes[assignment[f]!]!.links],
          fractions: [...routes[assignment[f]!]!.fractions],
        })),
        0.05,
      ).ratesBps
      const got = problem.ratesOf(assignment)
      wanted.forEach((rate, f) => expect(got[f]).toBeCloseTo(rate, 9))
    }
  })

  it('gives by priority, weight and demand what water-filling gives', () => {
    const cube = new Cube([4, 4])
    const random = new Random(2, 'assignments')
    const flows = permutation(cube, 16, 3).map((flow, f) => ({
      ...flow,
      weight: 1 + (f % 3),
      priority: f % 2,
      demandBps: f % 4 < 2 ? random.uniform() : Infinity,
    }))
    const capacities = new Float64Array(cube.count).fill(1)
    const problem = new RouteProblem(capacities, flows, 'aggregate', 0.05)
    for (let i = 0; i < 20; i++) {
      const assignment = randomAssignment(16, 2, random)
      const { ratesBps } = waterFill(
        capacities,
        flows.map(({ routes, ...flow }, f) => ({
          ...flow,
          links: [...routes[assignment[f]!]!.links],
          fractions: [...routes[assignment[f]!]!.fractions],
        })),
        0.05,
      )
      const got = problem.ratesOf(assignment)
      ratesBps.forEach((rate, f) => expect(got[f]).toBeCloseTo(rate, 9))
    }
  })

  it('counts no flow as worst off that has all it asks for', () => {
    const few = FIG4.map((flow, f) => (f === 1 ? { ...flow, demandBps: 0.1 } : flow))
    const problem = new RouteProblem([1, 1, 1, 1], few, 'tail')
    // f1 by both its ways: half of it shares a link with the 0.1 of f2.
    expect(problem.utilityOf(Uint8Array.of(0, 0))).toBeCloseTo(1.8, 12)
    expect(problem.utilityOf(Uint8Array.of(1, 0))).toBeCloseTo(1, 12)
    const all = FIG4.map((flow, f) => ({ ...flow, demandBps: f === 0 ? 0.3 : 0.1 }))
    const easy = new RouteProblem([1, 1, 1, 1], all, 'tail')
    expect(easy.utilityOf(Uint8Array.of(0, 0))).toBe(0.3)
  })

  it('takes the sum of all rates, or the lowest of them, wherever it stands', () => {
    // Two share the first link; the third has the second to itself, and the fourth the third.
    const flows = [0, 0, 1, 2].map((link) => ({ routes: [route([link], [1])] }))
    const protocols = new Uint8Array(4)
    expect(new RouteProblem([1, 2, 3], flows).utilityOf(protocols)).toBe(6)
    expect(new RouteProblem([1, 2, 3], flows, 'tail').utilityOf(protocols)).toBe(0.5)
    expect(new RouteProblem([6, 2, 1], flows, 'tail').utilityOf(protocols)).toBe(1)
    expect(new RouteProblem([8, 1, 3], flows, 'tail').utilityOf(protocols)).toBe(1)
  })

  it('leaves nothing of a full link to a lower priority, not what rounding left', () => {
    for (let n = 2; n < 40; n++) {
      const weights = Array.from({ length: n }, (_, f) => 1 + f / 7)
      const first = weights.map((weight) => ({ routes: [route([0], [1])], weight, priority: 1 }))
      const problem = new RouteProblem([n / 10], [...first, { routes: [route([0], [1])] }])
      expect(problem.ratesOf(new Uint8Array(n + 1))[n]).toBe(0)
    }
  })

  it.each(METHODS)('$name leaves all as it is where nothing is better', (method) => {
    const flows = Array.from({ length: 6 }, (_, f) => {
      return { routes: [route([f], [1]), route([f], [1]), route([f], [1])] }
    })
    const problem = new RouteProblem(new Float64Array(6).fill(1), flows)
    const current = Uint8Array.of(0, 1, 2, 0, 1, 2)
    const random = new Random(1, method.name)
    const found = method.search(problem, { current, evaluationsMax: 150, random })
    expect([...found.assignment]).toEqual([...current])
    // A copy: who asked may go on to change its own.
    expect(found.assignment).not.toBe(current)
  })

  it.each(METHODS)('$name has nothing to look for without flows', (method) => {
    const problem = new RouteProblem([1], [])
    const random = new Random(1, method.name)
    const current = new Uint8Array(0)
    const found = method.search(problem, { current, evaluationsMax: 1e4, random })
    expect(found.utility).toBe(0)
    if (method.name !== 'genetic') expect(found.evaluations).toBe(1)
  })

  it('draws every other protocol equally often, and never the one that a flow has', () => {
    const random = new Random(1, 'other')
    for (const now of [0, 1, 2, 3]) {
      const counts = [0, 0, 0, 0]
      for (let i = 0; i < 3000; i++) counts[otherProtocol(now, 4, random)]!++
      expect(counts[now]).toBe(0)
      // A standard deviation of 3,000 draws with chance 1/3 is 26.
      for (const p of [1, 2, 3]) expect(Math.abs(counts[(now + p) % 4]! - 1000)).toBeLessThan(104)
    }
    expect(otherProtocol(0, 1, random)).toBe(0)
  })

  it('has methods by these names', () => {
    const names = ['genetic', 'hill climbing', 'simulated annealing', 'log-linear learning']
    expect(METHODS.map(({ name }) => name)).toEqual(names)
    expect(noSearch.name).toBe('none')
  })

  it('leaves what it begins with to whoever gave it', () => {
    const cube = new Cube([4, 4])
    const problem = new RouteProblem(new Float64Array(cube.count).fill(1), permutation(cube, 10, 2))
    for (const method of [noSearch, ...METHODS]) {
      const current = new Uint8Array(10)
      const random = new Random(1, method.name)
      const found = method.search(problem, { current, evaluationsMax: 40, random })
      expect([...current]).toEqual(new Array<number>(10).fill(0))
      expect(found.assignment).not.toBe(current)
    }
  })

  it.each(METHODS)('$name is no worse than where it begins, and keeps to its effort', (method) => {
    const cube = new Cube([4, 4])
    const flows = permutation(cube, 10, 2)
    for (const utility of ['aggregate', 'tail'] satisfies Utility[]) {
      const problem = new RouteProblem(new Float64Array(cube.count).fill(1), flows, utility)
      const current = new Uint8Array(10)
      const { utility: before } = noSearch.search(problem, {
        current,
        evaluationsMax: 1,
        random: new Random(1, ''),
      })
      // What was asked of the problem before does not count.
      const askedBefore = problem.evaluations
      const found = method.search(problem, {
        current,
        evaluationsMax: 300,
        random: new Random(3, method.name),
      })
      expect(problem.evaluations - askedBefore).toBe(found.evaluations)
      expect(found.utility).toBeGreaterThanOrEqual(before)
      expect(problem.utilityOf(found.assignment)).toBe(found.utility)
      if (method.name === 'genetic') expect(found.evaluations).toBeLessThanOrEqual(300)
      else expect(found.evaluations).toBe(300)
      expect([...current]).toEqual(new Array<number>(10).fill(0))
    }
  })

  it('genetic finds the best of all where all can be tried, and tries none of them twice', () => {
    const cube = new Cube([4, 4])
    const [count, missed] = [10, [] as number[]]
    for (let seed = 1; seed <= 20; seed++) {
      const flows = permutation(cube, count, seed)
      const problem = new RouteProblem(new Float64Array(cube.count).fill(1), flows)
      let best = 0
      for (let bits = 0; bits < 1 << count; bits++) {
        const assignment = Uint8Array.from({ length: count }, (_, f) => (bits >> f) & 1)
        best = Math.max(best, problem.utilityOf(assignment))
      }
      const seen: string[] = []
      const utilityOf = problem.utilityOf.bind(problem)
      problem.utilityOf = (assignment) => {
        seen.push(assignment.join(''))
        return utilityOf(assignment)
      }
      const current = new Uint8Array(count)
      const random = new Random(seed, 'genetic')
      const found = genetic().search(problem, { current, evaluationsMax: 500, random })
      if (found.utility < best * (1 - 1e-9)) missed.push(seed)
      expect(new Set(seen).size).toBe(seen.length)
    }
    expect(missed).toEqual([])
  })

  it('refuses flows without a route for each protocol', () => {
    const [one, two] = [route([0], [1]), route([0], [1])]
    for (const flows of [[FIG4[0]!, { routes: [] }], [{ routes: [] }]]) {
      expect(() => new RouteProblem([1], flows)).toThrow('for each protocol')
    }
    const fewer = [{ routes: [one, two] }, { routes: [one] }]
    expect(() => new RouteProblem([1], fewer)).toThrow('for each protocol')
    const nowhere = new RouteProblem([1], [{ routes: [route([], [])] }])
    expect(() => nowhere.utilityOf(Uint8Array.of(0))).toThrow('crosses no link')
  })
})
