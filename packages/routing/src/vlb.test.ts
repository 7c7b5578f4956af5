import { Random } from '@weir/engine'
import { ROUTE_MAX } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { conforms } from './conforms.ts'
import { chiSquare, leafSpine, stops } from './testing.ts'
import { vlb } from './vlb.ts'

conforms(vlb, { shortest: true })

describe('the ways that VLB writes', () => {
  const random = new Random(1, 'ways')
  const route = new Int32Array(2 * ROUTE_MAX)

  it('lead by way of each switch with hosts, equally often', () => {
    const graph = leafSpine(3, 1, 1)
    const routing = vlb.create(graph, {})
    const counts = [0, 0]
    for (let i = 0; i < 900; i++) {
      expect(routing.route!(0, 1, random, route, ROUTE_MAX)).toBe(true)
      const end = route.indexOf(3, ROUTE_MAX) + 1
      const way = stops(graph, Array.from(route.subarray(ROUTE_MAX, end)))
      expect(way.at(-1)).toBe('leaf1.h0')
      // By leaf2, or straight, by way of one of its own ends.
      counts[way.includes('leaf2') ? 0 : 1]!++
    }
    // Twice as often straight; of 1 degree of freedom, beyond this once in ten thousand.
    expect(chiSquare([counts[0]! * 2, counts[1]!])).toBeLessThan(2 * 15.1)
  })

  it('lead by no switch that cannot be reached', () => {
    // Links: four hosts, then leaf0 and leaf1 to the spine, of which the second is down.
    const graph = leafSpine(2, 1, 2)
    const routing = vlb.create(graph, {}, (link) => link === 5)
    for (let i = 0; i < 50; i++) expect(routing.route!(0, 1, random, route, 0)).toBe(true)
    expect(routing.route!(0, 2, random, route, 0)).toBe(false)
  })
})
