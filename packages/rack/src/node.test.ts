import { Random } from '@weir/engine'
import { Channels, Cube, waterFill } from '@weir/theory'
import { describe, expect, it } from 'vitest'
import { rackConfig } from './config.ts'
import { RackNode } from './node.ts'
import { TestNetwork } from './testing/network.ts'
import { decodeAnnouncement, encodeAnnouncement } from './wire/announcement.ts'
import { DESTINATION_TAG, RPS, VLB } from './protocols.ts'
import { TYPE_LINKS, TYPE_ROUTES, TYPE_START, typeOf } from './wire/packet.ts'
import { encodeRouteChoices } from './wire/route-choices.ts'

const US = 1e6
const MS = 1e9

/** Steps until all live nodes have one view, and says how long that took. */
function settle(network: TestNetwork, patiencePs: number): number {
  const beginPs = network.nowPs
  while (!network.agrees) {
    network.runUntil(network.nowPs + 20 * US)
    if (network.nowPs - beginPs > patiencePs) throw new Error('views still differ')
  }
  return network.nowPs - beginPs
}

describe('a rack of nodes', () => {
  it('hears of a flow everywhere within the depth of a tree, and forgets it at its end', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4])))
    const flow = network.act(3, (node, now) => node.openFlow(9, now, { weight: 2, priority: 1 }))
    network.runUntil(1 * US)
    for (const { matrix } of network.nodes) {
      expect(matrix.all()).toMatchObject([{ source: 3, target: 9, flow, priority: 1 }])
    }
    network.act(3, (node, now) => node.closeFlow(flow, now))
    network.runUntil(2 * US)
    for (const { matrix } of network.nodes) expect(matrix.all()).toEqual([])
    // 15 edges, twice.
    const sent = network.nodes.reduce((sum, { counters }) => sum + counters.forwarded, 0)
    expect(sent).toBeLessThan(2 * 15)
  })

  it('broadcasts along its trees in turn, each as often as the others', () => {
    const config = rackConfig(new Cube([4, 4]), { trees: 3 })
    const trees: number[] = []
    const send = (port: number, bytes: Uint8Array): void => {
      const a = decodeAnnouncement(bytes, 16)
      if (port === 0 && typeof a !== 'string') trees.push(a.tree)
    }
    const node = new RackNode(0, config, { send, deliver: () => {} })
    for (let i = 0; i < 9; i++) node.openFlow(5, 0)
    expect(trees.slice(0, 3).sort()).toEqual([0, 1, 2])
    expect(trees).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => trees[i % 3]))
  })

  it('computes the same rates at every sender, those of water-filling, and sends by them', () => {
    const cube = new Cube([4, 4])
    const network = new TestNetwork(rackConfig(cube))
    // Six flows into one node, whose four links carry 38 Gb/s, less what the ways allow.
    const senders = [1, 2, 3, 5, 6, 10]
    const flows = senders.map((id) => network.act(id, (node, now) => node.openFlow(0, now)))
    // They write when they have their rates: what is sent before may overflow queues, as it should.
    network.runUntil(1 * MS)
    const data = new Uint8Array(6_000_000)
    senders.forEach((id, i) => network.act(id, (node, now) => node.write(flows[i]!, data, now)))
    network.runUntil(4 * MS)
    const view = network.nodes[0]!.view
    const expected = waterFill(
      new Float64Array(cube.count).fill(10e9),
      senders.map((id) => {
        const { links, fractions } = view.fractions(0, id, 0)!
        return { links: [...links], fractions: [...fractions] }
      }),
      0.05,
    ).ratesBps
    senders.forEach((id, i) => {
      expect(network.nodes[id]!.rateBps(flows[i]!)! / expected[i]!).toBeCloseTo(1, 9)
    })
    const before = new Map(network.delivered)
    network.runUntil(6 * MS)
    senders.forEach((id, i) => {
      const key = `${id}/${flows[i]}>0`
      const bytes = network.delivered.get(key)! - before.get(key)!
      // Headers of 18 B and the route are not payload: within 2% of 1460 / 1478.
      expect((bytes * 8e12) / (2 * MS) / expected[i]!).toBeGreaterThan(0.968)
      expect((bytes * 8e12) / (2 * MS) / expected[i]!).toBeLessThan(1)
    })
    expect(network.nodes[0]!.reorderMax).toBeGreaterThan(0)
  })

  it('limits no flow before it is rho old, and computes others without it', () => {
    const network = new TestNetwork(rackConfig(new Cube([4])))
    const open = (): number =>
      network.act(0, (node, now) => {
        const flow = node.openFlow(1, now)
        node.write(flow, new Uint8Array(5_000_000), now)
        return flow
      })
    const gbps = (flow: number): number => network.nodes[0]!.rateBps(flow)! / 1e9
    const old = open()
    network.runUntil(0.7 * MS)
    const young = open()
    network.runUntil(1.2 * MS)
    // By its one way it could send 10 Gb/s if it were alone.
    expect([gbps(old), gbps(young)]).toEqual([9.5, 10])
    network.runUntil(1.7 * MS)
    expect([gbps(old), gbps(young)]).toEqual([4.75, 4.75])
  })

  it('divides a link by weight, and leaves to a lower priority what a higher one leaves', () => {
    const network = new TestNetwork(rackConfig(new Cube([4])))
    const open = (weight: number, priority: number): number =>
      network.act(0, (node, now) => {
        const flow = node.openFlow(1, now, { weight, priority })
        node.write(flow, new Uint8Array(5_000_000), now)
        return flow
      })
    const [a, b, low] = [open(2, 1), open(1, 1), open(8, 0)]
    network.runUntil(1.2 * MS)
    const gbps = (flow: number): number => network.nodes[0]!.rateBps(flow)! / 1e9
    expect(gbps(a)).toBeCloseTo((9.5 * 2) / 3, 6)
    expect(gbps(b)).toBeCloseTo(9.5 / 3, 6)
    expect(gbps(low)).toBeCloseTo(0, 6)
  })

  it('gives what a flow does not use to the others, and takes it back', () => {
    const network = new TestNetwork(rackConfig(new Cube([4])))
    const big = network.act(0, (node, now) => node.openFlow(1, now))
    const small = network.act(0, (node, now) => node.openFlow(1, now))
    network.act(0, (node, now) => node.write(big, new Uint8Array(30_000_000), now))
    for (let i = 0; i < 40; i++) {
      network.act(0, (node, now) => node.write(small, new Uint8Array(12_500), now))
      network.runUntil(network.nowPs + 100 * US)
    }
    // 1 Gb/s of 9.5, and the rest for the other.
    expect(network.nodes[0]!.rateBps(small)! / 1e9).toBeGreaterThan(0.9)
    expect(network.nodes[0]!.rateBps(small)! / 1e9).toBeLessThan(1.6)
    expect(network.nodes[0]!.rateBps(big)! / 1e9).toBeGreaterThan(7.9)
    network.act(0, (node, now) => node.write(small, new Uint8Array(10_000_000), now))
    network.runUntil(network.nowPs + 4 * MS)
    expect(network.nodes[0]!.rateBps(small)! / 1e9).toBeCloseTo(4.75, 1)
  })

  it('moves flows to VLB where the rack gains by it, one node at a time', () => {
    const cube = new Cube([4, 4])
    const network = new TestNetwork(rackConfig(cube, { selectPs: 3 * MS, selectEvaluations: 300 }))
    const flow = network.act(0, (node, now) => node.openFlow(2, now))
    network.act(0, (node, now) => node.write(flow, new Uint8Array(30_000_000), now))
    network.runUntil(2 * MS)
    const before = network.nodes[0]!.rateBps(flow)!
    network.runUntil(5 * MS)
    for (const { matrix } of network.nodes) expect(matrix.get(0, flow)!.protocol).toBe(VLB)
    expect(network.nodes[0]!.rateBps(flow)!).toBeGreaterThan(before * 1.01)
  })

  it.each([
    ['and its own flow may keep its way', DESTINATION_TAG, 1],
    ['or go another, too', RPS, 2],
  ])('chooses routes when it is its turn, %s', (_, protocol, outputs) => {
    const config = rackConfig(new Cube([4]), { selectPs: 1 * MS, selectEvaluations: 50 })
    let sent: { port: number; bytes: Uint8Array }[] = []
    const send = (port: number, bytes: Uint8Array): void => void sent.push({ port, bytes })
    const nodes = [0, 1, 2, 3].map((id) => new RackNode(id, config, { send, deliver: () => {} }))
    // Two flows of the same number; after the first period it is the turn of node 1.
    const other = nodes[3]!.openFlow(0, 0)
    for (const { bytes } of [...sent]) nodes[1]!.receive(0, bytes, 0)
    const flow = nodes[1]!.openFlow(2, 0, { protocol })
    expect(flow).toBe(other)
    for (const id of [1, 3]) nodes[id]!.write(flow, new Uint8Array(1e6), 0)
    const told = nodes.filter((node) => {
      sent = []
      node.tick(1 * MS)
      return sent.some(({ bytes }) => typeOf(bytes) === TYPE_ROUTES)
    })
    expect(told).toEqual([nodes[1]])
    expect(nodes[1]!.matrix.get(3, other)!.protocol).toBe(VLB)
    sent = []
    for (let i = 1; i <= 20; i++) nodes[1]!.tick((1 + i / 100) * MS)
    expect(new Set(sent.map(({ port }) => port)).size).toBe(outputs)
  })

  it('passes on no routes that it announced itself', () => {
    let sent = 0
    const host = { send: () => void sent++, deliver: () => {} }
    const node = new RackNode(0, rackConfig(new Cube([4])), host)
    const flow = node.openFlow(1, 0)
    sent = 0
    const choices = [{ source: 0, flow, protocol: VLB }]
    node.receive(0, encodeRouteChoices({ source: 0, tree: 0, sequence: 0, choices }), 0)
    expect([sent, node.matrix.get(0, flow)!.protocol]).toEqual([0, RPS])
  })

  it('keeps nothing of a flow that has ended, so that its number can be used again', () => {
    const network = new TestNetwork(rackConfig(new Cube([4]), { endPs: 1 * MS }))
    const flow = network.act(0, (node, now) => node.openFlow(1, now))
    network.act(0, (node, now) => node.write(flow, new Uint8Array(5000), now))
    network.runUntil(1 * MS)
    expect(network.nodes[1]!.reordering).toBe(1)
    network.act(0, (node, now) => node.closeFlow(flow, now))
    network.runUntil(5 * MS)
    expect(network.nodes[1]!.reordering).toBe(0)
    expect(network.delivered.get(`0/${flow}>1`)).toBe(5000)
  })

  it('is heard where it is switched on again, whatever it had sent before', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4])))
    const send = (): string => {
      const flow = network.act(5, (node, now) => node.openFlow(9, now))
      network.act(5, (node, now) => node.write(flow, new Uint8Array(50_000), now))
      network.runUntil(network.nowPs + 200 * US)
      return `5/${flow}>9`
    }
    const first = send()
    network.kill(5)
    network.runUntil(network.nowPs + 50 * US)
    network.revive(5)
    network.runUntil(network.nowPs + 100 * US)
    // Node 9 still waits for the packets that would have come next under the first number.
    const second = send()
    expect(second).not.toBe(first)
    expect(network.delivered.get(second)).toBe(50_000)
  })

  it('sends no more than its rate, routes of packets included', () => {
    const network = new TestNetwork(rackConfig(new Cube([8]), { mtuBytes: 40 }))
    const flow = network.act(0, (node, now) => node.openFlow(3, now))
    network.runUntil(499 * US)
    network.act(0, (node, now) => node.write(flow, new Uint8Array(300_000), now))
    const delivered = (): number => network.delivered.get(`0/${flow}>3`)!
    network.runUntil(600 * US)
    const before = delivered()
    network.runUntil(800 * US)
    // 40 B of payload, 18 of header, and three hops in two bytes.
    const gbps = ((delivered() - before) * 8 * 60) / 40 / 200e3
    expect(gbps / (network.nodes[0]!.rateBps(flow)! / 1e9)).toBeCloseTo(1, 2)
  })

  it('counts and drops what is no packet', () => {
    const network = new TestNetwork(rackConfig(new Cube([4])))
    const random = new Random(1, 'garbage')
    for (let i = 0; i < 2000; i++) {
      const bytes = Uint8Array.from({ length: random.below(40) }, () => random.below(256))
      network.act(0, (node, now) => node.receive(0, bytes, now))
    }
    expect(network.nodes[0]!.counters.malformed).toBeGreaterThan(1500)
    network.runUntil(1 * MS)
    expect(network.agrees).toBe(true)
  })

  it('refuses what cannot be configured', () => {
    const ring = new Cube([4])
    expect(() => rackConfig(ring, { bucketBytes: 1000 })).toThrow('holds no packet of 1494 B')
    expect(rackConfig(ring, { mtuBytes: 8192 }).bucketBytes).toBe(2 * (8192 + 34))
    expect(() => rackConfig(ring, { mtuBytes: 65536 })).toThrow('give 1 to 65535')
    expect(() => rackConfig(ring, { trees: 17 })).toThrow('give 1 to 16')
    expect(() => rackConfig(ring, { trees: 0 })).toThrow('give 1 to 16')
  })

  it('says the truth of its links where something else is said of them', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4])))
    const lie = (flow: number) =>
      encodeAnnouncement({
        ...{ type: TYPE_LINKS, priority: 15, tree: 0, protocol: 0, source: 5, target: 0, flow },
        ...{ demandKbps: 3, weightCode: 0, sequence: 0 },
      })
    // Words on links are no longer said again.
    network.runUntil(12 * MS)
    let heard = 0
    for (const node of network.nodes) {
      const receive = node.receive.bind(node)
      node.receive = (...what) => {
        heard++
        receive(...what)
      }
    }
    network.act(0, (node, now) => node.receive(0, lie(40000), now))
    network.act(10, (node, now) => node.receive(0, lie(20000), now))
    expect(network.nodes[0]!.view.downOutputs(5)).toBe(3)
    // Two words, each of which is news after the other, do not go round for ever.
    network.runUntil(12 * MS + 20 * US)
    expect(heard).toBeGreaterThan(60)
    expect(heard).toBeLessThan(600)
    network.runUntil(14 * MS)
    for (const { view } of network.nodes) expect(view.downOutputs(5)).toBe(0)
    const malformed = (): number =>
      network.nodes.reduce((sum, { counters }) => sum + counters.malformed, 0)
    expect(malformed()).toBe(0)
    const wrong = encodeAnnouncement({
      ...{ type: TYPE_LINKS, priority: 15, tree: 0, protocol: 0, source: 5, target: 0, flow: 1 },
      ...{ demandKbps: 16, weightCode: 0, sequence: 0 },
    })
    network.act(0, (node, now) => node.receive(0, wrong, now))
    expect(malformed()).toBe(1)
  })

  it('takes no protocol that the rack does not have, from whomever', () => {
    const pairs = [
      [0, 3],
      [1, 3],
      [2, 3],
      [3, 0],
      [3, 1],
      [3, 2],
    ] as const
    const star = new Channels(4, pairs)
    const network = new TestNetwork(rackConfig(star))
    const { counters, matrix } = network.nodes[3]!
    const start = { type: TYPE_START, priority: 0, tree: 0, source: 0, target: 1, flow: 7 } as const
    const rest = { demandKbps: Infinity, weightCode: 128, sequence: 1 }
    const hear = (protocol: number): void => {
      const bytes = encodeAnnouncement({ ...start, ...rest, protocol })
      network.act(3, (node, now) => node.receive(0, bytes, now))
    }
    hear(DESTINATION_TAG)
    expect([counters.malformed, matrix.all().length]).toEqual([1, 0])
    hear(VLB)
    expect([counters.malformed, matrix.all().length]).toEqual([1, 1])
    const choices = [{ source: 0, flow: 7, protocol: DESTINATION_TAG }]
    const routes = encodeRouteChoices({ source: 0, tree: 0, sequence: 0, choices })
    network.act(3, (node, now) => node.receive(0, routes, now))
    expect([counters.malformed, matrix.get(0, 7)!.protocol]).toEqual([2, VLB])
    expect(() => network.nodes[0]!.openFlow(1, 0, { protocol: DESTINATION_TAG })).toThrow('cannot')
  })

  it('refuses flows that are none', () => {
    const network = new TestNetwork(rackConfig(new Cube([4])))
    expect(() => network.nodes[0]!.openFlow(0, 0)).toThrow('name another node')
    expect(() => network.nodes[0]!.openFlow(1, 0, { priority: 16 })).toThrow('give one of 0 to 15')
    expect(() => network.nodes[0]!.write(5, new Uint8Array(1), 0)).toThrow('open one')
  })
})

describe('failures', () => {
  it('are told to the source where a queue overflows, and the broadcast is sent again', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4])), { queueBytesMax: 40 })
    network.act(0, (node, now) => {
      for (let i = 0; i < 6; i++) node.openFlow(5, now)
    })
    settle(network, 900 * US)
    const again = network.nodes[0]!.counters.retransmitted
    expect(again).toBeGreaterThan(0)
    expect(network.nodes[7]!.matrix.all()).toHaveLength(6)
  })

  it('are told to the source of announced routes, too, by nodes on the way and by itself', () => {
    const config = rackConfig(new Cube([4, 4]), { digestPs: 1000 * MS })
    for (const dropping of [5, 1]) {
      const network = new TestNetwork(config)
      const flow = network.act(0, (node, now) => node.openFlow(2, now))
      network.runUntil(10 * US)
      const choices = [{ source: 0, flow, protocol: VLB }]
      const bytes = encodeRouteChoices({ source: 1, tree: 0, sequence: 0, choices })
      network.act(dropping, (node, now) => node.dropped(bytes, now))
      network.runUntil(15 * US)
      expect(network.nodes[7]!.matrix.get(0, flow)!.protocol).toBe(RPS)
      network.runUntil(30 * US)
      for (const { id, matrix } of network.nodes) {
        if (id !== 1) expect(matrix.get(0, flow)!.protocol).toBe(VLB)
      }
      expect(network.nodes[1]!.counters.retransmitted).toBe(1)
    }
  })

  it('of a broadcast that is lost show by the next one, long before a digest', () => {
    const config = rackConfig(new Cube([4, 4]), { digestPs: 1000 * MS })
    const network = new TestNetwork(config, { loss: 1 })
    network.act(0, (node, now) => node.openFlow(5, now))
    network.runUntil(10 * US)
    expect(network.agrees).toBe(false)
    network.faults = { ...network.faults, loss: 0 }
    network.act(0, (node, now) => node.openFlow(6, now))
    network.runUntil(10 * US)
    expect(settle(network, 200 * US)).toBeGreaterThan(0)
    expect(network.nodes[15]!.matrix.all()).toHaveLength(2)
  })

  it('of a link have all flows announced anew as soon as they are noticed, not by digests', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4]), { digestPs: 1000 * MS }))
    network.setLink(3, 2, false)
    // Neither end knows yet, and the broadcast falls off the dead link.
    const flow = network.act(3, (node, now) => node.openFlow(9, now))
    network.runUntil(19 * US)
    expect(network.agrees).toBe(false)
    network.runUntil(25 * US)
    for (const { matrix } of network.nodes) {
      expect(matrix.all()).toMatchObject([{ source: 3, target: 9, flow }])
    }
  })

  it('of single links and nodes leave one view, without the dead, and no flow is stranded', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4])))
    const kept = network.act(0, (node, now) => node.openFlow(1, now))
    const toDead = network.act(0, (node, now) => node.openFlow(5, now))
    network.act(5, (node, now) => node.openFlow(2, now))
    network.act(0, (node, now) => node.write(kept, new Uint8Array(100_000), now))
    network.runUntil(1 * MS)
    network.setLink(0, 1, false)
    network.kill(5)
    network.runUntil(1 * MS + 30 * US)
    const tookPs = settle(network, 5 * MS)
    expect(tookPs).toBeLessThan(1 * MS)
    expect(network.nodes[9]!.matrix.all().map(({ target }) => target)).toEqual([1])
    expect(network.nodes[0]!.rateBps(toDead)).toBeUndefined()
    network.act(0, (node, now) => node.write(kept, new Uint8Array(100_000), now))
    network.runUntil(network.nowPs + 2 * MS)
    expect(network.delivered.get(`0/${kept}>1`)).toBe(200_000)
    network.setLink(0, 1, true)
    network.runUntil(network.nowPs + 1 * MS)
    expect(network.nodes[9]!.view.downOutputs(0)).toBe(0)
  })

  it('leave a flow waiting that no way leads for, until one does or it has waited for long', () => {
    const network = new TestNetwork(rackConfig(new Cube([4], 'mesh')))
    const flow = network.act(0, (node, now) => node.openFlow(3, now))
    network.runUntil(1 * MS)
    const rate = (): number | undefined => network.nodes[0]!.rateBps(flow)
    network.setLink(1, 2, false)
    network.runUntil(2 * MS)
    expect(rate()).toBeUndefined()
    for (const { matrix } of network.nodes) expect(matrix.all()).toEqual([])
    network.act(0, (node, now) => node.write(flow, new Uint8Array(3000), now))
    network.setLink(1, 2, true)
    network.runUntil(4 * MS)
    expect(rate()).toBeGreaterThan(0)
    expect(network.nodes[3]!.matrix.all()).toHaveLength(1)
    expect(network.delivered.get(`0/${flow}>3`)).toBe(3000)
    network.setLink(1, 2, false)
    network.runUntil(20 * MS)
    expect(() => network.nodes[0]!.write(flow, new Uint8Array(1), network.nowPs)).toThrow(
      'open one',
    )
  })

  it('of links are told again until all have heard, not neighbours only', () => {
    const network = new TestNetwork(rackConfig(new Cube([6])))
    network.setLink(0, 1, false)
    // The ends' words reach their neighbours, and what those pass on is lost.
    network.runUntil(20 * US + 50e3)
    network.faults = { ...network.faults, loss: 1 }
    network.runUntil(70 * US)
    network.faults = { ...network.faults, loss: 0 }
    expect(network.nodes[5]!.view.downOutputs(0)).not.toBe(0)
    expect(network.nodes[3]!.view.downOutputs(0)).toBe(0)
    network.runUntil(2 * MS)
    expect(network.nodes[3]!.view.downOutputs(0)).toBe(network.nodes[0]!.view.downOutputs(0))
  })

  it('of a node that is back before anybody missed it leave nothing of what it had', () => {
    const network = new TestNetwork(rackConfig(new Cube([4, 4])))
    for (const target of [1, 2, 3]) network.act(5, (node, now) => node.openFlow(target, now))
    network.runUntil(100 * US)
    network.faults = { ...network.faults, loss: 1 }
    network.kill(5)
    network.runUntil(130 * US)
    network.revive(5)
    network.runUntil(200 * US)
    network.faults = { ...network.faults, loss: 0 }
    expect(network.nodes[0]!.view.isReachable(5)).toBe(true)
    expect(network.nodes[0]!.matrix.all()).toHaveLength(3)
    network.act(5, (node, now) => node.openFlow(9, now))
    network.runUntil(3 * MS)
    expect(network.agrees).toBe(true)
    expect(network.nodes[0]!.matrix.all().map(({ target }) => target)).toEqual([9])
  })

  // More of them, on other fabrics, are in failures.test.ts.
  it('by chance are all repaired: views are equal within 8 digests of the last event', () => {
    const config = rackConfig(new Cube([3, 3, 3]))
    const network = new TestNetwork(config, { loss: 0.05, corruption: 0.02 }, 1)
    const random = new Random(1, 'chaos')
    const open: [number, number][] = []
    for (let event = 0; event < 120; event++) {
      const id = network.live[random.below(network.live.length)]!.id
      if (open.length > 0 && random.below(3) === 0) {
        const [source, flow] = open.splice(random.below(open.length), 1)[0]!
        network.act(source, (node, now) => node.closeFlow(flow, now))
      } else {
        const target = (id + 1 + random.below(26)) % 27
        open.push([id, network.act(id, (node, now) => node.openFlow(target, now))])
      }
      if (event === 40) network.setLink(0, 1, false)
      if (event === 60) network.kill(13)
      if (event === 80) network.setLink(20, 23, false)
      network.runUntil(network.nowPs + random.below(60) * US)
    }
    const tookPs = settle(network, 20 * MS)
    // And what all agree on is what there is.
    const real = open.filter(([source, flow]) => network.nodes[source]!.rateBps(flow) !== undefined)
    const known = network.nodes[0]!.matrix.all().filter(({ source }) => source !== 13)
    expect(known).toHaveLength(real.filter(([source]) => source !== 13).length)
    network.faults = { ...network.faults, loss: 0, corruption: 0 }
    network.runUntil(network.nowPs + 3 * MS)
    for (const { source, flow } of known) {
      expect(network.nodes[source]!.rateBps(flow)).toBeGreaterThan(0)
    }
    // 5.4 ms at most of six seeds when this was written. A digest, and the request and the
    // snapshot after it, are each lost to a fifth of the nodes, and flows announce that they are
    // idle 1 ms later.
    expect(tookPs).toBeGreaterThan(0)
    expect(tookPs).toBeLessThan(8 * MS)
  })
})
