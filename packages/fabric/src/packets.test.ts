import { describe, expect, it } from 'vitest'
import { FIELD_A, BYTES, TAKEN_IN, NEXT, OUT, Packets } from './packets.ts'

describe('packets', () => {
  it('are records that do not overlap, also after they have grown, and keep all', () => {
    const packets = new Packets(2)
    const all = Array.from({ length: 9 }, (_, i) => {
      const p = packets.allocate()
      packets.int[p + BYTES] = i + 1
      packets.int[p + NEXT] = i - 20
      packets.float[(p >> 1) + TAKEN_IN] = i + 0.5
      packets.cold[(p >> 1) + FIELD_A] = i * 7
      packets.cold[(p >> 1) + OUT] = i * 9
      return p
    })
    expect(new Set(all).size).toBe(9)
    expect(packets.held).toBe(9)
    all.forEach((p, i) => {
      expect(packets.int[p + BYTES]).toBe(i + 1)
      expect(packets.int[p + NEXT]).toBe(i - 20)
      expect(packets.float[(p >> 1) + TAKEN_IN]).toBe(i + 0.5)
      expect(packets.cold[(p >> 1) + FIELD_A]).toBe(i * 7)
      expect(packets.cold[(p >> 1) + OUT]).toBe(i * 9)
    })
  })

  it('are used again once they are free, the last one first, and no sooner', () => {
    const packets = new Packets(2)
    const [a, b, c] = [1, 2, 3].map(() => packets.allocate()) as [number, number, number]
    packets.free(a)
    packets.free(c)
    expect(packets.held).toBe(1)
    expect(packets.freeList()).toEqual(new Set([a, c]))
    expect(packets.allocate()).toBe(c)
    expect(packets.allocate()).toBe(a)
    expect(packets.freeList()).toEqual(new Set())
    expect([a, b, c]).not.toContain(packets.allocate())
    expect(packets.held).toBe(4)
  })

  it('are known as free whichever they are', () => {
    const packets = new Packets(8)
    const all = Array.from({ length: 8 }, () => packets.allocate())
    const free = [3, 6, 5].map((i) => all[i]!)
    for (const p of free) packets.free(p)
    expect(packets.freeList()).toEqual(new Set(free))
    expect(free.map(() => packets.allocate())).toEqual(free.toReversed())
  })

  it('keep their written routes when they grow, and have room for them then', () => {
    const packets = new Packets(2, true)
    const all = Array.from({ length: 9 }, (_, i) => {
      const p = packets.allocate()
      for (let hop = 0; hop < 64; hop++) packets.routes[(p << 2) + hop] = 100 * i + hop
      return p
    })
    all.forEach((p, i) => {
      const route = Array.from(packets.routes.subarray(p << 2, (p << 2) + 64))
      expect(route).toEqual(Array.from({ length: 64 }, (_, hop) => 100 * i + hop))
    })
    expect(new Packets(2).routes.length).toBe(0)
  })

  it('have room for some on each link at first, in a power of two between two bounds', () => {
    const rooms = [1, 100, 128, 1000, 1e7].map((links) => Packets.roomFor(links))
    expect(rooms).toEqual([4096, 8192, 8192, 65_536, 2 ** 21])
  })
})
