/** Two members, each with the whole of a small fabric, and the words that one has for the other. */
import { wordsForAll } from '@weir/engine'
import type { Team, Words } from '@weir/engine'
import { beforeEach, describe, expect, it } from 'vitest'
import { Border } from './border.ts'
import type { Fabric } from './fabric.ts'
import { BYTES, CLASS, CODE, ENTROPY, FIELD_A, FIELD_B, FLAGS, FLOW, HOP } from './packets.ts'
import { HOP_BY_HOP, INGRESS, KIND, PATH, PAYLOAD, Packets, ROUTED, SENT, SEQ } from './packets.ts'
import { SOURCE, TARGET, TELEMETRY } from './packets.ts'
import { Paths } from './paths.ts'
import { Ports, SETTLED } from './ports.ts'
import { Telemetry } from './telemetry.ts'
import type { Graph } from './topologies/graph.ts'
import { ARRIVES, AWAITED, DEPARTS, ELSEWHERE, PACKET, RING, TAIL, TAKEN } from './wires.ts'
import { WIRE_BYTES, Wires, entryOf } from './wires.ts'

/** Node 0 is member 0's; 1 and 2, at the ends of ports 0 and 2, are member 1's. */
const MEMBER_OF = Int32Array.of(0, 1, 1)
const graph = {
  nodes: [0, 1, 2].map(() => ({ kind: 'switch' })),
  links: [
    { a: 0, b: 1, rateBps: 4e12, delayPs: 500 },
    { a: 0, b: 2, rateBps: 4e12, delayPs: 500 },
    { a: 1, b: 2, rateBps: 4e12, delayPs: 500 },
  ],
} as unknown as Graph

class Member {
  readonly out: Words[] = wordsForAll(2)
  readonly told: unknown[][] = []
  readonly packets: Packets = new Packets(64, true)
  readonly ports: Ports = new Ports(graph, 0)
  readonly wires: Wires = new Wires(this.ports.count)
  readonly telemetry: Telemetry = new Telemetry()
  readonly paths: Paths = new Paths()
  readonly border: Border

  constructor(me: number) {
    const fabric = {
      packets: this.packets,
      ports: this.ports,
      wires: this.wires,
      telemetry: this.telemetry,
      paths: this.paths,
      hosts: { discard: (p: number) => this.packets.free(p) },
      gate: {
        takeCredits: (...what: unknown[]) => this.told.push(['credits', ...what]),
        flowMessages: { lay: (...what: unknown[]) => this.told.push(['flow', ...what]) },
      },
      arrivals: { takes: () => false },
      windows: {
        post: (atPs: number, _kind: number, port: number) => this.told.push([atPs, port]),
      },
      toCell: new Int32Array(this.ports.count),
      cutThroughBytes: 0,
    } as unknown as Fabric
    const team: Team = { me, size: 2, out: this.out, in: [], meet: () => undefined }
    this.border = new Border(fabric, team, MEMBER_OF)
  }

  /** A packet of 100 bytes, which take 2 ps each, is committed to a port. */
  commit(port: number, departsPs: number, fill: (p: number) => void = () => undefined): number {
    const { packets, wires } = this
    const p = packets.allocate()
    packets.int[p + BYTES] = 100
    packets.int[p + PATH] = HOP_BY_HOP
    packets.cold[(p >> 1) + TELEMETRY] = -1
    for (const lane of [FIELD_A, FIELD_B, CODE]) packets.cold[(p >> 1) + lane] = 0
    fill(p)
    const tail = wires.ends[(port << 2) + TAIL]!++
    const entry = entryOf(wires.ends[(port << 2) + RING]!, tail)
    wires.float[(entry << 2) + ARRIVES] = departsPs + 500
    wires.float[(entry << 2) + DEPARTS] = departsPs
    wires.int[(entry << 3) + PACKET] = p
    wires.int[(entry << 3) + WIRE_BYTES] = packets.int[p + BYTES]!
    return p
  }

  /** Reads all that another has put down, and what is in the words after it. */
  takeAll(from: number, words: Words): number {
    let at = 0
    while (at < words.length) {
      const next = this.border.take(from, words, at)
      if (next < 0) break
      at = next
    }
    return at
  }

  /** Packets that have come by a port, in order. */
  came(port: number): number[] {
    const { ends, int } = this.wires
    const all = Array.from({ length: ends[(port << 2) + TAIL]! }, (_, n) => n)
    return all.map((n) => int[(entryOf(ends[(port << 2) + RING]!, n) << 3) + PACKET]!)
  }
}

let here: Member
let there: Member
beforeEach(() => {
  here = new Member(0)
  there = new Member(1)
})

describe('what crosses the border', () => {
  it('is what has begun to leave, and the rest is kept until it has', () => {
    here.commit(2, 400)
    here.commit(2, 700)
    here.commit(0, 300)
    here.commit(0, 600)
    expect([here.border.sentPs, here.border.unsentPs]).toEqual([Infinity, Infinity])
    // Before 400: those that are sent from 100 and 200 on, and not those from 400 and 500 on.
    here.border.handOver(400)
    expect([here.border.sentPs, here.border.unsentPs]).toEqual([800, 1100])
    expect([0, 2].map((port) => here.wires.ends[(port << 2) + TAKEN])).toEqual([1, 1])
    expect(here.packets.held).toBe(2)
    here.border.hasMet(400)
    expect([here.border.sentPs, here.border.unsentPs]).toEqual([Infinity, 1100])
    here.border.handOver(401)
    expect([here.border.sentPs, here.border.unsentPs]).toEqual([1100, 1200])
    here.border.handOver(1e6)
    expect([here.border.unsentPs, here.packets.held]).toEqual([Infinity, 0])
    here.border.handOver(2e6)
    there.takeAll(0, here.out[1]!)
    expect([there.came(0).length, there.came(2).length]).toEqual([2, 2])
    expect(there.told).toEqual([
      [800, 0],
      [900, 2],
    ])
    there.border.handOver(1e6)
    expect(there.out.map(({ length }) => length)).toEqual([0, 0])
  })

  it('is awaited there, and no event is asked for here', () => {
    const awaited = (one: Member): number[] =>
      Array.from({ length: 6 }, (_, port) => one.wires.ends[(port << 2) + AWAITED]!)
    expect(awaited(here)).toEqual([ELSEWHERE, 0, ELSEWHERE, 0, 0, 0])
    expect(awaited(there)).toEqual([0, ELSEWHERE, 0, ELSEWHERE, 0, 0])
    expect([0, 1, 2].map((node) => here.border.isMine(node))).toEqual([true, false, false])
  })

  it('comes too late before the time up to which all have run', () => {
    here.commit(0, 300)
    here.border.handOver(1000)
    there.border.hasMet(801)
    expect(() => there.takeAll(0, here.out[1]!)).toThrow('a packet by port 0 comes too late')
    there.border.hasMet(800)
    there.takeAll(0, here.out[1]!)
  })
})

describe('a packet that crosses', () => {
  const LANES = { BYTES, PAYLOAD, KIND, CLASS, FLAGS, FLOW, SEQ, HOP, ENTROPY }
  const COLD = { SOURCE, TARGET, SENT, FIELD_A, FIELD_B, CODE }

  /** All that a packet says, whoever has it. */
  function saidBy({ packets, telemetry }: Member, p: number): Record<string, unknown> {
    const said: Record<string, unknown> = {}
    for (const [name, lane] of Object.entries(LANES)) said[name] = packets.int[p + lane]
    for (const [name, lane] of Object.entries(COLD)) said[name] = packets.cold[(p >> 1) + lane]
    const row = packets.cold[(p >> 1) + TELEMETRY]!
    said.hops = Array.from({ length: row < 0 ? 0 : telemetry.hops(row) }, (_, hop) => [
      telemetry.queueBytes(row, hop),
      telemetry.sentBytes(row, hop),
      telemetry.rateBps(row, hop),
      telemetry.timePs(row, hop),
    ])
    said.hasRow = row >= 0
    return said
  }

  function plain(p: number): void {
    const { packets } = here
    packets.int.set([1048, 1000, 5, 15, 255, 77, 12345], p)
    packets.int[p + PATH] = HOP_BY_HOP
    packets.int[p + HOP] = 3
    packets.int[p + ENTROPY] = 9
    packets.cold[(p >> 1) + SOURCE] = 4
    packets.cold[(p >> 1) + TARGET] = 2
    packets.cold[(p >> 1) + SENT] = 123456789012345
  }

  it('says the same there: with fields, with telemetry, with both, with neither', () => {
    const row = (hops: number): number => {
      const row = here.telemetry.allocate()
      for (let hop = 0; hop < hops; hop++) here.telemetry.stamp(row, hop + 1, 2e9, 40e9, 7e12 + hop)
      return row
    }
    const fills: ((p: number) => void)[] = [
      plain,
      (p) => (here.packets.cold[(p >> 1) + FIELD_A] = -1),
      (p) => {
        plain(p)
        here.packets.int[p + ENTROPY] = -1
        here.packets.cold[(p >> 1) + FIELD_B] = 2 ** 50
        here.packets.cold[(p >> 1) + TELEMETRY] = row(2)
      },
      (p) => (here.packets.cold[(p >> 1) + CODE] = 3),
      (p) => (here.packets.cold[(p >> 1) + TELEMETRY] = row(0)),
      (p) => (here.packets.cold[(p >> 1) + TELEMETRY] = row(3)),
      plain,
    ]
    const said: unknown[] = []
    fills.forEach((fill, i) => {
      const p = here.commit(0, 1000 + i, fill)
      said.push(saidBy(here, p))
      here.border.handOver(5000)
    })
    expect(there.takeAll(0, here.out[1]!)).toBe(here.out[1]!.length)
    const came = there.came(0)
    expect(came.map((p) => saidBy(there, p))).toEqual(said)
    expect(came.map((p) => there.packets.int[p + INGRESS])).toEqual(fills.map(() => -1))
    expect(there.packets.held).toBe(fills.length)
    // The sender's departures are none of this member's: all are settled.
    expect([there.ports.int[SETTLED], there.ports.int[(2 << 5) + SETTLED]]).toEqual([7, 0])
  })

  it('goes on by the same path, of which the other learns once, by its own number', () => {
    there.paths.add([5, 4])
    const way = [1, 0, 4]
    const edge = here.paths.reverseOf(here.paths.add(Array.from({ length: 4092 }, () => 1)))
    const path = here.paths.add(way)
    const far = here.paths.add(Array.from({ length: 9000 }, (_, i) => i % 6))
    const last = here.paths.add([3, 2])
    expect(edge).toBe(4096)
    for (const one of [edge, path, last, path, far]) {
      here.commit(0, 1000, (p) => (here.packets.int[p + PATH] = one))
      here.border.handOver(5000)
    }
    const before = here.out[1]!.length
    here.commit(2, 1000, (p) => (here.packets.int[p + PATH] = path))
    here.border.handOver(5000)
    expect(here.out[1]!.length - before).toBe(8)
    expect(last).toBeGreaterThan(4096)
    there.takeAll(0, here.out[1]!)
    const paths = [...there.came(0), ...there.came(2)].map((p) => {
      const at = there.packets.int[p + PATH]!
      return [...there.paths.ports.subarray(at, at + there.paths.lengthOf(at))]
    })
    expect([paths[1], paths[2], paths[3], paths[5]]).toEqual([way, [3, 2], way, way])
    expect([paths[0], paths[4]!.length]).toEqual([Array.from({ length: 4092 }, () => 0), 9000])
  })

  it('takes along what is left of its own route', () => {
    const go = (hop: number, ports: readonly number[]): void => {
      here.commit(0, 1000, (p) => {
        plain(p)
        here.packets.int[p + PATH] = ROUTED
        here.packets.int[p + HOP] = hop
        here.packets.routes.set(ports, p << 2)
      })
      here.border.handOver(5000)
    }
    // On to node 2, to which ports 2 and 4 go; behind that is what another packet has left.
    go(1, [3, 1, 0, 4, 3, 3])
    go(2, [3, 1, 0, 4, 0, 4, 3])
    here.commit(0, 1100)
    here.border.handOver(5000)
    expect(there.takeAll(0, here.out[1]!)).toBe(here.out[1]!.length)
    const left = there.came(0).map((p) => {
      const { int, routes } = there.packets
      const ports = [...routes.subarray(p << 2, (p << 2) + 8)]
      return [int[p + PATH]!, int[p + HOP]!, ...ports]
    })
    expect(left.slice(0, 2)).toEqual([
      [ROUTED, 1, 0, 0, 0, 4, 0, 0, 0, 0],
      [ROUTED, 2, 0, 0, 0, 4, 0, 0, 0, 0],
    ])
  })
})

describe('what is said of a port of another member', () => {
  it('is put down for it, and when the first of it is there', () => {
    const { border } = there
    expect(border.returnCredits(0, 3, 640, 900)).toBe(true)
    expect(border.sentPs).toBe(900)
    expect(border.sayOfFlow(2, 32, true, 800)).toBe(true)
    expect(border.sentPs).toBe(800)
    expect(border.sayOfFlow(2, 64, false, 850)).toBe(true)
    expect(border.returnCredits(2, 0, 64, 810)).toBe(true)
    expect(border.sentPs).toBe(800)
    border.hasMet(0)
    expect(border.returnCredits(0, 1, 1, 700)).toBe(true)
    expect(border.sentPs).toBe(700)
    expect(here.takeAll(1, there.out[0]!)).toBe(there.out[0]!.length)
    expect(here.told).toEqual([
      ['credits', 0, 3, 640, 900],
      ['flow', 2, 32, true, 800],
      ['flow', 2, 64, false, 850],
      ['credits', 2, 0, 64, 810],
      ['credits', 0, 1, 1, 700],
    ])
  })

  it('is not, of a port of its own', () => {
    expect(there.border.returnCredits(1, 3, 640, 900)).toBe(false)
    expect(there.border.sayOfFlow(4, 32, true, 900)).toBe(false)
    expect([there.border.sentPs, there.out[0]!.length, there.out[1]!.length]).toEqual([
      Infinity,
      0,
      0,
    ])
  })

  it('may be followed by what is none of the border', () => {
    there.border.returnCredits(0, 3, 640, 900)
    there.out[0]!.put(5, 1, 2)
    expect(here.takeAll(1, there.out[0]!)).toBe(5)
    expect(here.border.take(1, there.out[0]!, 5)).toBe(-1)
  })
})
