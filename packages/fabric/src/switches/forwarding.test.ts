import { Random } from '@weir/engine'
import { describe, expect, it } from 'vitest'
import type { Routing } from '../contract/routing.ts'
import { sameLanes } from '../lanes.ts'
import { CLASS, HOP, INGRESS, PATH, Packets, ROUTED, TARGET } from '../packets.ts'
import { Paths } from '../paths.ts'
import { CLASSES } from '../ports.ts'
import { Forwarding } from './forwarding.ts'

describe('forwarding', () => {
  const randoms = [0, 1, 2].map((node) => new Random(1, `switch.${node}`))
  const asked: [number, number, Random][] = []
  const routing: Routing = {
    name: 'asked',
    perPacket: true,
    path: () => [],
    next: (node, target, random) => {
      asked.push([node, target, random])
      return 9
    },
  }

  it('follows the path of a packet, hop by hop, and notes where it came in', () => {
    const packets = new Packets()
    const paths = new Paths()
    paths.add([30, 31])
    const p = packets.allocate()
    packets.int[p + PATH] = paths.add([4, 6, 8])
    packets.int[p + HOP] = 0
    packets.int[p + CLASS] = 3
    const forwarding = new Forwarding(packets, paths, routing, randoms)
    expect(forwarding.outputOf(1, 4, p)).toBe(6)
    expect(packets.int[p + INGRESS]).toBe(4 * CLASSES + 3)
    expect(forwarding.outputOf(2, 6, p)).toBe(8)
    expect(packets.int[p + INGRESS]).toBe(6 * CLASSES + 3)
    expect(packets.int[p + CLASS]).toBe(3)
    expect(packets.int[p + HOP]).toBe(2)
    expect(asked).toEqual([])
    expect(forwarding.sprays).toBe(true)
  })

  it("asks the routing for a packet without a path, with the switch's own chance", () => {
    asked.length = 0
    const packets = new Packets()
    packets.allocate()
    const p = packets.allocate()
    packets.int[p + PATH] = -1
    packets.cold[(p >> 1) + TARGET] = 17
    const forwarding = new Forwarding(packets, new Paths(), routing, randoms)
    expect(forwarding.outputOf(2, 4, p)).toBe(9)
    expect(asked).toEqual([[2, 17, randoms[2]]])
    expect(packets.int[p + INGRESS]).toBe(4 * CLASSES)
  })

  it('follows the way that is written into a packet', () => {
    const packets = new Packets(4, true)
    packets.allocate()
    const p = packets.allocate()
    packets.int[p + PATH] = ROUTED
    packets.int[p + HOP] = 0
    packets.routes.set([3, 5, 7], p << 2)
    const forwarding = new Forwarding(packets, new Paths(), routing, randoms)
    expect([forwarding.outputOf(1, 3, p), forwarding.outputOf(2, 5, p)]).toEqual([5, 7])
  })

  it('sends a packet on in another class where lanes say so, and knows the one it came in', () => {
    const packets = new Packets()
    const paths = new Paths()
    const p = packets.allocate()
    packets.int[p + PATH] = paths.add([4, 6, 8])
    packets.int[p + HOP] = 0
    packets.int[p + CLASS] = 3
    const lanes = sameLanes(10)
    lanes[6 * CLASSES + 3] = 5
    const forwarding = new Forwarding(packets, paths, routing, randoms, lanes)
    forwarding.outputOf(1, 4, p)
    expect([packets.int[p + INGRESS], packets.int[p + CLASS]]).toEqual([4 * CLASSES + 3, 5])
    forwarding.outputOf(2, 6, p)
    expect([packets.int[p + INGRESS], packets.int[p + CLASS]]).toEqual([6 * CLASSES + 5, 5])
  })
})
