import { Random } from '@weir/engine'
import { readWhole } from '@weir/engine/codec'
import { ROUTE_MAX } from '@weir/fabric'
import type { Routing, Spread, SpreadContext } from '@weir/fabric'
import { describe, expect, it } from 'vitest'
import { makeRouting, OwnRoutingError, refusesRouting, routingCodec, routingIn } from './index.ts'
import type { OwnRouting } from './index.ts'
import { leafSpine } from './testing.ts'

/**
 * Hosts 0 and 1, leaves 2 and 3, one spine, 4. Links: 0 and 1 are the hosts', 2 and 3 those of the
 * leaves to the spine; the way from host to host is [0, 4, 7, 3].
 */
const GRAPH = leafSpine(2, 1, 1)
const WAY = [0, 4, 7, 3]
const RANDOM = new Random(1, 'own')
const SPEC = { kind: 'own', name: 'mine' } as const

const right: Routing = {
  name: 'inner',
  perPacket: true,
  path: () => WAY,
  next: (node) => [0, 2, 4, 3, 7][node]!,
}

/** The person's routing as a run has it, with some of its answers changed. */
function mine(answers: Partial<Routing> = {}): Routing {
  const own: OwnRouting = { name: 'mine', create: () => ({ ...right, ...answers }) }
  return makeRouting(GRAPH, SPEC, () => false, own)
}

describe('the routing in a module', () => {
  const create = (): Routing => right
  const one = { name: 'mine', create }

  it('is its one export that has a name and makes a routing, whatever else it exports', () => {
    expect(routingIn({ mine: one, other: 3, nothing: null, word: 'mine' })).toBe(one)
    expect(routingIn({ mine: one, default: one })).toBe(one)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a function', create],
    ['no name', { create }],
    ['a name that is no word', { name: 'my routing', create }],
    ['a name that begins with a digit', { name: '2nd', create }],
    ['a number for a name', { name: 7, create }],
    ['nothing that makes one', { name: 'mine' }],
    ['something else that makes one', { name: 'mine', create: 'later' }],
  ])('is not %s', (_, value) => {
    expect(() => routingIn({ value })).toThrow(OwnRoutingError)
    expect(() => routingIn({ value })).toThrow('no export of the module is a routing')
  })

  it('is not one of two', () => {
    expect(() => routingIn({ one, two: { name: 'other', create } })).toThrow('exports 2 routings')
  })
})

describe('a scenario with a routing of one’s own', () => {
  it('says its name, and runs only with that module', () => {
    expect(readWhole(routingCodec, SPEC)).toEqual(SPEC)
    expect(() => readWhole(routingCodec, { kind: 'own' })).toThrow('missing')
    const sentence = 'mine is a routing of your own: give its module too (--routing ./mine.ts)'
    expect(refusesRouting(GRAPH, SPEC)).toBe(sentence)
    expect(() => makeRouting(GRAPH, SPEC)).toThrow(sentence)
    const other: OwnRouting = { name: 'other', create: () => right }
    expect(refusesRouting(GRAPH, SPEC, other)).toBe(sentence)
    expect(() => makeRouting(GRAPH, SPEC, undefined, other)).toThrow(sentence)
    expect(refusesRouting(GRAPH, SPEC, { ...other, name: 'mine' })).toBeUndefined()
  })

  it('cannot hide one in a choice, where nobody could give its module', () => {
    const choice = { kind: 'choice', of: [SPEC] }
    expect(() => readWhole(routingCodec, choice)).toThrow('own')
  })
})

describe('a routing of one’s own at work', () => {
  it('has the name of the module, and answers as the person does', () => {
    const routing = mine()
    expect([routing.name, routing.perPacket]).toEqual(['mine', true])
    expect(mine({ perPacket: false }).perPacket).toBe(false)
    expect(routing.path(0, 1, 5)).toBe(WAY)
    expect([0, 2, 4, 3].map((node) => routing.next(node, 1, RANDOM))).toEqual(WAY)
  })

  it('is told the links that are down, the flow, its entropy and the numbers to draw', () => {
    const asked: unknown[] = []
    const own: OwnRouting = {
      name: 'mine',
      create: (graph, isDown) => {
        asked.push(graph === GRAPH, [0, 1, 2].map(isDown))
        const path: Routing['path'] = (...question) => (asked.push(question), WAY)
        const next: Routing['next'] = (node, target, random) => {
          asked.push([node, target, random === RANDOM])
          return 4
        }
        return { ...right, path, next }
      },
    }
    const routing = makeRouting(GRAPH, SPEC, (link) => link === 1, own)
    routing.path(0, 1, 99, 3)
    routing.next(2, 1, RANDOM)
    expect(asked).toEqual([true, [false, true, false], [0, 1, 99, 3], [2, 1, true]])
  })

  it.each<[string, readonly number[], string]>([
    ['a port of another node', [0, 7], 'at leaf0 it says port 7, which is not one of its ports'],
    ['no whole number', [0, 4.5], 'at leaf0 it says port 4.5'],
    ['a port that is not there', [0, 99], 'at leaf0 it says port 99'],
    ['a path that ends early', [0, 4], 'from leaf0.h0 to leaf1.h0 ends at spine0'],
    ['no path at all', [], 'from leaf0.h0 to leaf1.h0 ends at leaf0.h0'],
    ['a path by way of its own host', [0, 1], 'sends what is for leaf1.h0 to leaf0.h0'],
  ])('is refused where it says %s', (_, way, sentence) => {
    const path = (): readonly number[] => way
    expect(() => mine({ path }).path(0, 1, 0)).toThrow(OwnRoutingError)
    expect(() => mine({ path }).path(0, 1, 0)).toThrow(sentence)
    expect(() => mine({ path }).path(0, 1, 0)).toThrow(/^mine: /)
  })

  it('is refused at the hop where a packet would go astray', () => {
    expect(() => mine({ next: () => 3 }).next(2, 1, RANDOM)).toThrow('at leaf0 it says port 3')
    expect(() => mine({ next: () => 1 }).next(2, 1, RANDOM)).toThrow('to leaf0.h0')
    // Down to a host is right where the packet is for it.
    expect(mine({ next: () => 1 }).next(2, 0, RANDOM)).toBe(1)
  })

  it('has the stages that the person says, or none', () => {
    expect(mine().stages!(0, 1)).toEqual([])
    expect(mine({ stages: (source, target) => [[source], [target]] }).stages!(0, 1)).toEqual([
      [0],
      [1],
    ])
  })
})

describe('a way that a routing of one’s own writes for each packet', () => {
  const writing = (way: readonly number[], isWritten = true): Partial<Routing> => ({
    route: (_source, _target, _random, ports, at) => {
      ports.set(way, at)
      return isWritten
    },
  })
  const write = (answers: Partial<Routing>): boolean => {
    const ports = new Int32Array(4 * ROUTE_MAX).fill(-1)
    return mine(answers).route!(0, 1, RANDOM, ports, ROUTE_MAX)
  }

  it('is there only if the person writes one', () => {
    expect(mine().route).toBeUndefined()
    expect(mine().spread).toBeUndefined()
  })

  it('is looked at from its own place on, up to the target', () => {
    expect(write(writing(WAY))).toBe(true)
    // What stands behind the target is another packet's.
    expect(write(writing([...WAY, 99]))).toBe(true)
    expect(() => write(writing([0, 7]))).toThrow('at leaf0 it says port 7')
    expect(() => write(writing([0, 4]))).toThrow('at spine0 it says port -1')
  })

  it('is not looked at where none was written: the packet goes hop by hop', () => {
    expect(write(writing([99], false))).toBe(false)
  })

  it('has room for 64 ports, and is refused if it is longer', () => {
    // To the spine, so many times back and up again, and down.
    const swaying = (times: number): number[] => {
      return [0, 4, ...Array.from({ length: times }, () => [5, 4]).flat(), 7, 3]
    }
    expect(swaying(30)).toHaveLength(64)
    expect(write(writing(swaying(30)))).toBe(true)
    expect(() => write(writing(swaying(31)))).toThrow('from leaf0.h0 to leaf1.h0 is longer than 64')
  })

  it('keeps the person’s object: what it has of its own is there', () => {
    class Counting implements Routing {
      readonly name = 'counting'
      readonly perPacket = true
      asked = 0
      path = right.path
      next = right.next
      route(...[, , , ports, at]: Parameters<NonNullable<Routing['route']>>): boolean {
        this.asked++
        ports.set(WAY, at)
        return true
      }
      spread(context: SpreadContext): Spread {
        this.asked += 10
        return context as unknown as Spread
      }
    }
    const made = new Counting()
    const routing = makeRouting(GRAPH, SPEC, undefined, { name: 'mine', create: () => made })
    expect(routing.route!(0, 1, RANDOM, new Int32Array(ROUTE_MAX), 0)).toBe(true)
    const context = {} as SpreadContext
    expect(routing.spread!(context)).toBe(context)
    expect(made.asked).toBe(11)
  })
})
