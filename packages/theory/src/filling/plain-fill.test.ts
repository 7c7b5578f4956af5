import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_LINK } from './filling-flow.ts'
import type { FillingFlow } from './filling-flow.ts'
import { FlowColumns, OUTSIDE } from './flow-columns.ts'
import { Incidence } from './incidence.ts'
import { CAPACITY, HELD, HELD_WEIGHT, LEFT, LOAD, RECORD } from './link-record.ts'
import { RISING, WATER, WEIGHT } from './link-record.ts'
import { PlainFill } from './plain-fill.ts'
import { someFlow } from './testing.ts'

const LINKS = 6

/** Flows on links, and what filling leaves in the records of these. */
class Filled {
  readonly columns: FlowColumns = new FlowColumns()
  readonly #records: Float64Array = new Float64Array(RECORD * LINKS)
  readonly #incidence: Incidence = new Incidence(LINKS)
  readonly #plain: PlainFill

  constructor(capacities: readonly number[]) {
    capacities.forEach((capacity, link) => {
      this.#records[RECORD * link + CAPACITY] = capacity
      this.#records[RECORD * link + WATER] = Infinity
    })
    this.#plain = new PlainFill(this.#records, this.#incidence, this.columns)
  }

  add(flow: FillingFlow): number {
    const slot = this.columns.add(flow)
    const { links, fractions, weight = 1 } = flow
    this.columns.runs[slot] = this.#incidence.add(slot, links, fractions, weight)
    return slot
  }

  remove(slot: number): void {
    this.#incidence.remove(this.columns.runs[slot]!, this.columns.flows[slot]!.links)
    this.columns.remove(slot)
  }

  fill(): void {
    this.#plain.fill()
  }

  /** Of a link: what the tolerant layer goes on from. */
  link(link: number): { load: number; water: number; held: number; heldWeight: number } {
    const at = RECORD * link
    const [load, water] = [this.#records[at + LOAD]!, this.#records[at + WATER]!]
    const [held, heldWeight] = [this.#records[at + HELD]!, this.#records[at + HELD_WEIGHT]!]
    return { load, water, held, heldWeight }
  }

  /** Of a link: what is left, and who still rises; nobody, after filling. */
  rising(link: number): number[] {
    const at = RECORD * link
    return [this.#records[at + LEFT]!, this.#records[at + WEIGHT]!, this.#records[at + RISING]!]
  }

  /** The same from the flows: what those carry, how high those stand that a link holds. */
  expected(link: number): { load: number; water: number; held: number; heldWeight: number } {
    const { bottlenecks, flows, levels, weights } = this.columns
    let [load, water, held, heldWeight] = [0, Infinity, 0, 0]
    flows.forEach((flow, slot) => {
      const k = flow?.links.indexOf(link) ?? -1
      if (flow === undefined || k < 0) return
      const share = weights[slot]! * flow.fractions[k]!
      load += share * levels[slot]!
      if (bottlenecks[slot] !== link) return
      water = levels[slot]!
      held++
      heldWeight += share
    })
    return { load, water, held, heldWeight }
  }
}

describe('filling of all flows from nothing', () => {
  it('knows of each link its load, and how high and how many the flows stand that it holds', () => {
    const amount = fc.integer({ min: 1, max: 40 }).map((n) => n * 1e9)
    const capacities = fc.array(amount, { minLength: LINKS, maxLength: LINKS })
    const flows = fc.array(someFlow(LINKS), { minLength: 1, maxLength: 15 })
    fc.assert(
      fc.property(capacities, flows, fc.nat(14), (capacities, flows, leaver) => {
        const filled = new Filled(capacities)
        for (const flow of flows) filled.add(flow)
        // Again with the same flows, and with one fewer: nothing is left of what was before.
        for (const round of [0, 1, 2]) {
          if (round === 2 && leaver >= flows.length - 1) continue
          if (round === 2) filled.remove(leaver)
          filled.fill()
          const { bottlenecks, demands, flows: known, levels, rates, states } = filled.columns
          known.forEach((flow, slot) => {
            if (flow === undefined) return
            expect(states[slot]).toBe(OUTSIDE)
            if (bottlenecks[slot] === NO_LINK) expect(rates[slot]).toBe(demands[slot])
            else expect(rates[slot]).toBe(levels[slot]! * (flow.weight ?? 1))
          })
          for (let link = 0; link < LINKS; link++) {
            const { load, water, held, heldWeight } = filled.link(link)
            const wanted = filled.expected(link)
            if (wanted.load === 0 && wanted.held === 0 && round === 2) continue
            expect([water, held]).toEqual([wanted.water, wanted.held])
            expect(load / 1e9).toBeCloseTo(wanted.load / 1e9, 6)
            expect(heldWeight).toBeCloseTo(wanted.heldWeight, 9)
            const [left, weight, rising] = filled.rising(link)
            if (known.some((flow) => flow?.links.includes(link))) {
              expect(left! / 1e9).toBeCloseTo((capacities[link]! - load) / 1e9, 6)
            }
            expect(weight).toBeCloseTo(0, 9)
            expect(rising).toBe(0)
          }
        }
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  it('gives a flow its demand to the last bit, whatever its weight', () => {
    const filled = new Filled([1e12, 1, 1, 1, 1, 1])
    const demands = Array.from({ length: 40 }, (_, i) => 1e9 / (1 + i))
    const on = { links: Int32Array.of(0), fractions: Float64Array.of(1), weight: 3.7 }
    for (const demandBps of demands) filled.add({ ...on, demandBps })
    filled.fill()
    expect(filled.columns.rates).toEqual(demands)
  })

  it('leaves nothing of a link that rounding says is full but for a little', () => {
    const filled = new Filled([0.3, 1, 1, 1, 1, 1])
    for (const demandBps of [0.1, 0.1, 0.1]) {
      filled.add({ links: Int32Array.of(0), fractions: Float64Array.of(1), demandBps })
    }
    filled.fill()
    expect(filled.rising(0)[0]).toBe(0)
  })
})
