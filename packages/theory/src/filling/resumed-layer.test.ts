import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cube, ShortestWays, spraying, Translated } from '../routes/index.ts'
import { waterFill } from '../water-filling.ts'
import type { PrioritizedFlow } from './incremental.ts'
import { IncrementalFilling } from './incremental.ts'
import { someFlow } from './testing.ts'

/** Of rounding; relative. */
const CLOSE = 1e-8

type Flows = ReadonlyMap<number, PrioritizedFlow>

/** Rates by filling from nothing, by the plain algorithm. */
function exact(capacities: readonly number[], flows: Flows, headroom = 0): number[] {
  const plain = [...flows.values()].map((flow) => ({
    ...{ ...flow, links: Array.from(flow.links), fractions: Array.from(flow.fractions) },
  }))
  return Array.from(waterFill(capacities, plain, headroom).ratesBps)
}

/** Looks at every so-manyth flow, in an order that is not that of their levels. */
function expectRates(
  filling: IncrementalFilling,
  flows: Flows,
  capacities: readonly number[],
  step = 1,
): void {
  const wanted = exact(capacities, flows)
  const scale = Math.max(...capacities) * 1e-9
  ;[...flows.keys()].forEach((handle, i) => {
    if (i % step !== 0) return
    const rate = filling.rateBps(handle)
    if (wanted[i] === Infinity) expect(rate).toBe(Infinity)
    else expect(Math.abs(rate - wanted[i]!)).toBeLessThanOrEqual(CLOSE * (scale + wanted[i]!))
  })
}

const asked = (capacities: ArrayLike<number>, headroom = 0): IncrementalFilling =>
  new IncrementalFilling(capacities, headroom, 0, 'asked')

const on = (link: number, demandBps = Infinity, weight = 1): PrioritizedFlow => ({
  ...{ links: Int32Array.of(link), fractions: Float64Array.of(1), demandBps, weight },
})

describe('water-filling for the flows that are asked for', () => {
  it('has the rates of filling from nothing after any events, whoever is asked for', () => {
    const amount = fc.integer({ min: 0, max: 40 }).map((n) => n * 1e9)
    const someCase = fc.array(amount, { minLength: 1, maxLength: 8 }).chain((capacities) =>
      fc.record({
        capacities: fc.constant(capacities),
        step: fc.constantFrom(1, 3, 7),
        events: fc.array(
          fc.oneof(
            someFlow(capacities.length),
            fc.nat({ max: 100 }),
            fc.constant('settle' as const),
          ),
          { minLength: 1, maxLength: 60 },
        ),
      }),
    )
    fc.assert(
      fc.property(someCase, ({ capacities, events, step }) => {
        const filling = asked(capacities)
        const flows = new Map<number, PrioritizedFlow>()
        for (const event of [...events, 'settle' as const]) {
          if (event === 'settle') {
            filling.settle()
            expectRates(filling, flows, capacities, step)
          } else if (typeof event === 'number') {
            const handle = [...flows.keys()][event % Math.max(1, flows.size)]
            if (handle === undefined) continue
            filling.remove(handle)
            flows.delete(handle)
          } else flows.set(filling.add(event), event)
        }
        expect(filling.flows).toBe(flows.size)
        expectRates(filling, flows, capacities)
        filling.refill()
        expectRates(filling, flows, capacities)
      }),
      { seed: Number(process.env['SEED'] ?? 1), numRuns: Number(process.env['RUNS'] ?? 1000) },
    )
  })

  it('has the rate of one after events where links are alike and fill at one level', () => {
    const links = 5
    const alike = fc
      .tuple(
        fc.uniqueArray(fc.nat(links - 1), { minLength: 1 }),
        fc.constantFrom(1 / 3, 1 / 7, 0.1, 1),
      )
      .map(([used, part]) => ({
        links: Int32Array.from(used),
        fractions: new Float64Array(used.length).fill(part),
      }))
    const event = fc.oneof(
      { weight: 3, arbitrary: alike },
      { weight: 2, arbitrary: fc.nat(100).map((gone) => ({ gone })) },
      { weight: 2, arbitrary: fc.nat(100).map((whom) => ({ whom })) },
    )
    const capacities = new Array<number>(links).fill(9.5e9)
    fc.assert(
      fc.property(fc.array(event, { minLength: 10, maxLength: 60 }), (events) => {
        const filling = asked(capacities)
        const flows = new Map<number, PrioritizedFlow>()
        const at = (i: number): number | undefined => [...flows.keys()][i % Math.max(1, flows.size)]
        for (const event of events) {
          if ('links' in event) {
            flows.set(filling.add(event), event)
            continue
          }
          const handle = at('gone' in event ? event.gone : event.whom)
          if (handle === undefined) continue
          if ('gone' in event) {
            filling.remove(handle)
            flows.delete(handle)
            continue
          }
          filling.settle()
          const rate = exact(capacities, flows)[[...flows.keys()].indexOf(handle)]!
          expect(Math.abs(filling.rateBps(handle) / rate - 1)).toBeLessThan(CLOSE)
        }
      }),
      { seed: Number(process.env['SEED'] ?? 6), numRuns: Number(process.env['RUNS'] ?? 4000) },
    )
  })

  it('takes back all that one flow fills, if two of its links fill at one level', () => {
    const filling = asked([9.5e9, 9.5e9])
    const over = (part: number, ...links: number[]): number =>
      filling.add({
        ...{ links: Int32Array.from(links), fractions: new Float64Array(links.length).fill(part) },
      })
    const flows = [over(1, 0, 1), over(1, 0, 1), over(1 / 3, 0, 1)]
    const first = (): number => {
      filling.settle()
      return filling.rateBps(flows[0]!) / 9.5e9
    }
    expect(first()).toBeCloseTo(3 / 7, 12)
    flows.push(over(1, 1), over(1 / 3, 0, 1))
    expect(first()).toBeCloseTo(3 / 11, 12)
    flows.push(over(1, 0))
    filling.remove(flows.shift()!)
    expect(first()).toBeCloseTo(3 / 8, 12)
    flows.push(over(1 / 3, 0))
    filling.remove(flows.shift()!)
    expect(first()).toBeCloseTo(1 / 2, 12)
    filling.remove(flows.shift()!)
    expect(first()).toBeCloseTo(4 / 5, 12)
  })

  // With flows all alike many links fill at one level, and rounding says which of them first.
  it.each([
    ['all alike', 1],
    ['of three weights', 3],
  ])('has the rates of its own flows after each event in a rack: flows %s', (_, weights) => {
    const cube = new Cube([4, 4, 4])
    const routes = new Translated(cube, spraying(new ShortestWays(cube)))
    const capacities = new Float64Array(cube.count).fill(10e9)
    let [filled, count] = [0, 0]
    for (let seed = 1; seed <= 6; seed++) {
      const random = new Random(seed, 'events')
      const whole = new IncrementalFilling(capacities, 0.05)
      const nodes = Array.from({ length: 16 }, () => asked(capacities, 0.05))
      const live: { source: number; own: number[]; other: number }[] = []
      for (let event = -100; event < 100; event++) {
        if (event >= 0 && event % 2 === 0) {
          const [gone] = live.splice(random.below(live.length), 1)
          nodes.forEach((filling, node) => filling.remove(gone!.own[node]!))
          whole.remove(gone!.other)
        } else {
          const source = random.below(64)
          const fractions = routes.fractions(source, (source + 1 + random.below(63)) % 64)
          const flow = { ...fractions, weight: 1 + random.below(weights) }
          const own = nodes.map((filling) => filling.add(flow))
          live.push({ source, own, other: whole.add(flow) })
        }
        if (event < 0) continue
        whole.refill()
        nodes.forEach((filling, node) => {
          filling.settle()
          for (const { source, own, other } of live) {
            if (source !== node) continue
            const off = filling.rateBps(own[node]!) / whole.rateBps(other) - 1
            expect(Math.abs(off), `seed ${seed}, event ${event}`).toBeLessThan(CLOSE)
          }
          filled += filling.filled
          count += live.length
        })
      }
    }
    expect(filled).toBeGreaterThan(0)
    expect(filled / count).toBeLessThan(0.3)
  })

  it('does nothing for an event above the flow that is asked for', () => {
    const filling = asked([10, 100])
    const low = [filling.add(on(0)), filling.add(on(0))]
    const high = filling.add(on(1))
    filling.settle()
    expect(filling.rateBps(low[0]!)).toBe(5)
    expect(filling.filled).toBe(2)
    filling.remove(high)
    filling.add(on(1))
    filling.settle()
    expect([filling.rateBps(low[0]!), filling.filled]).toEqual([5, 0])
    filling.remove(low[1]!)
    filling.settle()
    expect([filling.rateBps(low[0]!), filling.filled]).toEqual([10, 1])
  })

  it('takes no more back than stands above the event', () => {
    const filling = asked([10, 100, 1000])
    const flows = [0, 0, 1, 1, 2, 2].map((link) => filling.add(on(link)))
    const rates = (): number[] => flows.map((flow) => filling.rateBps(flow))
    filling.settle()
    expect(rates()).toEqual([5, 5, 50, 50, 500, 500])
    const newcomer = filling.add(on(1))
    filling.settle()
    expect(filling.rateBps(newcomer)).toBeCloseTo(100 / 3, 9)
    // Those on the first link have not moved; of the others these three were filled.
    expect(filling.filled).toBe(3)
    filling.remove(newcomer)
    filling.settle()
    expect(rates()).toEqual([5, 5, 50, 50, 500, 500])
    expect(filling.filled).toBe(4)
    // One with a demand stands no higher than that, whatever its link has.
    filling.add(on(2, 20))
    filling.settle()
    expect(rates()).toEqual([5, 5, 50, 50, 490, 490])
    expect(filling.filled).toBe(5)
  })

  it('hands on to a lower priority what a higher one leaves, as it changes', () => {
    const filling = asked([10, 8])
    const low = filling.add({ ...on(0), priority: 0 })
    expect(filling.rateBps(low)).toBe(10)
    const high = filling.add({ ...on(0, 4), priority: 2 })
    const middle = filling.add({ ...on(0, 3), priority: 1 })
    filling.settle()
    expect([high, middle, low].map((flow) => filling.rateBps(flow))).toEqual([4, 3, 3])
    filling.remove(high)
    filling.settle()
    expect([middle, low].map((flow) => filling.rateBps(flow))).toEqual([3, 7])
    const both = filling.add({
      ...{ links: Int32Array.of(0, 1), fractions: Float64Array.of(0.5, 1), priority: 2 },
    })
    filling.settle()
    expect([both, middle, low].map((flow) => filling.rateBps(flow))).toEqual([8, 3, 3])
    expect([both, middle, low].map((flow) => filling.bottleneck(flow))).toEqual([1, -1, 0])
  })

  it('leaves no rounding of a higher priority to a lower one', () => {
    const filling = asked([1e9])
    const part = (weight: number, priority: number): PrioritizedFlow => ({
      ...{ links: Int32Array.of(0), fractions: Float64Array.of(1 / 3), weight, priority },
    })
    const first = filling.add({ ...part(1, 1), fractions: Float64Array.of(1 / 4) })
    const second = filling.add(part(3.7, 1))
    filling.settle()
    expect(filling.rateBps(second)).toBeGreaterThan(0)
    filling.remove(first)
    filling.add(part(1, 2))
    filling.settle()
    expect(filling.rateBps(second)).toBe(0)
  })

  it('begins anew after a thousand events, so that rounding does not add up', () => {
    const filling = asked([10, 100])
    const [low, high] = [filling.add(on(0)), filling.add(on(1))]
    const anew: number[] = []
    for (let event = 3; event <= 1010; event += 2) {
      filling.remove(filling.add(on(1)))
      filling.settle()
      filling.rateBps(low)
      if (filling.filled > 0) anew.push(event)
    }
    // It is filled once, and what comes and goes above it does not move it.
    expect(anew).toEqual([3, 1001])
    expect(filling.rateBps(high)).toBe(100)
  })

  it('has no tolerance', () => {
    expect(() => new IncrementalFilling([1], 0, 0.01, 'asked')).toThrow('leave out the tolerance')
  })
})
