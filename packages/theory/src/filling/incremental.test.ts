import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cube, fractionsOf, ShortestWays, spraying, Translated, valiant } from '../routes/index.ts'
import { waterFill } from '../water-filling.ts'
import type { PrioritizedFlow } from './incremental.ts'
import { IncrementalFilling } from './incremental.ts'
import { someFlow } from './testing.ts'

const CLOSE = 1e-7

/** Of chance; a mutant is tried with few (docs/mutation.md). */
const CASES = 50 * (Number(process.env.CASES ?? 0) || 20)

/** Rates by filling from nothing, by the plain algorithm. */
function exact(capacities: readonly number[], flows: readonly PrioritizedFlow[], headroom = 0) {
  return waterFill(
    capacities,
    flows.map((flow) => ({
      ...flow,
      links: Array.from(flow.links),
      fractions: Array.from(flow.fractions),
    })),
    headroom,
  ).ratesBps
}

function expectRates(
  filling: IncrementalFilling,
  flows: ReadonlyMap<number, PrioritizedFlow>,
  capacities: readonly number[],
  headroom = 0,
): void {
  const wanted = exact(capacities, [...flows.values()], headroom)
  ;[...flows.keys()].forEach((handle, i) => {
    const rate = filling.rateBps(handle)
    const scale = Math.max(...capacities) * 1e-9 + wanted[i]!
    if (wanted[i] === Infinity) expect(rate).toBe(Infinity)
    else expect(Math.abs(rate - wanted[i]!)).toBeLessThanOrEqual(CLOSE * scale)
  })
}

describe('incremental water-filling', () => {
  it('has the rates of filling from nothing after any events', () => {
    const amount = fc.integer({ min: 0, max: 40 }).map((n) => n * 1e9)
    const someCase = fc.array(amount, { minLength: 1, maxLength: 8 }).chain((capacities) =>
      fc.record({
        capacities: fc.constant(capacities),
        events: fc.array(
          fc.oneof(
            someFlow(capacities.length),
            fc.nat({ max: 100 }),
            fc.constant('settle' as const),
          ),
          { minLength: 1, maxLength: 40 },
        ),
      }),
    )
    fc.assert(
      fc.property(someCase, ({ capacities, events }) => {
        const filling = new IncrementalFilling(capacities)
        const flows = new Map<number, PrioritizedFlow>()
        for (const event of [...events, 'settle' as const]) {
          if (event === 'settle') {
            filling.settle()
            expectRates(filling, flows, capacities)
          } else if (typeof event === 'number') {
            const handle = [...flows.keys()][event % Math.max(1, flows.size)]
            if (handle === undefined) continue
            filling.remove(handle)
            flows.delete(handle)
          } else flows.set(filling.add(event), event)
        }
        expect(filling.flows).toBe(flows.size)
        filling.refill()
        expectRates(filling, flows, capacities)
      }),
      { seed: 1, numRuns: CASES },
    )
  })

  it('has them too where most flows are not concerned, and fills only those that are', () => {
    // Eight links that events are about, and five that carry 300 flows which they leave alone.
    const amount = fc.integer({ min: 0, max: 40 }).map((n) => n * 1e9)
    const someCase = fc.record({
      capacities: fc.array(amount, { minLength: 8, maxLength: 8 }),
      events: fc.array(
        fc.oneof(someFlow(8), someFlow(8), fc.nat({ max: 100 }), fc.constant('settle' as const)),
        { minLength: 10, maxLength: 25 },
      ),
    })
    const elsewhere = (i: number): PrioritizedFlow => ({
      links: Int32Array.of(8, 9, 10, 11, 12),
      fractions: new Float64Array(5).fill(1),
      demandBps: 1e6,
      priority: i % 3,
    })
    let inPart = 0
    fc.assert(
      fc.property(someCase, ({ capacities, events }) => {
        const filling = new IncrementalFilling([...capacities, 1e9, 1e9, 1e9, 1e9, 1e9])
        const others = Array.from({ length: 300 }, (_, i) => filling.add(elsewhere(i)))
        filling.settle()
        const flows = new Map<number, PrioritizedFlow>()
        for (const event of [...events, 'settle' as const]) {
          if (event === 'settle') {
            filling.settle()
            expectRates(filling, flows, capacities)
            if (filling.filled > 0 && filling.filled < 100) inPart++
          } else if (typeof event === 'number') {
            const handle = [...flows.keys()][event % Math.max(1, flows.size)]
            if (handle === undefined) continue
            filling.remove(handle)
            flows.delete(handle)
          } else flows.set(filling.add(event), event)
        }
        expect(others.every((handle) => filling.rateBps(handle) === 1e6)).toBe(true)
      }),
      { seed: 3, numRuns: 40 },
    )
    expect(inPart).toBeGreaterThan(40)
  })

  it('has them where links have few flows each, of which events concern few', () => {
    // Eight links that events are about, and twenty flows on forty links of their own each.
    const amount = fc.integer({ min: 1, max: 40 }).map((n) => n * 1e9)
    const someCase = fc.record({
      capacities: fc.array(amount, { minLength: 8, maxLength: 8 }),
      before: fc.array(someFlow(8, 3), { minLength: 4, maxLength: 12 }),
      events: fc.array(fc.oneof(someFlow(8, 3), fc.nat({ max: 100 })), {
        minLength: 8,
        maxLength: 16,
      }),
    })
    const elsewhere = (i: number): PrioritizedFlow => ({
      links: Int32Array.from({ length: 40 }, (_, k) => 8 + 40 * i + k),
      fractions: new Float64Array(40).fill(1),
    })
    let inPart = 0
    fc.assert(
      fc.property(someCase, ({ capacities, before, events }) => {
        const filling = new IncrementalFilling([...capacities, ...new Float64Array(800).fill(1e9)])
        const flows = new Map<number, PrioritizedFlow>()
        for (const flow of before) flows.set(filling.add(flow), flow)
        const others = Array.from({ length: 20 }, (_, i) => filling.add(elsewhere(i)))
        filling.refill()
        expectRates(filling, flows, capacities)
        for (const event of events) {
          if (typeof event === 'number') {
            const handle = [...flows.keys()][event % Math.max(1, flows.size)]
            if (handle === undefined) continue
            filling.remove(handle)
            flows.delete(handle)
          } else flows.set(filling.add(event), event)
          filling.settle()
          expectRates(filling, flows, capacities)
          if (filling.filled < 20) inPart++
        }
        for (const handle of others) expect(filling.rateBps(handle)).toBe(1e9)
      }),
      { seed: 5, numRuns: CASES / 5 },
    )
    expect(inPart).toBeGreaterThan(CASES)
  })

  it('gives a flow its demand to the last bit, whatever its weight or what others want', () => {
    for (const links of [1, 100]) {
      const filling = new IncrementalFilling(Array.from({ length: links }, () => 1e12))
      const on = { links: Int32Array.of(0), fractions: Float64Array.of(1) }
      const demands = Array.from({ length: 40 }, (_, i) => 1e9 / (1 + i))
      const flows = demands.map((demandBps) => filling.add({ ...on, weight: 3.7, demandBps }))
      filling.settle()
      expect(flows.map((flow) => filling.rateBps(flow))).toEqual(demands)
      filling.add(on)
      filling.refill()
      expect(flows.map((flow) => filling.rateBps(flow))).toEqual(demands)
    }
  })

  it('gives nothing of what rounding leaves of a full link', () => {
    for (const links of [1, 100]) {
      const filling = new IncrementalFilling(Array.from({ length: links }, () => 0.3))
      const on = { links: Int32Array.of(0), fractions: Float64Array.of(1) }
      for (let i = 0; i < 3; i++) filling.add({ ...on, weight: 1e6, demandBps: 0.1 })
      const last = filling.add({ ...on, weight: 1e-12 })
      filling.settle()
      expect(filling.rateBps(last)).toBeGreaterThanOrEqual(0)
      expect(filling.rateBps(last)).toBeLessThan(1e-15)
    }
  })

  it('starts from no load where a fabric has become crowded', () => {
    const filling = new IncrementalFilling([12, 100])
    const on = (link: number) => ({ links: Int32Array.of(link), fractions: Float64Array.of(1) })
    const pair = [filling.add(on(0)), filling.add(on(0))]
    filling.settle()
    for (let i = 0; i < 20; i++) filling.add(on(1))
    filling.settle()
    expect(pair.map((flow) => filling.rateBps(flow))).toEqual([6, 6])
    filling.remove(pair[1]!)
    filling.settle()
    expect(filling.rateBps(pair[0]!)).toBe(12)
  })

  it('leaves the headroom of each link unused', () => {
    const filling = new IncrementalFilling([10, 20], 0.25)
    const flows = [0, 1].map((link) =>
      filling.add({ links: Int32Array.of(link), fractions: Float64Array.of(1) }),
    )
    filling.settle()
    expect(flows.map((flow) => filling.rateBps(flow))).toEqual([7.5, 15])
  })

  it('keeps up with flows that come and go in a rack, filling fewer than all of them', () => {
    const cube = new Cube([4, 4, 4])
    const routes = new Translated(cube, spraying(new ShortestWays(cube)))
    const far = new Translated(cube, valiant(cube, spraying(new ShortestWays(cube))))
    const capacities = Array.from({ length: cube.count }, () => 10e9)
    const random = new Random(1, 'events')
    const filling = new IncrementalFilling(capacities, 0.05)
    const flows = new Map<number, PrioritizedFlow>()
    let filled = 0
    let whole = 0
    for (let event = 0; event < 400; event++) {
      const source = random.below(64)
      const target = (source + 1 + random.below(63)) % 64
      if (flows.size < 4 || (flows.size < 30 && random.below(2) === 0)) {
        const by = random.below(40) === 0 ? far : routes
        const flow = { ...by.fractions(source, target), weight: 1 + random.below(2) }
        flows.set(filling.add(flow), flow)
      } else {
        const handle = [...flows.keys()][random.below(flows.size)]!
        filling.remove(handle)
        flows.delete(handle)
      }
      filling.settle()
      filled += filling.filled
      whole += flows.size
      if (event % 4 === 0) expectRates(filling, flows, capacities, 0.05)
    }
    expect(filled).toBeGreaterThan(0)
    expect(filled).toBeLessThan(whole)
  })

  it('leaves alone what an event does not concern', () => {
    const filling = new IncrementalFilling([10, 10, 10])
    const on = (link: number) => ({ links: Int32Array.of(link), fractions: Float64Array.of(1) })
    const [a, b] = [filling.add(on(0)), filling.add(on(1))]
    for (let i = 0; i < 40; i++) filling.add(on(2))
    filling.settle()
    filling.add(on(1))
    filling.settle()
    expect([filling.rateBps(a), filling.rateBps(b)]).toEqual([10, 5])
    expect(filling.filled).toBe(2)
    expect(filling.bottleneck(b)).toBe(1)
  })

  it('fills a newcomer alone that takes what others leave', () => {
    const filling = new IncrementalFilling([10, 10])
    const on = (link: number, demandBps = Infinity) => ({
      links: Int32Array.of(link),
      fractions: Float64Array.of(1),
      demandBps,
    })
    const modest = filling.add(on(0, 4))
    for (let i = 0; i < 40; i++) filling.add(on(1))
    filling.settle()
    const newcomer = filling.add(on(0))
    filling.settle()
    expect([filling.rateBps(modest), filling.rateBps(newcomer)]).toEqual([4, 6])
    expect(filling.filled).toBe(1)
  })

  it('fills with a newcomer at once those who must make room for it, and no others', () => {
    const filling = new IncrementalFilling([12, 12, 10])
    const on = (link: number, weight: number, fraction: number, demandBps = Infinity) => ({
      ...{ links: Int32Array.of(link), fractions: Float64Array.of(fraction), weight, demandBps },
    })
    const [low, high] = [filling.add(on(0, 1, 1, 2)), filling.add(on(0, 1, 1))]
    const [free] = [filling.add(on(1, 1, 1, 2))]
    for (let i = 0; i < 100; i++) filling.add(on(2, 1, 1))
    filling.settle()
    expect([low, high].map((flow) => filling.rateBps(flow))).toEqual([2, 10])
    // Of weight 4 and half of it here it counts twice: 10 are shared as 1 : 2, and it has 4 times.
    const newcomer = filling.add(on(0, 4, 0.5))
    filling.settle()
    expect(filling.rateBps(low)).toBe(2)
    expect(filling.rateBps(high)).toBeCloseTo(10 / 3, 12)
    expect(filling.rateBps(newcomer)).toBeCloseTo(40 / 3, 12)
    expect(filling.filled).toBe(2)
    // One with a small demand finds room, or takes it from those who have most.
    filling.add(on(1, 2, 1, 10))
    filling.settle()
    expect(filling.filled).toBe(1)
    filling.add(on(0, 0.5, 1, 1))
    filling.settle()
    expect(filling.rateBps(high)).toBeCloseTo(3, 12)
    expect(filling.filled).toBe(3)
    expect(filling.rateBps(free)).toBe(2)
  })

  it('raises those whom a link holds where one that was filled stands higher', () => {
    const filling = new IncrementalFilling([6, 2.2, 0.9, 1000])
    const on = (links: readonly number[], fractions = links.map(() => 1)) => ({
      ...{ links: Int32Array.from(links), fractions: Float64Array.from(fractions) },
    })
    const [waiting, rising, falling] = [on([0]), on([0, 2], [1, 0.05]), on([0, 1])].map((flow) =>
      filling.add(flow),
    )
    for (let i = 0; i < 200; i++) filling.add(on([3]))
    filling.settle()
    // Two newcomers hope for half of link 1, and for link 2; then they share link 1 as three.
    const newcomers = [filling.add(on([1, 2])), filling.add(on([1]))]
    filling.settle()
    for (const flow of [falling!, ...newcomers]) {
      expect(filling.rateBps(flow)).toBeCloseTo(2.2 / 3, 12)
    }
    for (const flow of [waiting!, rising!]) {
      expect(filling.rateBps(flow)).toBeCloseTo((6 - 2.2 / 3) / 2, 12)
    }
    expect(filling.filled).toBeLessThan(20)
  })

  it('gives a flow that crosses no link what it asks for, and all if it asks for nothing', () => {
    for (const tolerance of [0, 0.01]) {
      const filling = new IncrementalFilling([10, 1000], 0, tolerance)
      const on = (links: readonly number[], demandBps = Infinity) => ({
        ...{ links: Int32Array.from(links), fractions: new Float64Array(links.length).fill(1) },
        demandBps,
      })
      const [all, some, held] = [on([]), on([], 3), on([0])].map((flow) => filling.add(flow))
      const rates = (): number[] => [all!, some!, held!].map((flow) => filling.rateBps(flow))
      for (let i = 0; i < 200; i++) filling.add(on([1]))
      filling.settle()
      expect(rates()).toEqual([Infinity, 3, 10])
      const second = filling.add(on([]))
      filling.settle()
      expect(filling.rateBps(second)).toBe(Infinity)
      filling.remove(second)
      filling.settle()
      filling.refill()
      expect(rates()).toEqual([Infinity, 3, 10])
    }
  })

  it('leaves nothing of a full link to lower priorities, in whatever order they come', () => {
    const filling = new IncrementalFilling([10])
    const of = (priority: number, demandBps: number) => ({
      links: Int32Array.of(0),
      fractions: Float64Array.of(1),
      priority,
      demandBps,
    })
    const high = [filling.add(of(2, 6)), filling.add(of(2, 6))]
    filling.settle()
    const low = filling.add(of(0, 6))
    filling.settle()
    const middle = filling.add(of(1, 6))
    filling.settle()
    expect([...high, middle, low].map((flow) => filling.rateBps(flow))).toEqual([5, 5, 0, 0])
  })

  it('leaves nothing either of what rounding leaves of a full link', () => {
    for (const tolerance of [0, 0.01]) {
      const filling = new IncrementalFilling([0.3], 0, tolerance)
      const on = { links: Int32Array.of(0), fractions: Float64Array.of(1) }
      for (let i = 0; i < 3; i++) filling.add({ ...on, priority: 1, demandBps: 0.1 })
      const low = filling.add(on)
      filling.settle()
      expect(filling.rateBps(low)).toBe(0)
    }
  })

  it('raises what waited for a flow of higher priority when that leaves', () => {
    const filling = new IncrementalFilling([10])
    const flow = (priority: number, demandBps = Infinity) => ({
      links: Int32Array.of(0),
      fractions: Float64Array.of(1),
      priority,
      demandBps,
    })
    const low = filling.add(flow(0))
    const high = filling.add(flow(5, 4))
    filling.settle()
    expect([filling.rateBps(low), filling.rateBps(high)]).toEqual([6, 4])
    filling.remove(high)
    filling.settle()
    expect(filling.rateBps(low)).toBe(10)
  })

  it('raises it also where a priority between the two comes and goes meanwhile', () => {
    for (const tolerance of [0, 0.01]) {
      const filling = new IncrementalFilling([10, 10], 0, tolerance)
      const flow = (link: number, priority: number) => ({
        ...{ links: Int32Array.of(link), fractions: Float64Array.of(1), priority },
      })
      const high = filling.add(flow(0, 2))
      const low = filling.add(flow(0, 0))
      for (let i = 0; i < 40; i++) filling.add(flow(1, 0))
      filling.settle()
      filling.remove(high)
      filling.remove(filling.add(flow(1, 1)))
      filling.settle()
      expect(filling.rateBps(low)).toBe(10)
    }
  })

  it('agrees on a rack of 8 x 8 with every routing mixed', () => {
    const cube = new Cube([8, 8])
    const ways = new ShortestWays(cube)
    const capacities = Array.from({ length: cube.count }, (_, link) => 1e9 * (1 + (link % 3)))
    const random = new Random(2, 'mixed')
    const routings = [spraying(ways), valiant(cube, spraying(ways))]
    const flows = new Map<number, PrioritizedFlow>()
    const filling = new IncrementalFilling(capacities)
    for (let i = 0; i < 60; i++) {
      const routing = routings[random.below(2)]!
      const flow = fractionsOf(routing, cube, random.below(64), random.below(64))
      flows.set(filling.add(flow), flow)
      filling.settle()
    }
    expectRates(filling, flows, capacities)
  })

  it('refuses flows, links and headrooms that are none', () => {
    const filling = new IncrementalFilling([1])
    const flow = { links: Int32Array.of(0), fractions: Float64Array.of(1) }
    expect(() => filling.add({ ...flow, weight: 0 })).toThrow('give one above 0')
    expect(() => filling.add({ ...flow, weight: Infinity })).toThrow('give one above 0')
    expect(() => filling.add({ ...flow, links: Int32Array.of(-1) })).toThrow('crosses link -1')
    expect(() => new IncrementalFilling([1], -0.1)).toThrow('leaves no capacity')
    expect(() => filling.add({ ...flow, demandBps: NaN })).toThrow('give 0 or more')
    expect(() => filling.add({ ...flow, links: Int32Array.of(1) })).toThrow('the links are 0 to 0')
    expect(() => filling.add({ ...flow, fractions: Float64Array.of(0) })).toThrow('no fraction')
    expect(() => filling.add({ ...flow, fractions: Float64Array.of(Infinity) })).toThrow(
      'no fraction',
    )
    expect(() => new IncrementalFilling([1], 1)).toThrow('leaves no capacity')
    for (const capacity of [-1, Infinity, NaN]) {
      expect(() => new IncrementalFilling([capacity])).toThrow('give a number from 0 on')
    }
    const handle = filling.add(flow)
    filling.remove(handle)
    expect(() => filling.rateBps(handle)).toThrow('it was removed')
  })
})
