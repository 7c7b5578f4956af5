import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cube, ShortestWays, spraying, Translated } from '../routes/index.ts'
import { waterFill } from '../water-filling.ts'
import type { PrioritizedFlow } from './incremental.ts'
import { IncrementalFilling } from './incremental.ts'
import { someFlow } from './testing.ts'

/** Of chance; a mutant is tried with few (docs/mutation.md). */
const CASES = 10 * (Number(process.env.CASES ?? 0) || 80)

/** Of rounding; relative. */
const CLOSE = 1e-8

type Flows = ReadonlyMap<number, PrioritizedFlow>

/** Says where the condition that makes rates max-min fair does not hold within the tolerance. */
function violations(
  filling: IncrementalFilling,
  flows: Flows,
  capacities: readonly number[],
  tolerance: number,
): string[] {
  const found: string[] = []
  const left = [...capacities]
  const priorities = new Set([...flows.values()].map(({ priority = 0 }) => priority))
  for (const priority of [...priorities].sort((a, b) => b - a)) {
    const round = [...flows].filter(([, flow]) => (flow.priority ?? 0) === priority)
    const loads = capacities.map(() => 0)
    const highest = capacities.map(() => 0)
    for (const [handle, { links, fractions, weight = 1 }] of round) {
      const rate = filling.rateBps(handle)
      links.forEach((link, k) => {
        loads[link]! += rate * fractions[k]!
        highest[link] = Math.max(highest[link]!, rate / weight)
      })
    }
    // What rounding of loads of whole links leaves of one is of no concern here.
    const slack = (link: number): number => tolerance * left[link]! + CLOSE * capacities[link]!
    loads.forEach((load, link) => {
      if (load > left[link]! + slack(link)) found.push(`link ${link} carries ${load}`)
    })
    for (const [handle, { links, weight = 1, demandBps = Infinity }] of round) {
      const rate = filling.rateBps(handle)
      const held = filling.bottleneck(handle)
      if (held === -1) {
        if (rate !== demandBps) found.push(`flow ${handle} has ${rate}, and nobody holds it`)
        continue
      }
      if (rate > demandBps * (1 + CLOSE)) found.push(`flow ${handle} has more than its demand`)
      if (!links.includes(held)) found.push(`flow ${handle} is held by ${held}, far away`)
      if (loads[held]! < left[held]! - slack(held)) found.push(`link ${held} is not full`)
      if (highest[held]! * (1 - CLOSE) > rate / weight)
        found.push(`others than ${handle} have more`)
    }
    loads.forEach((load, link) => (left[link] = Math.max(0, left[link]! - load)))
  }
  return found
}

function exact(capacities: readonly number[], flows: Flows, headroom = 0): number[] {
  const plain = [...flows.values()].map((flow) => ({
    ...{ ...flow, links: Array.from(flow.links), fractions: Array.from(flow.fractions) },
  }))
  return Array.from(waterFill(capacities, plain, headroom).ratesBps)
}

const on = (link: number, demandBps = Infinity): PrioritizedFlow => ({
  ...{ links: Int32Array.of(link), fractions: Float64Array.of(1), demandBps },
})

describe('water-filling within a tolerance', () => {
  it('keeps the condition within it after any events', () => {
    // 300 flows on links of their own, so that what an event costs is little beside all.
    const quiet = [1e9, 1e9, 1e9, 1e9, 1e9, 1e9]
    const elsewhere = (from: number): PrioritizedFlow => ({
      links: Int32Array.from(quiet, (_, i) => from + i),
      fractions: new Float64Array(quiet.length).fill(1),
      ...{ demandBps: 1e6, priority: 1 },
    })
    const amount = fc.integer({ min: 0, max: 40 }).map((n) => n * 1e9)
    const event = (links: number) =>
      fc.oneof(someFlow(links), fc.nat({ max: 100 }), fc.constant('settle' as const))
    const someCase = fc.array(amount, { minLength: 1, maxLength: 8 }).chain((capacities) =>
      fc.record({
        capacities: fc.constant(capacities),
        tolerance: fc.constantFrom(1e-4, 1e-2, 0.1),
        before: fc.array(someFlow(capacities.length), { maxLength: 30 }),
        others: fc.constantFrom(0, 300, 300),
        events: fc.array(event(capacities.length), { minLength: 5, maxLength: 40 }),
      }),
    )
    let inPart = 0
    fc.assert(
      fc.property(someCase, ({ capacities: some, tolerance, before, others, events }) => {
        const capacities = [...some, ...quiet]
        const filling = new IncrementalFilling(capacities, 0, tolerance)
        const flows = new Map<number, PrioritizedFlow>()
        for (let i = 0; i < others; i++) {
          const flow = elsewhere(some.length)
          flows.set(filling.add(flow), flow)
        }
        for (const event of [...before, 'settle', ...events, 'settle'] as const) {
          if (event === 'settle') {
            filling.settle()
            expect(violations(filling, flows, capacities, tolerance)).toEqual([])
            if (filling.filled > 0 && filling.filled < flows.size) inPart++
          } else if (typeof event === 'number') {
            const handle = [...flows.keys()][others + (event % Math.max(1, flows.size - others))]
            if (handle === undefined) continue
            filling.remove(handle)
            flows.delete(handle)
          } else flows.set(filling.add(event), event)
        }
        expect(filling.flows).toBe(flows.size)
        filling.refill()
        const wanted = exact(capacities, flows)
        const scale = Math.max(...capacities) * 1e-9
        ;[...flows.keys()].forEach((handle, i) => {
          const apart = Math.abs(filling.rateBps(handle) - wanted[i]!)
          expect(apart).toBeLessThanOrEqual(1e-7 * (wanted[i]! + scale))
        })
      }),
      { seed: 4, numRuns: CASES },
    )
    // Most of what was held against the condition was not filled from nothing.
    expect(inPart).toBeGreaterThan(1.25 * CASES)
  }, 60_000)

  it('keeps it in a rack, near exact rates, and fills a small part of the flows', () => {
    const cube = new Cube([4, 4, 4])
    const routes = new Translated(cube, spraying(new ShortestWays(cube)))
    const capacities = Array.from({ length: cube.count }, () => 10e9)
    const usable = capacities.map((capacity) => 0.95 * capacity)
    const random = new Random(1, 'tolerant')
    const filling = new IncrementalFilling(capacities, 0.05, 0.01)
    const without = new IncrementalFilling(capacities, 0.05)
    const flows = new Map<number, PrioritizedFlow>()
    const twins = new Map<number, number>()
    const add = (): void => {
      const source = random.below(64)
      const flow = routes.fractions(source, (source + 1 + random.below(63)) % 64)
      const handle = filling.add(flow)
      flows.set(handle, flow)
      twins.set(handle, without.add(flow))
    }
    for (let i = 0; i < 300; i++) add()
    const apart: number[] = []
    let [filled, filledWithout] = [0, 0]
    for (let event = 0; event <= 300; event++) {
      if (event % 2 === 0) add()
      else {
        const handle = [...flows.keys()][random.below(flows.size)]!
        filling.remove(handle)
        without.remove(twins.get(handle)!)
        flows.delete(handle)
      }
      filling.settle()
      without.settle()
      if (event === 0) continue
      filled += filling.filled
      filledWithout += without.filled
      if (event % 10 === 0) expect(violations(filling, flows, usable, 0.01)).toEqual([])
      for (const handle of flows.keys()) {
        const rate = without.rateBps(twins.get(handle)!)
        apart.push(Math.abs(filling.rateBps(handle) - rate) / rate)
      }
    }
    apart.sort((a, b) => a - b)
    expect(apart[Math.floor(0.5 * apart.length)]).toBeGreaterThan(1e-5)
    expect(apart[Math.floor(0.99 * apart.length)]).toBeLessThan(0.03)
    expect(filled).toBeLessThan(0.2 * filledWithout)
    expect(filled).toBeGreaterThan(300)
  })

  it('lets be what an event moves by less, and moves what adds up to more', () => {
    const filling = new IncrementalFilling([1000], 0, 0.01)
    const flows = Array.from({ length: 1000 }, () => filling.add(on(0)))
    filling.settle()
    let rested = 0
    while (flows.length > 1) {
      filling.remove(flows.pop()!)
      filling.settle()
      if (filling.filled === 0) rested++
      const sum = flows.reduce((total, flow) => total + filling.rateBps(flow), 0)
      expect(sum).toBeLessThanOrEqual(1010.01)
      expect(sum).toBeGreaterThanOrEqual(989.99)
    }
    // Until a hundred are left each is less than a hundredth.
    expect(rested).toBeGreaterThan(700)
    expect(filling.rateBps(flows[0]!)).toBeCloseTo(1000, 5)
  })

  it('gives a newcomer its share at once where there is too little for anybody to notice', () => {
    const filling = new IncrementalFilling([1000, 10], 0, 0.01)
    for (let i = 0; i < 1000; i++) filling.add(on(0))
    filling.settle()
    const newcomer = filling.add(on(0))
    filling.settle()
    expect(filling.rateBps(newcomer)).toBeCloseTo(1, 2)
    expect(filling.bottleneck(newcomer)).toBe(0)
    const modest = filling.add(on(1, 4))
    filling.settle()
    expect(filling.rateBps(modest)).toBe(4)
    expect(filling.filled).toBe(1)
  })

  it('gives a flow no more than its demand when the link that held it has room', () => {
    const filling = new IncrementalFilling([12, 1000], 0, 0.01)
    const flow = filling.add({ ...on(0, 10), weight: 2 })
    const others = [filling.add(on(0)), filling.add(on(0))]
    for (let i = 0; i < 200; i++) filling.add(on(1))
    filling.settle()
    expect([filling.rateBps(flow), filling.bottleneck(flow)]).toEqual([6, 0])
    for (const other of others) {
      filling.remove(other)
      filling.settle()
    }
    expect([filling.rateBps(flow), filling.bottleneck(flow)]).toEqual([10, -1])
  })

  it('gives newcomers their demands to the last bit, whatever their weight', () => {
    const filling = new IncrementalFilling([1e12, 1000], 0, 0.01)
    for (let i = 0; i < 200; i++) filling.add(on(1))
    filling.settle()
    const demands = Array.from({ length: 40 }, (_, i) => 1e9 / (1 + i))
    const flows = demands.map((demand) => filling.add({ ...on(0, demand), weight: 3.7 }))
    filling.settle()
    expect(flows.map((flow) => filling.rateBps(flow))).toEqual(demands)
  })

  it('is as exact for those whom a link holds beside many that have their demands', () => {
    const filling = new IncrementalFilling([1000, 1000], 0, 0.01)
    const modest = Array.from({ length: 198 }, () => filling.add(on(0, 5)))
    const held = filling.add(on(0))
    for (let i = 0; i < 200; i++) filling.add(on(1))
    filling.settle()
    expect(filling.rateBps(held)).toBe(10)
    // Half a hundredth of the link, and half of what the flow has.
    filling.remove(modest.pop()!)
    filling.settle()
    expect(filling.rateBps(held)).toBe(15)
  })

  it('says what it cost: flows that got a level, and links and flows that it looked at', () => {
    const filling = new IncrementalFilling([10, 1000], 0, 0.01)
    const first = filling.add(on(0))
    for (let i = 0; i < 100; i++) filling.add(on(1))
    filling.settle()
    expect([filling.filled, filling.touched]).toEqual([101, 101])
    filling.add(on(0))
    filling.settle()
    // The newcomer is seated (its link, twice); of the link both flows, and a link of each; then
    // the first gets its new level (its link).
    expect([filling.filled, filling.touched]).toEqual([2, 2 + 2 + 2 + 1])
    filling.remove(first)
    filling.settle()
    // Its link; of that the flow that is left, whose link is looked at, and once more as it rises.
    expect([filling.filled, filling.touched]).toEqual([1, 1 + 1 + 1 + 1])
    filling.refill()
    expect([filling.filled, filling.touched]).toEqual([101, 101])
  })

  it('hands on to lower priorities what it leaves, and what it frees', () => {
    const filling = new IncrementalFilling([1000], 0, 0.01)
    const high = Array.from({ length: 9 }, () => filling.add({ ...on(0, 100), priority: 1 }))
    const low = [filling.add(on(0)), filling.add(on(0))]
    filling.settle()
    expect(low.map((flow) => filling.rateBps(flow))).toEqual([50, 50])
    filling.remove(high.pop()!)
    filling.settle()
    expect(low.map((flow) => filling.rateBps(flow))).toEqual([100, 100])
  })

  it('is exact without one, and refuses tolerances that are none', () => {
    const build = (...tolerance: number[]) => {
      const filling = new IncrementalFilling([7, 11], 0.05, ...tolerance)
      const flows = [filling.add(on(0)), filling.add(on(0, 1.3)), filling.add(on(1))]
      filling.settle()
      flows.push(filling.add(on(1)))
      filling.settle()
      return flows.map((flow) => filling.rateBps(flow))
    }
    expect(build(0)).toEqual(build())
    for (const tolerance of [-0.1, 1, NaN]) {
      expect(() => new IncrementalFilling([1], 0, tolerance)).toThrow('give a fraction below 1')
    }
  })
})
