import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ports } from '../ports.ts'
import { crossAllPs, idealFctPs } from './ideal.ts'
import type { IdealParams } from './ideal.ts'

interface Hop {
  readonly rateBps: number
  readonly delayPs: number
}

/** The ports of a chain of these links, host to host, and the way there and back. */
function chain(hops: readonly Hop[]): { ports: Ports; path: number[]; pathBack: number[] } {
  const isHost = (i: number): boolean => i === 0 || i === hops.length
  const nodes = Array.from({ length: hops.length + 1 }, (_, i) => ({
    name: `n${i}`,
    kind: isHost(i) ? ('host' as const) : ('switch' as const),
  }))
  const links = hops.map((hop, i) => ({ a: i, b: i + 1, ...hop }))
  const ports = new Ports({ nodes, links } as unknown as ConstructorParameters<typeof Ports>[0], 0)
  const path = hops.map((_, i) => 2 * i)
  return { ports, path, pathBack: path.map((port) => port ^ 1).reverse() }
}

type Case = Omit<IdealParams, 'path' | 'pathBack'>

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
const TEN = { rateBps: 10e9, delayPs: 1e6 }

function ideal(hops: readonly Hop[], given: Partial<Case>): number {
  const { ports, path, pathBack } = chain(hops)
  return idealFctPs(ports, { path, pathBack, ...plain, ...given })
}

/** The same packet by packet: who starts where, when. */
function byPackets(hops: readonly Hop[], given: Case): number {
  const { ports, path, pathBack } = chain(hops)
  const sendPs = given.sendCapBps > 0 ? 8e12 / given.sendCapBps : 0
  const takePs = given.takeCapBps > 0 ? 8e12 / given.takeCapBps : 0
  const cross = (way: readonly number[], ready: readonly number[], sizes: readonly number[]) => {
    let times = [...ready]
    way.forEach((port, hop) => {
      const servicePs = sizes.map((bytes) => Math.round(bytes * ports.psPerByte[port]!))
      const after = way[hop + 1]
      let freePs = 0
      times = times.map((readyPs, i) => {
        const startPs = Math.max(readyPs, freePs)
        freePs = startPs + servicePs[i]!
        const isCut = after !== undefined && given.cutThroughBytes > 0
        if (!isCut || sizes[i]! <= given.cutThroughBytes) return freePs + ports.delayPs[port]!
        const headPs = Math.round(given.cutThroughBytes * ports.psPerByte[port]!)
        const afterPs = Math.round(sizes[i]! * ports.psPerByte[after]!)
        return startPs + Math.max(headPs, servicePs[i]! - afterPs) + ports.delayPs[port]!
      })
    })
    let takenPs = 0
    return times.map((readyPs, i) => {
      const counted = way === path ? sizes[i]! - given.uncappedBytes : given.ackCapBytes
      if (takePs > 0) takenPs = Math.max(readyPs, takenPs) + Math.ceil(counted * takePs)
      return takePs > 0 ? takenPs : readyPs
    })
  }
  const sizes = Array.from({ length: given.packets }, () => given.fullBytes)
  sizes[given.packets - 1] = given.lastBytes
  const gapPs = Math.ceil((given.fullBytes - given.uncappedBytes) * sendPs)
  const arrived = cross(
    path,
    sizes.map((_, i) => i * gapPs),
    sizes,
  )
  if (given.ackBytes === 0) return arrived.at(-1)!
  const answered = arrived.filter(
    (_, i) => (i + 1) % given.ackEvery === 0 || i === given.packets - 1,
  )
  return cross(
    pathBack,
    answered,
    answered.map(() => given.ackBytes),
  ).at(-1)!
}

describe('the ideal time of a flow', () => {
  it('is transmission and delay, hop by hop, for one packet', () => {
    // 1,000 B at 10 Gb/s are 800 ns.
    expect(ideal([TEN], {})).toBe(0.8e6 + 1e6)
    expect(ideal([TEN, TEN], {})).toBe(2 * (0.8e6 + 1e6))
    expect(ideal([TEN, { rateBps: 40e9, delayPs: 5 }], {})).toBe(0.8e6 + 1e6 + 0.2e6 + 5)
  })

  it('adds one slowest transmission for each packet more, and less for a short last one', () => {
    const hops = [{ rateBps: 40e9, delayPs: 0 }, TEN, { rateBps: 20e9, delayPs: 0 }]
    const one = ideal(hops, {})
    expect(ideal(hops, { packets: 11 })).toBe(one + 10 * 0.8e6)
    // The short one is soon behind the one before it, and has only its own 40 ns after that.
    const short = ideal(hops, { packets: 11, lastBytes: 100 })
    expect(short).toBe(one + 9 * 0.8e6 + 0.04e6)
  })

  it('ends with the last ACK, where there are ACKs', () => {
    const ackPs = 64 * 800
    expect(ideal([TEN], { ackBytes: 64 })).toBe(0.8e6 + 1e6 + ackPs + 1e6)
    expect(ideal([TEN], { ackBytes: 64, packets: 5 })).toBe(5 * 0.8e6 + 1e6 + ackPs + 1e6)
  })

  it('lets the last ACK wait for the one before it', () => {
    // A last packet of 1 B comes 0.8 ns behind the one before it; the ACK of that takes 51.2 ns.
    const given = { ackBytes: 64, packets: 2, lastBytes: 1 }
    expect(ideal([TEN], given)).toBe(0.8e6 + 1e6 + 2 * 64 * 800 + 1e6)
    expect(ideal([TEN], { ...given, ackEvery: 2 })).toBe(0.8e6 + 800 + 1e6 + 64 * 800 + 1e6)
  })

  it('lets the header go ahead of the rest, with cut-through', () => {
    const headPs = 100 * 800
    expect(ideal([TEN, TEN], { cutThroughBytes: 100 })).toBe(headPs + 1e6 + 0.8e6 + 1e6)
    // On to a faster link the tail must be in time; a packet no longer than the header is stored.
    const fast = { rateBps: 40e9, delayPs: 0 }
    expect(ideal([TEN, fast], { cutThroughBytes: 100 })).toBe(0.6e6 + 1e6 + 0.2e6)
    const small = { cutThroughBytes: 100, fullBytes: 100, lastBytes: 100 }
    expect(ideal([TEN, TEN], small)).toBe(2 * (headPs + 1e6))
  })

  it('goes at a host cap that is below its link, there and back', () => {
    const capped = { sendCapBps: 5e9, takeCapBps: 5e9, ackCapBytes: 100 }
    expect(ideal([TEN], capped)).toBe(0.8e6 + 1e6 + 1.6e6)
    expect(ideal([TEN], { ...capped, packets: 4 })).toBe(0.8e6 + 1e6 + 4 * 1.6e6)
    expect(ideal([TEN], { ...capped, ackBytes: 100 })).toBe(2.4e6 + 1e6 + 0.08e6 + 1e6 + 0.16e6)
  })

  it('is what packet by packet gives, on any chain', () => {
    const hop = fc.record({
      rateBps: fc.constantFrom(1e9, 10e9, 25e9, 40e9, 100e9),
      delayPs: fc.nat(3_000_000),
    })
    const params = fc.record({
      fullBytes: fc.integer({ min: 60, max: 2000 }),
      shorter: fc.nat(59),
      packets: fc.integer({ min: 1, max: 20 }),
      ackBytes: fc.constantFrom(0, 20, 64, 1500),
      ackEvery: fc.integer({ min: 1, max: 4 }),
      cutThroughBytes: fc.constantFrom(0, 0, 16, 64),
      sendCapBps: fc.constantFrom(0, 0, 3e9, 50e9),
      takeCapBps: fc.constantFrom(0, 0, 3e9, 4e9),
      isPayload: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(hop, { minLength: 1, maxLength: 5 }), params, (hops, p) => {
        const counts = {
          uncappedBytes: p.isPayload ? 1 : 0,
          ackCapBytes: p.isPayload ? 0 : p.ackBytes,
        }
        const given = { ...p, ...counts, lastBytes: p.fullBytes - p.shorter }
        expect(ideal(hops, given)).toBe(byPackets(hops, given))
      }),
      { seed: 5, numRuns: 500 },
    )
  })
})

describe('a packet alone', () => {
  it('crosses a path in what its hops take', () => {
    const { ports, path } = chain([TEN, { rateBps: 40e9, delayPs: 5 }, TEN])
    expect(crossAllPs(ports, path, 1000, 0)).toBe(0.8e6 + 1e6 + 0.2e6 + 5 + 0.8e6 + 1e6)
    expect(crossAllPs(ports, path, 1000, 100)).toBe(0.6e6 + 1e6 + 20_000 + 5 + 0.8e6 + 1e6)
  })
})
