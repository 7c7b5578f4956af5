import { readWhole } from '@weir/engine/codec'
import { expect, it } from 'vitest'
import { makeRouting, refusesRouting, routingCodec, routings } from './index.ts'
import { leafSpine, torus } from './testing.ts'

it('lists every routing under its own name', () => {
  for (const [kind, routing] of Object.entries(routings)) expect(routing.name).toBe(kind)
})

it('makes each of them by its name, with what a scenario need not say', () => {
  for (const kind of Object.keys(routings)) {
    if (kind === 'own') continue
    const written = kind === 'choice' ? { kind, of: ['ecmp', 'packet-spray'] } : { kind }
    expect(makeRouting(torus(4, 4), readWhole(routingCodec, written)).name).toBe(kind)
  }
})

it('says why a routing by dimensions has no way in other topologies, and what to take', () => {
  for (const kind of ['dimension-order', 'romm', 'wlb'] as const) {
    expect(refusesRouting(torus(3), { kind })).toBeUndefined()
    const why = refusesRouting(leafSpine(2, 1, 1), { kind })
    expect(why).toMatch(new RegExp(`^${kind} goes dimension by dimension.*take a torus or a mesh`))
  }
})
