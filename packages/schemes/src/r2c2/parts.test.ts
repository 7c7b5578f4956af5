/** Small parts of the rack in a run: numbers of flows, what packets tell, what routings are. */
import { buildGraph } from '@weir/fabric'
import type { FlowContext } from '@weir/fabric'
import type { Announcement } from '@weir/rack'
import { DESTINATION_TAG, HOP_SPRAY, ROMM, RPS, VLB } from '@weir/rack'
import { TYPE_DIGEST, TYPE_FINISH, TYPE_ROUTES, TYPE_START } from '@weir/rack'
import type { RoutingSpec } from '@weir/routing'
import { describe, expect, it } from 'vitest'
import { addressesOf, codeOf, routeFields, wordOf } from './fields.ts'
import { FlowNumbers } from './flow-numbers.ts'
import { checkChoice, protocolsOf, warningsOf } from './protocols.ts'
import { R2c2Reaction } from './reaction.ts'
import { toldBy } from './told.ts'
import { RackWorld } from './world.ts'

const ECMP: RoutingSpec = { kind: 'ecmp', hashSeed: 1 }
const DOR: RoutingSpec = { kind: 'dimension-order' }
const PORTS: RoutingSpec = { kind: 'packet-spray', evenOver: 'ports' }
const PATHS: RoutingSpec = { kind: 'packet-spray', evenOver: 'paths' }
const choice = (...of: RoutingSpec[]): RoutingSpec => {
  return { kind: 'choice', begin: 'first', of: of as never }
}

describe('the numbers of a node’s flows', () => {
  it('are not used again until all others have been', () => {
    const numbers = new FlowNumbers<string>()
    expect([0, 1, 2].map((i) => numbers.add(`flow ${i}`, 'n0'))).toEqual([0, 1, 2])
    expect([numbers.delete(1), numbers.delete(1)]).toEqual([true, false])
    expect([numbers.add('next', 'n0'), numbers.size, numbers.get(1)]).toEqual([3, 3, undefined])
    for (let i = 4; i < 65536; i++) numbers.add('more', 'n0')
    // Around again, past those that are taken, to the one that is free.
    expect(numbers.add('again', 'n0')).toBe(1)
    expect(numbers.get(1)).toBe('again')
    expect(numbers.size).toBe(65536)
    expect(() => numbers.add('no more', 'n0')).toThrow('n0 has 65,536 flows')
  })
})

describe('what a packet of an agent tells those who watch', () => {
  const announcement = (type: Announcement['type']): Announcement => ({
    ...{ type, source: 7, target: 9, flow: 3, sequence: 200 },
    ...{ priority: 0, tree: 1, protocol: 2, weightCode: 5, demandKbps: 1000 },
  })
  const told = (type: Announcement['type']): unknown => {
    const one = announcement(type)
    return toldBy(codeOf(one), addressesOf(one), wordOf(one))
  }

  it('is a start or an end with its flow, a digest, or routes', () => {
    expect(told(TYPE_START)).toEqual({ what: 'start', source: 7, sequence: 200, target: 9 })
    expect(told(TYPE_FINISH)).toEqual({ what: 'finish', source: 7, sequence: 200, target: 9 })
    expect(told(TYPE_DIGEST)).toMatchObject({ what: 'digest', source: 7, target: -1 })
    const routes = routeFields(7, 1, [{ source: 1, flow: 2, protocol: 3 }])
    expect(routes[0] & 15).toBe(TYPE_ROUTES)
    expect(toldBy(...routes)).toEqual({ what: 'routes', source: 7, sequence: -1, target: -1 })
  })

  it('is a message to one node otherwise', () => {
    expect(toldBy(12, 0, 0)).toEqual({ what: 'message', source: -1, sequence: -1, target: -1 })
  })
})

describe('a routing as nodes reckon with it', () => {
  it('sprays what has no way left as its first member does that goes hop by hop', () => {
    expect(protocolsOf(PORTS)).toEqual({ ofMember: [HOP_SPRAY], detour: HOP_SPRAY })
    expect(protocolsOf(PATHS)).toEqual({ ofMember: [RPS], detour: RPS })
    expect(protocolsOf({ kind: 'romm' })).toEqual({ ofMember: [ROMM], detour: RPS })
    expect(protocolsOf(choice(DOR, PORTS, PATHS))).toEqual({
      ofMember: [DESTINATION_TAG, HOP_SPRAY, RPS],
      detour: HOP_SPRAY,
    })
    expect(protocolsOf(choice(DOR, { kind: 'vlb' }, PORTS))).toEqual({
      ofMember: [DESTINATION_TAG, VLB, HOP_SPRAY],
      detour: RPS,
    })
    // A hash is known on average only, and finds no way for a packet alone.
    expect(protocolsOf(choice(ECMP, PATHS))).toEqual({ ofMember: [HOP_SPRAY, RPS], detour: RPS })
  })

  it('is warned of if a flow keeps one of several paths, in a choice too', () => {
    for (const routing of [ECMP, choice(PORTS, ECMP)]) {
      expect(warningsOf(routing)).toEqual([expect.stringMatching(/^r2c2 knows what ecmp puts on/)])
    }
    for (const routing of [PORTS, DOR, choice(PORTS, DOR)]) expect(warningsOf(routing)).toEqual([])
  })

  it('is refused as a choice where there is none, with one to write', () => {
    const such = 'write routing: {kind: choice, of: [packet-spray, vlb]}'
    expect(() => checkChoice(PORTS)).toThrow(`leaves nothing to choose from; ${such}`)
    expect(() => checkChoice(choice(PORTS, ECMP))).toThrow('what ecmp puts on each link')
    expect(() => checkChoice(choice(DOR, DOR))).toThrow(
      `one path per flow, which it keeps; ${such}`,
    )
    expect(() => checkChoice(choice(PORTS, DOR))).not.toThrow()
  })
})

describe('the rack of a graph', () => {
  const links = { rateBps: 10e9, delayPs: 1e5, injectionRateBps: 40e9, injectionDelayPs: 1e5 }
  const graph = buildGraph({ kind: 'torus', dimensions: [4, 4], ...links })
  const world = (start: 'link' | 'paths'): RackWorld =>
    new RackWorld(graph, {
      ...{ rhoPs: 5e8, headroom: 0.05, trees: 1, digestPs: Infinity, start },
      protocols: protocolsOf(PATHS),
    })

  it('lets a flow begin at the rate of a link, or of all of its ways', () => {
    // To the opposite corner of two steps: each first link has half of the packets.
    expect(world('link').startBps(RPS, 0, 5)).toBe(10e9)
    expect(world('paths').startBps(RPS, 0, 5)).toBeCloseTo(20e9, 0)
    const twice = world('paths')
    expect(twice.startBps(RPS, 0, 5)).toBe(twice.startBps(RPS, 0, 5))
    expect(twice.startBps(RPS, 0, 1)).toBe(10e9)
  })

  it('is whole without links that are down, and the same again with the same ones', () => {
    const one = world('paths')
    const isDown = (link: number): boolean => link === 20
    expect(one.topologyOf(() => false)).toBe(one.whole)
    expect(one.topologyOf(isDown)).toBe(one.topologyOf(isDown))
    expect(one.topologyOf(isDown)).not.toBe(one.whole)
  })

  it('selects no routes unless it is told how often', () => {
    expect(world('paths').config.selectPs).toBe(Infinity)
    const select = { periodPs: 1e9, evaluations: 500 } as NonNullable<RackWorld['select']>
    const selecting = new RackWorld(graph, {
      ...{ rhoPs: 5e8, headroom: 0.05, trees: 1, digestPs: Infinity, start: 'paths' },
      ...{ protocols: protocolsOf(choice(PATHS, DOR)), select },
    })
    expect(selecting.config).toMatchObject({ selectPs: 1e9, selectEvaluations: 500 })
  })

  it('shows of a flow which routing it begins with, and which it has now', () => {
    const choosing = new RackWorld(graph, {
      ...{ rhoPs: 5e8, headroom: 0.05, trees: 1, digestPs: Infinity, start: 'paths' },
      protocols: protocolsOf(choice(PATHS, DOR)),
    })
    const flow = { source: 0, target: 5, lineRateBps: 40e9, member: 1 } as FlowContext
    const reaction = new R2c2Reaction(flow, choosing)
    expect([reaction.observe(0), reaction.observe(1)]).toEqual([10e9, 1])
    reaction.follow(DESTINATION_TAG)
    expect([reaction.routing, reaction.observe(1)]).toEqual([-1, 1])
    reaction.follow(RPS)
    expect([reaction.routing, reaction.observe(1)]).toEqual([0, 0])
  })
})
