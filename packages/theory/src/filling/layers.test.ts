/** What both layers know of their links, held against their flows: exact-layer, tolerant-layer. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactLayer } from './exact-layer.ts'
import { CAPACITY, HELD, HELD_WEIGHT, LOAD, RECORD, WATER } from './link-record.ts'
import { someFlow } from './testing.ts'
import { TolerantLayer } from './tolerant-layer.ts'

/** Links that events are about; others carry flows of their own, so that events are settled. */
const LINKS = 8
const QUIET = 20
const QUIET_LINKS = 20

interface OfLink {
  load: number
  held: number
  heldWeight: number
  /** Levels of those whom it holds. */
  readonly levels: Set<number>
}

function linksOf({ columns }: { columns: ExactLayer['columns'] }): OfLink[] {
  const found = Array.from({ length: LINKS }, () => {
    return { load: 0, held: 0, heldWeight: 0, levels: new Set<number>() }
  })
  columns.flows.forEach((flow, slot) => {
    flow?.links.forEach((link, k) => {
      const one = found[link]
      if (one === undefined) return
      const share = columns.weights[slot]! * flow.fractions[k]!
      one.load += share * columns.levels[slot]!
      if (columns.bottlenecks[slot] !== link) return
      one.held++
      one.heldWeight += share
      one.levels.add(columns.levels[slot]!)
    })
  })
  return found
}

class OpenExact extends ExactLayer {
  audit(): void {
    linksOf({ columns: this.columns }).forEach(({ load, held }, link) => {
      expect(this.records[RECORD * link + HELD]).toBe(held)
      const capacity = this.records[RECORD * link + CAPACITY]!
      expect(this.leftover(link) / 1e9).toBeCloseTo(Math.max(0, capacity - load) / 1e9, 6)
    })
  }
}

class OpenTolerant extends TolerantLayer {
  audit(): void {
    linksOf({ columns: this.columns }).forEach(({ load, held, heldWeight, levels }, link) => {
      const at = RECORD * link
      expect(this.records[at + HELD]).toBe(held)
      expect(this.records[at + HELD_WEIGHT]).toBeCloseTo(heldWeight, 9)
      expect(this.records[at + LOAD]! / 1e9).toBeCloseTo(load / 1e9, 6)
      if (held > 0) expect([...levels]).toEqual([this.records[at + WATER]])
    })
  }
}

const CASES = 10 * (Number(process.env.CASES ?? 0) || 10)

describe.each([
  ['exact', (capacities: number[]) => new OpenExact(capacities)],
  ['tolerant', (capacities: number[]) => new OpenTolerant(capacities, 0.01)],
] as const)('the %s layer', (_, create) => {
  it('knows the load of each link, and whom it holds, after any events', () => {
    const amount = fc.integer({ min: 1, max: 40 }).map((n) => n * 1e9)
    const someCase = fc.record({
      capacities: fc.array(amount, { minLength: LINKS, maxLength: LINKS }),
      before: fc.array(someFlow(LINKS, 3), { minLength: 4, maxLength: 12 }),
      events: fc.array(
        fc.oneof(
          someFlow(LINKS, 3),
          fc.nat({ max: 100 }),
          fc.record({ link: fc.nat(LINKS - 1), capacity: amount }),
        ),
        { minLength: 6, maxLength: 14 },
      ),
    })
    let inPart = 0
    fc.assert(
      fc.property(someCase, ({ capacities, before, events }) => {
        const quiet = new Array<number>(QUIET * QUIET_LINKS).fill(1e9)
        const layer = create([...capacities, ...quiet])
        const slots = before.map((flow) => layer.add(flow))
        for (let i = 0; i < QUIET; i++) {
          layer.add({
            links: Int32Array.from({ length: QUIET_LINKS }, (_, k) => LINKS + QUIET_LINKS * i + k),
            fractions: new Float64Array(QUIET_LINKS).fill(1),
          })
        }
        layer.settle()
        layer.audit()
        for (const event of events) {
          if (typeof event === 'number') {
            const at = event % Math.max(1, slots.length)
            if (slots.length > 0) layer.remove(slots.splice(at, 1)[0]!)
          } else if ('link' in event) layer.setCapacity(event.link, event.capacity)
          else slots.push(layer.add(event))
          layer.settle()
          layer.audit()
          if (layer.filled < QUIET) inPart++
        }
        expect(layer.count).toBe(slots.length + QUIET)
      }),
      { seed: 6, numRuns: CASES },
    )
    expect(inPart).toBeGreaterThan(3 * CASES)
  })
})
