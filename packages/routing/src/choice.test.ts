import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import { makeRouting } from './index.ts'
import { chiSquare, leafSpine, torus } from './testing.ts'

const GRAPH = leafSpine(4, 4, 2)
const ECMP = { kind: 'ecmp', hashSeed: 1 } as const
const OTHER = { kind: 'ecmp', hashSeed: 2 } as const
const SPRAY = { kind: 'packet-spray', evenOver: 'ports' } as const

describe('a choice of routings', () => {
  it('has all flows begin with the first, or spreads them evenly by a hash', () => {
    const of = [ECMP, OTHER, SPRAY]
    const first = makeRouting(GRAPH, { kind: 'choice', begin: 'first', of })
    const hashed = makeRouting(GRAPH, { kind: 'choice', begin: 'hash', of })
    const keys = Array.from({ length: 3000 }, (_, key) => key)
    expect(keys.every((key) => first.memberOf!(key) === 0)).toBe(true)
    const counts = [0, 0, 0]
    for (const key of keys) counts[hashed.memberOf!(key)]!++
    // Of 2 degrees of freedom, beyond this once in ten thousand.
    expect(chiSquare(counts)).toBeLessThan(18.4)
    expect(Math.min(...counts)).toBeGreaterThan(0)
  })

  it('gives each flow the path of its member', () => {
    const routing = makeRouting(GRAPH, { kind: 'choice', begin: 'hash', of: [ECMP, OTHER] })
    const members = [makeRouting(GRAPH, ECMP), makeRouting(GRAPH, OTHER)]
    let unlike = 0
    for (let key = 0; key < 50; key++) {
      const path = routing.path(0, 7, key)
      expect(path).toEqual(members[routing.memberOf!(key)]!.path(0, 7, key))
      if (members[0]!.path(0, 7, key).join() !== members[1]!.path(0, 7, key).join()) unlike++
    }
    expect(unlike).toBeGreaterThan(20)
    expect(routing.perPacket).toBe(false)
  })

  it('leads what is no flow’s hop by hop, by the first member that can', () => {
    const routing = makeRouting(GRAPH, { kind: 'choice', begin: 'first', of: [ECMP, SPRAY] })
    expect(routing.perPacket).toBe(true)
    const spray = makeRouting(GRAPH, SPRAY)
    const leaf = GRAPH.nodes.findIndex(({ kind }) => kind === 'switch')
    const [one, two] = [new Random(3, 'next'), new Random(3, 'next')]
    for (let i = 0; i < 20; i++) {
      expect(routing.next(leaf, 7, one)).toBe(spray.next(leaf, 7, two))
    }
    expect(routing.stages!(0, 7)).toEqual(spray.stages!(0, 7))
  })

  it('has no stages where no member has any', () => {
    const routing = makeRouting(torus(4), {
      kind: 'choice',
      begin: 'first',
      of: [{ kind: 'dimension-order' }],
    })
    expect(routing.stages!(0, 1)).toEqual([])
  })
})
