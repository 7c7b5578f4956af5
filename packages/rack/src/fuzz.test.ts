/**
 * A rack whose links carry what is no packet: random bytes, packets of a running rack with bits
 * turned over, cut short, made longer, with another length, and with absurd fields under a checksum
 * that is right. A node takes it, counts it and drops it; it never throws, keeps no more of it than
 * a bound, and what it was made to believe is put right by what others say of themselves. `RUNS` (1
 * unless set) says how much, `SEED` which.
 */
import { Random } from '@weir/engine'
import type { Channels } from '@weir/theory'
import { Cube } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { rackConfig } from './config.ts'
import type { RackNode } from './node.ts'
import { clos } from './testing/clos.ts'
import { TestNetwork } from './testing/network.ts'
import { RPS } from './protocols.ts'
import { crc16 } from './wire/crc16.ts'
import { TYPE_DATA, TYPE_DROPPED, TYPE_ROUTES, typeOf } from './wire/packet.ts'
import { encodeRouteChoices } from './wire/route-choices.ts'

const RUNS = Number(process.env['RUNS'] ?? 0) || 1
const SEED = Number(process.env['SEED'] ?? 0) || 1
const PATIENCE_MS = 600_000
const US = 1e6
const MS = 1e9

const FABRICS: readonly (readonly [name: string, make: () => Channels])[] = [
  ['a 4 x 4 torus', () => new Cube([4, 4])],
  ['a 3 x 4 mesh', () => new Cube([3, 4], 'mesh')],
  ['a folded Clos', clos],
]

const DAMAGES = ['random', 'bits', 'short', 'long', 'length', 'absurd'] as const
type Damage = (typeof DAMAGES)[number]

/** Puts a right checksum over whatever the bytes say. */
function seal(bytes: Uint8Array): void {
  const put = (at: number, sum: number): void => bytes.set([sum >> 8, sum & 255], at)
  const type = typeOf(bytes)
  if (type === TYPE_ROUTES) put(8, crc16(bytes, 10, bytes.length, crc16(bytes, 0, 8)))
  else if (type === TYPE_DATA || (type > TYPE_ROUTES && type <= TYPE_DROPPED)) {
    const head = crc16(bytes, 3, 16, crc16(bytes, 0, 2))
    put(16, crc16(bytes, 18, bytes.length, head))
  } else if (bytes.length >= 16) put(14, crc16(bytes, 0, 14))
}

function damaged(packet: Uint8Array, damage: Damage, random: Random): Uint8Array {
  const anyByte = (): number => random.below(256)
  if (damage === 'random') return Uint8Array.from({ length: random.below(80) }, anyByte)
  if (damage === 'short') return packet.slice(0, random.below(packet.length))
  if (damage === 'long') {
    const bytes = new Uint8Array(packet.length + 1 + random.below(40))
    bytes.set(packet)
    return bytes
  }
  const bytes = packet.slice()
  if (damage === 'bits') {
    for (let i = 1 + random.below(3); i > 0; i--) {
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
    }
    return bytes
  }
  // How many hops, bytes or pairs there are; any field but the type.
  const at = damage === 'length' ? [1, 3, 6, 7, 14, 15] : undefined
  for (let i = 1 + random.below(4); i > 0; i--) {
    const place = at === undefined ? 1 + random.below(bytes.length - 1) : at[random.below(6)]!
    if (place < bytes.length) bytes[place] = random.below(3) === 0 ? 255 : anyByte()
  }
  if (damage === 'absurd') seal(bytes)
  return bytes
}

/** A rack at work, of which some packets of each type are kept as they go by. */
class Fuzzed {
  readonly network: TestNetwork
  readonly wiring: Channels
  readonly #seen = new Map<number, Uint8Array[]>()
  #isKeeping = true
  readonly flows: [source: number, flow: number, target: number][] = []

  constructor(wiring: Channels) {
    this.wiring = wiring
    const config = rackConfig(wiring, { endPs: 2 * MS, selectPs: 0.7 * MS, selectEvaluations: 30 })
    this.network = new TestNetwork(config)
    for (const node of this.network.nodes) this.#watch(node)
  }

  #watch(node: RackNode): void {
    const receive = node.receive.bind(node)
    node.receive = (port, bytes, nowPs) => {
      const seen = this.#seen.get(typeOf(bytes)) ?? []
      if (this.#isKeeping) this.#seen.set(typeOf(bytes), [...seen, bytes.slice()].slice(0, 40))
      receive(port, bytes, nowPs)
    }
  }

  /** Packets of all types: flows, demands, a link that dies and comes back, losses, choices. */
  work(random: Random): void {
    const { network, wiring } = this
    const { nodes } = wiring
    for (let i = 0; i < 2 * nodes; i++) {
      const source = random.below(nodes)
      const target = (source + 1 + random.below(nodes - 1)) % nodes
      const flow = network.act(source, (node, now) => node.openFlow(target, now))
      this.flows.push([source, flow, target])
      network.act(source, (node, now) => node.write(flow, new Uint8Array(3e5), now))
      network.runUntil(network.nowPs + 10 * US)
    }
    for (const [source, flow] of this.flows.splice(0, 5)) {
      network.act(source, (node, now) => node.closeFlow(flow, now))
    }
    network.faults = { ...network.faults, loss: 0.1, queueBytesMax: 3000 }
    network.setLink(wiring.from[0]!, wiring.to[0]!, false)
    network.runUntil(network.nowPs + 2 * MS)
    network.setLink(wiring.from[0]!, wiring.to[0]!, true)
    network.runUntil(network.nowPs + 1 * MS)
    network.faults = { loss: 0, corruption: 0, queueBytesMax: 1e6 }
    // A rack that gains nothing by it announces no routes.
    const choices = this.flows.map(([source, flow]) => ({ source, flow, protocol: RPS }))
    const routes = encodeRouteChoices({ source: 1, tree: 0, sequence: 0, choices })
    network.act(0, (node, now) => node.receive(0, routes, now))
    network.runUntil(network.nowPs + 3 * MS)
    this.#isKeeping = false
  }

  get types(): number[] {
    return [...this.#seen.keys()].sort((a, b) => a - b)
  }

  get #malformed(): number {
    return this.network.nodes.reduce((sum, { counters }) => sum + counters.malformed, 0)
  }

  /** Packets so damaged arrive at nodes by chance; returns how many were counted as none. */
  harm(damage: Damage, count: number, random: Random): number {
    const before = this.#malformed
    const seen = [...this.#seen.values()].map((packets) => [...packets])
    for (let i = 0; i < count; i++) {
      const packets = seen[random.below(seen.length)]!
      const bytes = damaged(packets[random.below(packets.length)]!, damage, random)
      const id = random.below(this.wiring.nodes)
      const ports = this.wiring.starts[id + 1]! - this.wiring.starts[id]!
      this.network.act(id, (node, now) => node.receive(random.below(ports), bytes, now))
      if (i % 20 === 0) this.network.runUntil(this.network.nowPs + 3 * US)
    }
    return this.#malformed - before
  }

  /** A flow of each node delivers what it is given now. */
  expectDelivery(): void {
    const { network, wiring } = this
    for (const { id } of network.nodes) {
      const target = (id + 5) % wiring.nodes
      const flow = network.act(id, (node, now) => node.openFlow(target, now))
      network.act(id, (node, now) => node.write(flow, new Uint8Array(9000), now))
      network.runUntil(network.nowPs + 100 * US)
      expect(network.delivered.get(`${id}/${flow}>${target}`)).toBe(9000)
    }
  }
}

describe('a node that hears what is no packet', () => {
  for (let run = 0; run < RUNS * FABRICS.length; run++) {
    const [name, make] = FABRICS[run % FABRICS.length]!
    it(
      `counts it, drops it and is none the worse: ${name}, ${SEED + run}`,
      () => {
        const random = new Random(SEED + run, 'fuzz')
        const fuzzed = new Fuzzed(make())
        const { network } = fuzzed
        fuzzed.work(random)
        expect(fuzzed.types).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
        expect(network.agrees).toBe(true)
        const truth = network.nodes[0]!.matrix.all().length
        const counts = DAMAGES.map((damage) => fuzzed.harm(damage, 1500, random))
        const [anything, bits, short, long, length] = counts as number[]
        // Some bits are not covered (the hop that comes next), and a packet may be led on first.
        expect(anything).toBeGreaterThan(1480)
        for (const count of [bits, short, long, length]) expect(count).toBeGreaterThan(1200)
        for (const { matrix, reordering } of network.nodes) {
          expect(matrix.all().length).toBeLessThan(2000)
          expect(reordering).toBeLessThan(500)
        }
        // Digests, words on links and silence: nothing is left of it.
        network.runUntil(network.nowPs + 15 * MS)
        expect(network.agrees).toBe(true)
        expect(network.nodes[0]!.matrix.all()).toHaveLength(truth)
        for (const { reordering, view } of network.nodes) {
          expect(reordering).toBeLessThanOrEqual(truth)
          for (const { id } of network.nodes) expect(view.downOutputs(id)).toBe(0)
        }
        fuzzed.expectDelivery()
      },
      PATIENCE_MS,
    )
  }
})
