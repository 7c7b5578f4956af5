import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ports } from '../ports.ts'
import { idealFctPs } from './ideal.ts'
import { sprayedFctPs } from './ideal-spray.ts'
import type { SprayedParams } from './ideal-spray.ts'

type Case = Omit<SprayedParams, 'stages' | 'stagesBack'>

const plain: Case = {
  fullBytes: 1000,
  lastBytes: 1000,
  packets: 1,
  ackBytes: 0,
  ackEvery: 1,
  cutThroughBytes: 0,
  sendCapBps: 0,
  takeCapBps: 0,
  uncappedBytes: 0,
  ackCapBytes: 0,
}

/** Ports of links of these rates, all of 1 us: link i is port 2i, and back 2i + 1. */
function portsOf(ratesBps: readonly number[]): Ports {
  const links = ratesBps.map((rateBps, i) => ({ a: i, b: i + 1, rateBps, delayPs: 1e6 }))
  const nodes = Array.from({ length: ratesBps.length + 1 }, (_, i) => {
    const isEnd = i === 0 || i === ratesBps.length
    return { name: `n${i}`, kind: isEnd ? 'host' : 'switch' }
  })
  return new Ports({ nodes, links } as unknown as ConstructorParameters<typeof Ports>[0], 0)
}

/** Over a chain of links, one after the other: the bound for sprayed flows, and the exact time. */
function both(ratesBps: readonly number[], given: Partial<Case>): [bound: number, exact: number] {
  const ports = portsOf(ratesBps)
  const path = ratesBps.map((_, i) => 2 * i)
  const pathBack = path.map((port) => port + 1).reverse()
  const all = { ...plain, ...given }
  const stages = path.map((port) => [port])
  const stagesBack = pathBack.map((port) => [port])
  return [
    sprayedFctPs(ports, { ...all, stages, stagesBack }),
    idealFctPs(ports, { ...all, path, pathBack }),
  ]
}

const TEN = 10e9

describe('the least time of a sprayed flow, where it has one way', () => {
  it.each([
    ['', {}],
    [', with an ACK', { ackBytes: 64 }],
    [', taken in at 1 Gb/s', { takeCapBps: 1e9 }],
    [', its payload taken in', { takeCapBps: 1e9, uncappedBytes: 48 }],
    [', it and its ACK taken in', { takeCapBps: 1e9, ackBytes: 64, ackCapBytes: 64 }],
    [', cut through', { cutThroughBytes: 64 }],
  ])('is that of the way for one packet%s', (_, given) => {
    for (const lastBytes of [1000, 300]) {
      const [bound, exact] = both([TEN, 4e9, 25e9], { lastBytes, ...given })
      expect(bound).toBe(exact)
    }
  })

  it('is that of the way where nothing waits but at the sender, by its cap too', () => {
    for (const given of [{}, { ackBytes: 64 }, { sendCapBps: 1e9 }, { takeCapBps: 100e9 }]) {
      const [bound, exact] = both([TEN, TEN, 40e9], { packets: 20, ...given })
      expect(bound).toBe(exact)
    }
    // A short last one catches up with the full one before it, and waits for that at the end.
    const [bound, exact] = both([TEN, TEN], { packets: 20, lastBytes: 100 })
    expect([bound, exact]).toEqual([20 * 0.8e6 + 0.08e6 + 2e6, bound])
  })

  // What waits may be overtaken, in principle, so that one packet of the queue is not counted.
  it('leaves out one packet of what waits to be taken in', () => {
    // 1,000 B at 1 Gb/s are 8 us.
    const [bound, exact] = both([TEN], { packets: 5, takeCapBps: 1e9 })
    expect(exact).toBe(0.8e6 + 1e6 + 5 * 8e6)
    expect(bound).toBe(exact - 8e6)
    const [payload, exactly] = both([TEN], { packets: 5, takeCapBps: 1e9, uncappedBytes: 500 })
    expect(exactly - payload).toBe(4e6)
    // The short one first, and then a full one.
    const [short] = both([TEN], { packets: 2, lastBytes: 10, takeCapBps: 1e9 })
    expect(short).toBeLessThanOrEqual(0.8e6 + 1e6 + 8e6 + 0.08e6)
    expect(short).toBeGreaterThanOrEqual(0.8e6 + 1e6 + 8e6)
  })

  it('leaves out one ACK of those that wait to be taken in, all of one for two packets', () => {
    // 2,000 B that the cap counts of each ACK are 16 us; the data's own are 8 us a packet.
    const given = { packets: 9, takeCapBps: 1e9, ackBytes: 64, ackCapBytes: 2000 }
    const [bound, exact] = both([TEN], given)
    expect(exact - bound).toBeGreaterThanOrEqual(0)
    expect(exact - bound).toBeLessThanOrEqual(16e6)
    // Eight ACKs of 16 us each at the least, after the first packet and its ACK.
    expect(bound).toBeGreaterThan(8 * 16e6)
    const [few, exactly] = both([TEN], { ...given, ackEvery: 2 })
    expect(exactly - few).toBeGreaterThanOrEqual(0)
    expect(exactly - few).toBeLessThanOrEqual(16e6)
    expect(few).toBeLessThan(bound)
  })

  it('is never more than the time of the way, and not much less', () => {
    const rate = fc.constantFrom(1e9, 5e9, TEN, 25e9)
    fc.assert(
      fc.property(
        fc.array(rate, { minLength: 1, maxLength: 4 }),
        fc.record({
          packets: fc.integer({ min: 1, max: 40 }),
          lastBytes: fc.integer({ min: 49, max: 1000 }),
          ackBytes: fc.constantFrom(0, 64),
          ackEvery: fc.constantFrom(1, 3),
          cutThroughBytes: fc.constantFrom(0, 64),
          takeCapBps: fc.constantFrom(0, 1e9, 8e9),
          sendCapBps: fc.constantFrom(0, 2e9),
          uncappedBytes: fc.constantFrom(0, 48),
        }),
        (rates, given) => {
          const [bound, exact] = both(rates, { ...given, ackCapBytes: 64 })
          expect(bound).toBeLessThanOrEqual(exact)
          // Two packets of the slowest server there and one ACK back.
          const slowestBps = Math.min(...rates, given.takeCapBps || Infinity)
          expect(exact - bound).toBeLessThanOrEqual((2 * 1000 + 2 * 64) * (8e12 / slowestBps))
        },
      ),
      { numRuns: 200, seed: 1 },
    )
  })
})

describe('the least time of a sprayed flow', () => {
  it('is that of all ways together: four links of 10 Gb/s carry 25, and two do not', () => {
    const ports = portsOf([25e9, TEN, TEN, TEN, TEN, 25e9])
    const timeBy = (ways: number[], more: Partial<Case> = {}): number => {
      const stages = [[0], ways, [10]]
      const stagesBack = [[11], ways.map((port) => port + 1), [1]]
      return sprayedFctPs(ports, { ...plain, packets: 101, ...more, stages, stagesBack })
    }
    // 320 ns a packet at 25 Gb/s; by two ways of 10 Gb/s one leaves each 400 ns.
    const one = 0.32e6 + 0.8e6 + 0.32e6 + 3e6
    expect(timeBy([2, 4, 6, 8])).toBe(one + 100 * 0.32e6)
    // 100 packets before the last, of which two may be under way.
    expect(timeBy([2, 4])).toBe(one + 98 * 0.4e6)
    expect(timeBy([2])).toBeGreaterThan(one + 98 * 0.8e6)
    // ACKs of 1,000 B come back by one way of 10 Gb/s at 800 ns each.
    const back = timeBy([2], { ackBytes: 1000, packets: 3 })
    expect(back / (2 * one + 0.8e6)).toBeCloseTo(1, 6)
  })
})

/** Hosts at both ends of a few links side by side; the ends' own links are first and last. */
interface SideBySide {
  readonly links: readonly { readonly rateBps: number; readonly delayPs: number }[]
  readonly given: Case
}

/** When all is acknowledged if packets and ACKs take these of the ways, in the order of sending. */
function carriedPs(ports: Ports, given: Case, ways: readonly number[]): number {
  const far = ports.count - 2
  const capPs = given.takeCapBps > 0 ? 8e12 / given.takeCapBps : 0
  let turn = 0
  const cross = (units: { atPs: number; bytes: number }[], port: () => number): void => {
    const freePs = new Map<number, number>()
    for (const unit of units.sort((a, b) => a.atPs - b.atPs)) {
      const by = port()
      const servicePs = Math.round(unit.bytes * ports.psPerByte[by]!)
      const endPs = Math.max(unit.atPs, freePs.get(by) ?? 0) + servicePs
      freePs.set(by, endPs)
      unit.atPs = endPs + ports.delayPs[by]!
    }
    units.sort((a, b) => a.atPs - b.atPs)
  }
  const data = Array.from({ length: given.packets }, (_, i) => {
    return { atPs: 0, bytes: i === given.packets - 1 ? given.lastBytes : given.fullBytes }
  })
  cross(data, () => 0)
  cross(data, () => 2 * ways[turn++]!)
  cross(data, () => far)
  let takenPs = 0
  const acks = data.map(({ atPs, bytes }) => {
    takenPs = Math.max(takenPs, atPs) + Math.ceil(bytes * capPs)
    return { atPs: takenPs, bytes: given.ackBytes }
  })
  cross(acks, () => far + 1)
  cross(acks, () => 2 * ways[turn++]! + 1)
  cross(acks, () => 1)
  return acks.reduce(
    (endPs, { atPs }) => Math.max(endPs, atPs) + Math.ceil(given.ackCapBytes * capPs),
    0,
  )
}

/** Every way of giving `count` things one of `of` numbers, from 1 on. */
function choices(count: number, of: number): number[][] {
  if (count === 0) return [[]]
  const rest = choices(count - 1, of)
  return Array.from({ length: of }, (_, i) => rest.map((more) => [i + 1, ...more])).flat()
}

/** The bound, and the least time that any ways give. */
function leastPs({ links, given }: SideBySide): [bound: number, found: number] {
  const ends = links.map((link, i) => ({ a: i, b: i + 1, ...link }))
  const nodes = Array.from({ length: links.length + 1 }, (_, i) => ({ name: `n${i}` }))
  const graph = { nodes, links: ends } as unknown as ConstructorParameters<typeof Ports>[0]
  const ports = new Ports(graph, 0)
  const ways = links.slice(1, -1).map((_, i) => 2 * (i + 1))
  const far = 2 * (links.length - 1)
  const stages = [[0], ways, [far]]
  const stagesBack = [[far + 1], ways.map((port) => port + 1), [1]]
  const every = choices(2 * given.packets, ways.length)
  const found = every.map((way) => carriedPs(ports, given, way))
  return [sprayedFctPs(ports, { ...given, stages, stagesBack }), Math.min(...found)]
}

describe('no choice of ways is faster than the least time of a sprayed flow', () => {
  it.each([
    ['which a slow link sends first', [1e9, TEN, TEN, TEN], 1e3, 83, 10e9, 116],
    ['which its host takes in first', [1e9, 100e9, 100e9, 1e9], 1e6, 94, 0.1e9, 192],
  ])('of two packets, of which the second is short, %s', (_, ratesBps, delayPs, ...bytes) => {
    const [lastBytes, takeCapBps, ackBytes] = bytes
    const links = ratesBps.map((rateBps, i) => ({ rateBps, delayPs: i === 1 ? delayPs : 1e3 }))
    const given = { ...plain, packets: 2, lastBytes, takeCapBps, ackBytes }
    const [bound, found] = leastPs({ links, given })
    expect(bound).toBeLessThanOrEqual(found)
  })

  it('of two or three packets, whatever the links', () => {
    const link = fc.record({
      rateBps: fc.constantFrom(1e9, TEN, 100e9),
      delayPs: fc.constantFrom(0, 1e3, 1e6),
    })
    const given = fc.record({
      packets: fc.integer({ min: 1, max: 3 }),
      lastBytes: fc.integer({ min: 10, max: 1000 }),
      ackBytes: fc.integer({ min: 10, max: 200 }),
      ackCapBytes: fc.constantFrom(0, 64, 2000),
      takeCapBps: fc.constantFrom(0, 0.1e9, 1e9, TEN),
    })
    const links = fc.array(link, { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(links, given, (some, more) => {
        const [bound, found] = leastPs({ links: some, given: { ...plain, ...more } })
        expect(bound).toBeLessThanOrEqual(found)
      }),
      { numRuns: 600, seed: 1 },
    )
  })
})
