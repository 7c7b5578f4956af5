import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxMin } from './max-min.ts'
import type { Allocation, FilledFlow } from './water-filling.ts'
import { DEMAND, waterFill } from './water-filling.ts'

const CLOSE = 1e-9

/** Load of each link, and the highest level among its flows of each priority. */
function linkLoads(links: number, flows: readonly FilledFlow[], got: Allocation): number[] {
  const loads = new Array<number>(links).fill(0)
  flows.forEach((flow, i) =>
    flow.links.forEach((link, k) => {
      const fraction = flow.fractions?.[k] ?? 1
      if (fraction > 0) loads[link]! += got.ratesBps[i]! * fraction
    }),
  )
  return loads
}

/**
 * The condition that makes an allocation the max-min fair one, and the only one: no link is over
 * its capacity, and each flow either has its demand or crosses a full link on which no flow of its
 * priority or below stands higher.
 */
function expectMaxMinFair(
  capacities: readonly number[],
  flows: readonly FilledFlow[],
  got: Allocation,
): void {
  const loads = linkLoads(capacities.length, flows, got)
  loads.forEach((load, link) => {
    expect(load).toBeLessThanOrEqual(capacities[link]! * (1 + CLOSE))
  })
  const carries = (flow: FilledFlow, link: number): boolean =>
    flow.links.some((other, k) => other === link && (flow.fractions?.[k] ?? 1) > 0)
  flows.forEach((flow, i) => {
    const rate = got.ratesBps[i]!
    expect(rate).toBeLessThanOrEqual(flow.demandBps ?? Infinity)
    const bottleneck = got.bottlenecks[i]!
    if (bottleneck === DEMAND) {
      expect(rate).toBe(flow.demandBps ?? Infinity)
      return
    }
    expect(carries(flow, bottleneck)).toBe(true)
    expect(loads[bottleneck]).toBeGreaterThanOrEqual(capacities[bottleneck]! * (1 - CLOSE))
    const level = rate / (flow.weight ?? 1)
    flows.forEach((other, j) => {
      if ((other.priority ?? 0) > (flow.priority ?? 0) || !carries(other, bottleneck)) return
      const otherLevel = got.ratesBps[j]! / (other.weight ?? 1)
      expect(otherLevel).toBeLessThanOrEqual(level * (1 + CLOSE) + 1e-6)
    })
  })
}

interface Case {
  capacities: number[]
  flows: FilledFlow[]
}

const amount = fc.integer({ min: 1, max: 400 }).map((n) => n * 1e9)
const someCase = (full: boolean): fc.Arbitrary<Case> =>
  fc.array(amount, { minLength: 1, maxLength: 8 }).chain((capacities) =>
    fc
      .array(
        fc.record({
          used: fc.uniqueArray(fc.nat(capacities.length - 1), { minLength: 1 }),
          fractions: fc.array(fc.constantFrom(0, 1 / 3, 0.25, 0.5, 1), {
            minLength: 8,
            maxLength: 8,
          }),
          weight: fc.constantFrom(1, 1, 2, 0.5, 3.7, 1e6),
          demandBps: fc.option(fc.oneof(amount, fc.constant(0)), { nil: Infinity }),
          priority: fc.nat(2),
        }),
        { maxLength: 12 },
      )
      .map((drawn) => ({
        capacities,
        flows: drawn.map(({ used, fractions, weight, demandBps, priority }) =>
          full
            ? {
                links: used,
                // At least one link carries something, so that something limits the flow.
                fractions: used.map((_, k) => (k === 0 ? 1 : fractions[k]!)),
                weight,
                demandBps,
                priority,
              }
            : { links: used, demandBps },
        ),
      })),
  )

describe('water-filling', () => {
  it('gives the two flows of R2C2, Fig. 4, two thirds each', () => {
    // Links 1->4, 1->3, 3->4, 2->3; f1 takes two paths with equal probability, f2 takes one.
    const got = waterFill(
      [1, 1, 1, 1],
      [
        { links: [0, 1, 2], fractions: [0.5, 0.5, 0.5] },
        { links: [3, 2], fractions: [1, 1] },
      ],
    )
    expect([...got.ratesBps]).toEqual([2 / 3, 2 / 3])
    expect([...got.bottlenecks]).toEqual([2, 2])
  })

  it('keeps the headroom of R2C2, 3.3.2, free', () => {
    const got = waterFill([10e9], [{ links: [0] }, { links: [0] }], 0.05)
    expect([...got.ratesBps]).toEqual([4.75e9, 4.75e9])
  })

  it('serves priorities in rounds, each with what is left, and weights within a round', () => {
    const got = waterFill(
      [10e9],
      [
        { links: [0], priority: 1, demandBps: 4e9 },
        { links: [0], weight: 2 },
        { links: [0] },
        { links: [0], priority: -1 },
      ],
    )
    expect([...got.ratesBps]).toEqual([4e9, 4e9, 2e9, 0])
    expect([...got.bottlenecks]).toEqual([DEMAND, 0, 0, 0])
    expect(got.levelsBps[1]).toBe(2e9)
  })

  it('gives what a limited flow leaves to the others', () => {
    const got = maxMin([9e9], [[0], [0], [0]], { demandsBps: [1e9, Infinity, Infinity] })
    expect([...got.ratesBps]).toEqual([1e9, 4e9, 4e9])
  })

  it('lets a flow that nothing limits have all that it asks for', () => {
    const got = waterFill(
      [Infinity, 1],
      [{ links: [0] }, { links: [], demandBps: 5 }, { links: [] }],
    )
    expect([...got.ratesBps]).toEqual([Infinity, 5, Infinity])
    expect([...got.bottlenecks]).toEqual([DEMAND, DEMAND, DEMAND])
  })

  it('counts a link twice for a flow that crosses it twice', () => {
    const got = waterFill([3], [{ links: [0, 0], fractions: [1, 1e-9] }, { links: [0, 0] }])
    expect(got.ratesBps[0]).toBeCloseTo(1, 8)
    expect(got.ratesBps[1]).toBeCloseTo(1, 8)
  })

  it('keeps the shares of tiny weights beside huge ones', () => {
    const got = waterFill(
      [1, 1],
      [
        { links: [0, 1], weight: 1e18, demandBps: 0.5 },
        { links: [0], weight: 1e-3 },
        { links: [0], weight: 1e-3 },
      ],
    )
    expect([...got.ratesBps]).toEqual([0.5, 0.25, 0.25])
  })

  it('lets nothing through a link without capacity', () => {
    const got = waterFill([0, 4], [{ links: [0, 1] }, { links: [1] }])
    expect([...got.ratesBps]).toEqual([0, 4])
    expect([...got.bottlenecks]).toEqual([0, 1])
  })

  it('says that a flow has its demand if the link is full just there', () => {
    const got = waterFill([10], [{ links: [0], demandBps: 5 }, { links: [0] }])
    expect([...got.ratesBps]).toEqual([5, 5])
    expect([...got.bottlenecks]).toEqual([DEMAND, 0])
  })

  it('leaves nothing, and not less, where rounding leaves a little of a full link', () => {
    // 0.8 - 0.1 - 0.7 is 1e-16, and 0.3 - 0.1 - 0.2 is -3e-17.
    for (const [capacity, a, b] of [
      [0.3, 0.1, 0.2],
      [0.8, 0.1, 0.7],
    ] as const) {
      const of = (demandBps: number): FilledFlow => ({ links: [0], demandBps, priority: 1 })
      const got = waterFill([capacity], [of(a), of(b), { links: [0] }])
      expect(got.ratesBps[2]).toBe(0)
    }
  })

  it('is max-min fair for every network, with weights, fractions, demands and priorities', () => {
    fc.assert(
      fc.property(someCase(true), ({ capacities, flows }) => {
        expectMaxMinFair(capacities, flows, waterFill(capacities, flows))
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  it('refuses links, weights, demands and fractions that are none', () => {
    expect(() => waterFill([1], [{ links: [1] }])).toThrow('the links are 0 to 0')
    expect(() => waterFill([1], [{ links: [0], weight: 0 }])).toThrow('give one above 0')
    expect(() => waterFill([1], [{ links: [0], demandBps: -1 }])).toThrow('give 0 or more')
    expect(() => waterFill([1], [{ links: [0], fractions: [] }])).toThrow('give one for each')
    expect(() => waterFill([1], [{ links: [-1] }])).toThrow('A flow crosses link -1')
    expect(() => waterFill([1], [{ links: [0], weight: Infinity }])).toThrow('give one above 0')
    for (const wrong of [-1, NaN, Infinity]) {
      const flow = { links: [0, 0], fractions: [1, wrong] }
      expect(() => waterFill([1], [{ links: [0] }, flow])).toThrow('Flow 1 has a fraction')
    }
    for (const headroom of [1, -0.1, NaN]) {
      expect(() => waterFill([1], [], headroom)).toThrow('leaves no capacity')
    }
    for (const capacity of [NaN, -1]) {
      expect(() => waterFill([1, capacity], [])).toThrow(`Link 1 has a capacity of ${capacity}`)
    }
  })
})

describe('max-min', () => {
  it('solves the parking lot: the long flow and each short one share their link', () => {
    const got = maxMin([1, 2, 4], [[0, 1, 2], [0], [1], [2]])
    expect([...got.ratesBps]).toEqual([0.5, 0.5, 1.5, 3.5])
    expect([...got.bottlenecks]).toEqual([0, 0, 1, 2])
    expect([...got.levelsBps]).toEqual([0.5, 0.5, 1.5, 3.5])
  })

  it('shares by weight', () => {
    const got = maxMin([9, 9], [[0], [0, 1], [0]], { weights: [3, 1, 0.5] })
    expect([...got.ratesBps]).toEqual([6, 2, 1])
    expect([...got.levelsBps]).toEqual([2, 2, 2])
  })

  it('is water-filling with every weight 1, to the last bit', () => {
    fc.assert(
      fc.property(someCase(false), ({ capacities, flows }) => {
        const spelled = flows.map((flow) => ({
          ...flow,
          fractions: flow.links.map(() => 1),
          weight: 1,
          priority: 0,
        }))
        const general = waterFill(capacities, spelled)
        const special = maxMin(
          capacities,
          flows.map((flow) => flow.links),
          { demandsBps: flows.map((flow) => flow.demandBps ?? Infinity) },
        )
        expect(special.ratesBps).toEqual(general.ratesBps)
        expect(special.bottlenecks).toEqual(general.bottlenecks)
        expectMaxMinFair(capacities, flows, special)
      }),
      { seed: 2, numRuns: 300 },
    )
  })

  it('agrees with filling in small steps', () => {
    const random = new Random(1, 'steps')
    const capacities = Array.from({ length: 6 }, () => 1 + random.below(5))
    const paths = Array.from({ length: 8 }, () =>
      random.shuffle([0, 1, 2, 3, 4, 5]).slice(0, 1 + random.below(4)),
    )
    const exact = maxMin(capacities, paths).ratesBps
    const rates = paths.map(() => 0)
    const used = capacities.map(() => 0)
    const step = 1e-4
    for (let water = 0; water < 6; water += step) {
      paths.forEach((path, i) => {
        if (path.some((link) => used[link]! + step > capacities[link]!)) return
        rates[i]! += step
        for (const link of path) used[link]! += step
      })
    }
    rates.forEach((rate, i) => expect(Math.abs(rate - exact[i]!)).toBeLessThan(0.002))
  })

  it('copes with 5,000 flows over 12 of 3,000 links each', () => {
    const random = new Random(1, 'large')
    const capacities = Array.from({ length: 3000 }, () => 10e9)
    const paths = Array.from({ length: 5000 }, () =>
      Array.from({ length: 12 }, () => random.below(3000)),
    )
    const got = maxMin(capacities, paths)
    const loads = linkLoads(
      3000,
      paths.map((links) => ({ links })),
      got,
    )
    expect(Math.max(...loads)).toBeLessThanOrEqual(10e9 * (1 + CLOSE))
    got.bottlenecks.forEach((link) => expect(loads[link]).toBeGreaterThan(10e9 * (1 - CLOSE)))
    expect(new Set(got.bottlenecks).size).toBeGreaterThan(500)
  })
})
