import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Incidence } from './incidence.ts'

const LINKS = 5

/** Owners and shares of the entries of a link, as its chain says. */
function chain(incidence: Incidence, link: number): [number, number][] {
  const found: [number, number][] = []
  for (let entry = incidence.heads[link]!; entry >= 0; entry = incidence.next[entry]!) {
    found.push([incidence.owners[entry]!, incidence.shares[entry]!])
  }
  return found
}

describe('which flows cross which links', () => {
  it('is known of flows that come and go, the latest first', () => {
    const flow = fc.record({
      links: fc.uniqueArray(fc.nat(LINKS - 1), { minLength: 1 }),
      weight: fc.integer({ min: 1, max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(flow, fc.nat()), { maxLength: 30 }), (events) => {
        const incidence = new Incidence(LINKS)
        let known: { owner: number; run: number; links: Int32Array; weight: number }[] = []
        for (const [owner, event] of events.entries()) {
          if (typeof event === 'number') {
            const one = known[event % Math.max(1, known.length)]
            if (one === undefined) continue
            incidence.remove(one.run, one.links)
            known = known.filter((other) => other !== one)
          } else {
            const links = Int32Array.from(event.links)
            const fractions = Float64Array.from(links, (link) => 1 / (1 + link))
            const run = incidence.add(owner, links, fractions, event.weight)
            // A flow's entries are one behind the other, in the order of its links.
            expect([...links].map((_, k) => incidence.owners[run + k])).toEqual(
              [...links].map(() => owner),
            )
            known.unshift({ owner, run, links, weight: event.weight })
          }
          for (let link = 0; link < LINKS; link++) {
            const wanted = known
              .filter(({ links }) => links.includes(link))
              .map(({ owner, weight }) => [owner, weight / (1 + link)])
            expect(chain(incidence, link).map(([owner]) => owner)).toEqual(
              wanted.map(([owner]) => owner),
            )
            chain(incidence, link).forEach(([, share], i) =>
              expect(share).toBeCloseTo(wanted[i]![1]!, 12),
            )
          }
        }
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  it('takes the room of a flow that went for one that crosses as many links, and no other', () => {
    const incidence = new Incidence(4)
    const cross = (...links: number[]) =>
      incidence.add(0, Int32Array.from(links), new Float64Array(links.length).fill(1), 1)
    const [one, two, three] = [cross(0), cross(1, 2), cross(3)]
    expect([one, two, three]).toEqual([0, 1, 3])
    incidence.remove(two, Int32Array.of(1, 2))
    expect(cross(0)).toBe(4)
    expect(cross(2, 3)).toBe(two)
    incidence.remove(one, Int32Array.of(0))
    incidence.remove(three, Int32Array.of(3))
    expect([cross(1), cross(1), cross(1)].sort()).toEqual([one, three, 5])
  })

  it('holds more entries than there was room for at first', () => {
    const incidence = new Incidence(1)
    const link = Int32Array.of(0)
    for (let owner = 0; owner < 3000; owner++) {
      incidence.add(owner, link, Float64Array.of(0.5), owner)
    }
    const all = chain(incidence, 0).reverse()
    expect(all).toEqual(Array.from({ length: 3000 }, (_, owner) => [owner, owner / 2]))
    // A chain that has grown can still be cut anywhere.
    incidence.remove(100, link)
    incidence.remove(2500, link)
    expect(chain(incidence, 0).length).toBe(2998)
  })

  it('holds a flow that crosses more links than there is room for twice over', () => {
    const links = Int32Array.from({ length: 5000 }, (_, link) => link)
    const incidence = new Incidence(links.length)
    incidence.add(7, links, new Float64Array(links.length).fill(0.25), 2)
    expect(chain(incidence, 4999)).toEqual([[7, 0.5]])
  })
})
