/** Ways of one flow's packets, with a routing that writes down what it is asked and told. */
import { hashOf, Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import type { Routing } from '../contract/routing.ts'
import type { Fabric } from '../fabric.ts'
import { ENTROPY, HOP_BY_HOP, ROUTED } from '../packets.ts'
import { Paths } from '../paths.ts'
import { Flow } from './flow.ts'
import type { Hosts } from './hosts.ts'
import { waysOf } from './packet-ways.ts'
import type { PacketWays } from './packet-ways.ts'

/** Nodes of hosts 0 and 1. */
const [SOURCE, TARGET] = [7, 9]
/** Where a packet's words begin. */
const PACKET = 64

class Bench {
  readonly log: string[] = []
  readonly int: Int32Array = new Int32Array(256)
  readonly routes: Int32Array = new Int32Array(1024)
  readonly paths: Paths = new Paths()
  readonly flow: Flow = new Flow({} as Hosts)
  /** The first port of every path: another one after routes have changed. */
  port: number = 2

  constructor() {
    Object.assign(this.flow, { key: 'f', source: 0, target: 1 })
    this.flow.reaction = { routing: -1 } as Flow['reaction']
    // 10 us at 10 Gb/s are 12,500 B.
    Object.assign(this.flow, { baseRttPs: 10e6, lineRateBps: 10e9, packetBytes: 1000 })
  }

  waysOf(routing: Routing): PacketWays | undefined {
    const { int, log, paths, routes } = this
    const stream = (name: string): Random => {
      log.push(`stream ${name}`)
      return new Random(1, name)
    }
    const packets = { int, routes }
    const fabric = { hostNodes: [SOURCE, TARGET], packets, paths } as unknown as Fabric
    return waysOf({ stream } as unknown as Hosts, fabric, routing, this.flow)
  }

  /** A routing of whole flows, which asks its bench for the port. */
  routing(more: Partial<Routing> = {}): Routing {
    const path: Routing['path'] = (source, target, flowKey, entropy) => {
      this.log.push(`path ${source} ${target} ${flowKey === hashOf('f')} ${entropy}`)
      return [this.port, 2 * (entropy ?? 50)]
    }
    return { name: 'written', perPacket: false, path, next: () => 0, ...more }
  }

  /** Values in turn: 5, 6, 5, 6 ... */
  spread(): Routing {
    let turn = 0
    return this.routing({
      perPacket: true,
      spread: ({ source, target, windowPackets }) => {
        this.log.push(`spread ${source} ${target} ${windowPackets}`)
        return {
          next: (nowPs) => {
            this.log.push(`next ${nowPs}`)
            return 5 + (turn++ % 2)
          },
          onAck: (...heard) => this.log.push(`ack ${heard.join(' ')}`),
          onLoss: (nowPs) => this.log.push(`loss ${nowPs}`),
        }
      },
    })
  }

  /** What has been written down since this was last asked. */
  heard(): string[] {
    return this.log.splice(0)
  }
}

describe('a spread', () => {
  it('knows its nodes and a round trip in packets, one at the least', () => {
    const bench = new Bench()
    bench.waysOf(bench.spread())
    expect(bench.heard()).toEqual(['stream spread.f', 'spread 7 9 13'])
    Object.assign(bench.flow, { baseRttPs: 0 })
    bench.waysOf(bench.spread())
    expect(bench.heard()).toContain('spread 7 9 1')
  })

  it('is asked for each packet, and its routing once for each value', () => {
    const bench = new Bench()
    const ways = bench.waysOf(bench.spread())!
    bench.heard()
    expect(ways.give(PACKET, 1)).toBe(bench.paths.add([2, 10]))
    expect(bench.int[PACKET + ENTROPY]).toBe(5)
    expect(ways.give(PACKET, 2)).toBe(bench.paths.add([2, 12]))
    expect(bench.int[PACKET + ENTROPY]).toBe(6)
    expect(ways.give(PACKET, 3)).toBe(bench.paths.add([2, 10]))
    expect(bench.heard()).toEqual([
      'next 1',
      'path 7 9 true 5',
      'next 2',
      'path 7 9 true 6',
      'next 3',
    ])
  })

  it('takes new paths when routes have changed', () => {
    const bench = new Bench()
    const ways = bench.waysOf(bench.spread())!
    ways.give(PACKET, 1)
    bench.port = 4
    ways.forget!()
    ways.give(PACKET, 2)
    expect(ways.give(PACKET, 3)).toBe(bench.paths.add([4, 10]))
  })

  it('hears of losses, and of ACKs of packets that had a value', () => {
    const bench = new Bench()
    const ways = bench.waysOf(bench.spread())!
    bench.heard()
    ways.onAck!(0, true, 11)
    ways.onAck!(6, false, 12)
    ways.onAck!(-1, false, 13)
    ways.onLoss!(14)
    expect(bench.heard()).toEqual(['ack 0 true 11', 'ack 6 false 12', 'loss 14'])
  })
})

describe('a written route', () => {
  it('goes into the words of its packet, or else the packet goes hop by hop', () => {
    const bench = new Bench()
    let isShort = true
    const ways = bench.waysOf(
      bench.routing({
        perPacket: true,
        route: (source, target, _random, ports, at) => {
          ports.set([source, target], at)
          return isShort
        },
      }),
    )!
    expect(bench.heard()).toEqual(['stream route.f'])
    expect(ways.give(PACKET, 0)).toBe(ROUTED)
    expect([...bench.routes.subarray(4 * PACKET, 4 * PACKET + 2)]).toEqual([SOURCE, TARGET])
    isShort = false
    expect(ways.give(PACKET, 0)).toBe(HOP_BY_HOP)
    ways.onAck?.(1, true, 0)
    ways.onLoss?.(0)
    ways.forget?.()
  })
})

describe('a choice of routings', () => {
  /** Whole flows; hop by hop; a spread. */
  function chosenOf(bench: Bench): PacketWays {
    const hopByHop = bench.routing({ perPacket: true })
    const members = [bench.routing(), hopByHop, bench.spread()]
    const ways = bench.waysOf(bench.routing({ perPacket: true, members }))!
    bench.heard()
    return ways
  }

  it('goes by the one that the flow began with, until its reaction point says another', () => {
    const bench = new Bench()
    bench.flow.member = 1
    const ways = chosenOf(bench)
    expect(ways.give(PACKET, 1)).toBe(HOP_BY_HOP)
    expect(bench.heard()).toEqual([])
    bench.flow.reaction = { routing: 2 } as Flow['reaction']
    expect(ways.give(PACKET, 2)).toBe(bench.paths.add([2, 10]))
    expect(bench.heard()).toEqual(['next 2', 'path 7 9 true 5'])
    bench.flow.reaction = { routing: 0 } as Flow['reaction']
    expect(ways.give(PACKET, 3)).toBe(bench.paths.add([2, 100]))
    expect(bench.heard()).toEqual(['path 7 9 true undefined'])
  })

  it('asks a routing of whole flows once, and again when routes have changed', () => {
    const bench = new Bench()
    const ways = chosenOf(bench)
    const before = bench.paths.add([2, 100])
    expect([ways.give(PACKET, 1), ways.give(PACKET, 2)]).toEqual([before, before])
    expect(bench.heard()).toHaveLength(1)
    bench.port = 4
    ways.forget!()
    const after = bench.paths.add([4, 100])
    expect([ways.give(PACKET, 3), ways.give(PACKET, 4)]).toEqual([after, after])
    expect(bench.heard()).toHaveLength(1)
  })

  it('has all of them forget their paths, and no other hear of ACKs and losses', () => {
    const bench = new Bench()
    bench.flow.member = 2
    const ways = chosenOf(bench)
    ways.give(PACKET, 1)
    bench.heard()
    ways.onAck!(5, true, 2)
    ways.onLoss!(3)
    expect(bench.heard()).toEqual(['ack 5 true 2', 'loss 3'])
    for (const routing of [0, 1]) {
      bench.flow.reaction = { routing } as Flow['reaction']
      ways.onAck!(5, true, 4)
      ways.onLoss!(5)
    }
    expect(bench.heard()).toEqual([])
    ways.forget!()
    bench.port = 4
    bench.flow.reaction = { routing: -1 } as Flow['reaction']
    ways.give(PACKET, 6)
    expect(ways.give(PACKET, 7)).toBe(bench.paths.add([4, 10]))
  })
})

it('a flow has no ways of its own where it keeps to a path, or switches choose', () => {
  const bench = new Bench()
  const { spread } = bench.spread()
  expect(bench.waysOf(bench.routing({ perPacket: true }))).toBeUndefined()
  expect(bench.waysOf(bench.routing({ ...(spread && { spread }), members: [] }))).toBeUndefined()
})
