import { Random } from '@weir/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANNOUNCEMENT_BYTES,
  decodeAnnouncement,
  encodeAnnouncement,
  weightCodeOf,
  weightOf,
} from './announcement.ts'
import type { Announcement } from './announcement.ts'
import { PROTOCOL_NAMES } from '../protocols.ts'
import { crc16 } from './crc16.ts'
import { decodeRouted, encodeRouted, hopBitsOf, hopsMax, nextHop } from './data.ts'
import { TYPE_DATA, TYPE_DIGEST, TYPE_FINISH, TYPE_START } from './packet.ts'
import { decodeRouteChoices, encodeRouteChoices, PAIRS_MAX } from './route-choices.ts'

const NODES = 512
const word = (bits: number) => fc.nat({ max: 2 ** bits - 1 })

const announcement: fc.Arbitrary<Announcement> = fc
  .record({
    type: fc.constantFrom(TYPE_START, TYPE_FINISH),
    priority: word(4),
    tree: word(4),
    protocol: fc.nat({ max: PROTOCOL_NAMES.length - 1 }),
    source: fc.nat({ max: NODES - 1 }),
    target: fc.nat({ max: NODES - 1 }),
    flow: word(16),
    demandKbps: fc.oneof(fc.nat({ max: 2 ** 32 - 2 }), fc.constant(Infinity)),
    weightCode: word(8),
    sequence: word(8),
  })
  .filter(({ source, target }) => source !== target)

describe('a broadcast packet', () => {
  it('is 16 bytes, and comes back as it was', () => {
    fc.assert(
      fc.property(announcement, (a) => {
        const bytes = encodeAnnouncement(a)
        expect(bytes).toHaveLength(ANNOUNCEMENT_BYTES)
        expect(decodeAnnouncement(bytes, NODES)).toEqual(a)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('has these very bytes', () => {
    const bytes = encodeAnnouncement({
      type: TYPE_START,
      priority: 1,
      tree: 2,
      protocol: 3,
      source: 0x0102,
      target: 0x0003,
      flow: 0x0405,
      demandKbps: 10_000_000,
      weightCode: 0x80,
      sequence: 7,
    })
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    expect(hex.slice(0, 28)).toBe('2123010200030405009896808007')
    expect(crc16(new TextEncoder().encode('123456789'))).toBe(0x29b1)
  })

  it('is refused with any one bit changed', () => {
    fc.assert(
      fc.property(announcement, fc.nat({ max: 127 }), (a, bit) => {
        const bytes = encodeAnnouncement(a)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        expect(typeof decodeAnnouncement(bytes, NODES)).toBe('string')
      }),
      { seed: 2, numRuns: 300 },
    )
  })

  it('is refused if it is short, of another type, or of nodes that there are not', () => {
    const good: Announcement = {
      ...{ type: TYPE_START, priority: 0, tree: 0, protocol: 0, source: 1, target: 2, flow: 0 },
      ...{ demandKbps: 1, weightCode: 0, sequence: 0 },
    }
    expect(decodeAnnouncement(encodeAnnouncement(good).subarray(1), NODES)).toBe('length')
    expect(decodeAnnouncement(new Uint8Array(16), NODES)).toBe('type')
    expect(decodeAnnouncement(encodeAnnouncement(good), 2)).toBe('field')
    expect(decodeAnnouncement(encodeAnnouncement({ ...good, target: 1 }), NODES)).toBe('field')
    expect(decodeAnnouncement(encodeAnnouncement({ ...good, protocol: 5 }), NODES)).toBeTypeOf(
      'object',
    )
    expect(decodeAnnouncement(encodeAnnouncement({ ...good, protocol: 6 }), NODES)).toBe('field')
    const digest = encodeAnnouncement({ ...good, type: TYPE_DIGEST, target: 9999 })
    expect(typeof decodeAnnouncement(digest, NODES)).toBe('object')
  })

  it('has weights from 1/256 to 248, to a sixteenth', () => {
    expect(weightOf(weightCodeOf(1))).toBe(1)
    expect([weightOf(0), weightOf(255)]).toEqual([1 / 256, 248])
    for (const weight of [0.01, 0.3, 1, 2.5, 100]) {
      const got = weightOf(weightCodeOf(weight))
      expect(got).toBeGreaterThanOrEqual(weight)
      expect(got).toBeLessThanOrEqual(weight * (1 + 1 / 16))
    }
    expect([weightCodeOf(1e-9), weightCodeOf(1e9)]).toEqual([0, 255])
    expect(() => weightCodeOf(0)).toThrow('give one above 0')
    expect(() => weightCodeOf(NaN)).toThrow('give one above 0')
  })
})

describe('a data packet', () => {
  it('is led hop by hop along its route, and arrives as it was', () => {
    const degrees = fc.constantFrom(6, 8, 32)
    fc.assert(
      fc.property(degrees, fc.array(word(3), { maxLength: 25 }), word(32), (degree, route, seq) => {
        const hopBits = hopBitsOf(degree)
        const payload = Uint8Array.from(route)
        const packet = {
          type: TYPE_DATA,
          source: 3,
          target: 4,
          flow: 5,
          sequence: seq,
          route,
          payload,
        }
        const bytes = encodeRouted(packet, hopBits)
        for (const port of route) expect(nextHop(bytes, hopBits)).toBe(port)
        expect(nextHop(bytes, hopBits)).toBe('arrived')
        expect(decodeRouted(bytes, NODES)).toEqual(packet)
      }),
      { seed: 3, numRuns: 200 },
    )
  })

  it('is refused on its way if its header is none, and is not led beyond its last hop', () => {
    const rest = { type: TYPE_DATA, source: 0, target: 1, flow: 0, sequence: 9 }
    const good = encodeRouted({ ...rest, route: [1, 2, 3], payload: Uint8Array.of(1, 2) }, 3)
    const changed = (at: number, value: number): Uint8Array => {
      const bytes = good.slice()
      bytes[at] = value
      return bytes
    }
    expect(nextHop(good.subarray(0, 17), 3)).toBe('length')
    expect(decodeRouted(new Uint8Array(0), NODES)).toBe('length')
    // Three hops of 3 bits are two bytes of route.
    expect(nextHop(good.subarray(0, 19), 3)).toBe('length')
    expect(nextHop(good.slice(0, 20), 3)).toBe(1)
    expect(nextHop(changed(0, TYPE_START << 4), 3)).toBe('type')
    for (const hopBits of [0, 4, 17]) expect(nextHop(changed(3, hopBits), 3)).toBe('field')
    expect(nextHop(changed(1, 43), 3)).toBe('field')
    expect(nextHop(changed(2, 4), 3)).toBe('field')
    expect(nextHop(changed(2, 3), 3)).toBe('arrived')
    expect(nextHop(changed(2, 2), 3)).toBe(3)
  })

  it('is refused at its destination if it is of nodes that there are not', () => {
    const rest = { type: TYPE_DATA, flow: 0, sequence: 0, route: [], payload: new Uint8Array(0) }
    expect(decodeRouted(encodeRouted({ ...rest, source: 9, target: 1 }, 3), 9)).toBe('field')
    expect(decodeRouted(encodeRouted({ ...rest, source: 1, target: 9 }, 3), 9)).toBe('field')
    expect(decodeRouted(encodeRouted({ ...rest, source: 8, target: 8 }, 3), 9)).toMatchObject(rest)
    expect(() => encodeRouted({ ...rest, source: 0, target: 1, route: [8] }, 3)).toThrow('3 bits')
  })

  it('has room for 42 hops of 3 bits, as in the paper, and 25 on 32-port switches', () => {
    expect([hopsMax(hopBitsOf(6)), hopsMax(hopBitsOf(32))]).toEqual([42, 25])
    const route = new Array<number>(43).fill(1)
    const rest = { type: TYPE_DATA, source: 0, target: 1, flow: 0, sequence: 0 }
    expect(() => encodeRouted({ ...rest, route, payload: new Uint8Array(0) }, 3)).toThrow('42 of 3')
  })

  it('is refused at its destination with any one bit changed, but for the hop count', () => {
    const rest = { type: TYPE_DATA, source: 0, target: 1, flow: 0, sequence: 9 }
    const good = encodeRouted({ ...rest, route: [1, 2, 3], payload: Uint8Array.of(1, 2) }, 3)
    for (let bit = 0; bit < 8 * good.length; bit++) {
      if (bit >> 3 === 2) continue
      const bytes = good.slice()
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      expect(typeof decodeRouted(bytes, NODES)).toBe('string')
    }
  })
})

describe('the announcement of routes', () => {
  it('holds 298 pairs of 5 bytes in 1,500', () => {
    expect(PAIRS_MAX).toBe(298)
    const choices = Array.from({ length: 298 }, (_, i) => ({ source: i, flow: 7, protocol: i % 2 }))
    const bytes = encodeRouteChoices({ source: 1, tree: 2, sequence: 3, choices })
    expect(bytes).toHaveLength(1500)
    expect(decodeRouteChoices(bytes, NODES)).toEqual({ source: 1, tree: 2, sequence: 3, choices })
    expect(decodeRouteChoices(bytes, 100)).toBe('field')
    const strange = [{ source: 1, flow: 7, protocol: 6 }]
    const other = encodeRouteChoices({ source: 1, tree: 2, sequence: 3, choices: strange })
    expect(decodeRouteChoices(other, NODES)).toBe('field')
    bytes[700]! ^= 4
    expect(decodeRouteChoices(bytes, NODES)).toBe('checksum')
    expect(decodeRouteChoices(bytes.subarray(5), NODES)).toBe('type')
    expect(decodeRouteChoices(bytes.subarray(0, 99), NODES)).toBe('length')
    const more = { source: 1, tree: 0, sequence: 0, choices: [...choices, choices[0]!] }
    expect(() => encodeRouteChoices(more)).toThrow('298 do')
  })
})

describe('decoders', () => {
  it('take any bytes without a fault', () => {
    const random = new Random(1, 'fuzz')
    for (let i = 0; i < 5000; i++) {
      const bytes = Uint8Array.from({ length: random.below(60) }, () => random.below(256))
      decodeAnnouncement(bytes, NODES)
      decodeRouted(bytes, NODES)
      decodeRouteChoices(bytes, NODES)
      nextHop(bytes, 3)
    }
  })
})
